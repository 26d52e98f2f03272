"""Prefilters that every text is put through: one pass answers for all of them."""

from holdpoint.core.risk.prefilter import PrefilterSet

shared = PrefilterSet().add
