"""Offscreen rendering for scripts: colour, depth and segmentation images.

    with Renderer(m, 480, 640) as renderer:
        renderer.update_scene(d, camera="front")
        pixels = renderer.render()              # rows from top to bottom, RGB

Names are those of mujoco.Renderer, and its models, Data and options are taken too. A camera is the name or id of one in
the model, -1 for the default free camera, an OrbitCamera, or any object with such a pose, like a mujoco.MjvCamera;
`scene_option` is that of the viewer or a mujoco.MjvOption; `geoms` are drawn in addition to the model, and what a
script adds to `scene`, as mujoco.MjvScene. Edits of meshes, height fields and textures are seen after `update_assets`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from app.render.device import RenderTexture, offscreen_context
from app.render.quality import Quality
from app.render.renderer import Renderer as SceneRenderer
from app.run.engine.choice import adopt
from app.run.engine.installed import is_mujoco_model, structs_for
from app.run.snapshot import refreshed_view, view_model, view_state
from app.scene import mujoco_options
from app.scene.camera import FREE_CAMERA, OrbitCamera, View, default_free_camera, model_camera_view
from app.scene.decor.user_geoms import UserGeom
from app.scene.instances import ID_STEP, Kind
from app.scene.mujoco_geoms import SceneGeoms
from app.scene.mujoco_options import visual_options
from app.scene.scene import DrawList, Scene
from app.scene.visual_options import VisualOptions
from sim import Data, Model, enums
from sim.user_error import UserError

COLOUR, DEPTH, SEGMENTATION = "colour", "depth", "segmentation"
# that a script can add, as in MuJoCo
MAX_GEOMS = 10_000
NOTHING = -1
# object types in a segmentation image
OBJECTS = {kind: getattr(enums, f"OBJ_{kind.name}", enums.OBJ_UNKNOWN) for kind in Kind}


# values of mjtCamera
CAMERA_FREE, CAMERA_TRACKING, CAMERA_FIXED = range(3)
ACCEPTED = "a camera is a name, an id, or an object with lookat, distance, azimuth and elevation"


@runtime_checkable
class Pose(Protocol):
    """A camera that looks at a point: an OrbitCamera, a mujoco.MjvCamera, or an object of the script."""

    lookat: Any
    distance: float
    azimuth: float
    elevation: float


class Shown(NamedTuple):
    """What the next image shows: state, camera, options, geoms of the script."""

    state: StateView
    view: View
    options: VisualOptions
    geoms: tuple[UserGeom, ...]


class ScriptScene:
    """The scene of a script that uses MuJoCo."""

    def __init__(self, model: Any, max_geom: int) -> None:
        self.scene = structs_for(model).MjvScene(model, max_geom)
        self._geoms = SceneGeoms(self.scene, int(model.nmesh))
        self._flags = mujoco_options.read_flags(self.scene)

    def geoms(self) -> tuple[UserGeom, ...]:
        """The geoms that the script has added."""
        return self._geoms.read()

    def flags(self) -> dict[str, bool]:
        """The rendering flags that it has changed, as options."""
        now = mujoco_options.read_flags(self.scene)
        return {name: flag for name, flag in now.items() if flag != self._flags[name]}


class NoSuchCamera(UserError, ValueError):
    """The model has no camera of that name."""


class Renderer:
    """Renders a model off screen. Use it in a `with`, or close it."""

    def __init__(
        self,
        model: Any,
        height: int = 240,
        width: int = 320,
        quality: Quality | None = None,
        max_geom: int = MAX_GEOMS,
    ) -> None:
        if min(height, width) < 1:
            raise ValueError(f"an image cannot be {width} pixels wide and {height} high")
        self.model, self.height, self.width = model, height, width
        self.geoms: list[UserGeom] = []
        # of a script that uses MuJoCo: geoms and rendering flags
        self.scene: Any = None
        self._script_scene: ScriptScene | None = None
        self._model: Model = model
        self._data: Data | None = None
        if is_mujoco_model(model):
            self._model, self._data = adopt(model)
        if structs_for(model) is not None:
            self._script_scene = ScriptScene(model, max_geom)
            self.scene = self._script_scene.scene
        self._constants = view_model(self._model)
        self._scene: Scene | None = None
        self._built_for: tuple[ModelView, VisualOptions] | None = None
        self._shown: Shown | None = None
        self._drawn: tuple[DrawList, View] | None = None
        self._mode = COLOUR
        self._closed = False
        self._context = offscreen_context()
        with self._context:
            self._renderer = SceneRenderer(self._context, quality)
            self._target = RenderTexture(self._context, (width, height))

    def update_scene(
        self, data: Any, camera: int | str | Pose = FREE_CAMERA, scene_option: VisualOptions | Any | None = None
    ) -> None:
        """Read what the next image shows: the model as it is now, poses and forces of the last step."""
        ours = self._pulled(data)
        self._constants = refreshed_view(self._constants, self._model)
        options = VisualOptions() if scene_option is None else scene_option
        if not isinstance(options, VisualOptions):
            options = visual_options(options)
        state = view_state(ours)
        view = self._view(state, camera)
        if self._script_scene is not None:
            self.scene.ngeom = 0
        self._shown, self._drawn = Shown(state, view, deepcopy(options), tuple(self.geoms)), None

    @property
    def view(self) -> View | None:
        """From where the next image is seen; None before `update_scene`."""
        return None if self._shown is None else self._shown.view

    def _pulled(self, data: Any) -> Data:
        """Data of `sim`: those of MuJoCo bound to ours, with what it has computed since."""
        known: Any = self._data
        if known is None:
            ours: Data = data
            return ours
        if known.mj is not data:
            _, known = adopt(self.model, data)
            self._data = known
        known.model.pull()
        known.pull()
        pulled: Data = known
        return pulled

    def _draw_list(self, shown: Shown) -> DrawList:
        """What is drawn; of a script's scene, as it is now."""
        options, geoms = shown.options, shown.geoms
        if self._script_scene is not None:
            mujoco_options.write_own(self._script_scene.flags(), options)
            geoms += self._script_scene.geoms()
        if self._scene is None or self._built_for is None or self._is_outdated(*self._built_for, options):
            self._built_for = self._constants, deepcopy(options)
            self._scene = Scene(*self._built_for)
        return self._scene.draw_list(shown.state, shown.view.eye, user_geoms=geoms)

    def update_assets(self) -> None:
        """Make the next `update_scene` read meshes, height fields and textures again."""
        self._constants = view_model(self._model)

    def render(self, *, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The image, in `out` if that is given: RGB, depth in metres, or segmentation."""
        if self._closed or self._shown is None:
            why = "the renderer is closed" if self._closed else "there is no scene to render: call update_scene first"
            raise RuntimeError(why)
        if self._drawn is None or self._script_scene is not None:
            self._drawn = self._draw_list(self._shown), self._shown.view
        with self._context:
            pixels = MODES[self._mode](self, *self._drawn)
        if out is None:
            return pixels
        if out.shape != pixels.shape:
            raise ValueError(f"out has shape {out.shape}: the image has {pixels.shape}")
        out[...] = pixels
        return out

    def enable_depth_rendering(self) -> None:
        """Make `render` return depth: distance from the camera plane, float32, m; the far plane where nothing is."""
        self._mode = DEPTH

    def enable_segmentation_rendering(self) -> None:
        """Make `render` return (id, type OBJ_*) of each pixel, int32; -1 where nothing is."""
        self._mode = SEGMENTATION

    def disable_depth_rendering(self) -> None:
        """Make `render` return RGB again."""
        self._mode = COLOUR

    disable_segmentation_rendering = disable_depth_rendering

    def close(self) -> None:
        """Release GPU memory."""
        if self._closed:
            return
        self._closed = True
        with self._context:
            self._target.release()
            self._renderer.release()
        self._context.release()

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # what is drawn

    def _is_outdated(self, constants: ModelView, options: VisualOptions, new: VisualOptions) -> bool:
        """Whether the scene was built for another model or other options."""
        return constants is not self._constants or options != new

    def _view(self, state: StateView, camera: int | str | Pose) -> View:
        model = self._constants
        if isinstance(camera, OrbitCamera):
            return camera.view(model)
        if isinstance(camera, Pose):
            camera_type = int(getattr(camera, "type", CAMERA_FREE))
            if camera_type != CAMERA_FIXED:
                return _orbit(model, state, camera, camera_type == CAMERA_TRACKING).view(model)
            camera = int(camera.fixedcamid)  # type: ignore[attr-defined]
        elif not isinstance(camera, int | str | np.integer):
            raise TypeError(f"{ACCEPTED}, not {type(camera).__name__}")
        index = camera_id(model.names["camera"], camera)
        if index == FREE_CAMERA:
            return default_free_camera(model).view(model)
        return model_camera_view(model, state, index)

    def _colours(self, scene: DrawList, view: View) -> NDArray[Any]:
        size = (self.width, self.height)
        self._renderer.draw(self._constants, scene, view, self._target.framebuffer, (0, 0, *size))
        return self._target.pixels()

    def _depth(self, scene: DrawList, view: View) -> NDArray[Any]:
        _, distances = self._renderer.ids(self._constants, scene, view, (self.width, self.height))
        return view.depth(distances)

    def _segmentation(self, scene: DrawList, view: View) -> NDArray[Any]:
        codes, _ = self._renderer.ids(self._constants, scene, view, (self.width, self.height))
        return objects(codes)


MODES = {COLOUR: Renderer._colours, DEPTH: Renderer._depth, SEGMENTATION: Renderer._segmentation}


def objects(codes: NDArray[np.int64]) -> NDArray[np.int32]:
    """Id and type OBJ_* of each pixel, from the ID buffer; -1 where nothing is."""
    types = np.array([OBJECTS[kind] for kind in Kind])[codes // ID_STEP]
    return np.where(codes[..., None] > 0, np.stack([codes % ID_STEP, types], -1), NOTHING).astype(np.int32)


def _orbit(model: ModelView, state: StateView, pose: Pose, tracks: bool) -> OrbitCamera:
    """The free camera in a pose, or about the body that it tracks; the field of view is that of the model."""
    camera = default_free_camera(model)
    camera.lookat, camera.distance = pose.lookat, pose.distance
    camera.azimuth, camera.elevation = pose.azimuth, pose.elevation
    if tracks:
        body = int(pose.trackbodyid)  # type: ignore[attr-defined]
        if not 0 <= body < model.nbody:
            raise ValueError(f"the camera tracks body {body}: the model has {model.nbody} bodies")
        camera.lookat = state.subtree_com[body]
    return camera


def camera_id(names: Sequence[str], camera: int | str) -> int:
    """The id of a camera, by its name or id, which may be a string; -1 is the free camera."""
    if camera in names:
        return names.index(str(camera))
    if str(camera).removeprefix("-").isdecimal() and FREE_CAMERA <= int(camera) < len(names):
        return int(camera)
    known = ", ".join(n or f"id {i}" for i, n in enumerate(names)) or "none"
    raise NoSuchCamera(f"the model has no camera '{camera}'; its cameras: {known}")
