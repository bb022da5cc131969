"""Attributes of bodies, frames, inertias, joints, geoms, sites, cameras and lights."""

BODIES_TEXT = """
# inertial
pos                 real[3]!         0 0 0                 body_ipos f8 nbody,3        m
    centre of mass in the body frame
mass                real!            (from its geoms)      body_mass f8 nbody          kg      0.01 >0 *
    mass
diaginertia         real[3]          0 0 0                 body_inertia f8 nbody,3     kg·m²
    principal moments of inertia
fullinertia         real[6]
quat                real[4]          1 0 0 0               body_iquat f8 nbody,4
    orientation of the principal axes in the body frame

# body
childclass          str
pos                 real[3]          0 0 0                 body_pos f8                 m
    position in the parent frame
quat                real[4]          1 0 0 0               body_quat f8
    orientation in the parent frame
mocap               bool             false
gravcomp            real             0                     body_gravcomp f8            -       0.01 any
    compensated fraction of the weight
    > Above 0, the body feels less of its weight; at 1 it floats, above 1 it rises.
sleep               enum:sleep       auto                  tree_sleep_policy i4 ntree  -       enum policy
    sleep policy
simple              enum:falseauto   auto
fuse                enum:falseauto   auto
user                real[]           ()                    body_user f8 nbody,nuser_body
    user data

# frame
childclass          str
pos                 real[3]
quat                real[4]
scale               real[1-3]
scaling             enum:scaling
massscale           real

# joint: joint freejoint
group               int              0                     jnt_group i4
    visualization group

# joint
type                enum:jointtype   hinge                 jnt_type i4
    free, ball, slide or hinge
pos                 real[3]          0 0 0                 jnt_pos f8                  m
    anchor in the body frame
axis                real[3]          0 0 1                 jnt_axis f8
    axis in the body frame
springdamper        real[2]          0 0
springyield         real             0                     jnt_springyield f8          q       0.01 >=0
    displacement from rest at which its spring yields; never if 0 at load time
    > Higher: the spring bends further before it stays bent.
damping             real[1-3]        0                     dof_damping+poly f8         F·s/q   0.01 any
    damping coefficient: resisting force per unit velocity
    > Higher: motion dies out faster.
actuatorfrclimited  enum:limited     auto                  jnt_actfrclimited b1
    total actuator force is limited
stiffness           real[1-3]        0                     jnt_stiffness+poly f8       F/q     0.1 any
    spring stiffness
    > Higher: the spring drives it back to its rest position with more force.
springref           real             0                     qpos_spring f8 nq           q       0.01 any
    generalized coordinates at which joint springs are at rest
    > Higher: the spring rests farther along the joint.
armature            real             0                     dof_armature f8             F·s²/q  1e-3 >=0 *
    rotor inertia: added to the diagonal of the inertia matrix
    > Higher: it speeds up and slows down less easily, like a rotor behind gears, and is more stable.
frictionloss        real             0                     dof_frictionloss f8         F       0.01 >=0
    largest dry friction force
    > Higher: it takes more force to get it moving, and motion stops sooner.
limited             enum:limited     auto                  jnt_limited b1              -       switch
    range is enforced
range               real[2]          0 0                   jnt_range f8                q       0.01 any [lower, upper]
    lower and upper limit
actuatorfrcrange    real[2]          0 0                   jnt_actfrcrange f8          F
    lower and upper limit of the total actuator force
actuatorgravcomp    bool             false                 jnt_actgravcomp b1
    gravity compensation is added to the actuator force
margin              real             0                     jnt_margin f8               q       1e-3 any
    distance from the limit at which it becomes active
    > Higher: the limit pushes back earlier, before the end of the range is reached.
ref                 real             0                     qpos0 f8 nq                 q
    generalized coordinates of the reference configuration
solreflimit         real[1-2]        0.02 1                jnt_solref f8               -       solref
    reference spring-damper of its limit
    > as geom/solref
solimplimit         real[1-5]        0.9 0.95 0.001 0.5 2  jnt_solimp f8               -       solimp
    impedance of its limit
    > as geom/solimp
solreffriction      real[1-2]        0.02 1                dof_solref f8               -       solref
    reference spring-damper of its dry friction
    > as geom/solref
solimpfriction      real[1-5]        0.9 0.95 0.001 0.5 2  dof_solimp f8               -       solimp
    impedance of its dry friction
    > as geom/solimp
user                real[]           ()                    jnt_user f8 njnt,nuser_jnt
    user data

# joint: freejoint
align               enum:limited     auto

# geom
type                enum:geomtype    sphere                geom_type i4
    geom type
friction            real[1-3]        1 0.005 0.0001        geom_friction f8            -       friction
    friction coefficients: sliding, torsional, rolling
    > Higher: it takes more force to slide (no unit), and more torque to spin and to roll (both in m); condim says
      which of them act.
condim              int              3                     geom_condim i4              -       pick 1 3 4 6
    contact dimension: 1, 3, 4 or 6
    > 1: no friction; 3: it resists sliding; 4: also spinning about the normal; 6: also rolling.
contype             int              1                     geom_contype i4             -       count any
    collision bits: what the geom is
    > Two geoms touch if a bit of one's contype is also in the other's conaffinity; 0 in both: it touches nothing.
group               int              0                     geom_group i4
    visualization group
conaffinity         int              1                     geom_conaffinity i4         -       count any
    collision bits: what it collides with
    > as geom/contype
size                real[1-3]        0 0 0                 geom_size f8                m
    size parameters of its type
material            ref:material     ""                    geom_matid i4
    material, or -1
solref              real[1-2]        0.02 1                geom_solref f8              -       solref
    reference spring-damper of its contacts
    > A larger time constant, in s, is softer and slower, a larger damping ratio bounces less; two negative numbers are
      -stiffness and -damping instead.
mass                real
density             real             1000
shellinertia        bool             false
solimp              real[1-5]        0.9 0.95 0.001 0.5 2  geom_solimp f8              -       solimp
    impedance of its contacts
    > dmin and dmax closer to 1 are harder; a larger width, in m or rad, lets it yield farther before the hardness has
      risen from dmin to dmax.
solmix              real             1                     geom_solmix f8              -       0.01 >=0
    weight for mixing contact parameters
priority            int              0                     geom_priority i4            -       count any
    priority: the geom with the higher priority sets the contact parameters
margin              real             0                     geom_margin f8              m       1e-4 any
    distance below which contacts are active
    > Higher: contacts push before the surfaces touch, and things rest at that distance.
gap                 real             0                     geom_gap f8                 m       1e-4 any
    additional distance within which inactive contacts are reported
    > Higher: contacts are found and listed earlier, but do not push earlier.
surfacevel          real[1-6]        0                     geom_surfacevel f8
    velocity of its surface
adhesion            real             0                     geom_adhesion f8            N
    adhesion force of its contacts
fromto              real[6]
pos                 real[3]          0 0 0                 geom_pos f8                 m
    position in the body frame
quat                real[4]          1 0 0 0               geom_quat f8
    orientation in the body frame
hfield              str              ""
mesh                str              ""
fitscale            real             1
rgba                real[4]          0.5 0.5 0.5 1         geom_rgba f4                -       colour
    colour
castshadow          bool             true                  geom_castshadow b1          -       switch
    casts shadows
fluidshape          enum:fluidshape  none
fluidcoef           real[1-5]        0.5 0.25 1.5 1 1
user                real[]           ()                    geom_user f8 ngeom,nuser_geom
    user data

# site
type                enum:geomtype    sphere                site_type i4
    shape, for rendering and touch sensors
group               int              0                     site_group i4
    visualization group
pos                 real[3]          0 0 0                 site_pos f8                 m
    position in the body frame
quat                real[4]          1 0 0 0               site_quat f8
    orientation in the body frame
material            ref:material     ""                    site_matid i4
    material, or -1
mesh                ref:mesh         ""                    site_dataid i4
    mesh, or -1
size                real[1-3]        0.005 0.005 0.005     site_size f8                m
    size parameters of its type
fromto              real[6]
rgba                real[4]          0.5 0.5 0.5 1         site_rgba f4                -       colour
    colour
user                real[]           ()                    site_user f8 nsite,nuser_site
    user data

# camera
projection          enum:projection  perspective           cam_projection i4
    perspective or orthographic
fovy                real             45                    cam_fovy f8                 deg     0.5 0.1..179.9
    vertical field of view; height in m if orthographic
ipd                 real             0.068                 cam_ipd f8                  m
    interpupillary distance
resolution          int[2]           1 1                   cam_resolution i4           px
    resolution
output              flags:camout     rgb                   cam_output i4
    bit flags of its outputs
pos                 real[3]          0 0 0                 cam_pos f8                  m
    position in the body frame
quat                real[4]          1 0 0 0               cam_quat f8
    orientation in the body frame
mode                enum:camlight    fixed                 cam_mode i4
    tracking mode: fixed, tracking or targeting
target              ref:body         ""                    cam_targetbodyid i4
    target body, or -1
focal               real[2]          0 0
focalpixel          real[2]          0 0
principal           real[2]          0 0
principalpixel      real[2]          0 0
sensorsize          real[2]          0 0                   cam_sensorsize f4           m
    sensor size: width, height
user                real[]           ()                    cam_user f8 ncam,nuser_cam
    user data

# light
directional         bool
type                enum:lighttype   spot                  light_type i4
    spot, directional, point or image
active              bool             true                  light_active b1             -       switch
    is on
castshadow          bool             true                  light_castshadow b1         -       switch
    casts shadows
pos                 real[3]          0 0 0                 light_pos f8                m
    position in the body frame
dir                 real[3]          0 0 -1                light_dir f8
    direction in the body frame
bulbradius          real             0.02                  light_bulbradius f4         m
    bulb radius, for soft shadows
intensity           real             0                     light_intensity f4          cd
    intensity
range               real             10                    light_range f4              m
    effective range
attenuation         real[3]          1 0 0                 light_attenuation f4
    attenuation: constant, linear, quadratic
cutoff              real             45                    light_cutoff f4             deg
    half-angle of a spotlight's cone
softness            real             0.2                   light_softness f4
    fraction of a spotlight's cone that fades out
exponent            real             10                    light_exponent f4
    falloff exponent of a spotlight
ambient             real[3]          0 0 0                 light_ambient f4            -       colour
    ambient colour
diffuse             real[3]          0.7 0.7 0.7           light_diffuse f4            -       colour
    diffuse colour
specular            real[3]          0.3 0.3 0.3           light_specular f4           -       colour
    specular colour
mode                enum:camlight    fixed                 light_mode i4
    tracking mode: fixed, tracking or targeting
target              ref:body         ""                    light_targetbodyid i4
    target body, or -1
texture             ref:texture      ""                    light_texid i4
    texture of an image light, or -1

# replicate
count               int!
offset              real[3]
euler               real[3]
sep                 str
childclass          str
prefix              str
name                str
pos                 real[3]

# attach
model               str
body                str
frame               str
prefix              str
"""
