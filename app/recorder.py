"""Pictures without a window: run a model to a moment and render it off screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PIL import Image

from app.camera import model_camera_view, start_camera
from app.loader import Engine
from app.render.device import Picture, offscreen_context
from app.render.renderer import Renderer
from app.resources import START_KEY, is_bundled
from app.scene import Scene
from app.snapshot import view_model, view_state
from app.state import VisualOptions

DEFAULT_SIZE = (1280, 800)
# what can be shown besides the model, and its visual option
SHOW = {"contacts": "contact_point", "forces": "contact_force"}


class NoSuchCamera(Exception):
    """The model has no camera of that name."""


def render_picture(
    engine: Engine,
    path: Path,
    out: Path,
    size: tuple[int, int] = DEFAULT_SIZE,
    seconds: float = 0.0,
    camera: str | None = None,
    show: tuple[str, ...] = (),
) -> None:
    """Load `path`, simulate `seconds`, save what `camera` or the free camera sees, with what `show` names."""
    model = engine.load(str(path))
    data = engine.Data(model)
    constants = view_model(model)
    keys = constants.__dict__["names"]["key"]
    start = keys.index(START_KEY) if is_bundled(path) and START_KEY in keys else None
    engine.reset(model, data, start)
    if seconds > 0:
        engine.step(model, data, round(seconds / float(model.opt.timestep)))
    engine.place(model, data)
    state = view_state(data)
    if camera is None:
        view = start_camera(constants).view(constants)
    else:
        view = model_camera_view(constants, state, _camera_id(constants, camera))
    options = VisualOptions()
    for name in show:
        setattr(options, SHOW[name], True)
    context = offscreen_context()
    renderer, picture = Renderer(context), Picture(context, size)
    scene = Scene(constants, options).draw_list(state, view.eye)
    renderer.draw(constants, scene, view, picture.framebuffer, (0, 0, *size))
    out.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(picture.pixels()).save(out)
    picture.release()
    renderer.release()
    context.release()


def _camera_id(constants: Any, name: str) -> int:
    """A camera by its name or number."""
    names = [constants.id2name("camera", i) for i in range(constants.ncam)]
    if name in names:
        return names.index(name)
    if name.isdigit() and int(name) < len(names):
        return int(name)
    known = ", ".join(n or f"number {i}" for i, n in enumerate(names)) or "none"
    raise NoSuchCamera(f"the model has no camera '{name}'; its cameras: {known}")
