"""Constraint solvers: Newton, CG and PGS, and the noslip pass.

`solve.py` is the stage; `block.py` gathers the rows and dofs that are solved together; `primal.py` and `line_search.py`
are shared by Newton and CG; `hessian.py`, `pattern.py` and `sparse_hessian.py` factor Newton's Hessian; `dual.py` and
`qcqp.py` are shared by PGS and noslip.
"""
