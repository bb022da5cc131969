"""Kinematic trees and islands: why they are awake, what woke them, what ties them, what they cost, their energy."""
