"""Fields of Data: state, kinematics, smooth dynamics, actuation and sensors, in the order of the pipeline."""

DATA_TEXT = """
@ state
time                   f8 -            s      simulation time
qpos                   f8 nq           q      generalized coordinates
qvel                   f8 nv           q/s    generalized velocities
act                    f8 na           -      actuator activations
qacc_warmstart         f8 nv           q/s²   warm start of the solver: acceleration of the previous step
ctrl                   f8 nu           -      controls
qfrc_applied           f8 nv           F      applied generalized force
xfrc_applied           f8 nbody,6      N,N·m  applied Cartesian force and torque at each body's centre of mass
mocap_pos              f8 nmocap,3     m      positions of mocap bodies
mocap_quat             f8 nmocap,4     -      orientations of mocap bodies
userdata               f8 nuserdata    -      user data
eq_active              b1 neq          -      equality constraint is active
perturb.select         i8 -            -      selected body of the mouse perturbation
perturb.active         i8 -            -      bits of PERT_*: translation, rotation; 0: none
perturb.localpos       f8 3            m      selected point in the body frame
perturb.refselpos      f8 3            m      position to which the point is pulled
perturb.refquat        f8 4            -      orientation to which the body is rotated
warning.number         i4 nwarning     -      number of times the warning was raised
warning.lastinfo       i4 nwarning     -      index reported with the last one
checkpoint_open        i8 -            -      1: a step is in progress, or was interrupted by an exception
checkpoint_time        f8 -            s      time before the current step
checkpoint_qpos        f8 nq           q      qpos before the current step
checkpoint_qvel        f8 nv           q/s    qvel before the current step
checkpoint_act         f8 na           -      act before the current step
checkpoint_warmstart   f8 nv           q/s²   qacc_warmstart before the current step
checkpoint_ctrl        f8 nu           -      ctrl before the current step
noise.scale            f8 -            -      control noise: standard deviation in halves of the control range; 0: none
noise.rate             f8 -            s      correlation time of the noise
noise.seed             i8 -            -      seed: the same seed gives the same noise at the same time
start_time             f8 -            s      time at the start of the step, for the stages of the integrator
start_qpos             f8 nq           q      qpos at the start of the step
start_qvel             f8 nv           q/s    qvel at the start of the step
start_act              f8 na           -      act at the start of the step
required.ncon          i8 -            -      required capacity for contacts, if it is exceeded
required.nefc          i8 -            -      required capacity for constraint rows, if it is exceeded
required.nJ            i8 -            -      required capacity for entries of efc_J, if it is exceeded
required.nL            i8 -            -      required capacity for entries of the Hessian's factor
required.nY            i8 -            -      required capacity for entries of dual.Y
required.nisland       i8 -            -      required capacity for islands, if it is exceeded
required.nnear         i8 -            -      required capacity for candidate pairs, if it is exceeded
required.npolytope     i8 -            -      required capacity for faces of an EPA polytope
required.nfacet        i8 -            -      required capacity for rows of touching faces

@ state/row
trace.count            i8 -            -      number of states recorded
trace.asleep           i8 -            -      1: a row has the sleep state too
trace.state            f8 ntrace,nstate -     ring buffer of the last states: STATE_RECORD, STATE_SLEEP if asleep

@ stages/sleep
ntree_awake            i8 -            -      number of awake trees
nbody_awake            i8 -            -      number of awake and static bodies
nparent_awake          i8 -            -      number of bodies whose parent is awake or static
nv_awake               i8 -            -      number of awake dofs
tree_asleep            i4 ntree        -      awake: negative countdown to -1, ready; asleep: next tree of its cycle
tree_awake             i4 ntree        -      tree is awake
body_awake             i4 nbody        -      sleep state: 1: awake (always for mocap bodies); 0: asleep; -1: static
body_awake_ind         i4 nbody        -      indices of awake and static bodies, ascending
parent_awake_ind       i4 nbody        -      indices of bodies whose parent is awake or static, ascending
dof_awake_ind          i4 nv           -      indices of awake dofs, ascending
span.nbody             i8 -            -      number of index ranges of awake and static bodies, without the world
span.body              i4 nbody,2      -      index range: first body, one past the last
span.ngeom             i8 -            -      number of index ranges of geoms of these bodies and the world
span.geom              i4 ngeom,2      -      index range: first geom, one past the last
span.njnt              i8 -            -      number of index ranges of awake joints
span.jnt               i4 njnt,2       -      index range: first joint, one past the last
span.ndof              i8 -            -      number of index ranges of awake dofs
span.dof               i4 nv,2         -      index range: first dof, one past the last
tree_wakecause         i4 ntree,2      -      last cause of waking (WAKE_*), and the id of the element
tree_restless          i4 ntree,2      -      reason why the tree is awake (AWAKE_*), and the id of the element
sleep.static_valid     i8 -            -      poses of static bodies are up to date
sleep.changed          i8 -            -      number of changes of sleep states
sleep.qpos             f8 nq           q      qpos at which trees fell asleep
sleep.mocap_pos        f8 nmocap,3     m      position of the mocap parent when its trees fell asleep
sleep.mocap_quat       f8 nmocap,4     -      orientation of the mocap parent when its trees fell asleep
checkpoint_asleep      i4 ntree        -      tree_asleep before the current step
checkpoint_wakecause   i4 ntree,2      -      tree_wakecause before the current step

@ stages/smooth/kinematics
xpos                   f8 nbody,3      m      position of the body frame
xquat                  f8 nbody,4      -      orientation of the body frame, as a quaternion
xmat                   f8 nbody,9      -      orientation of the body frame, as a matrix
xipos                  f8 nbody,3      m      centre of mass of the body
xiquat                 f8 nbody,4      -      orientation of the body's principal axes, as a quaternion
ximat                  f8 nbody,9      -      orientation of the body's principal axes, as a matrix
xanchor                f8 njnt,3       m      joint anchor
xaxis                  f8 njnt,3       -      joint axis
geom_xpos              f8 ngeom,3      m      position of the geom
geom_xquat             f8 ngeom,4      -      orientation of the geom, as a quaternion
geom_xmat              f8 ngeom,9      -      orientation of the geom, as a matrix
site_xpos              f8 nsite,3      m      position of the site
site_xquat             f8 nsite,4      -      orientation of the site, as a quaternion
site_xmat              f8 nsite,9      -      orientation of the site, as a matrix

@ stages/smooth/camlight
cam_xpos               f8 ncam,3       m      position of the camera
cam_xmat               f8 ncam,9       -      orientation of the camera, which looks along -z
light_xpos             f8 nlight,3     m      position of the light
light_xdir             f8 nlight,3     -      direction of the light

@ stages/smooth/com
subtree_com            f8 nbody,3      m      centre of mass of the subtree
cinert                 f8 nbody,10     -      inertia about the tree's centre of mass: xx yy zz xy xz yz, m·r, m
cdof                   f8 nv,6         -      motion axis of the dof about the tree's centre of mass: angular, linear
cvel                   f8 nbody,6      -      velocity of the body about the tree's centre of mass: angular, linear
cdof_dot               f8 nv,6         -      time derivative of cdof

@ stages/smooth/tendon
ten_length             f8 ntendon      m      length of the tendon
ten_velocity           f8 ntendon      m/s    velocity of the tendon
ten_J                  f8 nJten        -      tendon Jacobian: moment arms
ten_wrapadr            i4 ntendon      -      first point of the path
ten_wrapnum            i4 ntendon      -      number of path points
wrap_obj               i4 nwrap,2      -      geom of each path point; -1: site, -2: pulley
wrap_xpos              f8 nwrap,6      m      positions of all path points, two per row
tendon_arm             f8 nv           -      moment arms of the current tendon, dense
start_ten_length       f8 ntendon      m      ten_length at the start of the step, for plastic springs in RK4
start_ten_J            f8 nJten        -      ten_J at the start of the step

@ stages/smooth/inertia
crb                    f8 nbody,10     -      composite inertia of the subtree, as one rigid body
M                      f8 nC           -      inertia matrix, lower triangle by rows
qLD                    f8 nC           -      its LᵀDL factorization
qLDiagInv              f8 nv           -      inverse of the diagonal of D
qH                     f8 nC           -      LᵀDL factorization of M + h·damping
qHDiagInv              f8 nv           -      inverse of its diagonal of D
inertia.articulated    i8 -            -      1: articulated bodies stand in for the factor of M
inertia.pending        i8 -            -      1: M, qLD, qLDiagInv wait until somebody reads them
inertia.wanted         i8 -            -      1: somebody has read them from Python: they never wait again

@ stages/smooth/articulated
articulated.lever      f8 nbody,3      m      from the parent's centre of mass to that of the body
articulated.axis       f8 nv,6         -      motion axis of the dof about its body's centre of mass: angular, linear
articulated.rotational f8 nbody,6      kg·m²  inertia of the body about its centre of mass: xx xy xz yy yz zz
articulated.armature   f8 nv           -      armature of the dof, including what actuators add
articulated.inertia    f8 nbody,21     -      inertia of the articulated body: upper triangle by rows
articulated.force      f8 nv,6         -      force that accelerates the articulated body along the dof
articulated.inverse    f8 nv           -      inverse of its inertia along the dof
articulated.step_force f8 nv,6         -      the same of a step that is implicit in damping: the force
articulated.step_inverse f8 nv         -      the inverse
articulated.wrench     f8 nbody,6      -      wrench on the body in the current pass
articulated.motion     f8 nbody,6      -      acceleration of the body in the current pass

@ stages/smooth/rne
qfrc_bias              f8 nv           F      bias force: Coriolis, centrifugal, gravity
qfrc_rne               f8 nv           F      inverse dynamics of qacc without armature: M qacc + qfrc_bias
rne_acceleration       f8 nbody,6      -      body accelerations of the current pass
rne_force              f8 nbody,6      -      subtree forces of the current pass
cacc                   f8 nbody,6      -      acceleration of the body, including gravity
cfrc_int               f8 nbody,6      -      interaction force with the parent
cfrc_ext               f8 nbody,6      -      external force on the body
flg_rnepost            b1 -            -      cacc, cfrc_int and cfrc_ext are up to date

@ stages/smooth/tendon_tension
tendon_tension         f8 ntendon      N      force along the tendon, by whatever acts on it

@ stages/smooth/subtree
subtree_linvel         f8 nbody,3      m/s    linear velocity of the subtree's centre of mass
subtree_angmom         f8 nbody,3      kg·m²/s angular momentum of the subtree about its centre of mass
flg_subtreevel         b1 -            -      subtree_linvel and subtree_angmom are up to date

@ stages/smooth/perturb_force
perturb.xfrc           f8 6            N,N·m  force and torque of the perturbation at the body's centre of mass

@ stages/smooth/passive
qfrc_spring            f8 nv           F      spring force
qfrc_damper            f8 nv           F      damper force
qfrc_gravcomp          f8 nv           F      gravity compensation force
qfrc_passive           f8 nv           F      total passive force

@ stages/smooth/fluid
qfrc_fluid             f8 nv           F      fluid force

@ stages/smooth/adhesion
qfrc_adhesion          f8 nv           F      adhesion force of contacts

@ stages/smooth/energy
energy                 f8 2            J      potential and kinetic energy
flg_energypos          b1 -            -      the potential energy is up to date

@ stages/smooth/transmission
actuator_length        f8 nout         -      actuator length: transmission length times gear
moment_rownnz          i4 nout         -      actuator moment: nonzeros in a row
moment_rowadr          i4 nout         -      actuator moment: first entry of a row
moment_colind          i4 nJmom        -      actuator moment: column indices (dofs)
actuator_moment        f8 nJmom        -      moment arms: derivatives of the actuator length w.r.t. the dofs
actuator_velocity      f8 nout         -      actuator velocity
start_actuator_length  f8 nout         -      actuator_length at the start of the step, for states of actuators in RK4
start_actuator_velocity f8 nout        -      actuator_velocity at the start of the step

@ stages/actuation
actuator_input         f8 nu           -      controls in effect: delayed, clamped, all zero if one is not finite
act_dot                f8 na           -      time derivative of the activations
act_next               f8 na           -      activations after the step
actuator_force         f8 nout         F      actuator force
tendon_actuator_force  f8 ntendon      N      total actuator force on the tendon before clamping
qfrc_actuator          f8 nv           F      actuator force on the dofs

@ mjcf/set_const/length_range_pull
qfrc_pull              f8 nv           F      force on the actuator while its length range is computed
length_pull            f8 2            -      shortest and longest length found so far

@ state/delay
history                f8 nhistory     -      delay buffers: user value, newest sample, times, values
checkpoint_history     f8 nhistory     -      delay buffers before the current step

@ state/plastic
plastic                f8 nplastic     -      rest of plastic springs: coordinates of joints, length ranges of tendons
checkpoint_plastic     f8 nplastic     -      plastic before the current step

@ stages/collision/distance
segment.end            f8 2,3          m      closest points of two geoms; deepest points if they penetrate

@ stages/ray
ray.count              i8 -            -      number of geoms that rays can hit
ray.target             i4 ngeom        -      indices of these geoms
ray.offset             f8 ngeom,3      m      from the geom's centre to the origin of the rays
ray.outside            f8 ngeom        m²     squared distance to the geom's centre minus squared bounding radius
ray.geom               i8 -            -      geom hit by the last ray, or -1
ray.normal             f8 2,3          -      surface normal at the hit; second row: in the frame of the tested geom
ray.stack              i4 64           -      stack of bounding volumes still to be visited
nray                   i8 -            -      number of rays of a bundle
rays.vec               f8 nray,3       -      ray directions
rays.dist              f8 nray         -      distance to the hit, in lengths of the direction, or -1
rays.geom              i4 nray         -      geom hit, or -1
rays.normal            f8 nray,3       -      surface normal at the hit

@ stages/sensor
sensordata             f8 nsensordata  -      sensor outputs
match.contact          i4 ncon         -      contacts that match a contact sensor
match.flip             i4 ncon         -      the sensor's first object is the contact's second geom
match.key              f8 ncon         -      sort key of the contact

@ stages/smooth/acceleration
qfrc_smooth            f8 nv           F      total force without constraints
qacc_smooth            f8 nv           q/s²   unconstrained acceleration
"""
