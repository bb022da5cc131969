"""The instrument Solver: its panel, and what belongs to it."""

from __future__ import annotations

from app.instruments.entry import Instrument
from app.instruments.solver.panel.panel import solver_panel

INSTRUMENT = Instrument(
    "Solver",
    "right below",
    solver_panel,
    question="what does the solver do, iteration by iteration?",
    words="iterations newton cg pgs noslip convergence cost gradient line search active set hessian sparsity step",
    quantities=lambda _snapshot, _view: ("d.nefc", "iterations()", "residual()"),
)
