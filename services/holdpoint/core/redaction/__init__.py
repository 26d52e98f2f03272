"""Secrets in what people are shown: found and covered; what hides is made visible."""
