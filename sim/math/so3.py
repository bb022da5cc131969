"""Derivatives of rotations for Python: exponential map, right Jacobian, Jacobians of quaternion integration.

With θ = h ω, q' = q exp(θ). A small turn δ of q, in its own frame, becomes exp(-θ) δ of q'; a small change of θ becomes
J(θ), the right Jacobian: J(θ) = 1 - (1 - cos|θ|) / |θ|² [θ] + (|θ| - sin|θ|) / |θ|³ [θ]².
"""

from __future__ import annotations

from math import cos, sin
from typing import Any

import numpy as np

# below this angle the series are exact to the last digits
SMALL = 1e-4


def cross_matrix(v: Any) -> np.ndarray:
    """[v] with [v] x = v × x"""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def exponential(theta: Any) -> np.ndarray:
    """Rotation matrix of a rotation vector."""
    angle, k = float(np.linalg.norm(theta)), cross_matrix(theta)
    if angle < SMALL:
        return np.eye(3) + (1 - angle**2 / 6) * k + (0.5 - angle**2 / 24) * k @ k
    return np.eye(3) + sin(angle) / angle * k + (1 - cos(angle)) / angle**2 * k @ k


def right_jacobian(theta: Any) -> np.ndarray:
    """J(θ)"""
    angle, k = float(np.linalg.norm(theta)), cross_matrix(theta)
    if angle < SMALL:
        return np.eye(3) - (0.5 - angle**2 / 24) * k + (1 / 6 - angle**2 / 120) * k @ k
    return np.eye(3) - (1 - cos(angle)) / angle**2 * k + (angle - sin(angle)) / angle**3 * k @ k


def quat_integrate_slopes(velocity: Any, h: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Turn of q exp(h ω) with a turn of q, with ω and with h."""
    velocity = np.asarray(velocity, float)
    if velocity.shape != (3,):
        raise ValueError(f"an angular velocity has 3 numbers, not shape {velocity.shape}")
    return exponential(-h * velocity), h * right_jacobian(h * velocity), velocity.copy()
