"""Fields of Data: the state, and what each stage makes of it. The columns are explained in the package."""

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
eq_active              b1 neq          -      which equality constraints are on
perturb.select         i8 -            -      body that the mouse has hold of
perturb.active         i8 -            -      what it does to the body: bits of PERT_*, 0: nothing
perturb.localpos       f8 3            m      the point of the body that it holds, in the body's frame
perturb.refselpos      f8 3            m      where that point is pulled to
perturb.refquat        f8 4            -      orientation that the body is turned to
warning.number         i4 nwarning     -      times a warning was given
warning.lastinfo       i4 nwarning     -      index that the last one was about
undo_open              i8 -            -      1: a step is running, or was when an exception ended it
undo_time              f8 -            s      time before the step that is running
undo_qpos              f8 nq           q      coordinates before the step that is running
undo_qvel              f8 nv           q/s    velocities before the step that is running
undo_act               f8 na           -      activations before the step that is running
undo_warmstart         f8 nv           q/s²   qacc_warmstart before the step that is running
undo_ctrl              f8 nu           -      controls before the step that is running
noise.scale            f8 -            -      noise on the controls: deviation, in halves of their ranges; 0: none
noise.rate             f8 -            s      time in which it forgets
noise.seed             i8 -            -      which noise: the same seed gives the same noise at the same time
start_time             f8 -            s      time that the stages of a step start from
start_qpos             f8 nq           q      coordinates that they start from
start_qvel             f8 nv           q/s    velocities that they start from
start_act              f8 na           -      activations that they start from
want.ncon              i8 -            -      contacts the step needs room for, if there are more than fit
want.nefc              i8 -            -      rows the step needs room for, if there are more than fit
want.nJ                i8 -            -      entries of efc_J that the step needs room for, if there are more than fit
want.nL                i8 -            -      entries of the Hessian's factor that the step needs room for
want.nY                i8 -            -      entries of dual.Y that the step needs room for
want.nisland           i8 -            -      islands that the step needs room for, if there are more than fit
want.nnear             i8 -            -      pairs that collision needs room for, if there are more than fit
want.npolytope         i8 -            -      faces of a polytope that collision needs room for
want.nfacet            i8 -            -      rows for faces that touch that collision needs room for
want.nray              i8 -            -      always 0: rays find room before they are sent

@ state/row
trace.count            i8 -            -      states recorded since the recording began
trace.state            f8 ntrace,nstate -     the latest of them, a row each in the order of STATE_TRACE: a ring

@ stages/sleep
ntree_awake            i8 -            -      trees that are awake
nbody_awake            i8 -            -      bodies that are awake or belong to no tree
nparent_awake          i8 -            -      bodies whose parent is awake or belongs to no tree
nv_awake               i8 -            -      dofs of trees that are awake
tree_asleep            i4 ntree        -      awake: negative, counts up to -1, ready; asleep: next of its cycle
tree_awake             i4 ntree        -      the tree is awake
body_awake             i4 nbody        -      1: awake, mocap bodies always; 0: asleep; -1: belongs to no tree
body_awake_ind         i4 nbody        -      the nbody_awake bodies, ascending
parent_awake_ind       i4 nbody        -      the nparent_awake bodies, ascending
dof_awake_ind          i4 nv           -      the nv_awake dofs, ascending
span.nbody             i8 -            -      runs of bodies that are awake or belong to no tree, the world left out
span.body              i4 nbody,2      -      first body of a run, and the one after the last
span.ngeom             i8 -            -      runs of geoms of such bodies and the world
span.geom              i4 ngeom,2      -      first geom of a run, and the one after the last
span.njnt              i8 -            -      runs of joints of trees that are awake
span.jnt               i4 njnt,2       -      first joint of a run, and the one after the last
span.ndof              i8 -            -      runs of dofs of trees that are awake
span.dof               i4 nv,2         -      first dof of a run, and the one after the last
tree_wakecause         i4 ntree,2      -      what woke the tree last (WAKE_*), and which one
tree_restless          i4 ntree,2      -      why the tree does not sleep now (AWAKE_*), and which one
sleep.placed           i8 -            -      bodies of no tree are where they belong and need no looking at
sleep.changed          i8 -            -      counts changes of who is asleep
sleep.qpos             f8 nq           q      coordinates with which trees fell asleep
sleep.mocap_pos        f8 nmocap,3     m      where mocap bodies were when trees that hang on them fell asleep
sleep.mocap_quat       f8 nmocap,4     -      and how they were turned
undo_asleep            i4 ntree        -      tree_asleep before the step that is running
undo_wakecause         i4 ntree,2      -      tree_wakecause before the step that is running

@ stages/smooth/kinematics
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

@ stages/smooth/camlight
cam_xpos               f8 ncam,3       m      position of the camera
cam_xmat               f8 ncam,9       -      orientation of the camera: looks along -z
light_xpos             f8 nlight,3     m      position of the light
light_xdir             f8 nlight,3     -      direction of the light

@ stages/smooth/com
subtree_com            f8 nbody,3      m      centre of mass of the body and all below it
cinert                 f8 nbody,10     -      inertia about the tree's centre of mass: xx yy zz xy xz yz, m·r, m
cdof                   f8 nv,6         -      motion of the dof about the tree's centre of mass: turning, moving
cvel                   f8 nbody,6      -      velocity of the body about the tree's centre of mass
cdof_dot               f8 nv,6         -      rate of change of cdof

@ stages/smooth/tendon
ten_length             f8 ntendon      m      length of the tendon
ten_velocity           f8 ntendon      m/s    rate of change of its length
ten_J                  f8 nJten        -      moment arms: rates of change of its length with each dof
ten_wrapadr            i4 ntendon      -      first point of its path
ten_wrapnum            i4 ntendon      -      points of its path
wrap_obj               i4 nwrap,2      -      for each point the geom it lies on, -1: a site, -2: a pulley
wrap_xpos              f8 nwrap,6      m      points of all paths, two to a row
tendon_arm             f8 nv           -      moment arms of the tendon being computed, for every dof

@ stages/smooth/inertia
crb                    f8 nbody,10     -      inertia of the body and all below it, as one rigid body
M                      f8 nC           -      inertia matrix, lower triangle by rows
qLD                    f8 nC           -      its factor, LᵀDL
qLDiagInv              f8 nv           -      1 / D
qH                     f8 nC           -      factor of M + h·damping
qHDiagInv              f8 nv           -      1 / its D

@ stages/smooth/rne
qfrc_bias              f8 nv           F      Coriolis, centrifugal and gravity forces
qfrc_rne               f8 nv           F      qfrc_bias and the forces that qacc needs, without armature
rne_acceleration       f8 nbody,6      -      acceleration of the body while these are computed
rne_force              f8 nbody,6      -      force on the body and all below it while these are computed
cacc                   f8 nbody,6      -      acceleration of the body, gravity included
cfrc_int               f8 nbody,6      -      force between the body and its parent
cfrc_ext               f8 nbody,6      -      force on the body from outside
flg_rnepost            b1 -            -      cacc, cfrc_int and cfrc_ext are those of this step

@ stages/smooth/subtree
subtree_linvel         f8 nbody,3      m/s    velocity of subtree_com
subtree_angmom         f8 nbody,3      -      angular momentum of the body and all below it about subtree_com
flg_subtreevel         b1 -            -      the two are those of this state

@ stages/smooth/perturb
perturb.xfrc           f8 6            N      force and torque of the mouse at the selected body's centre of mass

@ stages/smooth/passive
qfrc_spring            f8 nv           F      springs
qfrc_damper            f8 nv           F      dampers
qfrc_gravcomp          f8 nv           F      gravity compensation
qfrc_passive           f8 nv           F      all passive forces

@ stages/smooth/fluid
qfrc_fluid             f8 nv           F      the medium

@ stages/smooth/adhesion
qfrc_adhesion          f8 nv           F      surfaces that stick

@ stages/smooth/energy
energy                 f8 2            J      potential and kinetic energy
flg_energypos          b1 -            -      the potential energy is that of this step

@ stages/smooth/transmission
actuator_length        f8 nout         -      length of what the output acts on, times its gear
moment_rownnz          i4 nout         -      moment arms of the outputs, by rows: entries in a row
moment_rowadr          i4 nout         -      first entry of a row
moment_colind          i4 nJmom        -      columns: dofs
actuator_moment        f8 nJmom        -      moment arms: change of the length with a dof
actuator_velocity      f8 nout         -      rate of change of the length

@ stages/actuation
actuator_input         f8 nu           -      controls as they act: delayed, clamped, and zero if one is not finite
act_dot                f8 na           -      rate of change of the activations
act_next               f8 na           -      activations after the step
actuator_force         f8 nout         F      force of the output
tendon_actuator_force  f8 ntendon      N      total force of a tendon's actuators before its limit
qfrc_actuator          f8 nv           F      actuators

@ mjcf/constant/length_range_pull
qfrc_pull              f8 nv           F      force that pulls an actuator while its lengthrange is found
length_pull            f8 2            -      shortest and longest length of the actuator meanwhile

@ state/delay
history                f8 nhistory     -      delay buffers: a number of the user's, newest, times, values
undo_history           f8 nhistory     -      the same before the step that is running

@ stages/collision/distance
segment.end            f8 2,3          m      nearest points of two geoms, or the deepest ones if they overlap

@ stages/ray
ray.count              i8 -            -      geoms that rays can meet
ray.target             i4 ngeom        -      these
ray.bundled            i8 -            -      whether rays are sent together, as a bundle
ray.point              f8 1,3          m      where rays start
ray.apart              f8 ngeom,3      m      from them to the point that rays start from
ray.outside            f8 ngeom        m²     squared distance of the point less that of the bounding sphere
ray.geom               i8 -            -      geom that the last ray met, or -1
ray.normal             f8 2,3          -      normal where it did; the same of one geom in the geom's frame
ray.stack              i4 64           -      bounding volumes of a mesh that are still to be looked at
nray                   i8 -            -      rays that were sent together
rays.vec               f8 nray,3       -      their directions
rays.dist              f8 nray         -      what they met: distance in lengths of the direction, or -1
rays.geom              i4 nray         -      geom, or -1
rays.normal            f8 nray,3       -      normal

@ stages/sensor
sensordata             f8 nsensordata  -      what the sensors say
match.contact          i4 ncon         -      contacts that a contact sensor is about
match.flip             i4 ncon         -      whether its first object is the second of the contact
match.key              f8 ncon         -      what they are put in order by

@ stages/smooth/acceleration
qfrc_smooth            f8 nv           F      everything but constraints
qacc_smooth            f8 nv           q/s²   acceleration without constraints

@ stages/collision
ncon                   i8 -            -      contacts
contact.dist           f8 ncon         m      distance; negative: penetration
contact.pos            f8 ncon,3       m      midpoint between the surfaces
contact.frame          f8 ncon,9       -      rows: normal from geom 0 to geom 1, two tangents
contact.includemargin  f8 ncon         m      the contact acts below this distance
contact.friction       f8 ncon,5       -      friction: two sliding, torsional, two rolling
contact.solref         f8 ncon,2       -      solref of the normal row
contact.solreffriction f8 ncon,2       -      solref of the friction rows
contact.solimp         f8 ncon,5       -      solimp
contact.adhesion       f8 ncon         N      force that holds the surfaces together
contact.dim            i4 ncon         -      rows without the pyramid: 1, 3, 4 or 6
contact.geom           i4 ncon,2       -      geoms
contact.geom1          i4 ncon         -      first geom, under its old name
contact.geom2          i4 ncon         -      second geom, under its old name
contact.flex           i4 ncon,2       -      flexes are not supported: always -1
contact.elem           i4 ncon,2       -      and always -1
contact.vert           i4 ncon,2       -      and always -1
contact.exclude        i4 ncon         -      why it makes no rows; 0: it does
contact.efc_address    i4 ncon         -      first row, or -1
hit.dist               f8 50           m      what a pair of geoms makes of its contacts: distance
hit.pos                f8 50,3         m      midpoint between the surfaces
hit.normal             f8 50,3         -      from the first geom to the second
hit.tangent            f8 50,3         -      wish for the first tangent; zero: none
hooked                 i8 -            -      whether the user filters pairs of geoms, or has routines for them
nnear                  i8 -            -      pairs of bodies that may touch
near.first             i4 nnear        -      body of a pair, or geom of a pair while two bodies are looked at
near.second            i4 nnear        -      the other one
near.spare_first       i4 nnear        -      the same while they are sorted
near.spare_second      i4 nnear        -      the same while they are sorted
sweep.low              f8 nbody,3      m      lower corner of the body's bounding box, margin included
sweep.high             f8 nbody,3      m      upper corner
sweep.order            i4 nbody        -      bodies that can touch others, in the order of their lower corners
sweep.still            i4 nbody        -      bodies that do not move while some sleep, by their lower corners
sweep.nstill           i8 -            -      how many they are
sweep.axis             i8 -            -      axis along which they are sorted
sweep.reach            f8 nbody        m      how far they reach along it, each and all before it
sweep.seen             i8 -            -      sleep.changed when they were sorted
sweep.count            i4 nbody        -      pairs with the body as a member, while pairs are sorted
descent.first          i4 nbvhstatic   -      bounding volumes of one body that are still to be looked at
descent.second         i4 nbvhstatic   -      and those of the other body that they are to be compared with
clip.point             f8 24,3         m      corners of a polygon that is being clipped, twice twelve
clip.side              f8 12           m      how far each is beyond the clipping plane
solid.kind             i4 2            -      the two geoms that convex collision looks at: type
solid.mesh             i4 2            -      mesh, or -1
solid.climbs           i4 2            -      whether its support points are found by climbing along edges of the hull
solid.pos              f8 2,3          m      position
solid.mat              f8 2,9          -      orientation
solid.size             f8 2,3          m      sizes
solid.skin             f8 2            m      how much it is inflated
solid.vertex           i4 2            -      vertex that was the last support point, or -1
solid.hint             i4 2            -      the same by its number in the hull, or -1
prism.corner           f8 6,3          m      corners of the prism of a height field: three at the bottom, three on top
simplex.n              i8 -            -      corners of the simplex that is nearest to the origin
simplex.v              f8 8,9          m      corners: point of the difference, of the first geom, of the second; spare
simplex.index          i4 8,2          -      vertices of the geoms that they are, or -1
simplex.weight         f8 4            -      the nearest point as a sum of the corners
simplex.order          i4 4            -      corners in the order that turns all faces outwards
polytope.nvert         i8 -            -      corners of the polytope that grows inside the difference of two geoms
npolytope              i8 -            -      faces, those that are gone included
polytope.nmap          i8 -            -      faces that may be nearest to the origin
polytope.centre        f8 1,3          m      a point inside
polytope.v             f8 npolytope,9  m      corners: point of the difference, of the first geom, of the second
polytope.index         i4 npolytope,2  -      vertices of the geoms that they are, or -1
polytope.face          i4 npolytope,3  -      corners of a face
polytope.beside        i4 npolytope,3  -      faces beyond its edges
polytope.foot          f8 npolytope,3  m      the origin, projected on its plane
polytope.dist2         f8 npolytope    m²     squared distance of the plane
polytope.place         i4 npolytope    -      place in the map; -1: not in it; -2: the face is gone
polytope.map           i4 npolytope    -      faces that may be nearest to the origin
polytope.rim           i4 npolytope,2  -      faces and edges around what a new corner sees
polytope.stack         i4 npolytope,2  -      faces and edges that are still to be looked at
witness.first          f8 50,3         m      nearest or deepest points of the first geom
witness.second         f8 50,3         m      and of the second
witness.dist           f8 50           m      and how far they are apart
nfacet                 i8 -            -      always 0: rows for the faces of two geoms that touch, half for each
facet.normal           f8 nfacet,3     -      normals of faces, or directions of edges, that may touch the other geom
facet.end              f8 nfacet,3     m      ends of the edges
facet.id               i4 nfacet       -      faces that the normals belong to
facet.corner           f8 nfacet,3     m      corners of the face or edge of each geom that touch
facet.polygon          f8 nfacet,3     m      the one clipped by the other, before and after a side of it

@ stages/constraint
nefc                   i8 -            -      constraint rows
efc_type               i4 nefc         -      kind of row
efc_id                 i4 nefc         -      contact, joint, tendon or equality it comes from
ne                     i8 -            -      equality rows, which come first
nf                     i8 -            -      friction rows, which come next
nl                     i8 -            -      limit rows, which come before those of contacts
nJ                     i8 -            -      entries of efc_J
contact.mu             f8 ncon         -      friction of the cone that the solver sees
tendon_efcadr          i4 ntendon      -      first row of the tendon; its equality, if it has one; or -1
chain.dof              i4 nv           -      dofs that move one of two bodies, descending
chain.side             i4 nv           -      which of the two: -1 the first, 1 the second, 0 both
dense_rows             i8 -            -      rows of efc_J whose columns are known to be those of a dense row
diagonal_row           f8 nv           -      a row of efc_J times L⁻¹ while its efc_diagA is computed
efc_J                  f8 nJ           -      rows: rates of change of each constraint with each dof
efc_J_rownnz           i4 nefc         -      entries in a row of efc_J
efc_J_rowadr           i4 nefc         -      first entry of a row
efc_J_colind           i4 nJ           -      columns: dofs, ascending
efc_pos                f8 nefc         q      how far the constraint is violated
efc_margin             f8 nefc         q      the row acts below this distance
efc_frictionloss       f8 nefc         F      largest force of a friction row
efc_diagA              f8 nefc         -      J M⁻¹ Jᵀ on the diagonal, or what is taken for it
efc_KBIP               f8 nefc,4       -      stiffness, damping, impedance and its slope
efc_D                  f8 nefc         -      1 / R
efc_R                  f8 nefc         -      what keeps the row soft: added to the diagonal of J M⁻¹ Jᵀ
efc_vel                f8 nefc         q/s    velocity of the constraint
efc_aref               f8 nefc         q/s²   acceleration that the constraint wants

@ stages/constraint/island
nisland                i8 -            -      islands: groups of trees that rows connect
nidof                  i8 -            -      dofs of all islands
tree_island            i4 ntree        -      island of the tree, or -1
island_ntree           i4 nisland      -      trees of an island
island_itreeadr        i4 nisland      -      first of them in map_itree2tree
map_itree2tree         i4 ntree        -      trees by islands, those in none last
dof_island             i4 nv           -      island of the dof, or -1
island_nv              i4 nisland      -      dofs of an island
island_idofadr         i4 nisland      -      first of them in map_idof2dof
island_dofadr          i4 nisland      -      its first dof
map_dof2idof           i4 nv           -      dof -> place in map_idof2dof
map_idof2dof           i4 nv           -      dofs by islands, those in none last
efc_island             i4 nefc         -      island of the row
island_ne              i4 nisland      -      equality rows of an island
island_nf              i4 nisland      -      friction rows of an island
island_nefc            i4 nisland      -      rows of an island
island_iefcadr         i4 nisland      -      first of them in map_iefc2efc
map_efc2iefc           i4 nefc         -      row -> place in map_iefc2efc
map_iefc2efc           i4 nefc         -      rows by islands
tree_next              i4 ntree        -      on the way to the first tree of the island: next tree; -1: in none
efc_tree               i4 nefc         -      one tree that the row acts on

@ pipeline/inverse_force
qfrc_inverse           f8 nv           F      forces that qacc needs and that are not there
solver_fwdinv          f8 2            F      inverse against forward dynamics: constraint forces, applied forces
inverse.damping        f8 nv           F·s/q  slope of a dof's dampers, if the integrator is implicit in them
inverse.stiffness      f8 nv           F/q    slope of its springs, if it is implicit in them
inverse.acc            f8 nv           q/s²   acceleration at an instant, where qacc is that of a step

@ script/rollout
roll.start             f8 nroll,nfull  -      states that rollouts start from, in the order of STATE_FULLPHYSICS
roll.ctrl              f8 nroll,nu     -      controls of all steps of all rollouts
roll.state             f8 nroll,nfull  -      state after each of these steps
roll.sensordata        f8 nroll,nsensordata - and what the sensors said in it

@ linearization/finite_difference
fd.input               i4 ninput       -      what is changed, in falling order: numbers of the state, then controls
fd.next                f8 3,nnext      -      state and sensors after a step: from the start, from either side of it
fd.M                   f8 nC           -      inertia matrix at the start
fd.inertia             f8 nfd,nC       -      by position: how the inertia matrix changes with it
fd.column              f8 nfd,nslope   -      by what is changed: how the state after the step, and sensors, change

@ stages/solver
qfrc_constraint        f8 nv           F      constraints
step_acc               f8 nv           q/s²   qacc while it stands aside for that at an instant
qacc                   f8 nv           q/s²   acceleration
efc_b                  f8 nefc         q/s²   acceleration of the constraint without any force, less efc_aref
efc_force              f8 nefc         F      constraint force
efc_state              i4 nefc         -      satisfied, quadratic, linear below, linear above, cone
contact.H              f8 ncon,36      -      curvature of the cost of a contact on the side of its cone
solver_niter           i4 20           -      iterations that the solver made, by island
solver_nnz             i4 20           -      numbers in the matrices that it used
solver.improvement     f8 4000         -      by island and iteration: what an iteration gained
solver.gradient        f8 4000         -      length of the gradient after it
solver.lineslope       f8 4000         -      slope that the line search ended with
solver.nactive         i4 4000         -      rows that act
solver.nchange         i4 4000         -      rows whose state changed
solver.neval           i4 4000         -      points that the line search looked at
solver.nupdate         i4 4000         -      rank-one changes of the factor
block.nv               i8 -            -      the rows and dofs that are being solved for: dofs
block.ne               i8 -            -      equality rows
block.nf               i8 -            -      friction rows
block.nefc             i8 -            -      rows
block.ncone            i8 -            -      contacts with an elliptic cone
block.nactive          i8 -            -      rows that act
block.nside            i8 -            -      rows of contacts that are on the side of their cone
block.nJ               i8 -            -      entries of its rows
block.scale            f8 -            -      unit of cost and gradient: 1 / inertia
block.gradient         f8 -            -      length of the gradient where the solver ended; 0: it uses none
block.row              i4 nefc         -      which row of efc_* a row is
block.dof              i4 nv           -      which dof a dof is
block.at               i4 nv           -      the same the other way round: place in the block of a dof
block.J                f8 nJ           -      rows
block.J_rownnz         i4 nefc         -      entries in a row
block.J_rowadr         i4 nefc         -      first entry of a row
block.J_colind         i4 nJ           -      columns
block.M                f8 nC           -      inertia matrix, lower triangle by rows
block.qLD              f8 nC           -      its factor
block.qLDiagInv        f8 nv           -      1 / D of its factor
block.M_rownnz         i4 nv           -      entries in a row of the inertia matrix
block.M_rowadr         i4 nv           -      first entry of a row
block.M_colind         i4 nC           -      columns
block.D                f8 nefc         -      efc_D
block.D_side           f8 nefc         -      efc_D of the rows that only push, 0 for all others
block.R                f8 nefc         -      efc_R
block.floss            f8 nefc         F      efc_frictionloss
block.aref             f8 nefc         q/s²   efc_aref
block.force            f8 nefc         F      efc_force
block.state            i4 nefc         -      efc_state
block.old_state        i4 nefc         -      efc_state one iteration ago
block.cone             i4 nefc         -      first row of each contact with an elliptic cone
block.contact          i4 nefc         -      which contact that is
block.smooth           f8 nv           F      qfrc_smooth
block.acc_smooth       f8 nv           q/s²   qacc_smooth
block.acc              f8 nv           q/s²   qacc
block.pull             f8 nv           F      qfrc_constraint
block.jar              f8 nefc         q/s²   J qacc - efc_aref
block.jv               f8 nefc         -      J search
block.ma               f8 nv           F      M qacc
block.mv               f8 nv           -      M search
block.grad             f8 nv           F      gradient of the cost
block.step             f8 nv           q/s²   gradient times the inverse of M or of the Hessian
block.search           f8 nv           q/s²   direction of the line search
block.spare            f8 nv           -      a vector
block.cone_line        f8 nefc,10      -      cost of a contact with an elliptic cone along the line search
block.old_grad         f8 nv           F      gradient one iteration ago
block.old_step         f8 nv           q/s²   step one iteration ago
line.slope             f8 -            -      of the line search: slope where it ended
line.gain              f8 -            -      cost that it saved
line.neval             i8 -            -      points that it looked at
line.linear            f8 -            -      slope at the start of the part of the cost that has no kinks
line.square            f8 -            -      its curvature
line.cone_cost         f8 -            -      contacts with elliptic cones at a point: cost
line.cone_slope        f8 -            -      slope
line.cone_curvature    f8 -            -      curvature
nL                     i8 -            -      numbers in the factor of the Hessian
factor.L               f8 nL           -      Hessian of the cost, then its factor
factor.nupdate         i8 -            -      rank-one changes that the last iteration stood for
factor.ngroup          i8 -            -      groups: dofs that follow one another and share the pattern of their rows
factor.group           i4 nv           -      group of a dof
factor.first           i4 nv           -      first dof of a group
factor.width           i4 nv           -      dofs of a group
factor.row             i8 nv           -      where the first row of a group begins in the factor
factor.stride          i4 nv           -      length of its rows
factor.nbelow          i4 nv           -      groups that it shares a pair of dofs with and that come before it
factor.below_adr       i4 nv           -      first of them in the list
factor.below           i4 nL           -      list of these groups, ascending for each group
factor.offset          i4 nL           -      and of where in the rows their columns begin
factor.child           i4 nv           -      first group whose nearest one below is this, or -1
factor.sibling         i4 nv           -      the next one of these
factor.bundle          i4 nv           -      first bundle of rows of J that reaches up to this group, or -1
factor.mark            i8 nv           -      a set of groups, 32 to a number
factor.match_from      i4 nv           -      runs that two rows of the factor share: start in the one
factor.match_to        i4 nv           -      start in the other
factor.match_length    i4 nv           -      length
factor.line            f8 nv           -      entries of a vector in the columns of a row of the factor
bundle.count           i8 -            -      bundles: up to four rows of J that have the same columns
bundle.row             i4 nefc         -      first row
bundle.size            i4 nefc         -      rows
bundle.again           i4 nefc         -      the columns are those of the bundle before
bundle.nrun            i4 nefc         -      runs of columns in one group
bundle.run_adr         i4 nefc         -      first of them
bundle.next            i4 nefc         -      next bundle that reaches up to the same group, or -1
run.group              i4 nJ           -      group of the run
run.first              i4 nJ           -      its first column, counted in the group
run.length             i4 nJ           -      columns
run.at                 i4 nJ           -      where in the row of J it begins
nY                     i8 -            -      entries of dual.Y
dual.Y                 f8 nY           -      rows: J M^-½, Y Yᵀ is J M⁻¹ Jᵀ
dual.Y_rownnz          i4 nefc         -      entries in a row
dual.Y_rowadr          i4 nefc         -      first entry of a row
dual.Y_colind          i4 nY           -      columns
dual.A                 f8 nefc,6       -      Y Yᵀ of a row and the rows of the same contact
dual.inverse           f8 nefc         -      1 / (A + R) on the diagonal
dual.whole             i8 -            -      all of Y Yᵀ is used
dual.square            f8 nY           -      that, by rows
dual.w                 f8 nefc         q/s²   Y Yᵀ force, if it is used
dual.old_w             f8 nefc         q/s²   the same one iteration ago
dual.b                 f8 nefc         q/s²   efc_b
dual.z                 f8 nv           -      Yᵀ force
dual.old_z             f8 nv           -      the same one iteration ago
dual.old_force         f8 nefc         F      force one iteration ago
dual.start_force       f8 nefc         F      force before the sweep
dual.contact           i4 nefc         -      for the first row of a contact with an elliptic cone which one, else -1
dual.order             i4 nefc         -      first rows of what is swept over as one, in the order of the sweep
dual.mark              i4 nv           -      last row that a column was seen in
dual.before            f8 6            F      one contact while its forces are found: forces before
dual.residual          f8 6            q/s²   acceleration that these leave
dual.matrix            f8 36           -      rows: J M⁻¹ Jᵀ of its friction rows
dual.factor            f8 36           -      factor of that, shifted
dual.offset            f8 6            q/s²   acceleration without friction
dual.point             f8 6            F      friction forces
dual.slope             f8 6            -      how these change with the shift

@ stages/derivative
qDeriv                 f8 nD           F·s/q  how smooth forces change with velocities
qLU                    f8 nD           -      factor of M - h qDeriv
slope.cursor           i4 nv           -      where the next entry of a dof's row is, while qDeriv or qLU is filled
slope.drag             f8 nbody,36     -      change of the medium's force on a body and all below it with its motion
slope.turning          f8 nbody,9      -      change of the torque that a body and all below it need with turning
slope.momentum         f8 nbody,3      -      twice the momentum of a body and all below it
slope.rate             f8 nv,6         -      acceleration of what is below a dof with its velocity
slope.block            f8 6,7          -      equations of a free body that is solved on its own

@ pipeline/integrate
qacc_step              f8 nv           q/s²   acceleration that the step applies
act_dot_step           f8 na           -      rate of change of the activations that the step applies
qvel_step              f8 nv           q/s    velocity that a stage of the step, or its end, moves along
stage.qvel             f8 nv,4         q/s    velocity in each stage
stage.qacc             f8 nv,4         q/s²   acceleration in each stage
stage.act_dot          f8 na,4         -      rate of change of the activations in each stage
"""
