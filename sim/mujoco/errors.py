"""The exceptions of MuJoCo's bindings."""

from __future__ import annotations


class FatalError(Exception):
    """An error of MuJoCo's own code: an invalid option, a state of the wrong kind."""


class UnexpectedError(Exception):
    """An error that is a bug."""
