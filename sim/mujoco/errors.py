"""The exceptions of MuJoCo's bindings."""

from __future__ import annotations


class FatalError(Exception):
    """What MuJoCo's own code refuses to go on with: an invalid option, a state of the wrong kind."""


class UnexpectedError(Exception):
    """An error that is a bug."""
