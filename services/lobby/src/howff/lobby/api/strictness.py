"""Which routes are dear, or let somebody guess, and so are limited more strictly than others."""

from typing import Final

from fastapi import Depends

from howff.servicekit.web.limiting import limited

PASSWORDS: Final = (Depends(limited("passwords", per_minute=20, at_once=20)),)
"""Of routes that look at a password, all together."""
GUESTS: Final = (Depends(limited("guests", per_minute=30, at_once=30)),)
