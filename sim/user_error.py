"""UserError: the base of errors that a user can cause, whose message is all that the user needs to read."""

from __future__ import annotations


class UserError(Exception):
    """Bad input or a missing part of the machine; the message says what is wrong and how to fix it."""
