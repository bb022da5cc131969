"""From constraint rows to forces: Newton, conjugate gradients, Gauss-Seidel, and the pass without slip.

`solve.py` the stage; `block.py` the rows and dofs that are solved for together; `primal.py` and `line_search.py`
what Newton and CG share; `hessian.py`, `pattern.py` and `sparse_hessian.py` the factor of Newton's matrix;
`dual.py` and `friction.py` what Gauss-Seidel and noslip share.
"""
