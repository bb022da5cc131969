"""Derivatives on SO(3), for Python: exponential map, right Jacobian, derivatives of quaternion integration.

With θ = h ω, q' = q exp(θ). A small rotation δ of q, in its own frame, becomes exp(-θ) δ of q'; a small change dθ
becomes J(θ) dθ, with the right Jacobian J(θ) = 1 - (1 - cos|θ|) / |θ|² [θ] + (|θ| - sin|θ|) / |θ|³ [θ]².
"""

from __future__ import annotations

from math import cos, sin
from typing import Any

import numpy as np

# below this angle, the Taylor series are exact to machine precision
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
    """J(θ), the right Jacobian of the exponential map."""
    angle, k = float(np.linalg.norm(theta)), cross_matrix(theta)
    if angle < SMALL:
        return np.eye(3) - (0.5 - angle**2 / 24) * k + (1 / 6 - angle**2 / 120) * k @ k
    return np.eye(3) - (1 - cos(angle)) / angle**2 * k + (angle - sin(angle)) / angle**3 * k @ k


def quat_integrate_derivatives(velocity: Any, h: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Derivatives of q exp(h ω) w.r.t. q, ω and h, as rotation vectors in the frame of the result."""
    velocity = np.asarray(velocity, float)
    if velocity.shape != (3,):
        raise ValueError(f"velocity must have shape (3,), not {velocity.shape}")
    return exponential(-h * velocity), h * right_jacobian(h * velocity), velocity.copy()
