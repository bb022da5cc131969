"""Fields of Model that no single attribute fills: sizes, indices, constants, assets, sparsity patterns."""

MODEL_TEXT = """
@ mjcf
# flags
opt.disableflags       i8 -            -      bit flags of disabled features
opt.enableflags        i8 -            -      bit flags of enabled optional features
opt.disableactuator    i8 -            -      bit flags of disabled actuator groups

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
nplastic               i8 -            -      numbers of the rest of plastic springs, length of plastic
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
body_subtreemass       f8 nbody        kg     mass of the subtree that starts at the body
body_margin            f8 nbody        m      largest margin + gap of its geoms
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
jnt_qposadr            i4 njnt         -      first coordinate
jnt_dofadr             i4 njnt         -      first dof
jnt_bodyid             i4 njnt         -      body of the joint
jnt_stiffnesspoly      f8 njnt,2       -      coefficients of x² and x³ in the spring force
jnt_plasticadr         i4 njnt         -      address of its coordinates in plastic, or -1
jnt_actuatorid         i4 njnt         -      actuator that adds damping or armature; -1: none, -2: several

# dofs
dof_bodyid             i4 nv           -      body of the dof
dof_jntid              i4 nv           -      joint of the dof
dof_parentid           i4 nv           -      parent dof in the tree, or -1
dof_treeid             i4 nv           -      kinematic tree
dof_Madr               i4 nv           -      address of the diagonal in the inertia matrix with simple dofs expanded
dof_simplenum          i4 nv           -      number of consecutive simple dofs from this one on
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

# geoms
geom_bodyid            i4 ngeom        -      body of the geom
geom_dataid            i4 ngeom        -      mesh or height field, or -1
geom_sameframe         u1 ngeom        -      relation of its frame to the body frame
geom_aabb              f8 ngeom,6      m      bounding box in the geom frame: centre, half-sizes
geom_rbound            f8 ngeom        m      radius of the bounding sphere; 0 for a plane
geom_fluid             f8 ngeom,12     -      parameters of the ellipsoid fluid model
geom_plugin            i4 ngeom        -      plugins are not supported: always -1

# sites
site_bodyid            i4 nsite        -      body of the site
site_sameframe         u1 nsite        -      relation of its frame to the body frame

# cameras
cam_bodyid             i4 ncam         -      body of the camera
cam_poscom0            f8 ncam,3       m      position relative to the subtree's centre of mass at qpos0
cam_pos0               f8 ncam,3       m      position relative to the body, in world axes, at qpos0
cam_mat0               f8 ncam,9       -      orientation at qpos0
cam_intrinsic          f4 ncam,4       m      focal lengths and principal point

# lights
light_bodyid           i4 nlight       -      body of the light
light_poscom0          f8 nlight,3     m      position relative to the subtree's centre of mass at qpos0
light_pos0             f8 nlight,3     m      position relative to the body, in world axes, at qpos0
light_dir0             f8 nlight,3     -      direction at qpos0

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
hfield_adr             i4 nhfield      -      first point
hfield_data            f4 nhfielddata  -      normalized elevations, 0 to 1
hfield_pathadr         i4 nhfield      -      address of the file name, or -1

# textures and materials
tex_adr                i8 ntex         -      first byte
tex_pathadr            i4 ntex         -      address of the file name, or -1
tex_contenttypeadr     i4 ntex         -      address of the content type, or -1
tex_data               u1 ntexdata     -      pixels of all textures
mat_texid              i4 nmat,10      -      texture for each role, or -1

# contact pairs
pair_geom1             i4 npair        -      first geom
pair_geom2             i4 npair        -      second geom
pair_signature         i4 npair        -      ids of both bodies, one in each 16 bits
exclude_signature      i4 nexclude     -      ids of both bodies, one in each 16 bits

# equality constraints
eq_type                i4 neq          -      connect, weld, joint, tendon or distance
eq_obj1id              i4 neq          -      first object
eq_obj2id              i4 neq          -      second object, or -1
eq_objtype             i4 neq          -      type of both objects

# tendons
tendon_type            i4 ntendon      -      fixed or spatial
tendon_adr             i4 ntendon      -      first element of the path
tendon_num             i4 ntendon      -      number of path elements
tendon_actuatorid      i4 ntendon      -      actuator that adds damping or armature; -1: none, -2: several
tendon_plasticadr      i4 ntendon      -      address of its length range in plastic, or -1
tendon_treenum         i4 ntendon      -      number of trees along the path
tendon_treeid          i4 ntendon,2    -      first two of these trees, or -1
ten_J_rownnz           i4 ntendon      -      tendon Jacobian: nonzeros in a row
ten_J_rowadr           i4 ntendon      -      tendon Jacobian: first entry of a row
ten_J_colind           i4 nJten        -      tendon Jacobian: column indices
tendon_stiffnesspoly   f8 ntendon,2    -      coefficients of x² and x³ in the spring force
tendon_dampingpoly     f8 ntendon,2    -      coefficients of v|v| and v³ in the damping force
tendon_length0         f8 ntendon      m      length at qpos0
tendon_invweight0      f8 ntendon      1/kg   mean inverse inertia at qpos0
wrap_type              i4 nwrap        -      joint, pulley, site, sphere or cylinder
wrap_objid             i4 nwrap        -      joint, site or geom, or -1
wrap_prm               f8 nwrap        -      joint coefficient, pulley divisor or side site

# actuators
actuator_trntype       i4 nactuator    -      transmission type
actuator_ctrladr       i4 nactuator    -      first control
actuator_ctrlnum       i4 nactuator    -      number of controls
actuator_ctrlspec      i4 nactuator    -      meaning of its controls
actuator_outadr        i4 nactuator    -      first force output
actuator_outnum        i4 nactuator    -      number of force outputs
actuator_actadr        i4 nactuator    -      first activation state, or -1
actuator_trnid         i4 nactuator,2  -      transmission target: joint, tendon, site or body; second one, or -1
actuator_history       i4 nactuator,2  -      delay buffer: number of samples, interpolation
actuator_historyadr    i4 nactuator    -      address of the delay buffer, or -1
actuator_dampingpoly   f8 nactuator,2  -      coefficients of v|v| and v³ in the damping force
actuator_plugin        i4 nactuator    -      plugins are not supported: always -1
actuator_acc0          f8 nout         -      norm of the acceleration caused by a unit force at qpos0
actuator_length0       f8 nout         -      length at qpos0

# sensors
sensor_type            i4 nsensor      -      sensor type
sensor_objtype         i4 nsensor      -      type of the sensorized object
sensor_objid           i4 nsensor      -      id of the sensorized object
sensor_reftype         i4 nsensor      -      type of the reference frame
sensor_refid           i4 nsensor      -      id of the reference frame, or -1
sensor_intprm          i4 nsensor,3    -      integer parameters of its type
sensor_dim             i4 nsensor      -      number of outputs
sensor_adr             i4 nsensor      -      address in sensordata
sensor_history         i4 nsensor,2    -      delay buffer: number of samples, interpolation
sensor_historyadr      i4 nsensor      -      address of the delay buffer, or -1
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
