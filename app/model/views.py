"""ModelView and StateView: the fields of Model and Data that a snapshot holds for the GUI thread.

The lists below say which; types and meanings are those of `sim/fields`. `python -m tests.typed_fields` makes
`typed_views.pyi` from both, so that mypy finds a panel that reads a field which no snapshot has.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.model.editable import BY_PATH, FLAG_PATHS
from app.model.source_tree import SourceTree
from sim import Model

if TYPE_CHECKING:
    from app.model.typed_views import ModelViewFields, StateViewFields
else:
    ModelViewFields = StateViewFields = object


_READ = (
    "nq", "nv", "nbody", "njnt", "ngeom", "nsite", "ncam", "nlight", "ntex", "nmat", "nkey",
    "ntendon", "body_parentid", "body_mass", "body_weldid", "jnt_type", "jnt_bodyid",
    "geom_type", "geom_size", "geom_rgba", "geom_matid", "geom_group", "geom_bodyid", "geom_rbound",
    "geom_dataid", "mesh_pos", "mesh_quat",
    "mesh_vertadr", "mesh_vertnum", "mesh_vert", "mesh_normaladr", "mesh_normalnum", "mesh_normal",
    "mesh_texcoordadr", "mesh_texcoordnum", "mesh_texcoord", "mesh_faceadr", "mesh_facenum", "mesh_face",
    "mesh_facenormal", "mesh_facetexcoord", "mesh_graphadr", "mesh_graph", "mesh_bvhadr", "mesh_bvhnum",
    "hfield_size", "hfield_nrow", "hfield_ncol", "hfield_adr", "hfield_data",
    "tendon_width", "tendon_rgba", "tendon_matid", "tendon_group", "tendon_num", "tendon_limited", "tendon_range",
    "tendon_stiffness", "tendon_stiffnesspoly", "tendon_lengthspring", "tendon_damping", "tendon_dampingpoly",
    "tendon_frictionloss", "tendon_invweight0",
    "site_type", "site_size", "site_rgba", "site_matid", "site_group", "site_bodyid", "site_dataid",
    "cam_fovy", "cam_resolution", "cam_bodyid", "cam_projection", "cam_sensorsize", "cam_intrinsic",
    "light_type", "light_active", "light_castshadow", "light_ambient", "light_diffuse", "light_specular",
    "light_attenuation", "light_cutoff", "light_exponent",
    "mat_rgba", "mat_specular", "mat_shininess", "mat_emission", "mat_reflectance", "mat_texid",
    "mat_texrepeat", "mat_texuniform", "mat_metallic", "mat_roughness",
    "nskin", "skin_matid", "skin_group", "skin_rgba", "skin_inflate", "skin_vertadr", "skin_vertnum",
    "skin_texcoordadr", "skin_faceadr", "skin_facenum", "skin_boneadr", "skin_bonenum", "skin_vert",
    "skin_texcoord", "skin_face", "skin_bonevertadr", "skin_bonevertnum", "skin_bonebindpos",
    "skin_bonebindquat", "skin_bonebodyid", "skin_bonevertid", "skin_bonevertweight",
    "body_rootid", "body_treeid", "body_inertia", "body_jntadr", "body_jntnum", "body_bvhadr",
    "body_bvhnum", "bvh_depth", "bvh_child", "bvh_aabb", "jnt_group",
    "nactuator", "nu", "actuator_trntype", "actuator_trnid", "actuator_group", "actuator_ctrlrange",
    "actuator_ctrllimited", "actuator_actadr", "actuator_actnum", "actuator_actrange",
    "actuator_cranklength", "actuator_ctrladr", "actuator_gear",
    "neq", "eq_type", "eq_obj1id", "eq_obj2id", "eq_objtype", "eq_data",
    "nsensor", "sensor_type", "sensor_objtype", "sensor_objid", "sensor_adr", "sensor_dim", "sensor_intprm",
    "tex_type", "tex_width", "tex_height", "tex_nchannel", "tex_adr", "tex_data",
    "opt.timestep", "opt.gravity", "opt.cone",
    "stat.center", "stat.extent", "stat.meansize", "stat.meanmass",
    "vis.global_.azimuth", "vis.global_.elevation", "vis.global_.fovy", "vis.global_.cameraid",
    "vis.global_.glow", "vis.global_.ellipsoidinertia", "vis.global_.orthographic", "vis.global_.realtime",
    "vis.headlight.active", "vis.headlight.ambient", "vis.headlight.diffuse", "vis.headlight.specular",
    "vis.map.znear", "vis.map.zfar", "vis.map.haze", "vis.map.force", "vis.map.alpha", "vis.map.fogstart",
    "vis.map.fogend", "vis.map.actuatortendon", "vis.quality.shadowsize",
    "vis.scale.contactwidth", "vis.scale.contactheight", "vis.scale.forcewidth", "vis.scale.selectpoint",
    "vis.scale.connect", "vis.scale.com", "vis.scale.camera", "vis.scale.light", "vis.scale.jointlength",
    "vis.scale.jointwidth", "vis.scale.actuatorlength", "vis.scale.actuatorwidth", "vis.scale.framelength",
    "vis.scale.framewidth", "vis.scale.constraint", "vis.scale.slidercrank", "vis.scale.frustum",
    "vis.rgba.haze", "vis.rgba.fog", "vis.rgba.contactpoint", "vis.rgba.contactgap", "vis.rgba.contactforce",
    "vis.rgba.contactfriction", "vis.rgba.selectpoint", "vis.rgba.force",
    "vis.rgba.inertia", "vis.rgba.joint", "vis.rgba.actuator", "vis.rgba.actuatornegative",
    "vis.rgba.actuatorpositive", "vis.rgba.com", "vis.rgba.camera", "vis.rgba.light", "vis.rgba.connect",
    "vis.rgba.rangefinder", "vis.rgba.constraint", "vis.rgba.slidercrank", "vis.rgba.crankbroken",
    "vis.rgba.frustum", "vis.rgba.bv",
    # what panels show besides
    "na", "nmocap", "npair", "ntree", "tree_bodyadr", "tree_bodynum", "tree_dofadr", "tree_dofnum", "body_mocapid",
    "jnt_qposadr", "jnt_dofadr", "jnt_plasticadr", "tendon_plasticadr", "nplastic", "dof_jntid", "dof_invweight0",
    "dof_treeid", "dof_length",
    "qpos0", "light_bodyid", "pair_geom1", "pair_geom2",
    "actuator_ctrlnum", "actuator_outadr", "actuator_outnum", "actuator_dyntype", "actuator_gaintype",
    "actuator_biastype", "actuator_ctrlspec", "actuator_history", "sensor_history", "tendon_adr",
    "wrap_type", "wrap_objid", "wrap_prm", "sensor_datatype", "key_time",
    "body_subtreemass", "key_qpos", "key_ctrl", "jnt_actfrclimited", "jnt_actfrcrange",
)  # fmt: skip
# Not used of m.vis: ipd (there is no stereo), linewidth (lines are rods), offwidth, offheight and offsamples (callers
# choose the size of an image), numslices, numstacks and numquads (shapes have levels of detail), shadowclip and
# shadowscale (shadow maps are fitted to the view), bvactive and its colour (the engine does not record which boxes were
# visited), torque and contacttorque (MuJoCo's viewer does not draw them either).

STATE_FIELDS = (
    "time", "qpos", "qvel", "xpos", "xmat", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat",
    "cam_xpos", "cam_xmat", "light_xpos", "light_xdir",
    "xipos", "ximat", "xanchor", "xaxis", "subtree_com", "ctrl", "act", "eq_active", "sensordata",
    "ten_wrapadr", "ten_wrapnum", "wrap_obj", "wrap_xpos",
    "ncon", "nefc", "nisland", "efc_force", "xfrc_applied", "xquat",
    "perturb.select", "perturb.active", "perturb.xfrc",
    "contact.pos", "contact.frame", "contact.dim", "contact.friction", "contact.geom", "contact.efc_address",
    "contact.dist", "contact.adhesion", "tree_island", "tree_asleep", "actuator_force",
    # what panels show besides
    "mocap_pos", "mocap_quat", "energy", "cvel", "plastic", "contact.surfacevel",
    "ne", "nf", "nl", "nJ", "efc_type", "efc_id", "efc_pos", "efc_margin", "efc_vel", "efc_aref", "efc_R", "efc_state",
    "efc_island", "island_ntree", "island_nv", "island_nefc", "dof_island", "tree_awake",
    "tree_wakecause", "tree_restless", "ntree_awake", "nv_awake", "noise.scale", "noise.rate", "warning.number",
    "warning.lastinfo", "contact.includemargin", "contact.solref", "contact.solimp", "contact.exclude",
    "solver_niter", "solver_nnz", "solver.improvement", "solver.gradient", "solver.neval",
    "ten_length", "ten_velocity", "actuator_length", "actuator_velocity",
    "qfrc_actuator", "qfrc_passive", "qfrc_constraint", "qacc", "qfrc_applied", "qfrc_bias",
)  # fmt: skip

# what is drawn of flexes, which only MuJoCo's models have; `sim/fields` does not know them, the views below do
FLEX_FIELDS = (
    "nflex", "flex_dim", "flex_matid", "flex_group", "flex_rgba", "flex_radius", "flex_flatskin", "flex_vertadr",
    "flex_vertnum", "flex_vertbodyid", "flex_nodeadr", "flex_nodenum", "flex_nodebodyid", "flex_edgeadr",
    "flex_edgenum", "flex_edge", "flex_elemadr", "flex_elemnum", "flex_elemdataadr", "flex_elem", "flex_elemlayer",
    "flex_elemtexcoord", "flex_shellnum", "flex_shelldataadr", "flex_shell", "flex_texcoordadr", "flex_texcoord",
)  # fmt: skip
FLEX_STATE_FIELDS = ("flexvert_xpos", "contact.flex")

# panels edit these, some of which are shown besides
MODEL_FIELDS = tuple(dict.fromkeys((*_READ, *BY_PATH, *FLAG_PATHS)))


class FrozenFields:
    """Read-only attributes, nested where the source's names are dotted."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    def read(self, path: str) -> Any:
        """A field by its dotted name."""
        source: Any = self
        for part in path.split("."):
            source = getattr(source, part)
        return source

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(f"this snapshot has no field '{name}'")

        def __setattr__(self, name: str, value: Any) -> None:
            raise AttributeError(f"snapshots are immutable: '{name}' cannot be set")


class ModelView(FrozenFields, ModelViewFields):
    """The fields of a model, with the names of its elements.

    Views of one loaded model, before and after edits, are equal and share all arrays that were not edited.
    """

    identity: object
    # of the model itself, and of its elements
    name: str = ""
    names: Mapping[str, tuple[str, ...]]
    # what is made once from what no edit changes
    derived: dict[str, Any]
    # the elements of its file
    tree: SourceTree
    # of the model's engine: its name, and what it cannot tell -> why
    engine: str = ""
    # axes of Euler angles, and whether the file writes angles in degrees: compiler/eulerseq and compiler/angle
    eulerseq: str = "xyz"
    degree: bool = True
    lacks: Mapping[str, str] = MappingProxyType({})

    # flexes, of MuJoCo's models
    nflex: int = 0
    flex_dim: NDArray[np.int32]
    flex_matid: NDArray[np.int32]
    flex_group: NDArray[np.int32]
    flex_rgba: NDArray[np.float32]
    flex_radius: NDArray[np.float64]
    flex_flatskin: NDArray[np.bool_]
    flex_vertadr: NDArray[np.int32]
    flex_vertnum: NDArray[np.int32]
    flex_vertbodyid: NDArray[np.int32]
    flex_nodeadr: NDArray[np.int32]
    flex_nodenum: NDArray[np.int32]
    flex_nodebodyid: NDArray[np.int32]
    flex_edgeadr: NDArray[np.int32]
    flex_edgenum: NDArray[np.int32]
    flex_edge: NDArray[np.int32]
    flex_elemadr: NDArray[np.int32]
    flex_elemnum: NDArray[np.int32]
    flex_elemdataadr: NDArray[np.int32]
    flex_elem: NDArray[np.int32]
    flex_elemlayer: NDArray[np.int32]
    flex_elemtexcoord: NDArray[np.int32]
    flex_shellnum: NDArray[np.int32]
    flex_shelldataadr: NDArray[np.int32]
    flex_shell: NDArray[np.int32]
    flex_texcoordadr: NDArray[np.int32]
    flex_texcoord: NDArray[np.float32]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModelView) and other.identity is self.identity

    def __hash__(self) -> int:
        return id(self.identity)

    def id2name(self, kind: str, index: int) -> str:
        """The name of an element, or an empty string."""
        return str(self.names[kind][index])


# a model or its view, which have fields, `read` and `id2name` in common
ModelLike = Model | ModelView


class StateView(FrozenFields, StateViewFields):
    """The state and the poses at one instant."""

    # vertices of flexes, of MuJoCo's models
    flexvert_xpos: NDArray[np.float64]
