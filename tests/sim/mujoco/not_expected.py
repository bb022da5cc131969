"""Tests of MuJoCo's wheel that are not expected to pass against sim.mujoco, with reasons."""

from __future__ import annotations

FLEX = "the engine has no deformable bodies"
PLUGIN = "the engine has no plugins"
ARENA = "the engine has no arena: its arrays grow by themselves"
SCENE = "a scene has only the geoms that a script adds"
MALLOC = "arrays and their memory are managed by numpy"
EMBEDDED = "textures are always embedded in the model: passthrough has no effect"

NOT_EXPECTED: dict[str, dict[str, str]] = {
    "bindings_test": {
        "MuJoCoBindingsTest.test_can_raise_error": ARENA,
        "MuJoCoBindingsTest.test_copy_mjdata_with_plugin": PLUGIN,
        "MuJoCoBindingsTest.test_deepcopy_mjdata_with_plugin": PLUGIN,
        "MuJoCoBindingsTest.test_load_plugin": PLUGIN,
        "MuJoCoBindingsTest.test_mj_embedAssets": EMBEDDED,
        "MuJoCoBindingsTest.test_mj_loadTexture": EMBEDDED,
        "MuJoCoBindingsTest.test_mjv_scene": SCENE,
        "MuJoCoBindingsTest.test_realloc_con_efc": ARENA,
        "MuJoCoBindingsTest.test_realloc_con_efc_failure_clears_counts": ARENA,
        "MuJoCoBindingsTest.test_realloc_island": ARENA,
        "MuJoCoBindingsTest.test_realloc_island_keeps_dual_and_metric_arrays": ARENA,
        "MuJoCoBindingsTest.test_set_mju_user_malloc_and_free_reset": MALLOC,
        "MuJoCoBindingsTest.test_unallocated_arena_arrays_are_filled": ARENA,
    },
    "rollout_test": {},
    "minimize_test": {},
    "specs_test": {
        **{
            f"SpecsTest.test_{name}": FLEX
            for name in (
                "compile_warnings",
                "flex_multi_material",
                "make_flex_defaults",
                "make_flex_grid",
                "make_flex_mesh",
                "make_flex_with_pos_quat",
                "make_mesh_procedural",
            )
        },
        "SpecsTest.test_delete_unused_plugin": PLUGIN,
        "SpecsTest.test_plugin": PLUGIN,
        "SpecsTest.test_texture_by_reference": EMBEDDED,
    },
    "thread_safety_test": {},
}
