"""Fields of MuJoCo's structs that the engine has no use for.

What belongs to flexes, plugins and octrees is empty: the engine does not load such models. What MuJoCo keeps in its
arena for one solver or one sort of sparse matrix is missing, and the error says where the numbers are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# type and trailing extents -> fields without rows
_EMPTY_MODEL = {
    "i4": """
        flex_activelayers flex_bendingadr flex_bvhadr flex_bvhnum flex_conaffinity flex_condim flex_contype flex_dim
        flex_edgeadr flex_edgeequality flex_edgenum flex_elem flex_elemadr flex_elemdataadr flex_elemedge
        flex_elemedgeadr flex_elemlayer flex_elemnum flex_elemtexcoord flex_group flex_interp flex_matid flex_nodeadr
        flex_nodebodyid flex_nodenum flex_passive flex_plasticadr flex_plasticmode flex_priority flex_selfcollide
        flex_shell flex_shelldataadr flex_shellnum flex_stiffnessadr flex_texcoordadr flex_vertadr flex_vertbodyid
        flex_vertcell flex_vertnum flexedge_J_colind flexedge_J_rowadr flexedge_J_rownnz oct_depth plugin
        plugin_attradr plugin_stateadr plugin_statenum efm0_L_colind efm0_L_rowadr efm0_L_rownnz efm0_dofid efmC_perm
    """,
    "i4 2": "flex_edge flex_edgeflap",
    "i4 3": "flex_cellnum",
    "i4 8": "oct_child",
    "i1": "plugin_attr",
    "b1": "flex_centered flex_flatskin flex_rigid flexedge_rigid",
    "f4 2": "flex_texcoord",
    "f4 4": "flex_rgba",
    "f8": """
        flex_bending flex_damping flex_edgedamping flex_edgestiffness flex_gap flex_margin flex_radius flex_solmix
        flex_stiffness flexedge_invweight0 flexedge_length0 efm0_L
    """,
    "f8 2": "flex_solref flex_yield",
    "f8 3": "flex_friction flex_node flex_node0 flex_size flex_vert flex_vert0",
    "f8 5": "flex_solimp",
    "f8 6": "oct_aabb",
    "f8 8": "oct_coeff",
}
_EMPTY_DATA = {
    "i4": "flexvert_conage plugin",
    "u8": "plugin_data",
    "b1": "flex_hessian_valid",
    "f8": "flexedge_J flexedge_length flexedge_velocity flexelem_krot flexvert_lambda plugin_state",
    "f8 3": "flexvert_xpos",
    "f8 6": "bvh_aabb_dyn flexelem_aabb flexvert_hessian",
    "f8 9": "flexedge_hessian",
}


Make = Callable[[Any], Any]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


ZERO_MODEL = dict.fromkeys(
    _names("""
    nJfe nefm0L nefm0dof nefmCvert nflex nflexbending nflexedge nflexelem nflexelemdata nflexelemedge nflexnode
    nflexshelldata nflexstiffness nflextexcoord nflexvert noct nplugin npluginattr npluginstate
    """),
    lambda m: 0,
)
ZERO_DATA = dict.fromkeys(_names("nplugin threadpool"), lambda d: 0)


def _zeros(dtype: Any, shape: tuple[int, ...]) -> Make:
    return lambda struct: np.zeros(shape, dtype)


def _empty(table: dict[str, str]) -> dict[str, Make]:
    found: dict[str, Make] = {}
    for key, names in table.items():
        letter, *extent = key.split()
        found.update(
            dict.fromkeys(names.split(), _zeros(np.dtype(bool if letter == "b1" else letter), (0, *map(int, extent))))
        )
    return found


EMPTY_MODEL = _empty(_EMPTY_MODEL)
EMPTY_DATA = _empty(_EMPTY_DATA)

ARENA = "it is MuJoCo's memory for results of variable size, which are arrays that grow on demand here"
METRIC = "the engine keeps the matrices of the discrete integrator in d.metric"

# fields that are missing, and why
MISSING_MODEL = {
    "narena": ARENA,
    "signature": "it is a digest from MuJoCo's own compiler",
}
MISSING_DATA = {
    **dict.fromkeys(_names("narena parena pbase pstack maxuse_arena maxuse_stack maxuse_con maxuse_efc"), ARENA),
    **dict.fromkeys(
        _names("""
            efm_K_colind efm_K_rowadr efm_K_rownnz efm_K_val efm_L efm_active efm_aid efm_ak efm_as efm_c efm_ca efm_ck
            efm_con_ind efm_con_val efm_diag efm_dofid efm_fluid efm_sdiag efm_tid efm_tk efm_ts nefmA nefmK nefmL
            nefmT nefmcon nefmdof
        """),
        METRIC,
    ),
    **dict.fromkeys(
        _names("""
            efc_AR efc_AR_colind efc_AR_rowadr efc_AR_rownnz efc_Y efc_Y_colind efc_Y_rowadr efc_Y_rownnz nA
        """),
        "the engine keeps this matrix of the dual solver in d.dual",
    ),
    "flg_energyvel": "mj_energyVel computes the energy",
    "efc_J_rowsuper": "it only speeds up MuJoCo's sparse products; the matrix is efc_J",
    "signature": "it is a digest from MuJoCo's own compiler",
}


def _by_island(field: str, order: str) -> Make:
    """A copy of a field in the order of islands, of which a field has the rows; empty if there are none."""

    def make(d: Any) -> np.ndarray:
        rows: np.ndarray = getattr(d, order) if d.nisland else np.zeros(0, np.int32)
        if order == "map_idof2dof":
            rows = rows[: d.nidof]
        values: np.ndarray = getattr(d, field)[rows]
        values.flags.writeable = False
        return values

    return make


_ROWS = ("D", "R", "aref", "force", "frictionloss", "id", "state", "type")
_DOFS = {
    "iacc": "qacc",
    "iacc_smooth": "qacc_smooth",
    "ifrc_smooth": "qfrc_smooth",
    "ifrc_constraint": "qfrc_constraint",
}
BY_ISLAND = {
    **{f"iefc_{name}": _by_island(f"efc_{name}", "map_iefc2efc") for name in _ROWS},
    **{name: _by_island(field, "map_idof2dof") for name, field in _DOFS.items()},
}
