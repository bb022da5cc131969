"""Fields of Model: sizes, bodies, joints, geoms, assets, tendons, actuators, sensors, sparse patterns."""

MODEL_TEXT = """
@ mjcf
# sizes
nq                     i8 -            -      generalized coordinates, length of qpos
nv                     i8 -            -      degrees of freedom, length of qvel
nu                     i8 -            -      controls, length of ctrl
nactuator              i8 -            -      actuators
nout                   i8 -            -      force outputs of all actuators
na                     i8 -            -      activation states, length of act
nbody                  i8 -            -      bodies, including the world
njnt                   i8 -            -      joints
ntree                  i8 -            -      kinematic trees: subtrees of moving bodies rooted in the world
ngeom                  i8 -            -      geoms
nsite                  i8 -            -      sites
ncam                   i8 -            -      cameras
nlight                 i8 -            -      lights
nmesh                  i8 -            -      meshes
nmeshvert              i8 -            -      vertices of all meshes
nmeshnormal            i8 -            -      normals of all meshes
nmeshtexcoord          i8 -            -      texture coordinates of all meshes
nmeshface              i8 -            -      triangles of all meshes
nmeshgraph             i8 -            -      integers in all hull graphs
nmeshpoly              i8 -            -      hull polygons of all meshes
nmeshpolyvert          i8 -            -      corners of all hull polygons
nmeshpolymap           i8 -            -      polygon indices of all hull vertices
npolygonmax            i8 -            -      largest number of corners of a hull polygon
nmeshdegmax            i8 -            -      largest number of edges at a hull vertex
nskin                  i8 -            -      skins
nskinvert              i8 -            -      vertices of all skins
nskintexvert           i8 -            -      texture coordinates of all skins
nskinface              i8 -            -      triangles of all skins
nskinbone              i8 -            -      bones of all skins
nskinbonevert          i8 -            -      vertices influenced by all bones
nhfield                i8 -            -      height fields
nhfielddata            i8 -            -      points of all height fields
nbvh                   i8 -            -      bounding volumes
nbvhstatic             i8 -            -      bounding volumes fixed in a body or mesh
nbvhdynamic            i8 -            -      bounding volumes that change at run time
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
nhistory               i8 -            -      numbers in all delay buffers
nnumeric               i8 -            -      custom numeric fields
nnumericdata           i8 -            -      numbers in all custom numeric fields
ntext                  i8 -            -      custom text fields
ntextdata              i8 -            -      bytes in all custom text fields
ntuple                 i8 -            -      custom tuple fields
ntupledata             i8 -            -      objects in all custom tuple fields
nkey                   i8 -            -      keyframes
nmocap                 i8 -            -      mocap bodies
nuserdata              i8 -            -      user-defined numbers in Data, length of userdata
nM                     i8 -            -      nonzeros of the inertia matrix, with simple dofs expanded
nC                     i8 -            -      nonzeros of the inertia matrix as stored in M
nB                     i8 -            -      nonzeros of the body-dof matrix
nD                     i8 -            -      nonzeros of the dof-dof matrix
nJten                  i8 -            -      nonzeros of the tendon Jacobian
nJmom                  i8 -            -      nonzeros of the actuator moment matrix
ngravcomp              i8 -            -      bodies with gravity compensation
nemax                  i8 -            -      largest number of equality rows
njmax                  i8 -            -      constraint rows reserved in the file; ignored: rows grow on demand = -1
nconmax                i8 -            -      contacts reserved in the file; ignored: contacts grow on demand = -1
nuser_body             i8 -            -      columns of body_user
nuser_jnt              i8 -            -      columns of jnt_user
nuser_geom             i8 -            -      columns of geom_user
nuser_site             i8 -            -      columns of site_user
nuser_cam              i8 -            -      columns of cam_user
nuser_tendon           i8 -            -      columns of tendon_user
nuser_actuator         i8 -            -      columns of actuator_user
nuser_sensor           i8 -            -      columns of sensor_user
flg_gravcomp           b1 -            -      at least one body has gravity compensation
flg_surfacevel         b1 -            -      at least one geom has a surface velocity
flg_adhesion           b1 -            -      at least one geom or pair has adhesion

# configuration
qpos0                  f8 nq           q      generalized coordinates of the reference configuration
qpos_spring            f8 nq           q      generalized coordinates at which joint springs are at rest

# bodies
body_parentid          i4 nbody        -      parent body; the world is its own parent
body_rootid            i4 nbody        -      ancestor that is a child of the world
body_weldid            i4 nbody        -      nearest ancestor with joints, or the body itself; fixed relative to it
body_mocapid           i4 nbody        -      mocap index, or -1
body_jntnum            i4 nbody        -      number of joints
body_jntadr            i4 nbody        -      first joint, or -1
body_dofnum            i4 nbody        -      number of dofs
body_dofadr            i4 nbody        -      first dof, or -1
body_treeid            i4 nbody        -      kinematic tree, or -1
body_geomnum           i4 nbody        -      number of geoms
body_geomadr           i4 nbody        -      first geom, or -1
body_simple            u1 nbody        -      1: inertia diagonal and constant; 2: and only slide joints; 0: neither
body_sameframe         u1 nbody        -      relation of the inertial frame to the body frame
body_pos               f8 nbody,3      m      position in the parent frame
body_quat              f8 nbody,4      -      orientation in the parent frame
body_ipos              f8 nbody,3      m      centre of mass in the body frame
body_iquat             f8 nbody,4      -      orientation of the principal axes in the body frame
body_mass              f8 nbody        kg     mass
body_subtreemass       f8 nbody        kg     mass of the subtree that starts at the body
body_inertia           f8 nbody,3      kg·m²  principal moments of inertia
body_gravcomp          f8 nbody        -      fraction of the weight that is compensated
body_margin            f8 nbody        m      largest margin + gap of its geoms
body_user              f8 nbody,nuser_body - user data
body_contype           i4 nbody        -      bitwise OR of the contype of its geoms
body_conaffinity       i4 nbody        -      bitwise OR of the conaffinity of its geoms
body_bvhadr            i4 nbody        -      first bounding volume, or -1
body_bvhnum            i4 nbody        -      number of bounding volumes
body_plugin            i4 nbody        -      plugins are not supported: always -1

# bounding volume hierarchies: one binary tree per body and per mesh
bvh_depth              i4 nbvh         -      depth in its tree
bvh_child              i4 nbvh,2       -      children; -1 for a leaf
bvh_nodeid             i4 nbvh         -      geom or triangle of a leaf; -1 for an inner node
bvh_aabb               f8 nbvhstatic,6 m      bounding box: centre, half-sizes

# joints
jnt_type               i4 njnt         -      free, ball, slide or hinge
jnt_qposadr            i4 njnt         -      first coordinate
jnt_dofadr             i4 njnt         -      first dof
jnt_bodyid             i4 njnt         -      body of the joint
jnt_group              i4 njnt         -      visualization group
jnt_limited            b1 njnt         -      range is enforced
jnt_actfrclimited      b1 njnt         -      total actuator force is limited
jnt_actgravcomp        b1 njnt         -      gravity compensation is added to the actuator force
jnt_solref             f8 njnt,2       -      reference spring-damper of its limit
jnt_solimp             f8 njnt,5       -      impedance of its limit
jnt_pos                f8 njnt,3       m      anchor in the body frame
jnt_axis               f8 njnt,3       -      axis in the body frame
jnt_stiffness          f8 njnt         F/q    spring stiffness
jnt_stiffnesspoly      f8 njnt,2       -      coefficients of x² and x³ in the spring force
jnt_range              f8 njnt,2       q      lower and upper limit
jnt_actfrcrange        f8 njnt,2       F      lower and upper limit of the total actuator force
jnt_margin             f8 njnt         q      distance from the limit at which it becomes active
jnt_actuatorid         i4 njnt         -      actuator that adds damping or armature; -1: none, -2: several
jnt_user               f8 njnt,nuser_jnt - user data

# dofs
dof_bodyid             i4 nv           -      body of the dof
dof_jntid              i4 nv           -      joint of the dof
dof_parentid           i4 nv           -      parent dof in the tree, or -1
dof_treeid             i4 nv           -      kinematic tree
dof_Madr               i4 nv           -      address of the diagonal in the inertia matrix with simple dofs expanded
dof_simplenum          i4 nv           -      number of consecutive simple dofs from this one on
dof_solref             f8 nv,2         -      reference spring-damper of its dry friction
dof_solimp             f8 nv,5         -      impedance of its dry friction
dof_frictionloss       f8 nv           F      largest dry friction force
dof_armature           f8 nv           F·s²/q rotor inertia: added to the diagonal of the inertia matrix
dof_damping            f8 nv           F·s/q  damping coefficient: resisting force per unit velocity
dof_dampingpoly        f8 nv,2         -      coefficients of v|v| and v³ in the damping force
@ mjcf/set_const
dof_invweight0         f8 nv           -      mean diagonal entry of the inverse inertia matrix at qpos0
dof_M0                 f8 nv           -      diagonal entry of the inertia matrix at qpos0
body_invweight0        f8 nbody,2      -      mean inverse inertia at qpos0: translational, rotational
@ mjcf
dof_length             f8 nv           m      distance moved per unit of the dof, to convert its velocity to m/s

# trees
tree_bodyadr           i4 ntree        -      first body
tree_bodynum           i4 ntree        -      number of bodies
tree_dofadr            i4 ntree        -      first dof
tree_dofnum            i4 ntree        -      number of dofs
tree_sleep_policy      i4 ntree        -      sleep policy

# geoms
geom_type              i4 ngeom        -      geom type
geom_contype           i4 ngeom        -      collision bits: what the geom is
geom_conaffinity       i4 ngeom        -      collision bits: what it collides with
geom_condim            i4 ngeom        -      contact dimension: 1, 3, 4 or 6
geom_bodyid            i4 ngeom        -      body of the geom
geom_dataid            i4 ngeom        -      mesh or height field, or -1
geom_matid             i4 ngeom        -      material, or -1
geom_group             i4 ngeom        -      visualization group
geom_priority          i4 ngeom        -      priority: the higher one's contact parameters are used
geom_sameframe         u1 ngeom        -      relation of its frame to the body frame
geom_solmix            f8 ngeom        -      weight when contact parameters are mixed
geom_solref            f8 ngeom,2      -      reference spring-damper of its contacts
geom_solimp            f8 ngeom,5      -      impedance of its contacts
geom_size              f8 ngeom,3      m      size parameters of its type
geom_aabb              f8 ngeom,6      m      bounding box in the geom frame: centre, half-sizes
geom_rbound            f8 ngeom        m      radius of the bounding sphere; 0 for a plane
geom_pos               f8 ngeom,3      m      position in the body frame
geom_quat              f8 ngeom,4      -      orientation in the body frame
geom_friction          f8 ngeom,3      -      friction coefficients: sliding, torsional, rolling
geom_margin            f8 ngeom        m      distance below which contacts are active
geom_gap               f8 ngeom        m      additional distance within which inactive contacts are reported
geom_fluid             f8 ngeom,12     -      parameters of the ellipsoid fluid model
geom_surfacevel        f8 ngeom,6      -      velocity of its surface
geom_adhesion          f8 ngeom        N      adhesion force of its contacts
geom_user              f8 ngeom,nuser_geom - user data
geom_plugin            i4 ngeom        -      plugins are not supported: always -1
geom_rgba              f4 ngeom,4      -      colour

# sites
site_type              i4 nsite        -      shape, for rendering and touch sensors
site_bodyid            i4 nsite        -      body of the site
site_matid             i4 nsite        -      material, or -1
site_group             i4 nsite        -      visualization group
site_sameframe         u1 nsite        -      relation of its frame to the body frame
site_size              f8 nsite,3      m      size parameters of its type
site_pos               f8 nsite,3      m      position in the body frame
site_quat              f8 nsite,4      -      orientation in the body frame
site_user              f8 nsite,nuser_site - user data
site_rgba              f4 nsite,4      -      colour

# cameras
cam_mode               i4 ncam         -      tracking mode: fixed, tracking or targeting
cam_bodyid             i4 ncam         -      body of the camera
cam_targetbodyid       i4 ncam         -      target body, or -1
cam_pos                f8 ncam,3       m      position in the body frame
cam_quat               f8 ncam,4       -      orientation in the body frame
cam_poscom0            f8 ncam,3       m      position relative to the subtree's centre of mass at qpos0
cam_pos0               f8 ncam,3       m      position relative to the body, in world axes, at qpos0
cam_mat0               f8 ncam,9       -      orientation at qpos0
cam_projection         i4 ncam         -      perspective or orthographic
cam_fovy               f8 ncam         deg    vertical field of view; height in m if orthographic
cam_ipd                f8 ncam         m      interpupillary distance
cam_resolution         i4 ncam,2       px     resolution
cam_output             i4 ncam         -      bit flags of its outputs
cam_sensorsize         f4 ncam,2       m      sensor size: width, height
cam_intrinsic          f4 ncam,4       m      focal lengths and principal point
cam_user               f8 ncam,nuser_cam - user data

# lights
light_mode             i4 nlight       -      tracking mode: fixed, tracking or targeting
light_bodyid           i4 nlight       -      body of the light
light_targetbodyid     i4 nlight       -      target body, or -1
light_type             i4 nlight       -      spot, directional, point or image
light_texid            i4 nlight       -      texture of an image light, or -1
light_castshadow       b1 nlight       -      casts shadows
light_active           b1 nlight       -      is on
light_bulbradius       f4 nlight       m      bulb radius, for soft shadows
light_intensity        f4 nlight       cd     intensity
light_range            f4 nlight       m      effective range
light_pos              f8 nlight,3     m      position in the body frame
light_dir              f8 nlight,3     -      direction in the body frame
light_poscom0          f8 nlight,3     m      position relative to the subtree's centre of mass at qpos0
light_pos0             f8 nlight,3     m      position relative to the body, in world axes, at qpos0
light_dir0             f8 nlight,3     -      direction at qpos0
light_attenuation      f4 nlight,3     -      attenuation: constant, linear, quadratic
light_cutoff           f4 nlight       deg    half-angle of a spotlight's cone
light_exponent         f4 nlight       -      falloff exponent of a spotlight
light_softness         f4 nlight       -      fraction of a spotlight's cone that fades out
light_ambient          f4 nlight,3     -      ambient colour
light_diffuse          f4 nlight,3     -      diffuse colour
light_specular         f4 nlight,3     -      specular colour

# meshes
mesh_vertadr           i4 nmesh        -      first vertex
mesh_vertnum           i4 nmesh        -      number of vertices
mesh_faceadr           i4 nmesh        -      first triangle
mesh_facenum           i4 nmesh        -      number of triangles
mesh_bvhadr            i4 nmesh        -      first bounding volume
mesh_bvhnum            i4 nmesh        -      number of bounding volumes
mesh_octadr            i4 nmesh        -      signed distance fields are not supported: always -1
mesh_octnum            i4 nmesh        -      signed distance fields are not supported: always 0
mesh_normaladr         i4 nmesh        -      first normal
mesh_normalnum         i4 nmesh        -      number of normals
mesh_texcoordadr       i4 nmesh        -      first texture coordinate, or -1
mesh_texcoordnum       i4 nmesh        -      number of texture coordinates
mesh_graphadr          i4 nmesh        -      address of the hull graph, or -1
mesh_extrema           i4 nmesh,27     -      farthest vertex in each of 27 directions
mesh_scale             f8 nmesh,3      -      scale given in the file
mesh_pos               f8 nmesh,3      m      translation from the compiled frame to the file's frame
mesh_quat              f8 nmesh,4      -      rotation from the compiled frame to the file's frame
mesh_pathadr           i4 nmesh        -      address of the file name, or -1
mesh_polynum           i4 nmesh        -      number of hull polygons
mesh_polyadr           i4 nmesh        -      first hull polygon
mesh_vert              f4 nmeshvert,3  m      vertices
mesh_normal            f4 nmeshnormal,3 -     normals
mesh_texcoord          f4 nmeshtexcoord,2 -   texture coordinates
mesh_face              i4 nmeshface,3  -      vertices of a triangle
mesh_facenormal        i4 nmeshface,3  -      normals of a triangle
mesh_facetexcoord      i4 nmeshface,3  -      texture coordinates of a triangle
mesh_graph             i4 nmeshgraph   -      hull graphs: sizes, edge starts, vertices, edges, faces
mesh_polynormal        f8 nmeshpoly,3  -      normal of a hull polygon
mesh_polyvertadr       i4 nmeshpoly    -      first corner of a hull polygon
mesh_polyvertnum       i4 nmeshpoly    -      number of corners of a hull polygon
mesh_polyvert          i4 nmeshpolyvert -     vertex of each corner
mesh_polymapadr        i4 nmeshvert    -      first polygon index of a vertex
mesh_polymapnum        i4 nmeshvert    -      number of polygons at a vertex
mesh_polymap           i4 nmeshpolymap -      polygons at each vertex

# skins
skin_matid             i4 nskin        -      material, or -1
skin_group             i4 nskin        -      visualization group
skin_rgba              f4 nskin,4      -      colour
skin_inflate           f4 nskin        m      inflation along the vertex normals
skin_vertadr           i4 nskin        -      first vertex
skin_vertnum           i4 nskin        -      number of vertices
skin_texcoordadr       i4 nskin        -      first texture coordinate, or -1
skin_faceadr           i4 nskin        -      first triangle
skin_facenum           i4 nskin        -      number of triangles
skin_boneadr           i4 nskin        -      first bone
skin_bonenum           i4 nskin        -      number of bones
skin_pathadr           i4 nskin        -      address of the file name, or -1
skin_vert              f4 nskinvert,3  m      vertices
skin_texcoord          f4 nskintexvert,2 -    texture coordinates
skin_face              i4 nskinface,3  -      vertices of a triangle
skin_bonevertadr       i4 nskinbone    -      first vertex of a bone
skin_bonevertnum       i4 nskinbone    -      number of vertices of a bone
skin_bonebindpos       f4 nskinbone,3  m      bind position of the bone
skin_bonebindquat      f4 nskinbone,4  -      bind orientation of the bone
skin_bonebodyid        i4 nskinbone    -      body of the bone
skin_bonevertid        i4 nskinbonevert -     vertex influenced by a bone
skin_bonevertweight    f4 nskinbonevert -     weight of that vertex

# height fields
hfield_size            f8 nhfield,4    m      half-width, half-depth, maximum height, thickness of the base
hfield_nrow            i4 nhfield      -      number of rows
hfield_ncol            i4 nhfield      -      number of columns
hfield_adr             i4 nhfield      -      first point
hfield_data            f4 nhfielddata  -      normalized elevations, 0 to 1
hfield_pathadr         i4 nhfield      -      address of the file name, or -1

# textures and materials
tex_type               i4 ntex         -      2d, cube or skybox
tex_colorspace         i4 ntex         -      automatic, linear or sRGB
tex_height             i4 ntex         px     height
tex_width              i4 ntex         px     width
tex_nchannel           i4 ntex         -      number of channels
tex_adr                i8 ntex         -      first byte
tex_pathadr            i4 ntex         -      address of the file name, or -1
tex_data               u1 ntexdata     -      pixels of all textures
mat_texid              i4 nmat,10      -      texture for each role, or -1
mat_texuniform         b1 nmat         -      texture repetitions are per metre, not per geom
mat_texrepeat          f4 nmat,2       -      repetitions of the texture in x and y
mat_emission           f4 nmat         -      emission
mat_specular           f4 nmat         -      specular reflection
mat_shininess          f4 nmat         -      shininess: sharpness of highlights
mat_reflectance        f4 nmat         -      reflectance of mirror planes
mat_metallic           f4 nmat         -      metallicity
mat_roughness          f4 nmat         -      roughness
mat_rgba               f4 nmat,4       -      colour

# contact pairs
pair_dim               i4 npair        -      contact dimension
pair_geom1             i4 npair        -      first geom
pair_geom2             i4 npair        -      second geom
pair_signature         i4 npair        -      ids of both bodies, one in each 16 bits
pair_solref            f8 npair,2      -      reference spring-damper of its contacts
pair_solreffriction    f8 npair,2      -      reference spring-damper of their friction; 0 0: same as solref
pair_solimp            f8 npair,5      -      impedance of its contacts
pair_margin            f8 npair        m      distance below which contacts are active
pair_gap               f8 npair        m      additional distance within which inactive contacts are reported
pair_adhesion          f8 npair        N      adhesion force of its contacts
pair_friction          f8 npair,5      -      friction coefficients: two sliding, torsional, two rolling
exclude_signature      i4 nexclude     -      ids of both bodies, one in each 16 bits

# equality constraints
eq_type                i4 neq          -      connect, weld, joint, tendon or distance
eq_obj1id              i4 neq          -      first object
eq_obj2id              i4 neq          -      second object, or -1
eq_objtype             i4 neq          -      type of both objects
eq_active0             b1 neq          -      initially active
eq_solref              f8 neq,2        -      reference spring-damper of the constraint
eq_solimp              f8 neq,5        -      impedance of the constraint
eq_data                f8 neq,11       -      parameters of its type

# tendons
tendon_adr             i4 ntendon      -      first element of the path
tendon_num             i4 ntendon      -      number of path elements
tendon_matid           i4 ntendon      -      material, or -1
tendon_actuatorid      i4 ntendon      -      actuator that adds damping or armature; -1: none, -2: several
tendon_group           i4 ntendon      -      visualization group
tendon_treenum         i4 ntendon      -      number of trees along the path
tendon_treeid          i4 ntendon,2    -      first two of these trees, or -1
ten_J_rownnz           i4 ntendon      -      tendon Jacobian: nonzeros in a row
ten_J_rowadr           i4 ntendon      -      tendon Jacobian: first entry of a row
ten_J_colind           i4 nJten        -      tendon Jacobian: column indices
tendon_limited         b1 ntendon      -      length range is enforced
tendon_actfrclimited   b1 ntendon      -      total actuator force is limited
tendon_width           f8 ntendon      m      width, for rendering
tendon_solref_lim      f8 ntendon,2    -      reference spring-damper of its limit
tendon_solimp_lim      f8 ntendon,5    -      impedance of its limit
tendon_solref_fri      f8 ntendon,2    -      reference spring-damper of its dry friction
tendon_solimp_fri      f8 ntendon,5    -      impedance of its dry friction
tendon_range           f8 ntendon,2    m      lower and upper limit of its length
tendon_actfrcrange     f8 ntendon,2    N      lower and upper limit of the total actuator force
tendon_margin          f8 ntendon      m      distance from the limit at which it becomes active
tendon_stiffness       f8 ntendon      N/m    spring stiffness
tendon_stiffnesspoly   f8 ntendon,2    -      coefficients of x² and x³ in the spring force
tendon_damping         f8 ntendon      N·s/m  damping coefficient: resisting force per unit velocity
tendon_dampingpoly     f8 ntendon,2    -      coefficients of v|v| and v³ in the damping force
tendon_armature        f8 ntendon      kg     inertia associated with changes of its length
tendon_frictionloss    f8 ntendon      N      largest dry friction force
tendon_lengthspring    f8 ntendon,2    m      resting length range of the spring
tendon_length0         f8 ntendon      m      length at qpos0
tendon_invweight0      f8 ntendon      1/kg   mean inverse inertia at qpos0
tendon_user            f8 ntendon,nuser_tendon - user data
tendon_rgba            f4 ntendon,4    -      colour
wrap_type              i4 nwrap        -      joint, pulley, site, sphere or cylinder
wrap_objid             i4 nwrap        -      joint, site or geom, or -1
wrap_prm               f8 nwrap        -      joint coefficient, pulley divisor or side site

# actuators
actuator_trntype       i4 nactuator    -      transmission type
actuator_dyntype       i4 nactuator    -      activation dynamics type
actuator_gaintype      i4 nactuator    -      gain type
actuator_biastype      i4 nactuator    -      bias type
actuator_ctrladr       i4 nactuator    -      first control
actuator_ctrlnum       i4 nactuator    -      number of controls
actuator_ctrlspec      i4 nactuator    -      meaning of its controls
actuator_outadr        i4 nactuator    -      first force output
actuator_outnum        i4 nactuator    -      number of force outputs
actuator_actadr        i4 nactuator    -      first activation state, or -1
actuator_actnum        i4 nactuator    -      number of activation states
actuator_trnid         i4 nactuator,2  -      transmission target: joint, tendon, site or body; second one, or -1
actuator_cranklength   f8 nactuator    m      length of the connecting rod of a slider-crank
actuator_dynprm        f8 nactuator,10 -      parameters of the dynamics: from control to activation
actuator_gainprm       f8 nactuator,10 -      parameters of the gain: force per unit of control or activation
actuator_biasprm       f8 nactuator,10 -      parameters of the bias: force without control
actuator_actlimited    b1 nactuator    -      activation is limited
actuator_actrange      f8 nactuator,2  -      lower and upper limit of the activation
actuator_actearly      b1 nactuator    -      force is computed from the next activation
actuator_history       i4 nactuator,2  -      delay buffer: number of samples, interpolation
actuator_historyadr    i4 nactuator    -      address of the delay buffer, or -1
actuator_delay         f8 nactuator    s      delay of the control
actuator_damping       f8 nactuator    -      damping added to the joint or tendon
actuator_dampingpoly   f8 nactuator,2  -      coefficients of v|v| and v³ in the damping force
actuator_armature      f8 nactuator    -      armature added to the joint or tendon
actuator_group         i4 nactuator    -      group, for visualization and disabling
actuator_user          f8 nactuator,nuser_actuator - user data
actuator_plugin        i4 nactuator    -      plugins are not supported: always -1
actuator_forcelimited  b1 nactuator    -      force is limited
actuator_forcerange    f8 nactuator,2  F      lower and upper limit of the force
actuator_ctrllimited   b1 nu           -      control is limited
actuator_ctrlrange     f8 nu,2         -      lower and upper limit of the control
actuator_gear          f8 nout,6       -      gear: scales length and force of the transmission
actuator_acc0          f8 nout         -      norm of the acceleration caused by a unit force at qpos0
actuator_length0       f8 nout         -      length at qpos0
actuator_lengthrange   f8 nout,2       -      shortest and longest feasible length

# sensors
sensor_type            i4 nsensor      -      sensor type
sensor_datatype        i4 nsensor      -      data type: real, positive, axis or quaternion
sensor_needstage       i4 nsensor      -      compute stage: position, velocity or acceleration
sensor_objtype         i4 nsensor      -      type of the sensorized object
sensor_objid           i4 nsensor      -      id of the sensorized object
sensor_reftype         i4 nsensor      -      type of the reference frame
sensor_refid           i4 nsensor      -      id of the reference frame, or -1
sensor_intprm          i4 nsensor,3    -      integer parameters of its type
sensor_dim             i4 nsensor      -      number of outputs
sensor_adr             i4 nsensor      -      address in sensordata
sensor_cutoff          f8 nsensor      -      cutoff for real and positive data; 0: none
sensor_noise           f8 nsensor      -      noise standard deviation given in the file; no noise is added
sensor_history         i4 nsensor,2    -      delay buffer: number of samples, interpolation
sensor_historyadr      i4 nsensor      -      address of the delay buffer, or -1
sensor_delay           f8 nsensor      s      delay of the reading
sensor_interval        f8 nsensor,2    s      sampling period and phase
sensor_user            f8 nsensor,nuser_sensor - user data
sensor_plugin          i4 nsensor      -      plugins are not supported: always -1

# custom fields
numeric_adr            i4 nnumeric     -      first number
numeric_size           i4 nnumeric     -      number of numbers
numeric_data           f8 nnumericdata -      numbers of all custom numeric fields
text_adr               i4 ntext        -      first byte
text_size              i4 ntext        -      number of bytes, including the terminating zero
text_data              u1 ntextdata    -      bytes of all custom text fields
tuple_adr              i4 ntuple       -      first object
tuple_size             i4 ntuple       -      number of objects
tuple_objtype          i4 ntupledata   -      type of each object
tuple_objid            i4 ntupledata   -      id of each object
tuple_objprm           f8 ntupledata   -      parameter of each object

# keyframes
key_time               f8 nkey         s      time
key_qpos               f8 nkey,nq      q      generalized coordinates
key_qvel               f8 nkey,nv      q/s    velocities
key_act                f8 nkey,na      -      activations
key_ctrl               f8 nkey,nu      -      controls
key_mpos               f8 nkey,nmocap3 m      mocap positions
key_mquat              f8 nkey,nmocap4 -      mocap orientations

# sparsity patterns in CSR format; columns ascend, so the diagonal is last in M
M_rownnz               i4 nv           -      inertia matrix, lower triangle: nonzeros in a row
M_rowadr               i4 nv           -      inertia matrix: first entry of a row
M_colind               i4 nC           -      inertia matrix: column indices
mapM2M                 i4 nC           -      entry of M -> address with simple dofs expanded
B_rownnz               i4 nbody        -      body-dof matrix: nonzeros in a row
B_rowadr               i4 nbody        -      body-dof matrix: first entry of a row
B_colind               i4 nB           -      body-dof matrix: column indices
D_rownnz               i4 nv           -      dof-dof matrix: nonzeros in a row
D_rowadr               i4 nv           -      dof-dof matrix: first entry of a row
D_diag                 i4 nv           -      dof-dof matrix: index of the diagonal in its row
D_colind               i4 nD           -      dof-dof matrix: column indices
mapM2D                 i4 nD           -      entry of D -> entry of M
mapD2M                 i4 nC           -      entry of M -> entry of D
"""
