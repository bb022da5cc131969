"""THE table: every field of Model and Data, with its type, shape, unit, owner and meaning.

A row is `name type shape unit meaning`. Types: f8 f4 i8 i4 u1 b1. Shape: `-` for a scalar, else extents joined
by commas; a word is a size of Model, or a count in Data whose arrays grow while stepping. Unit: `-` for none;
`q` stands for m or rad, `F` for N or N·m, as the joint has it. `= value` ends a row that does not start at 0.
`@ owner` names the file or folder of sim/ that writes the rows below it. Names, types and shapes are those of
MuJoCo's Python bindings; a dotted name is a field of a group.
"""

from __future__ import annotations

from sim.jit import Field, Layout, declare

MODEL_TEXT = """
@ mjcf
# sizes
nq                     i8 -            -      coordinates, length of qpos
nv                     i8 -            -      degrees of freedom, length of qvel
nu                     i8 -            -      controls, length of ctrl
na                     i8 -            -      activations, length of act
nbody                  i8 -            -      bodies, the world included
njnt                   i8 -            -      joints
ntree                  i8 -            -      kinematic trees: moving bodies that hang on the world
ngeom                  i8 -            -      geoms
nsite                  i8 -            -      sites
ncam                   i8 -            -      cameras
nlight                 i8 -            -      lights
ntex                   i8 -            -      textures
ntexdata               i8 -            -      bytes of all textures
nmat                   i8 -            -      materials
nkey                   i8 -            -      keyframes
nmocap                 i8 -            -      mocap bodies
nuserdata              i8 -            -      numbers the user may keep in Data
nM                     i8 -            -      nonzeros of the inertia matrix, simple dofs written out
nC                     i8 -            -      nonzeros of the inertia matrix as stored in M
nB                     i8 -            -      nonzeros of the body-dof matrix
nD                     i8 -            -      nonzeros of the dof-dof matrix
nuser_body             i8 -            -      columns of body_user
nuser_jnt              i8 -            -      columns of jnt_user
nuser_geom             i8 -            -      columns of geom_user
nuser_site             i8 -            -      columns of site_user
nuser_cam              i8 -            -      columns of cam_user

# options
opt.timestep           f8 -            s      length of a step = 0.002
opt.impratio           f8 -            -      frictional over normal impedance of contacts = 1
opt.tolerance          f8 -            -      the solver stops below this improvement = 1e-8
opt.ls_tolerance       f8 -            -      the line search stops below this slope = 0.01
opt.noslip_tolerance   f8 -            -      noslip stops below this improvement = 1e-6
opt.ccd_tolerance      f8 -            -      convex collision stops at this accuracy = 1e-6
opt.sleep_tolerance    f8 -            m/s    a tree slower than this may sleep = 0.001
opt.gravity            f8 3            m/s²   gravity = 0 0 -9.81
opt.wind               f8 3            m/s    velocity of the medium
opt.magnetic           f8 3            -      magnetic flux = 0 -0.5 0
opt.density            f8 -            kg/m³  density of the medium
opt.viscosity          f8 -            Pa·s   viscosity of the medium
opt.o_margin           f8 -            m      margin of overridden contacts
opt.o_solref           f8 2            -      solref of overridden contacts = 0.02 1
opt.o_solimp           f8 5            -      solimp of overridden contacts = 0.9 0.95 0.001 0.5 2
opt.o_friction         f8 5            -      friction of overridden contacts = 1 1 0.005 0.0001 0.0001
opt.integrator         i8 -            -      Euler, RK4, implicit, implicitfast
opt.cone               i8 -            -      friction cones: pyramidal or elliptic
opt.jacobian           i8 -            -      dense, sparse or automatic = 2
opt.solver             i8 -            -      PGS, CG or Newton = 2
opt.iterations         i8 -            -      most iterations of the solver = 100
opt.ls_iterations      i8 -            -      most iterations of its line search = 50
opt.noslip_iterations  i8 -            -      most iterations of noslip
opt.ccd_iterations     i8 -            -      most iterations of convex collision = 35
opt.disableflags       i8 -            -      bits of what is switched off
opt.enableflags        i8 -            -      bits of what is switched on
opt.disableactuator    i8 -            -      bits of actuator groups that are switched off
opt.sdf_initpoints     i8 -            -      starting points for signed distance fields = 40
opt.sdf_iterations     i8 -            -      most iterations for signed distance fields = 10

# statistics
stat.meaninertia       f8 -            -      mean diagonal of the inertia matrix = 1
stat.meanmass          f8 -            kg     mean mass of the moving bodies = 1
stat.meansize          f8 -            m      mean size of the bodies = 1
stat.extent            f8 -            m      radius of the scene = 1
stat.center            f8 3            m      middle of the scene

# visual settings
vis.global_.cameraid          i8 -     -      camera the view starts with; -1: free = -1
vis.global_.orthographic      i8 -     -      free camera without perspective
vis.global_.fovy              f4 -     deg    vertical field of view of the free camera = 45
vis.global_.ipd               f4 -     m      distance between the eyes = 0.068
vis.global_.azimuth           f4 -     deg    starting azimuth of the free camera = 90
vis.global_.elevation         f4 -     deg    starting elevation of the free camera = -45
vis.global_.linewidth         f4 -     -      width of wireframe lines = 1
vis.global_.glow              f4 -     -      glow of the selection = 0.3
vis.global_.realtime          f4 -     -      starting speed, 1: real time = 1
vis.global_.offwidth          i8 -     px     width of off-screen pictures = 640
vis.global_.offheight         i8 -     px     height of off-screen pictures = 480
vis.global_.ellipsoidinertia  i8 -     -      draw inertias as ellipsoids instead of boxes
vis.global_.bvactive          i8 -     -      colour the bounding volumes that were hit
vis.quality.shadowsize        i8 -     px     edge of the shadow map = 4096
vis.quality.offsamples        i8 -     -      samples a pixel off screen = 4
vis.quality.numslices         i8 -     -      facets around round geoms = 28
vis.quality.numstacks         i8 -     -      facets along round geoms = 16
vis.quality.numquads          i8 -     -      facets of boxes = 4
vis.headlight.ambient         f4 3     -      ambient light of the headlight = 0.1 0.1 0.1
vis.headlight.diffuse         f4 3     -      diffuse light of the headlight = 0.4 0.4 0.4
vis.headlight.specular        f4 3     -      specular light of the headlight = 0.5 0.5 0.5
vis.headlight.active          i8 -     -      the headlight shines = 1
vis.map.stiffness             f4 -     -      stiffness of a pull by the mouse = 100
vis.map.stiffnessrot          f4 -     -      stiffness of a turn by the mouse = 500
vis.map.force                 f4 -     m/N    length of a drawn force = 0.005
vis.map.torque                f4 -     1/N    length of a drawn torque = 0.1
vis.map.alpha                 f4 -     -      opacity of what is made transparent = 0.3
vis.map.fogstart              f4 -     -      fog begins, in extents = 3
vis.map.fogend                f4 -     -      fog is complete, in extents = 10
vis.map.znear                 f4 -     -      near plane, in extents = 0.01
vis.map.zfar                  f4 -     -      far plane, in extents = 50
vis.map.haze                  f4 -     -      share of the horizon that is haze = 0.3
vis.map.shadowclip            f4 -     -      reach of directional shadows, in extents = 1
vis.map.shadowscale           f4 -     -      cone of spot shadows, of the cutoff = 0.6
vis.map.actuatortendon        f4 -     -      width of actuator tendons, of the tendon's = 2
vis.scale.forcewidth          f4 -     -      width of force arrows = 0.1
vis.scale.contactwidth        f4 -     -      width of contact discs = 0.3
vis.scale.contactheight       f4 -     -      height of contact discs = 0.1
vis.scale.connect             f4 -     -      width of body connections = 0.2
vis.scale.com                 f4 -     -      radius of centres of mass = 0.4
vis.scale.camera              f4 -     -      size of cameras = 0.3
vis.scale.light               f4 -     -      size of lights = 0.3
vis.scale.selectpoint         f4 -     -      size of the selected point = 0.2
vis.scale.jointlength         f4 -     -      length of joint axes = 1
vis.scale.jointwidth          f4 -     -      width of joint axes = 0.1
vis.scale.actuatorlength      f4 -     -      length of actuators = 0.7
vis.scale.actuatorwidth       f4 -     -      width of actuators = 0.2
vis.scale.framelength         f4 -     -      length of frame axes = 1
vis.scale.framewidth          f4 -     -      width of frame axes = 0.1
vis.scale.constraint          f4 -     -      width of constraints = 0.1
vis.scale.slidercrank         f4 -     -      width of slider-cranks = 0.2
vis.scale.frustum             f4 -     -      far plane of drawn frustums = 10
vis.rgba.fog                  f4 4     -      fog = 0 0 0 1
vis.rgba.haze                 f4 4     -      haze = 1 1 1 1
vis.rgba.force                f4 4     -      external force = 1 0.5 0.5 1
vis.rgba.inertia              f4 4     -      inertia = 0.8 0.2 0.2 0.6
vis.rgba.joint                f4 4     -      joint = 0.2 0.6 0.8 1
vis.rgba.actuator             f4 4     -      actuator at rest = 0.2 0.25 0.2 1
vis.rgba.actuatornegative     f4 4     -      actuator, negative = 0.2 0.6 0.9 1
vis.rgba.actuatorpositive     f4 4     -      actuator, positive = 0.9 0.4 0.2 1
vis.rgba.com                  f4 4     -      centre of mass = 0.9 0.9 0.9 1
vis.rgba.camera               f4 4     -      camera = 0.6 0.9 0.6 1
vis.rgba.light                f4 4     -      light = 0.6 0.6 0.9 1
vis.rgba.selectpoint          f4 4     -      selected point = 0.9 0.9 0.1 1
vis.rgba.connect              f4 4     -      body connection = 0.2 0.2 0.8 1
vis.rgba.contactpoint         f4 4     -      contact = 0.9 0.6 0.2 1
vis.rgba.contactforce         f4 4     -      contact force = 0.7 0.9 0.9 1
vis.rgba.contactfriction      f4 4     -      friction force = 0.9 0.8 0.4 1
vis.rgba.contacttorque        f4 4     -      contact torque = 0.9 0.7 0.9 1
vis.rgba.contactgap           f4 4     -      contact within its gap = 0.5 0.8 0.9 1
vis.rgba.rangefinder          f4 4     -      rangefinder ray = 1 1 0.1 1
vis.rgba.constraint           f4 4     -      constraint = 0.9 0 0 1
vis.rgba.slidercrank          f4 4     -      slider-crank = 0.5 0.3 0.8 1
vis.rgba.crankbroken          f4 4     -      slider-crank that cannot reach = 0.9 0 0 1
vis.rgba.frustum              f4 4     -      camera frustum = 1 1 0 0.2
vis.rgba.bv                   f4 4     -      bounding volume = 0 1 0 0.5
vis.rgba.bvactive             f4 4     -      bounding volume that was hit = 1 0 0 0.5

# configuration
qpos0                  f8 nq           q      coordinates of the model as it is drawn in the file
qpos_spring            f8 nq           q      coordinates at which joint springs rest

# bodies
body_parentid          i4 nbody        -      parent; the world is its own
body_rootid            i4 nbody        -      ancestor that hangs on the world
body_weldid            i4 nbody        -      ancestor-or-self that this body cannot move against
body_mocapid           i4 nbody        -      index among the mocap bodies, or -1
body_jntnum            i4 nbody        -      joints
body_jntadr            i4 nbody        -      first joint, or -1
body_dofnum            i4 nbody        -      dofs
body_dofadr            i4 nbody        -      first dof, or -1
body_treeid            i4 nbody        -      kinematic tree, or -1
body_geomnum           i4 nbody        -      geoms
body_geomadr           i4 nbody        -      first geom, or -1
body_simple            u1 nbody        -      1: inertia diagonal and constant; 2: and only slides; 0: neither
body_sameframe         u1 nbody        -      how the inertial frame relates to the body frame
body_pos               f8 nbody,3      m      position in the parent
body_quat              f8 nbody,4      -      orientation in the parent
body_ipos              f8 nbody,3      m      centre of mass in the body
body_iquat             f8 nbody,4      -      principal axes in the body
body_mass              f8 nbody        kg     mass
body_subtreemass       f8 nbody        kg     mass of the body and all below it
body_inertia           f8 nbody,3      kg·m²  principal moments of inertia
body_gravcomp          f8 nbody        -      share of its weight that is compensated
body_margin            f8 nbody        m      largest margin of its geoms
body_user              f8 nbody,nuser_body - the user's numbers
body_contype           i4 nbody        -      union of its geoms' contype
body_conaffinity       i4 nbody        -      union of its geoms' conaffinity

# joints
jnt_type               i4 njnt         -      free, ball, slide or hinge
jnt_qposadr            i4 njnt         -      first coordinate
jnt_dofadr             i4 njnt         -      first dof
jnt_bodyid             i4 njnt         -      body that it moves
jnt_group              i4 njnt         -      group for drawing
jnt_limited            b1 njnt         -      has a range
jnt_actfrclimited      b1 njnt         -      limits the total actuator force
jnt_actgravcomp        b1 njnt         -      gravity compensation counts as actuator force
jnt_solref             f8 njnt,2       -      solref of its limit
jnt_solimp             f8 njnt,5       -      solimp of its limit
jnt_pos                f8 njnt,3       m      anchor in the body
jnt_axis               f8 njnt,3       -      axis in the body
jnt_stiffness          f8 njnt         F/q    stiffness
jnt_stiffnesspoly      f8 njnt,2       -      stiffness that grows with |x| and x²
jnt_range              f8 njnt,2       q      range
jnt_actfrcrange        f8 njnt,2       F      range of the total actuator force
jnt_margin             f8 njnt         q      the limit acts within this distance
jnt_user               f8 njnt,nuser_jnt - the user's numbers

# dofs
dof_bodyid             i4 nv           -      body that it moves
dof_jntid              i4 nv           -      joint
dof_parentid           i4 nv           -      dof above it in the tree, or -1
dof_treeid             i4 nv           -      kinematic tree
dof_Madr               i4 nv           -      diagonal's place in the inertia matrix, simple dofs written out
dof_simplenum          i4 nv           -      simple dofs from here on in a row
dof_solref             f8 nv,2         -      solref of its friction loss
dof_solimp             f8 nv,5         -      solimp of its friction loss
dof_frictionloss       f8 nv           F      dry friction
dof_armature           f8 nv           -      inertia of the motor
dof_damping            f8 nv           F·s/q  damping
dof_dampingpoly        f8 nv,2         -      damping that grows with |v| and v²
@ mjcf/setconst
dof_invweight0         f8 nv           -      mean inverse inertia at qpos0
dof_M0                 f8 nv           -      diagonal of the inertia matrix at qpos0
body_invweight0        f8 nbody,2      -      mean inverse inertia at qpos0, moving and turning
@ mjcf
dof_length             f8 nv           m      what one unit of the dof moves: turns velocities into m/s

# trees
tree_bodyadr           i4 ntree        -      first body
tree_bodynum           i4 ntree        -      bodies
tree_dofadr            i4 ntree        -      first dof
tree_dofnum            i4 ntree        -      dofs
tree_sleep_policy      i4 ntree        -      whether it may sleep

# geoms
geom_type              i4 ngeom        -      shape
geom_contype           i4 ngeom        -      bits of what it is
geom_conaffinity       i4 ngeom        -      bits of what it touches
geom_condim            i4 ngeom        -      dimensions of its contacts: 1, 3, 4 or 6
geom_bodyid            i4 ngeom        -      body
geom_dataid            i4 ngeom        -      mesh or height field, or -1
geom_matid             i4 ngeom        -      material, or -1
geom_group             i4 ngeom        -      group for drawing
geom_priority          i4 ngeom        -      whose contact parameters win
geom_sameframe         u1 ngeom        -      how its frame relates to the body's
geom_solmix            f8 ngeom        -      weight in mixing contact parameters
geom_solref            f8 ngeom,2      -      solref of its contacts
geom_solimp            f8 ngeom,5      -      solimp of its contacts
geom_size              f8 ngeom,3      m      sizes, as its type takes them
geom_aabb              f8 ngeom,6      m      bounding box in its frame: centre, half sizes
geom_rbound            f8 ngeom        m      radius of the bounding sphere; 0 for a plane
geom_pos               f8 ngeom,3      m      position in the body
geom_quat              f8 ngeom,4      -      orientation in the body
geom_friction          f8 ngeom,3      -      friction: sliding, torsional, rolling
geom_margin            f8 ngeom        m      contacts exist within this distance
geom_gap               f8 ngeom        m      contacts act within margin less this
geom_fluid             f8 ngeom,12     -      ellipsoid fluid model
geom_surfacevel        f8 ngeom,6      -      velocity of its surface
geom_adhesion          f8 ngeom        N      adhesion
geom_user              f8 ngeom,nuser_geom - the user's numbers
geom_rgba              f4 ngeom,4      -      colour

# sites
site_type              i4 nsite        -      shape, for drawing and touch
site_bodyid            i4 nsite        -      body
site_matid             i4 nsite        -      material, or -1
site_group             i4 nsite        -      group for drawing
site_sameframe         u1 nsite        -      how its frame relates to the body's
site_size              f8 nsite,3      m      sizes
site_pos               f8 nsite,3      m      position in the body
site_quat              f8 nsite,4      -      orientation in the body
site_user              f8 nsite,nuser_site - the user's numbers
site_rgba              f4 nsite,4      -      colour

# cameras
cam_mode               i4 ncam         -      fixed, tracking or targeting
cam_bodyid             i4 ncam         -      body
cam_targetbodyid       i4 ncam         -      body it looks at, or -1
cam_pos                f8 ncam,3       m      position in the body
cam_quat               f8 ncam,4       -      orientation in the body
cam_poscom0            f8 ncam,3       m      position from the subtree's centre of mass, at qpos0
cam_pos0               f8 ncam,3       m      position from the body, in world axes, at qpos0
cam_mat0               f8 ncam,9       -      orientation at qpos0
cam_projection         i4 ncam         -      perspective or orthographic
cam_fovy               f8 ncam         deg    vertical field of view; height in m if orthographic
cam_ipd                f8 ncam         m      distance between the eyes
cam_resolution         i4 ncam,2       px     resolution
cam_output             i4 ncam         -      bits of what it renders
cam_sensorsize         f4 ncam,2       m      size of the sensor
cam_intrinsic          f4 ncam,4       m      focal lengths and principal point
cam_user               f8 ncam,nuser_cam - the user's numbers

# lights
light_mode             i4 nlight       -      fixed, tracking or targeting
light_bodyid           i4 nlight       -      body
light_targetbodyid     i4 nlight       -      body it shines at, or -1
light_type             i4 nlight       -      spot, directional, point or image
light_texid            i4 nlight       -      texture of an image light, or -1
light_castshadow       b1 nlight       -      casts shadows
light_active           b1 nlight       -      is on
light_bulbradius       f4 nlight       m      radius of the bulb: soft shadows
light_intensity        f4 nlight       cd     intensity
light_range            f4 nlight       m      reach
light_pos              f8 nlight,3     m      position in the body
light_dir              f8 nlight,3     -      direction in the body
light_poscom0          f8 nlight,3     m      position from the subtree's centre of mass, at qpos0
light_pos0             f8 nlight,3     m      position from the body, in world axes, at qpos0
light_dir0             f8 nlight,3     -      direction at qpos0
light_attenuation      f4 nlight,3     -      constant, linear, quadratic
light_cutoff           f4 nlight       deg    half angle of a spot
light_exponent         f4 nlight       -      softness of a spot's edge
light_softness         f4 nlight       -      share of a spot's cone that is edge
light_ambient          f4 nlight,3     -      ambient colour
light_diffuse          f4 nlight,3     -      diffuse colour
light_specular         f4 nlight,3     -      specular colour

# textures and materials
tex_type               i4 ntex         -      2d, cube or skybox
tex_colorspace         i4 ntex         -      automatic, linear or sRGB
tex_height             i4 ntex         px     rows
tex_width              i4 ntex         px     columns
tex_nchannel           i4 ntex         -      channels
tex_adr                i8 ntex         -      first byte
tex_data               u1 ntexdata     -      pixels of all textures
mat_texid              i4 nmat,10      -      texture of each role, or -1
mat_texuniform         b1 nmat         -      the texture keeps its size on larger geoms
mat_texrepeat          f4 nmat,2       -      repetitions of the texture
mat_emission           f4 nmat         -      emission
mat_specular           f4 nmat         -      specular reflection
mat_shininess          f4 nmat         -      sharpness of highlights
mat_reflectance        f4 nmat         -      mirror reflection
mat_metallic           f4 nmat         -      metallic share
mat_roughness          f4 nmat         -      roughness
mat_rgba               f4 nmat,4       -      colour

# keyframes
key_time               f8 nkey         s      time
key_qpos               f8 nkey,nq      q      coordinates
key_qvel               f8 nkey,nv      q/s    velocities
key_mpos               f8 nkey,nmocap3 m      mocap positions
key_mquat              f8 nkey,nmocap4 -      mocap orientations

# sparse patterns, by rows; columns of a row ascend and the diagonal is last in M
M_rownnz               i4 nv           -      inertia matrix, lower triangle: entries in a row
M_rowadr               i4 nv           -      first entry of a row
M_colind               i4 nC           -      columns
mapM2M                 i4 nC           -      entry of M -> place with simple dofs written out
B_rownnz               i4 nbody        -      body-dof matrix: entries in a row
B_rowadr               i4 nbody        -      first entry of a row
B_colind               i4 nB           -      columns
D_rownnz               i4 nv           -      dof-dof matrix: entries in a row
D_rowadr               i4 nv           -      first entry of a row
D_diag                 i4 nv           -      place of the diagonal in its row
D_colind               i4 nD           -      columns
mapM2D                 i4 nD           -      entry of D -> entry of M
mapD2M                 i4 nC           -      entry of M -> entry of D
"""

DATA_TEXT = """
@ state
time                   f8 -            s      simulated time
qpos                   f8 nq           q      coordinates
qvel                   f8 nv           q/s    velocities
act                    f8 na           -      activations
qacc_warmstart         f8 nv           q/s²   acceleration of the last step: where the next solve starts
ctrl                   f8 nu           -      controls
qfrc_applied           f8 nv           F      the user's force on each dof
xfrc_applied           f8 nbody,6      N      the user's force and torque at each centre of mass
mocap_pos              f8 nmocap,3     m      positions of mocap bodies
mocap_quat             f8 nmocap,4     -      orientations of mocap bodies
userdata               f8 nuserdata    -      the user's numbers
warning.number         i4 nwarning     -      times a warning was given
warning.lastinfo       i4 nwarning     -      index that the last one was about
undo_time              f8 -            s      time before the step that is running
undo_qpos              f8 nq           q      coordinates before the step that is running
undo_qvel              f8 nv           q/s    velocities before the step that is running
undo_act               f8 na           -      activations before the step that is running
undo_warmstart         f8 nv           q/s²   qacc_warmstart before the step that is running
want.ncon              i8 -            -      contacts the step needs room for, if there are more than fit
want.nefc              i8 -            -      rows the step needs room for, if there are more than fit

@ kinematics
xpos                   f8 nbody,3      m      position of the body
xquat                  f8 nbody,4      -      orientation of the body
xmat                   f8 nbody,9      -      orientation of the body
xipos                  f8 nbody,3      m      centre of mass
ximat                  f8 nbody,9      -      principal axes
xanchor                f8 njnt,3       m      anchor of the joint
xaxis                  f8 njnt,3       -      axis of the joint
geom_xpos              f8 ngeom,3      m      position of the geom
geom_xmat              f8 ngeom,9      -      orientation of the geom
site_xpos              f8 nsite,3      m      position of the site
site_xmat              f8 nsite,9      -      orientation of the site

@ camlight
cam_xpos               f8 ncam,3       m      position of the camera
cam_xmat               f8 ncam,9       -      orientation of the camera: looks along -z
light_xpos             f8 nlight,3     m      position of the light
light_xdir             f8 nlight,3     -      direction of the light

@ com
subtree_com            f8 nbody,3      m      centre of mass of the body and all below it
cinert                 f8 nbody,10     -      inertia about the tree's centre of mass: xx yy zz xy xz yz, m·r, m
cdof                   f8 nv,6         -      motion of the dof about the tree's centre of mass: turning, moving
cvel                   f8 nbody,6      -      velocity of the body about the tree's centre of mass
cdof_dot               f8 nv,6         -      rate of change of cdof

@ inertia
crb                    f8 nbody,10     -      inertia of the body and all below it, as one rigid body
M                      f8 nC           -      inertia matrix, lower triangle by rows
qLD                    f8 nC           -      its factor, LᵀDL
qLDiagInv              f8 nv           -      1 / D
qH                     f8 nC           -      factor of M + h·damping
qHDiagInv              f8 nv           -      1 / its D

@ rne
cacc                   f8 nbody,6      -      acceleration of the body while bias forces are computed
cfrc                   f8 nbody,6      -      force on the body and all below it, for bias forces
qfrc_bias              f8 nv           F      Coriolis, centrifugal and gravity forces

@ passive
qfrc_spring            f8 nv           F      springs
qfrc_damper            f8 nv           F      dampers
qfrc_passive           f8 nv           F      all passive forces

@ actuation
qfrc_actuator          f8 nv           F      actuators

@ acceleration
qfrc_smooth            f8 nv           F      everything but constraints
qacc_smooth            f8 nv           q/s²   acceleration without constraints
qfrc_constraint        f8 nv           F      constraints
qacc                   f8 nv           q/s²   acceleration

@ collision
ncon                   i8 -            -      contacts
contact.dist           f8 ncon         m      distance; negative: penetration
contact.pos            f8 ncon,3       m      midpoint between the surfaces
contact.frame          f8 ncon,9       -      rows: normal from geom 0 to geom 1, two tangents
contact.includemargin  f8 ncon         m      the contact acts below this distance
contact.friction       f8 ncon,5       -      friction: two sliding, torsional, two rolling
contact.solref         f8 ncon,2       -      solref of the normal row
contact.solreffriction f8 ncon,2       -      solref of the friction rows
contact.solimp         f8 ncon,5       -      solimp
contact.dim            i4 ncon         -      rows without the pyramid: 1, 3, 4 or 6
contact.geom           i4 ncon,2       -      geoms
contact.exclude        i4 ncon         -      why it makes no rows; 0: it does
contact.efc_address    i4 ncon         -      first row, or -1

@ constraint
nefc                   i8 -            -      constraint rows
efc_type               i4 nefc         -      kind of row
efc_id                 i4 nefc         -      contact, joint, tendon or equality it comes from
efc_force              f8 nefc         F      constraint force

@ integrate
qacc_step              f8 nv           q/s²   acceleration that the step applies
"""


def _parse(text: str) -> tuple[Field, ...]:
    """Rows of a table."""
    rows, owner = [], ""
    for line in text.splitlines():
        if line.startswith("@"):
            owner = line[1:].strip()
        elif line and not line.startswith("#"):
            name, dtype, shape, unit, meaning = line.split(None, 4)
            meaning, _, default = meaning.partition(" = ")
            values = tuple(map(float, default.split()))
            rows.append(
                Field(
                    name,
                    dtype,
                    () if shape == "-" else tuple(int(e) if e.isdigit() else e for e in shape.split(",")),
                    owner,
                    "" if unit == "-" else unit,
                    meaning.strip(),
                    (values[0] if len(values) == 1 else values) if values else 0,
                )
            )
    return tuple(rows)


MODEL = _parse(MODEL_TEXT)
DATA = _parse(DATA_TEXT)
MODEL_LAYOUT = Layout("m", MODEL, const=True)
DATA_LAYOUT = Layout("d", DATA, const=False)
declare(m=MODEL_LAYOUT, d=DATA_LAYOUT)
