"""Takes up changed kernels without a restart: all of a change, or nothing of it."""

from sim.jit.reload.staging import NotTakenUp, RestartNeeded
from sim.jit.reload.take_up import Change, Reload

__all__ = ["Change", "NotTakenUp", "Reload", "RestartNeeded"]
