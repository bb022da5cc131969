"""What the lines of the profiler mean: a sentence for each stage of a step, part of a frame and count."""

from __future__ import annotations

from app.run.stage_profiler import CALLS
from sim.script.profile import REST

STAGES = {
    "kinematics": "positions and orientations of bodies, geoms, sites and joint axes from qpos",
    "centres of mass": "centres of mass of subtrees; inertias and joint axes about them (cinert, cdof)",
    "cameras and lights": "poses of cameras and lights",
    "flexes": "positions of flex vertices, and quantities derived from them",
    "tendons": "lengths, paths, moment arms and velocities of tendons",
    "inertia": "the joint-space inertia matrix M (composite rigid bodies), and its factorization",
    "collision": "which geoms touch: broad phase, then contact points and distances",
    "constraint rows": "the Jacobian and the parameters of contacts, limits, friction loss and equalities",
    "islands": "groups of trees connected by constraints, solved separately",
    "transmission": "lengths and moment arms of actuators",
    "sensors": "all sensors of position, velocity and acceleration",
    "energy": "potential and kinetic energy",
    "velocities": "velocities of bodies from qvel",
    "passive forces": "springs, dampers, gravity compensation, fluid",
    "bias forces": "Coriolis, centrifugal and gravitational forces (recursive Newton-Euler)",
    "actuation": "forces of actuators, and derivatives of their activations",
    "acceleration": "acceleration without constraints, and the force of the mouse",
    "solver": "constraint forces: the iterations plotted below",
    "integration": "the state one timestep later, with implicit damping where the integrator has it",
    "forward against inverse": "comparison of inverse with forward dynamics (flag fwdinv)",
    "sleep": "which trees fall asleep",
    REST: "copying the state in case the step has to be repeated, checks for NaN and infinity, waking trees",
    CALLS: "overhead of the run in each step: recording the state for the timeline, breakpoints, the call from Python",
}
FRAME = {
    "panels": "input, panels and overlays, on the processor",
    "view": "the scene: which geoms are visible, their poses, the commands to the graphics card",
    "to the screen": "drawing panels, and waiting for the frame to be displayed",
}
STEP = "processor time of a step, the median of the last calls; the parts below add up to it"
FRAME_HINT = "time of a frame, alongside the simulation; it does not slow down steps"
ITERATIONS = (
    "iterations of the solver in the last step, by island; the plot shows the improvement of each.\n"
    "The instrument Solver walks them one by one."
)
COUNTS = {
    "ncon": "contacts found by collision detection",
    "nefc": "rows of the constraint Jacobian",
    "ne": "rows of equality constraints",
    "nf": "rows of friction loss",
    "nl": "rows of joint and tendon limits",
    "nJ": "stored entries of the constraint Jacobian",
    "nisland": "groups of trees connected by constraints",
    "nv_awake": "degrees of freedom that do not sleep",
}
