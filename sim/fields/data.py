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
qfrc_bias              f8 nv           F      Coriolis, centrifugal and gravity forces
qfrc_rne               f8 nv           F      qfrc_bias and the forces that qacc needs, without armature
rne_acceleration       f8 nbody,6      -      acceleration of the body while these are computed
rne_force              f8 nbody,6      -      force on the body and all below it while these are computed
cacc                   f8 nbody,6      -      acceleration of the body, gravity included
cfrc_int               f8 nbody,6      -      force between the body and its parent
cfrc_ext               f8 nbody,6      -      force on the body from outside

@ passive
qfrc_spring            f8 nv           F      springs
qfrc_damper            f8 nv           F      dampers
qfrc_gravcomp          f8 nv           F      gravity compensation
qfrc_passive           f8 nv           F      all passive forces

@ fluid
qfrc_fluid             f8 nv           F      the medium

@ energy
energy                 f8 2            J      potential and kinetic energy

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
