"""Fields of Model: what a compiled MJCF file consists of. The columns are explained in the package."""

MODEL_TEXT = """
@ mjcf
# sizes
nq                     i8 -            -      coordinates, length of qpos
nv                     i8 -            -      degrees of freedom, length of qvel
nu                     i8 -            -      controls, length of ctrl
nactuator              i8 -            -      actuators
nout                   i8 -            -      force outputs of all actuators
na                     i8 -            -      activations, length of act
nbody                  i8 -            -      bodies, the world included
njnt                   i8 -            -      joints
ntree                  i8 -            -      kinematic trees: moving bodies that hang on the world
ngeom                  i8 -            -      geoms
nsite                  i8 -            -      sites
ncam                   i8 -            -      cameras
nlight                 i8 -            -      lights
nmesh                  i8 -            -      meshes
nmeshvert              i8 -            -      vertices of all meshes
nmeshnormal            i8 -            -      normals of all meshes
nmeshtexcoord          i8 -            -      texture coordinates of all meshes
nmeshface              i8 -            -      triangles of all meshes
nmeshgraph             i8 -            -      numbers of all hull graphs
nmeshpoly              i8 -            -      hull polygons of all meshes
nmeshpolyvert          i8 -            -      corners of all hull polygons
nmeshpolymap           i8 -            -      polygons around all vertices
npolygonmax            i8 -            -      most corners of a hull polygon
nmeshdegmax            i8 -            -      most edges at a hull vertex
nskin                  i8 -            -      skins
nskinvert              i8 -            -      vertices of all skins
nskintexvert           i8 -            -      texture coordinates of all skins
nskinface              i8 -            -      triangles of all skins
nskinbone              i8 -            -      bones of all skins
nskinbonevert          i8 -            -      vertices moved by all bones
nhfield                i8 -            -      height fields
nhfielddata            i8 -            -      points of all height fields
nbvh                   i8 -            -      bounding volumes
nbvhstatic             i8 -            -      bounding volumes that move with a body
nbvhdynamic            i8 -            -      bounding volumes that change shape
ntex                   i8 -            -      textures
ntexdata               i8 -            -      bytes of all textures
nmat                   i8 -            -      materials
npair                  i8 -            -      explicit contact pairs
nexclude               i8 -            -      excluded body pairs
neq                    i8 -            -      equality constraints
ntendon                i8 -            -      tendons
nwrap                  i8 -            -      elements of all tendon paths
nsensor                i8 -            -      sensors
nsensordata            i8 -            -      length of sensordata
nhistory               i8 -            -      numbers in delay buffers
nnumeric               i8 -            -      custom numeric fields
nnumericdata           i8 -            -      numbers in them
ntext                  i8 -            -      custom texts
ntextdata              i8 -            -      bytes in them
ntuple                 i8 -            -      custom tuples
ntupledata             i8 -            -      objects in them
nkey                   i8 -            -      keyframes
nmocap                 i8 -            -      mocap bodies
nuserdata              i8 -            -      numbers the user may keep in Data
nM                     i8 -            -      nonzeros of the inertia matrix, simple dofs written out
nC                     i8 -            -      nonzeros of the inertia matrix as stored in M
nB                     i8 -            -      nonzeros of the body-dof matrix
nD                     i8 -            -      nonzeros of the dof-dof matrix
nJten                  i8 -            -      nonzeros of the tendon Jacobian
nJmom                  i8 -            -      nonzeros of the actuator moment
ngravcomp              i8 -            -      bodies with gravity compensation
nemax                  i8 -            -      most rows that equalities can have
njmax                  i8 -            -      the file's wish for constraint rows, which grow by themselves here = -1
nconmax                i8 -            -      the file's wish for contacts, which grow by themselves here = -1
nuser_body             i8 -            -      columns of body_user
nuser_jnt              i8 -            -      columns of jnt_user
nuser_geom             i8 -            -      columns of geom_user
nuser_site             i8 -            -      columns of site_user
nuser_cam              i8 -            -      columns of cam_user
nuser_tendon           i8 -            -      columns of tendon_user
nuser_actuator         i8 -            -      columns of actuator_user
nuser_sensor           i8 -            -      columns of sensor_user
flg_gravcomp           b1 -            -      some body has gravity compensation
flg_surfacevel         b1 -            -      some geom's surface moves
flg_adhesion           b1 -            -      some geom or pair adheres

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
body_margin            f8 nbody        m      largest margin and gap of its geoms
body_user              f8 nbody,nuser_body - the user's numbers
body_contype           i4 nbody        -      union of its geoms' contype
body_conaffinity       i4 nbody        -      union of its geoms' conaffinity
body_bvhadr            i4 nbody        -      first bounding volume, or -1
body_bvhnum            i4 nbody        -      bounding volumes
body_plugin            i4 nbody        -      plugins are not supported: always -1

# bounding volumes, a binary tree a body and a mesh
bvh_depth              i4 nbvh         -      depth in its tree
bvh_child              i4 nbvh,2       -      children, -1 for a leaf
bvh_nodeid             i4 nbvh         -      geom or triangle of a leaf, -1 otherwise
bvh_aabb               f8 nbvhstatic,6 m      box: centre, half sizes

# joints
jnt_type               i4 njnt         -      free, ball, slide or hinge
jnt_qposadr            i4 njnt         -      first coordinate
jnt_dofadr             i4 njnt         -      first dof
jnt_bodyid             i4 njnt         -      body that it moves
jnt_group              i4 njnt         -      group for drawing
jnt_limited            b1 njnt         -      has a range
jnt_actfrclimited      b1 njnt         -      limits the total actuator force
jnt_actgravcomp        b1 njnt         -      gravity compensation counts as actuator force
jnt_solref             f8 njnt,2       -      spring and damper of its limit
jnt_solimp             f8 njnt,5       -      hardness of its limit
jnt_pos                f8 njnt,3       m      anchor in the body
jnt_axis               f8 njnt,3       -      axis in the body
jnt_stiffness          f8 njnt         F/q    stiffness of its spring
jnt_stiffnesspoly      f8 njnt,2       -      coefficients of x² and x³ in the spring force
jnt_range              f8 njnt,2       q      range
jnt_actfrcrange        f8 njnt,2       F      range of the total actuator force
jnt_margin             f8 njnt         q      the limit acts within this distance
jnt_actuatorid         i4 njnt         -      the actuator that adds damping or armature; -1: none, -2: several
jnt_user               f8 njnt,nuser_jnt - the user's numbers

# dofs
dof_bodyid             i4 nv           -      body that it moves
dof_jntid              i4 nv           -      joint
dof_parentid           i4 nv           -      dof above it in the tree, or -1
dof_treeid             i4 nv           -      kinematic tree
dof_Madr               i4 nv           -      diagonal's place in the inertia matrix, simple dofs written out
dof_simplenum          i4 nv           -      simple dofs from here on in a row
dof_solref             f8 nv,2         -      spring and damper of its dry friction
dof_solimp             f8 nv,5         -      hardness of its dry friction
dof_frictionloss       f8 nv           F      dry friction: the largest force that it resists with
dof_armature           f8 nv           F·s²/q inertia of the motor, which is added to that of the bodies
dof_damping            f8 nv           F·s/q  force against the motion for each unit of velocity
dof_dampingpoly        f8 nv,2         -      coefficients of v|v| and v³ in the damping force
@ mjcf/constant
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
geom_solref            f8 ngeom,2      -      spring and damper of its contacts
geom_solimp            f8 ngeom,5      -      hardness of its contacts
geom_size              f8 ngeom,3      m      sizes, as its type takes them
geom_aabb              f8 ngeom,6      m      bounding box in its frame: centre, half sizes
geom_rbound            f8 ngeom        m      radius of the bounding sphere; 0 for a plane
geom_pos               f8 ngeom,3      m      position in the body
geom_quat              f8 ngeom,4      -      orientation in the body
geom_friction          f8 ngeom,3      -      friction: sliding, torsional, rolling
geom_margin            f8 ngeom        m      contacts act within this distance
geom_gap               f8 ngeom        m      contacts exist, and do not act yet, for so much more distance
geom_fluid             f8 ngeom,12     -      ellipsoid fluid model
geom_surfacevel        f8 ngeom,6      -      velocity of its surface
geom_adhesion          f8 ngeom        N      adhesion
geom_user              f8 ngeom,nuser_geom - the user's numbers
geom_plugin            i4 ngeom        -      plugins are not supported: always -1
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

# meshes
mesh_vertadr           i4 nmesh        -      first vertex
mesh_vertnum           i4 nmesh        -      vertices
mesh_faceadr           i4 nmesh        -      first triangle
mesh_facenum           i4 nmesh        -      triangles
mesh_bvhadr            i4 nmesh        -      first bounding volume
mesh_bvhnum            i4 nmesh        -      bounding volumes
mesh_octadr            i4 nmesh        -      signed distance fields are not supported: always -1
mesh_octnum            i4 nmesh        -      and always 0
mesh_normaladr         i4 nmesh        -      first normal
mesh_normalnum         i4 nmesh        -      normals
mesh_texcoordadr       i4 nmesh        -      first texture coordinate, or -1
mesh_texcoordnum       i4 nmesh        -      texture coordinates
mesh_graphadr          i4 nmesh        -      start of the hull graph, or -1
mesh_extrema           i4 nmesh,27     -      vertex that is farthest in each of 27 directions
mesh_scale             f8 nmesh,3      -      scaling that the file asked for
mesh_pos               f8 nmesh,3      m      way back to the frame of the file
mesh_quat              f8 nmesh,4      -      turn back to the frame of the file
mesh_pathadr           i4 nmesh        -      place of the file's name, or -1
mesh_polynum           i4 nmesh        -      hull polygons
mesh_polyadr           i4 nmesh        -      first hull polygon
mesh_vert              f4 nmeshvert,3  m      vertices
mesh_normal            f4 nmeshnormal,3 -     normals
mesh_texcoord          f4 nmeshtexcoord,2 -   texture coordinates
mesh_face              i4 nmeshface,3  -      vertices of a triangle
mesh_facenormal        i4 nmeshface,3  -      normals of a triangle
mesh_facetexcoord      i4 nmeshface,3  -      texture coordinates of a triangle
mesh_graph             i4 nmeshgraph   -      hull graphs: sizes, edge starts, vertices, edges, faces
mesh_polynormal        f8 nmeshpoly,3  -      normal of a hull polygon
mesh_polyvertadr       i4 nmeshpoly    -      first corner
mesh_polyvertnum       i4 nmeshpoly    -      corners
mesh_polyvert          i4 nmeshpolyvert -     vertex of a corner
mesh_polymapadr        i4 nmeshvert    -      first polygon around a vertex
mesh_polymapnum        i4 nmeshvert    -      polygons around a vertex
mesh_polymap           i4 nmeshpolymap -      polygons around vertices

# skins
skin_matid             i4 nskin        -      material, or -1
skin_group             i4 nskin        -      group for drawing
skin_rgba              f4 nskin,4      -      colour
skin_inflate           f4 nskin        m      how far it is blown up
skin_vertadr           i4 nskin        -      first vertex
skin_vertnum           i4 nskin        -      vertices
skin_texcoordadr       i4 nskin        -      first texture coordinate, or -1
skin_faceadr           i4 nskin        -      first triangle
skin_facenum           i4 nskin        -      triangles
skin_boneadr           i4 nskin        -      first bone
skin_bonenum           i4 nskin        -      bones
skin_pathadr           i4 nskin        -      place of the file's name, or -1
skin_vert              f4 nskinvert,3  m      vertices
skin_texcoord          f4 nskintexvert,2 -    texture coordinates
skin_face              i4 nskinface,3  -      vertices of a triangle
skin_bonevertadr       i4 nskinbone    -      first vertex of a bone
skin_bonevertnum       i4 nskinbone    -      vertices of a bone
skin_bonebindpos       f4 nskinbone,3  m      position of the bone when it was bound
skin_bonebindquat      f4 nskinbone,4  -      orientation of the bone when it was bound
skin_bonebodyid        i4 nskinbone    -      body of the bone
skin_bonevertid        i4 nskinbonevert -     vertex
skin_bonevertweight    f4 nskinbonevert -     its weight

# height fields
hfield_size            f8 nhfield,4    m      half width, half depth, height, thickness of the base
hfield_nrow            i4 nhfield      -      rows
hfield_ncol            i4 nhfield      -      columns
hfield_adr             i4 nhfield      -      first point
hfield_data            f4 nhfielddata  -      heights, 0 to 1
hfield_pathadr         i4 nhfield      -      place of the file's name, or -1

# textures and materials
tex_type               i4 ntex         -      2d, cube or skybox
tex_colorspace         i4 ntex         -      automatic, linear or sRGB
tex_height             i4 ntex         px     rows
tex_width              i4 ntex         px     columns
tex_nchannel           i4 ntex         -      channels
tex_adr                i8 ntex         -      first byte
tex_pathadr            i4 ntex         -      place of the file's name, or -1
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

# contact pairs
pair_dim               i4 npair        -      dimensions of the contact
pair_geom1             i4 npair        -      first geom
pair_geom2             i4 npair        -      second geom
pair_signature         i4 npair        -      bodies, one in each half
pair_solref            f8 npair,2      -      spring and damper of its contacts
pair_solreffriction    f8 npair,2      -      spring and damper of their friction; 0 0: as solref
pair_solimp            f8 npair,5      -      hardness of its contacts
pair_margin            f8 npair        m      contacts act within this distance
pair_gap               f8 npair        m      contacts exist, and do not act yet, for so much more distance
pair_adhesion          f8 npair        N      adhesion
pair_friction          f8 npair,5      -      friction: two sliding, torsional, two rolling
exclude_signature      i4 nexclude     -      bodies that do not touch, one in each half

# equality constraints
eq_type                i4 neq          -      connect, weld, joint, tendon or distance
eq_obj1id              i4 neq          -      first object
eq_obj2id              i4 neq          -      second object, or -1
eq_objtype             i4 neq          -      what the objects are
eq_active0             b1 neq          -      on at the start
eq_solref              f8 neq,2        -      spring and damper that hold it
eq_solimp              f8 neq,5        -      hardness
eq_data                f8 neq,11       -      numbers, as its type takes them

# tendons
tendon_adr             i4 ntendon      -      first element of the path
tendon_num             i4 ntendon      -      elements of the path
tendon_matid           i4 ntendon      -      material, or -1
tendon_actuatorid      i4 ntendon      -      the actuator that adds damping or armature; -1: none, -2: several
tendon_group           i4 ntendon      -      group for drawing
tendon_treenum         i4 ntendon      -      trees along the path
tendon_treeid          i4 ntendon,2    -      the first two of them, or -1
ten_J_rownnz           i4 ntendon      -      tendon Jacobian: entries in a row
ten_J_rowadr           i4 ntendon      -      first entry of a row
ten_J_colind           i4 nJten        -      columns
tendon_limited         b1 ntendon      -      has a range
tendon_actfrclimited   b1 ntendon      -      limits the total actuator force
tendon_width           f8 ntendon      m      width, for drawing
tendon_solref_lim      f8 ntendon,2    -      spring and damper of its limit
tendon_solimp_lim      f8 ntendon,5    -      hardness of its limit
tendon_solref_fri      f8 ntendon,2    -      spring and damper of its dry friction
tendon_solimp_fri      f8 ntendon,5    -      hardness of its dry friction
tendon_range           f8 ntendon,2    m      range of its length
tendon_actfrcrange     f8 ntendon,2    N      range of the total actuator force
tendon_margin          f8 ntendon      m      the limit acts within this distance
tendon_stiffness       f8 ntendon      N/m    stiffness of its spring
tendon_stiffnesspoly   f8 ntendon,2    -      coefficients of x² and x³ in the spring force
tendon_damping         f8 ntendon      N·s/m  force against the motion for each unit of velocity
tendon_dampingpoly     f8 ntendon,2    -      coefficients of v|v| and v³ in the damping force
tendon_armature        f8 ntendon      kg     inertia along its length
tendon_frictionloss    f8 ntendon      N      dry friction: the largest force that it resists with
tendon_lengthspring    f8 ntendon,2    m      lengths between which the spring is slack
tendon_length0         f8 ntendon      m      length at qpos0
tendon_invweight0      f8 ntendon      1/kg   mean inverse inertia at qpos0
tendon_user            f8 ntendon,nuser_tendon - the user's numbers
tendon_rgba            f4 ntendon,4    -      colour
wrap_type              i4 nwrap        -      joint, pulley, site, sphere or cylinder
wrap_objid             i4 nwrap        -      joint, site or geom, or -1
wrap_prm               f8 nwrap        -      coefficient, divisor or side site

# actuators
actuator_trntype       i4 nactuator    -      what it acts on
actuator_dyntype       i4 nactuator    -      how its activation follows the control
actuator_gaintype      i4 nactuator    -      how force follows activation
actuator_biastype      i4 nactuator    -      force without activation
actuator_ctrladr       i4 nactuator    -      first control
actuator_ctrlnum       i4 nactuator    -      controls
actuator_ctrlspec      i4 nactuator    -      what its controls mean
actuator_outadr        i4 nactuator    -      first force output
actuator_outnum        i4 nactuator    -      force outputs
actuator_actadr        i4 nactuator    -      first activation, or -1
actuator_actnum        i4 nactuator    -      activations
actuator_trnid         i4 nactuator,2  -      joint, tendon, site or body; and a second one, or -1
actuator_cranklength   f8 nactuator    m      length of the crank
actuator_dynprm        f8 nactuator,10 -      numbers of its dynamics: from the control to the activation
actuator_gainprm       f8 nactuator,10 -      numbers of its gain: the force for each unit of control or activation
actuator_biasprm       f8 nactuator,10 -      numbers of its bias: the force without control
actuator_actlimited    b1 nactuator    -      the activation has a range
actuator_actrange      f8 nactuator,2  -      range of the activation
actuator_actearly      b1 nactuator    -      force from the next activation
actuator_history       i4 nactuator,2  -      length of its delay buffer; how it is read
actuator_historyadr    i4 nactuator    -      start of its delay buffer, or -1
actuator_delay         f8 nactuator    s      delay of the control
actuator_damping       f8 nactuator    -      damping it adds to what it acts on
actuator_dampingpoly   f8 nactuator,2  -      coefficients of v|v| and v³ in the damping force
actuator_armature      f8 nactuator    -      inertia it adds to what it acts on
actuator_group         i4 nactuator    -      group, for drawing and switching off
actuator_user          f8 nactuator,nuser_actuator - the user's numbers
actuator_plugin        i4 nactuator    -      plugins are not supported: always -1
actuator_forcelimited  b1 nactuator    -      the force has a range
actuator_forcerange    f8 nactuator,2  F      range of the force
actuator_ctrllimited   b1 nu           -      the control has a range
actuator_ctrlrange     f8 nu,2         -      range of the control
actuator_gear          f8 nout,6       -      gear: from its force to that on what it acts on
actuator_acc0          f8 nout         -      acceleration that a unit force gives at qpos0
actuator_length0       f8 nout         -      length at qpos0
actuator_lengthrange   f8 nout,2       -      shortest and longest length

# sensors
sensor_type            i4 nsensor      -      what it measures
sensor_datatype        i4 nsensor      -      real, positive, axis or quaternion
sensor_needstage       i4 nsensor      -      stage after which it can be computed
sensor_objtype         i4 nsensor      -      what it is attached to
sensor_objid           i4 nsensor      -      which one
sensor_reftype         i4 nsensor      -      what it is measured against
sensor_refid           i4 nsensor      -      which one, or -1
sensor_intprm          i4 nsensor,3    -      numbers of its type
sensor_dim             i4 nsensor      -      numbers it gives
sensor_adr             i4 nsensor      -      first of them in sensordata
sensor_cutoff          f8 nsensor      -      values are cut off here; 0: not
sensor_noise           f8 nsensor      -      noise that the file states; none is added
sensor_history         i4 nsensor,2    -      length of its delay buffer; how it is read
sensor_historyadr      i4 nsensor      -      start of its delay buffer, or -1
sensor_delay           f8 nsensor      s      delay
sensor_interval        f8 nsensor,2    s      period and phase of sampling
sensor_user            f8 nsensor,nuser_sensor - the user's numbers
sensor_plugin          i4 nsensor      -      plugins are not supported: always -1

# custom fields
numeric_adr            i4 nnumeric     -      first number
numeric_size           i4 nnumeric     -      numbers
numeric_data           f8 nnumericdata -      the numbers
text_adr               i4 ntext        -      first byte
text_size              i4 ntext        -      bytes, the closing zero included
text_data              u1 ntextdata    -      the texts
tuple_adr              i4 ntuple       -      first object
tuple_size             i4 ntuple       -      objects
tuple_objtype          i4 ntupledata   -      what an object is
tuple_objid            i4 ntupledata   -      which one
tuple_objprm           f8 ntupledata   -      its number

# keyframes
key_time               f8 nkey         s      time
key_qpos               f8 nkey,nq      q      coordinates
key_qvel               f8 nkey,nv      q/s    velocities
key_act                f8 nkey,na      -      activations
key_ctrl               f8 nkey,nu      -      controls
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
