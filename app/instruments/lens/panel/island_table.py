"""The table of islands of the Lens instrument: rows, dofs, contacts, iterations, time and residual of each."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.instruments.lens.modes import Mode
from app.instruments.lens.questions import COSTS, LensAnswer
from app.instruments.lens.reasons import tree_name
from app.instruments.lens.state import LensState
from app.model.views import ModelView
from app.run.snapshot import Snapshot
from app.ui.quantities import compact
from app.ui.tables.column import DOWN, Column
from app.ui.tables.table import Look, table
from app.ui.widgets import caption, em, section
from app.view.view_state import ViewState
from sim.analysis.trees.island_costs import Islands

TABLE = "lens islands"
# its least height; the panel scrolls
LEAST_EM = 10.0
NOTHING = "no constraints: every tree that is awake moves by itself"


def draw_islands(snapshot: Snapshot, view: ViewState, found: LensAnswer, mode: Mode) -> None:
    """A row for each island, the most expensive first; a click selects its first tree."""
    shown = view.of(LensState)
    model = snapshot.model
    assert model is not None
    blocks = found.islands
    if len(blocks.of_tree) != model.ntree:
        return
    section("islands")
    if not len(blocks):
        caption("every tree is asleep" if found.sleep.asleep.all() else NOTHING)
        return
    _summary(found)
    if lacking := model.lacks.get(COSTS, ""):
        # below the table it would be out of sight
        imgui.text_wrapped(lacking)
    marked = np.arange(len(blocks)) == (blocks.of_tree[shown.tree] if shown.tree >= 0 else -1)
    look = Look(
        lambda island: _members(model, blocks, island),
        label=lambda island: str(int(blocks.first[island])),
        height=max(imgui.get_content_region_avail().y, em(LEAST_EM)),
    )
    clicked = table(view, TABLE, _columns(model, found), look, model.identity, marked)
    if clicked is not None and blocks.first[clicked] < model.ntree:
        shown.tree = int(blocks.first[clicked])
        view.select("tree", shown.tree, stay=True)


def _summary(found: LensAnswer) -> None:
    """All islands together."""
    blocks, costs = found.islands, found.costs
    count = int(blocks.rows.sum())
    rows = f"{count} constraint{'s' * (count != 1)}"
    words = f"{len(blocks)} island{'s' * (len(blocks) != 1)}, {rows}"
    hint = "scalar constraints of all islands: d.nefc"
    if not blocks.split:
        words = f"all solved as one, {rows}"
        hint = "islands are switched off, or the discrete integrator couples trees that no constraint does"
    if costs is not None:
        words += f", {compact(float(costs.seconds.sum()), 's')}"
        hint += "; the time is what the solver takes for all of them, measured one by one"
    caption(words, hint)


def _members(model: ModelView, blocks: Islands, island: int) -> str:
    """The trees of an island."""
    trees = np.flatnonzero(blocks.of_tree == island).tolist()
    names = ", ".join(tree_name(model, tree) for tree in trees[:12])
    return f"{names}{f' and {len(trees) - 12} more' if len(trees) > 12 else ''}\nclick: select its first tree"


def _columns(model: ModelView, found: LensAnswer) -> list[Column]:
    """What the table shows."""
    blocks, costs = found.islands, found.costs
    trees = np.minimum(blocks.first, model.ntree - 1)
    iterations = costs.iterations if costs is not None else blocks.iterations

    def name(place: int) -> str:
        return tree_name(model, int(place))

    columns = [Column("first tree", trees, name, "the island's first tree, by its root body", wide=True, left=True)]
    if costs is not None:
        hint = "how long the solver takes for it: median of five"
        columns.append(Column("time", costs.seconds, hint=hint, unit="s", first=DOWN))
    hint = "solver iterations, with those of noslip; solver_niter"
    columns += [
        Column(
            "constraints",
            blocks.rows,
            str,
            "scalar constraints; d.island_nefc",
            first="" if costs is not None else DOWN,
        ),
        Column("dofs", blocks.dofs, str, "degrees of freedom; d.island_nv"),
        Column("iter", iterations, lambda count: str(count) if count >= 0 else "-", hint),
    ]
    if costs is not None:
        hint = "norm of the gradient where the solver stops, times 1 / trace M: as opt.tolerance is scaled"
        columns.append(Column("residual", costs.residual, lambda value: f"{value:.0e}" if value else "0", hint))
    columns += [
        Column("contacts", blocks.contacts, str, "contacts that have constraints"),
        Column("trees", blocks.trees, str, "kinematic trees in the island; d.island_ntree"),
    ]
    return columns
