"""What the lines of the profiler mean: a sentence for each stage of a step, part of a frame and count."""

from __future__ import annotations

from app.run.stage_profiler import CALLS
from sim.script.profile import REST

STAGES = {
    "kinematics": "positions and orientations of bodies, geoms, sites and joint axes from qpos",
    "centres of mass": "centres of mass of subtrees; inertias and joint axes about them (cinert, cdof)",
    "cameras and lights": "camera and light poses",
    "flexes": "flex vertex positions and quantities derived from them",
    "tendons": "tendon lengths, paths, moment arms and velocities",
    "inertia": "the joint-space inertia matrix M (composite rigid bodies), and its factorization",
    "collision": "which geoms touch: broad phase, then contact points and distances",
    "constraint rows": "the Jacobian and the parameters of contacts, limits, friction loss and equalities",
    "islands": "groups of trees connected by constraints, solved separately",
    "transmission": "actuator lengths and moment arms",
    "sensors": "all position, velocity and acceleration sensors",
    "energy": "potential and kinetic energy",
    "velocities": "body velocities from qvel",
    "passive forces": "springs, dampers, gravity compensation, fluid",
    "bias forces": "Coriolis, centrifugal and gravitational forces (recursive Newton-Euler)",
    "actuation": "actuator forces and activation derivatives",
    "acceleration": "unconstrained acceleration, including the mouse force",
    "solver": "constraint forces: the iterations plotted below",
    "integration": "the state one timestep later, with implicit damping if the integrator uses it",
    "forward against inverse": "comparison of forward and inverse dynamics (flag fwdinv)",
    "sleep": "which trees fall asleep",
    REST: "copying the state in case the step must be repeated, checking for NaN and infinity, waking trees",
    CALLS: "overhead per step: recording the state for the timeline, checking breakpoints, calling from Python",
}
FRAME = {
    "panels": "input, panels and overlays, on the CPU",
    "view": "the scene: visible geoms, their poses, commands to the GPU",
    "to the screen": "drawing panels, and waiting for the frame to be displayed",
}
STEP = "CPU time per step, median of the last calls; the parts below add up to it"
FRAME_HINT = "time per frame; drawing runs alongside the simulation and does not slow it down"
ITERATIONS = (
    "solver iterations in the last step, by island; the plot shows the improvement in each.\n"
    "The Solver instrument shows them one by one."
)
COUNTS = {
    "ncon": "contacts found by collision detection",
    "nefc": "rows of the constraint Jacobian",
    "ne": "rows of equality constraints",
    "nf": "rows of friction loss",
    "nl": "rows of joint and tendon limits",
    "nJ": "stored entries in the constraint Jacobian",
    "nisland": "groups of trees connected by constraints",
    "nv_awake": "awake degrees of freedom",
}
