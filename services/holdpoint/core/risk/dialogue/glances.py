"""Glances that are taken of each text that is read: one pass answers for all of them."""

from holdpoint.core.risk.glance import Glances

shared = Glances().glance
