"""Fields of Data: contacts, collision detection, constraints, islands, inverse dynamics and rollouts."""

CONTACT_TEXT = """
@ stages/collision
ncon                   i8 -            -      number of detected contacts
contact.dist           f8 ncon         m      distance between the surfaces; negative: penetration
contact.pos            f8 ncon,3       m      contact point: midpoint between the surfaces
contact.frame          f8 ncon,9       -      contact frame, by rows: normal from geom 0 to geom 1, two tangents
contact.includemargin  f8 ncon         m      distance below which the contact is active
contact.friction       f8 ncon,5       -      friction coefficients: two sliding, torsional, two rolling
contact.solref         f8 ncon,2       -      reference spring-damper of the normal row
contact.solreffriction f8 ncon,2       -      reference spring-damper of the friction rows
contact.solimp         f8 ncon,5       -      impedance
contact.adhesion       f8 ncon         N      adhesion force
contact.surfacevel     f8 ncon,3       -      velocity of the moving surfaces, geom 1 minus geom 0: two tangents, spin
contact.dim            i4 ncon         -      contact dimension: 1, 3, 4 or 6
contact.geom           i4 ncon,2       -      geom ids
contact.geom1          i4 ncon         -      first geom id; deprecated, same as geom[0]
contact.geom2          i4 ncon         -      second geom id; deprecated, same as geom[1]
contact.flex           i4 ncon,2       -      flexes are not supported: always -1
contact.elem           i4 ncon,2       -      flexes are not supported: always -1
contact.vert           i4 ncon,2       -      flexes are not supported: always -1
contact.exclude        i4 ncon         -      reason for exclusion from the constraints; 0: included
contact.efc_address    i4 ncon         -      first constraint row, or -1
swept.move             f8 ngeom,3      m      speculative contacts: displacement of a geom over the step
swept.turn             f8 ngeom,3      rad    its rotation over the step
manifold.dist          f8 50           m      contacts of the current geom pair: distance
manifold.pos           f8 50,3         m      midpoint between the surfaces
manifold.normal        f8 50,3         -      normal from the first geom to the second
manifold.tangent       f8 50,3         -      preferred first tangent; zero: none
hooked                 i8 -            -      user callbacks filter geom pairs or replace collision functions
nnear                  i8 -            -      number of candidate pairs from the broad phase
near.first             i4 nnear        -      first body of a pair; first geom in the mid phase
near.second            i4 nnear        -      second body or geom of the pair
near.spare_first       i4 nnear        -      scratch for sorting
near.spare_second      i4 nnear        -      scratch for sorting
sweep.low              f8 nbody,3      m      lower corner of the body's AABB, including margin
sweep.high             f8 nbody,3      m      upper corner of the body's AABB
sweep.order            i4 nbody        -      bodies that can collide, sorted by lower bound
sweep.still            i4 nbody        -      static and sleeping bodies, sorted by lower bound
sweep.nstill           i8 -            -      number of static and sleeping bodies
sweep.axis             i8 -            -      sweep axis
sweep.reach            f8 nbody        m      running maximum of the upper bounds of static and sleeping bodies
sweep.seen             i8 -            -      sleep.changed at the last sort
sweep.count            i4 nbody        -      number of pairs per body, for the sort
descent.first          i4 nbvhstatic   -      stack of bounding volumes of the first body still to be visited
descent.second         i4 nbvhstatic   -      stack of their counterparts of the second body
clip.vertex            f8 24,3         m      vertices of the clipped polygon, double buffered
clip.side              f8 12           m      signed distance of each vertex from the clipping plane
solid.type             i4 2            -      geom pair of convex collision: type
solid.mesh             i4 2            -      mesh, or -1
solid.hill_climbs      i4 2            -      support points are found by hill climbing on the hull
solid.pos              f8 2,3          m      position
solid.mat              f8 2,9          -      orientation
solid.size             f8 2,3          m      size parameters
solid.inflate          f8 2            m      inflation by half the margin
solid.vertex           i4 2            -      vertex of the last support point, or -1
solid.hint             i4 2            -      the same vertex as a hull index, or -1
prism.vertex           f8 6,3          m      vertices of a height field prism: three below, three above
simplex.n              i8 -            -      number of vertices of the GJK simplex
simplex.apart          i8 -            -      1 if a plane separates the geoms
simplex.v              f8 5,9          m      vertices: Minkowski difference, first geom, second geom; one to spare
simplex.index          i4 5,2          -      their vertices on both geoms, or -1
simplex.weight         f8 4            -      barycentric coordinates of the point nearest to the origin
polytope.nvert         i8 -            -      number of vertices of the EPA polytope in the Minkowski difference
npolytope              i8 -            -      number of faces, including deleted ones
polytope.nmap          i8 -            -      number of candidate faces
polytope.centre        f8 1,3          m      an interior point
polytope.v             f8 npolytope,9  m      vertices: Minkowski difference, first geom, second geom
polytope.index         i4 npolytope,2  -      their vertices on both geoms, or -1
polytope.face          i4 npolytope,3  -      vertices of a face
polytope.adjacent      i4 npolytope,3  -      adjacent faces
polytope.projection    f8 npolytope,3  m      projection of the origin onto the face's plane
polytope.dist2         f8 npolytope    m²     squared distance of the plane from the origin
polytope.map_index     i4 npolytope    -      index in the map; -1: not a candidate; -2: deleted
polytope.map           i4 npolytope    -      candidate faces for the one nearest to the origin
polytope.horizon       i4 npolytope,2  -      horizon of the new vertex: faces and edges
polytope.stack         i4 npolytope,2  -      faces and edges still to be visited
witness.first          f8 50,3         m      witness points on the first geom
witness.second         f8 50,3         m      witness points on the second geom
witness.dist           f8 50           m      signed distances
nfacet                 i8 -            -      always 0: capacity for touching faces of two geoms, half for each
facet.normal           f8 nfacet,3     -      normals of faces around the deepest point
facet.edge             f8 nfacet,3     -      directions of edges at the deepest point
facet.end              f8 nfacet,3     m      end points of the edges
facet.id               i4 nfacet       -      faces of the normals
facet.vertex           f8 nfacet,3     m      vertices of the touching face or edge of each geom
facet.polygon          f8 nfacet,3     m      clipped polygon, before and after clipping by one side

@ stages/constraint
nefc                   i8 -            -      number of constraint rows
efc_type               i4 nefc         -      constraint type
efc_id                 i4 nefc         -      id of the contact, joint, tendon or equality
ne                     i8 -            -      number of equality rows, which come first
nf                     i8 -            -      number of friction rows, which come second
nl                     i8 -            -      number of limit rows, which come third
nJ                     i8 -            -      number of entries of efc_J
contact.mu             f8 ncon         -      friction of the regularized cone
tendon_efcadr          i4 ntendon      -      first constraint row of the tendon, or -1
chain.dof              i4 nv           -      dofs that move one of two bodies, descending
chain.side             i4 nv           -      -1: the first body, 1: the second, 0: both
dense_rows             i8 -            -      number of rows of efc_J with dense column indices
diagonal_row           f8 nv           -      scratch: L⁻¹ times a row of efc_J, for efc_diagA
efc_J                  f8 nJ           -      constraint Jacobian
efc_J_rownnz           i4 nefc         -      constraint Jacobian: nonzeros in a row
efc_J_rowadr           i4 nefc         -      constraint Jacobian: first entry of a row
efc_J_colind           i4 nJ           -      constraint Jacobian: column indices (dofs), ascending
efc_pos                f8 nefc         q      constraint residual
efc_margin             f8 nefc         q      distance below which the row is active
efc_frictionloss       f8 nefc         F      bound of the friction force
efc_diagA              f8 nefc         -      diagonal of J M⁻¹ Jᵀ, exact or approximate
efc_KBIP               f8 nefc,4       -      stiffness, damping, impedance, derivative of the impedance
efc_D                  f8 nefc         -      constraint mass: 1 / R
efc_R                  f8 nefc         -      regularization: added to the diagonal of J M⁻¹ Jᵀ
efc_vel                f8 nefc         q/s    velocity in constraint space
efc_aref               f8 nefc         q/s²   reference acceleration
bare.R                 f8 nefc         -      for the discrete integrator: regularization in the metric M
bare.aref              f8 nefc         q/s²   reference acceleration of continuous time

@ stages/constraint/island
nisland                i8 -            -      number of islands: trees coupled by constraints
nidof                  i8 -            -      number of dofs in all islands
tree_island            i4 ntree        -      island of the tree, or -1
island_ntree           i4 nisland      -      number of trees
island_itreeadr        i4 nisland      -      first tree in map_itree2tree
map_itree2tree         i4 ntree        -      trees grouped by island, unconstrained ones last
dof_island             i4 nv           -      island of the dof, or -1
island_nv              i4 nisland      -      number of dofs
island_idofadr         i4 nisland      -      first dof in map_idof2dof
island_dofadr          i4 nisland      -      lowest dof of the island
map_dof2idof           i4 nv           -      dof -> index in map_idof2dof
map_idof2dof           i4 nv           -      dofs grouped by island, unconstrained ones last
efc_island             i4 nefc         -      island of the row
island_ne              i4 nisland      -      number of equality rows
island_nf              i4 nisland      -      number of friction rows
island_nefc            i4 nisland      -      number of constraint rows
island_iefcadr         i4 nisland      -      first row in map_iefc2efc
map_efc2iefc           i4 nefc         -      row -> index in map_iefc2efc
map_iefc2efc           i4 nefc         -      rows grouped by island
tree_next              i4 ntree        -      union-find: next tree towards the root of its island; -1: in no island
efc_tree               i4 nefc         -      one of the trees the row acts on

@ pipeline/inverse_force
qfrc_inverse           f8 nv           F      inverse dynamics: net external force that produces qacc
solver_fwdinv          f8 2            F      forward minus inverse dynamics: constraint forces, applied forces
inverse.damping        f8 nv           F·s/q  derivative of damper forces w.r.t. velocity, if the integrator uses it
inverse.stiffness      f8 nv           F/q    derivative of spring forces w.r.t. position, if the integrator uses it
inverse.acc            f8 nv           q/s²   continuous-time acceleration, where qacc is the discrete one

@ script/rollout
roll.start             f8 nroll,nfull  -      initial states, in the order of STATE_FULLPHYSICS
roll.ctrl              f8 nroll,nu     -      controls of each step
roll.state             f8 nroll,nfull  -      state after each step
roll.sensordata        f8 nroll,nsensordata - sensor outputs of each step

@ script/batch
roll.now               f8 nroll,nfull  -      states of environments, with qacc_warmstart: the same array as roll.start
roll.reading           f8 nroll,nsensordata - sensor outputs of environments
roll.rate              f8 nroll,nv     q/s²   acceleration by which velocities are to be updated; 0 for those that stay
roll.mark              i4 nroll        -      bits of FRESH, MOVING, STOPPED

@ linearization/finite_difference
fd.input               i4 ninput       -      perturbed inputs, descending: state components, then controls
fd.next                f8 3,nnext      -      next state and sensors: unperturbed, perturbed in either direction
fd.M                   f8 nC           -      unperturbed inertia matrix
fd.inertia             f8 nfd,nC       -      derivatives of the inertia matrix w.r.t. position
fd.column              f8 nfd,nslope   -      derivatives of the next state and sensors w.r.t. each input
"""
