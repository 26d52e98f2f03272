"""No domain: a file that each process loads, and that shortens the leases of its workers."""

from holdpoint.workers import app

TOOLS = ()
app.LEASE_S = 6.0
