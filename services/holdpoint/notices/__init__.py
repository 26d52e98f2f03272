"""Notices: e-mail and webhooks say that someone is waited for. They carry a link, no answer."""
