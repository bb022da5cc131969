"""Fields of Data: constraint solver, velocity derivatives and integrators."""

SOLVER_TEXT = """
@ stages/solver
qfrc_constraint        f8 nv           F      constraint force
step_acc               f8 nv           q/s²   discrete acceleration, saved while qacc is the continuous one
qacc                   f8 nv           q/s²   generalized acceleration
efc_b                  f8 nefc         q/s²   J qacc_smooth - efc_aref
efc_force              f8 nefc         F      constraint force in constraint space
efc_state              i4 nefc         -      constraint state: satisfied, quadratic, linear below, linear above, cone
contact.H              f8 ncon,36      -      cone Hessian
solver_niter           i4 20           -      number of solver iterations, by island
solver_nnz             i4 20           -      nonzeros of the matrix the solver works on, by island
solver.improvement     f8 4000         -      cost reduction, by island and iteration
solver.gradient        f8 4000         -      norm of the gradient
solver.lineslope       f8 4000         -      final slope of the line search
solver.nactive         i4 4000         -      number of active rows
solver.nchange         i4 4000         -      number of rows that changed state
solver.neval           i4 4000         -      number of cost evaluations in the line search
solver.nupdate         i4 4000         -      number of rank-one updates of the factor
block.nv               i8 -            -      current solve, an island or everything: number of dofs
block.ne               i8 -            -      number of equality rows
block.nf               i8 -            -      number of friction rows
block.nefc             i8 -            -      number of rows
block.ncone            i8 -            -      number of elliptic contacts
block.nactive          i8 -            -      number of active rows
block.nmiddle          i8 -            -      number of rows of contacts in the middle zone of their cone
block.nJ               i8 -            -      number of entries of J
block.scale            f8 -            -      scaling of cost and gradient: 1 / inertia
block.gradient         f8 -            -      norm of the final gradient; 0: the solver uses none
block.row              i4 nefc         -      row of the block -> row of efc_*
block.dof              i4 nv           -      dof of the block -> dof
block.at               i4 nv           -      dof -> dof of the block
block.J                f8 nJ           -      constraint Jacobian
block.J_rownnz         i4 nefc         -      nonzeros in a row
block.J_rowadr         i4 nefc         -      first entry of a row
block.J_colind         i4 nJ           -      column indices
block.M                f8 nC           -      inertia matrix, lower triangle by rows
block.qLD              f8 nC           -      its LᵀDL factorization
block.qLDiagInv        f8 nv           -      inverse of the diagonal of D
block.M_rownnz         i4 nv           -      nonzeros in a row of the inertia matrix
block.M_rowadr         i4 nv           -      first entry of a row
block.M_colind         i4 nC           -      column indices
block.D                f8 nefc         -      efc_D
block.D_unilateral     f8 nefc         -      efc_D of unilateral rows, 0 for others
block.R                f8 nefc         -      efc_R
block.floss            f8 nefc         F      efc_frictionloss
block.aref             f8 nefc         q/s²   efc_aref
block.force            f8 nefc         F      efc_force
block.state            i4 nefc         -      efc_state
block.old_state        i4 nefc         -      efc_state of the previous iteration
block.cone             i4 nefc         -      first row of each elliptic contact
block.contact          i4 nefc         -      contact of each elliptic contact
block.smooth           f8 nv           F      qfrc_smooth
block.acc_smooth       f8 nv           q/s²   qacc_smooth
block.acc              f8 nv           q/s²   qacc
block.qfrc_constraint  f8 nv           F      qfrc_constraint
block.jar              f8 nefc         q/s²   J qacc - efc_aref
block.jv               f8 nefc         -      J search
block.ma               f8 nv           F      M qacc
block.mv               f8 nv           -      M search
block.grad             f8 nv           F      gradient of the cost
block.step             f8 nv           q/s²   preconditioned gradient: M⁻¹ or Hessian⁻¹ times the gradient
block.search           f8 nv           q/s²   search direction
block.spare            f8 nv           -      scratch vector
block.cone_line        f8 nefc,10      -      coefficients of an elliptic contact's cost along the search direction
block.old_grad         f8 nv           F      gradient of the previous iteration
block.old_step         f8 nv           q/s²   preconditioned gradient of the previous iteration
line.slope             f8 -            -      line search: final slope
line.gain              f8 -            -      cost reduction
line.neval             i8 -            -      number of evaluations
line.linear            f8 -            -      initial slope of the quadratic part
line.square            f8 -            -      curvature of the quadratic part
line.cone_cost         f8 -            -      elliptic contacts at a point: cost
line.cone_slope        f8 -            -      slope
line.cone_curvature    f8 -            -      curvature
block.articulated      i8 -            -      1: solved by articulated bodies, without M and J
articulated.row_wrench f8 nefc,6       -      wrench of a row on its body; or the entry of its dof
articulated.row_body   i4 nefc         -      the body; or -1 - dof
articulated.row        f8 nefc         -      a number for each row: J x or force
articulated.x          f8 nv           -      a vector by dof, to be multiplied
articulated.y          f8 nv           -      its product
articulated.row_force  f8 nv,6         -      factor of the Hessian: force that accelerates the articulated body
articulated.row_inverse f8 nv          -      inverse of its inertia along the dof
metric.M               f8 nC           -      discrete integrator: M + h D + h² K within the pattern of M
metric.qLD             f8 nC           -      LᵀDL factorization of metric.M, with the diagonal of what couples dofs
metric.qLDiagInv       f8 nv           -      inverse of its diagonal of D
metric.shift           f8 nv           F      h K qvel
metric.extra           f8 nv           -      diagonal of the terms that couple dofs
metric.tendon          f8 ntendon      -      h b + h² k of a tendon that couples dofs, else 0
metric.actuator        f8 nout         -      the same of an output of an actuator
metric.ncouple         i8 -            -      number of terms that couple dofs
nL                     i8 -            -      number of entries of the Hessian's factor
factor.L               f8 nL           -      Hessian, then its Cholesky factor
factor.nupdate         i8 -            -      number of rank-one updates in the last iteration
factor.ngroup          i8 -            -      number of groups (supernodes): consecutive dofs with the same row pattern
factor.group           i4 nv           -      group of a dof
factor.first           i4 nv           -      first dof of a group
factor.width           i4 nv           -      number of dofs of a group
factor.row             i8 nv           -      address of the group's first row in the factor
factor.stride          i4 nv           -      length of its rows
factor.nbelow          i4 nv           -      number of earlier groups coupled to it
factor.below_adr       i4 nv           -      first of them in the list
factor.below           i4 nL           -      list of these groups, ascending
factor.offset          i4 nL           -      offsets of their columns in the rows
factor.child           i4 nv           -      first child in the elimination tree, or -1
factor.sibling         i4 nv           -      next sibling in the elimination tree
factor.bundle          i4 nv           -      first bundle of rows of J whose last group this is, or -1
factor.mark            i8 nv           -      bit set of groups, 32 per entry
factor.match_from      i4 nv           -      common runs of two rows: start in the first
factor.match_to        i4 nv           -      start in the second
factor.match_length    i4 nv           -      length
factor.line            f8 nv           -      scratch: a vector gathered by the columns of a row
bundle.count           i8 -            -      number of bundles: up to four rows of J with the same columns
bundle.row             i4 nefc         -      first row
bundle.size            i4 nefc         -      number of rows
bundle.again           i4 nefc         -      columns are those of the previous bundle
bundle.nrun            i4 nefc         -      number of column runs, each within one group
bundle.run_adr         i4 nefc         -      first run
bundle.next            i4 nefc         -      next bundle with the same last group, or -1
run.group              i4 nJ           -      group of the run
run.first              i4 nJ           -      first column, relative to the group
run.length             i4 nJ           -      number of columns
run.at                 i4 nJ           -      offset in the row of J
nY                     i8 -            -      number of entries of dual.Y
dual.Y                 f8 nY           -      J M^-½ by rows: Y Yᵀ is J M⁻¹ Jᵀ
dual.Y_rownnz          i4 nefc         -      nonzeros in a row
dual.Y_rowadr          i4 nefc         -      first entry of a row
dual.Y_colind          i4 nY           -      column indices
dual.A                 f8 nefc,6       -      diagonal block of Y Yᵀ: a row with the rows of its contact
dual.inverse           f8 nefc         -      inverse of the diagonal of A + R
dual.full              i8 -            -      Y Yᵀ is stored explicitly
dual.full_A            f8 nY           -      Y Yᵀ, by rows
dual.w                 f8 nefc         q/s²   Y Yᵀ force, if Y Yᵀ is stored
dual.old_w             f8 nefc         q/s²   the same in the previous iteration
dual.b                 f8 nefc         q/s²   efc_b
dual.z                 f8 nv           -      Yᵀ force
dual.old_z             f8 nv           -      the same in the previous iteration
dual.old_force         f8 nefc         F      force in the previous iteration
dual.start_force       f8 nefc         F      force at the start of the sweep
dual.contact           i4 nefc         -      contact of the first row of an elliptic contact, else -1
dual.order             i4 nefc         -      first rows of the blocks, in the order of the sweep
dual.mark              i4 nv           -      last row in which a column occurred
dual.before            f8 6            F      one contact being solved: forces before
dual.residual          f8 6            q/s²   residual acceleration of these forces
dual.matrix            f8 36           -      J M⁻¹ Jᵀ of its friction rows
dual.factor            f8 36           -      factor of the shifted matrix
dual.offset            f8 6            q/s²   acceleration without friction
dual.point             f8 6            F      friction forces
dual.slope             f8 6            -      derivative of the friction forces w.r.t. the shift

@ stages/derivative
qDeriv                 f8 nD           F·s/q  derivative of smooth forces w.r.t. velocity
qLU                    f8 nD           -      LU factorization of M - h qDeriv
deriv.cursor           i4 nv           -      next entry of each row, while qDeriv or qLU is filled
deriv.drag             f8 nbody,36     -      derivative of the subtree's fluid force w.r.t. its velocity
deriv.gyroscopic       f8 nbody,9      -      derivative of the subtree's gyroscopic torque w.r.t. angular velocity
deriv.momentum         f8 nbody,3      -      twice the linear momentum of the subtree
deriv.rate             f8 nv,6         -      derivative of the subtree's acceleration w.r.t. the dof's velocity
deriv.block            f8 6,7          -      6x6 system of a free body, right-hand side in the last column

@ pipeline/integrate
qacc_step              f8 nv           q/s²   acceleration applied by the step
act_dot_step           f8 na           -      activation derivative applied by the step
qvel_step              f8 nv           q/s    velocity applied by the step or by one of its stages
stage.qvel             f8 nv,4         q/s    velocity of each Runge-Kutta stage
stage.qacc             f8 nv,4         q/s²   acceleration of each Runge-Kutta stage
stage.act_dot          f8 na,4         -      activation derivative of each Runge-Kutta stage
"""
