"""`python -m holdpoint`."""

from holdpoint.cli import main

main()
