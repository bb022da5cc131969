"""Everyday words for what the palette finds, besides its own names; those of keys are in the table of bindings."""

from __future__ import annotations

# visual flags, by option
VISUAL = {
    "shadow": "shading",
    "reflection": "mirror",
    "texture": "material image checker",
    "skybox": "sky background",
    "haze": "horizon",
    "wireframe": "edges lines triangles mesh",
    "transparent": "transparency x-ray xray opacity alpha translucent",
    "static": "hide floor ground world walls",
    "skin": "hide skin",
    "convex_hull": "collision meshes geoms shapes",
    "tendon": "cables muscles",
    "joint": "axes hinges",
    "actuator": "motors",
    "camera": "frustum",
    "light": "lamps",
    "inertia": "inertia boxes mass moments ellipsoid",
    "com": "com center of mass centroid cog",
    "constraint": "equalities welds",
    "island": "sleep sleeping colour color islands",
    "contact_point": "contacts collisions touch",
    "contact_force": "contact forces arrows",
    "grid": "ground floor lines raster measure",
    "frame": "axes coordinate frames triads",
    "label": "names text annotations",
}
# groups of geoms, as robots use them by convention
GROUPS = {("geom_group", 3): "collision geoms shapes", ("geom_group", 2): "visual geoms meshes"}
# options and flags of physics, and fields of elements, by the name of the attribute
FIELDS = {
    "timestep": "time step dt step size",
    "integrator": "euler rk4 runge-kutta implicit implicitfast",
    "solver": "newton cg pgs",
    "cone": "friction cone pyramidal elliptic",
    "iterations": "solver iterations",
    "tolerance": "accuracy precision",
    "gravity": "weight g fall",
    "wind": "air",
    "density": "medium air water drag",
    "viscosity": "medium drag",
    "sleep_tolerance": "sleep sleeping",
    "o_friction": "friction",
    "sleep": "sleeping deactivation rest",
    "island": "islands",
    "contact": "contacts collisions",
    "energy": "potential kinetic",
    "friction": "slippery grip mu coefficient",
    "mass": "weight",
    "rgba": "colour color",
    "solref": "stiffness softness stiff bounce restitution",
    "solimp": "impedance softness penetration",
    "damping": "damper",
    "stiffness": "spring",
    "range": "limits joint limits",
    "fovy": "field of view zoom",
    "active": "on off",
}
# preferences: what they are if they are off and if they are on, and words for them
PREFERENCES = {
    "shortcuts": ("keyboard shortcuts: off", "keyboard shortcuts: on", "hotkeys keys"),
    "adaptive": (
        "quality: full",
        "quality: as the frame rate allows",
        "fps frame rate performance graphics antialiasing",
    ),
    "degrees": ("angles in radians", "angles in degrees", "units"),
    "local_axes": ("velocities in world axes", "velocities in the body's axes", "local frame"),
    "show_gizmo": ("axes in the corner: hidden", "axes in the corner: shown", "gizmo orientation compass"),
    "zoom_to_pointer": ("scroll zooms to the centre", "scroll zooms to the pointer", "zoom mouse wheel"),
    "invert_scroll": ("scroll direction: usual", "scroll direction: inverted", "invert wheel zoom reverse"),
}
