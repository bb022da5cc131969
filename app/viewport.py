"""The viewport: draws the model as the user looks at it, adapts the quality, picks what is under the pointer.

It keeps the scene between frames, and builds another one when the model or the options change.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from typing import Any

from app.instruments import instruments
from app.instruments.entry import Pictures
from app.model.views import ModelView
from app.render.capture.video import Pixels
from app.render.device import GpuTimer, RenderTexture, Variant
from app.render.quality import AdaptiveQuality
from app.render.renderer import Renderer
from app.run.history.branch_colours import branch_colour
from app.run.history.timeline import NO_BRANCH
from app.run.snapshot import Snapshot
from app.scene.camera import View
from app.scene.decor.handles import handle_batches
from app.scene.decor.user_geoms import UserGeom, user_geom_batches
from app.scene.ghost import Ghost
from app.scene.instances import Kind
from app.scene.picking import Picked, alone, without_body, without_decor
from app.scene.scene import DrawList, Scene, lod_levels
from app.view.input.desk import Box
from app.view.perturb_drag import perturb_object
from app.view.tool_pictures import tool_batches
from app.view.tools import handles_of
from app.view.view_state import ViewState


@dataclass(frozen=True)
class Drawn:
    """What is drawn in the view, and from where it is seen."""

    model: ModelView
    scene: DrawList
    seen: View


class SceneKeeper:
    """Keeps the scene of a model between frames, and makes what the user looks at from it."""

    def __init__(self) -> None:
        self.scene: Scene | None = None
        self._options: tuple[Any, ...] = ()
        # of a script
        self.ghosts: tuple[Ghost, ...] = ()

    def drop_scene(self) -> None:
        """The model has changed: build the scene again."""
        self.scene = None

    def options_changed(self, view: ViewState) -> bool:
        """Whether the options differ from those of the last frame."""
        return self._options != astuple(view.options)

    def drawn(self, snapshot: Snapshot, view: ViewState, geoms: tuple[UserGeom, ...]) -> Drawn | None:
        """The draw list of a snapshot with all that the user wants to see in it; None without a model."""
        model, state = snapshot.model, snapshot.state
        if model is None or state is None:
            return None
        if self.scene is None or self.options_changed(view):
            self.scene, self._options = None, astuple(view.options)
            self.scene = Scene(model, view.options)
        seen, ghosts = view.current_view(model, state), ghosts_of(snapshot, view)
        scene = self.scene.draw_list(
            state,
            seen.eye,
            view.outlined,
            geoms,
            next(iter(ghosts), None),
            (*ghosts[1:], *self.ghosts),
            view.instruments.colours,
        )
        if view.perturb is not None and view.options.perturb_object:
            scene = replace(scene, overlay=scene.overlay + perturb_object(model, state, view.perturb))
        # arrows of instruments begin inside of bodies
        shown = user_geom_batches(view.instruments.geoms, lambda place, radius: lod_levels(place - seen.eye, radius))
        scene = replace(scene, overlay=sum(shown, scene.overlay))
        return Drawn(model, replace(scene, overlay=scene.overlay + tool_batches(model, state, view, seen)), seen)

    def pick(
        self,
        snapshot: Snapshot,
        view: ViewState,
        aspect: float,
        x: float,
        y: float,
        decor: bool = True,
        but: int = -1,
    ) -> Picked | None:
        """What is drawn at a point, x and y from -1 to 1, right and up; `decor` includes decoration.

        Not what belongs to the body `but` or to its descendants, nor ghosts, nor what a script and instruments add.
        """
        model, state = snapshot.model, snapshot.state
        if model is None or state is None or self.scene is None:
            return None
        seen = view.current_view(model, state)
        scene = self.scene.draw_list(state, seen.eye)
        scene = without_body(scene if decor else without_decor(scene), model, but)
        return self.pick_drawn(Drawn(model, scene, seen), aspect, x, y)

    def pick_handle(self, snapshot: Snapshot, view: ViewState, aspect: float, x: float, y: float) -> int:
        """The number of the handle at a point, or -1; what is in front of it does not matter."""
        model, state = snapshot.model, snapshot.state
        if model is None or state is None or self.scene is None:
            return -1
        seen = view.current_view(model, state)
        handles, length = handles_of(model, state, seen, view.tools, view.selection)
        if not handles:
            return -1
        scene = alone(self.scene.draw_list(state, seen.eye), handle_batches(handles, length, fat=True))
        picked = self.pick_drawn(Drawn(model, scene, seen), aspect, x, y)
        return picked.index if picked is not None and picked.kind is Kind.HANDLE else -1

    def pick_drawn(self, drawn: Drawn, aspect: float, x: float, y: float) -> Picked | None:
        """What is drawn at a point of a draw list."""
        raise NotImplementedError


class Viewport(SceneKeeper):
    """Renderer and scene of the window."""

    def __init__(self, context: Any) -> None:
        super().__init__()
        self._context = context
        self._renderer = Renderer(context)
        self._adaptive = AdaptiveQuality(len(self._renderer.presets))
        self.gpu_timer = GpuTimer(context)
        self._pictures = small_pictures(context, self._renderer.assets)

    @property
    def largest_image(self) -> int:
        """The longest side of an image that the GPU can draw, pixels."""
        return min(int(self._context.info[f"GL_MAX_{what}_SIZE"]) for what in ("TEXTURE", "RENDERBUFFER"))

    @property
    def gpu(self) -> str:
        """The name of the GPU or software that draws."""
        return str(self._context.info["GL_RENDERER"])

    def release(self) -> None:
        """Free everything on the GPU."""
        for pictures in self._pictures:
            pictures.release()
        self._renderer.release()

    @property
    def refining(self) -> bool:
        """Whether the next frame of the same view would look better."""
        return not self._renderer.at_best_quality

    @property
    def shader_variants(self) -> tuple[Variant, ...]:
        """The shaders in use."""
        return tuple(self._renderer.variants)

    def preset(self, view: ViewState) -> int:
        """The quality preset of a frame; videos, and users who turn adaptation off, get the best."""
        preset = self._adaptive.preset if view.prefs.adaptive and view.video is None else 0
        view.feedback.quality_note = str(self._renderer.presets[preset]) if preset else ""
        return preset

    def adapt(self, seconds: float) -> None:
        """Adapt the quality to a frame that took this long on the CPU."""
        self.gpu_timer.commit()
        self._adaptive.add_frame(max(seconds, self.gpu_timer.seconds))

    def draw(
        self,
        snapshot: Snapshot,
        view: ViewState,
        geoms: tuple[UserGeom, ...],
        target: Any,
        box: Box,
        preset: int = 0,
    ) -> bool:
        """Draw into a rectangle of a framebuffer; returns whether the image has changed."""
        drawn = self.drawn(snapshot, view, geoms)
        return drawn is not None and self._renderer.draw(drawn.model, drawn.scene, drawn.seen, target, box, preset)

    def draw_pictures(self, snapshot: Snapshot, view: ViewState) -> None:
        """Render pictures of instruments that are out of date or missing."""
        for pictures in self._pictures:
            pictures.draw(snapshot, view, self.scene)

    def pictures_due(self, snapshot: Snapshot, view: ViewState, playing: bool = False) -> bool:
        """Whether one more frame would show newer pictures, or other ones of those that play."""
        return any(pictures.due(snapshot, view) for pictures in self._pictures if pictures.playing == playing)

    def image(self, snapshot: Snapshot, view: ViewState, geoms: tuple[UserGeom, ...], size: tuple[int, int]) -> Pixels:
        """The view as an image, in the best quality."""
        return self.image_of(self.drawn(snapshot, view, geoms), size)

    def image_of(self, drawn: Drawn | None, size: tuple[int, int]) -> Pixels:
        """What is drawn, as an image in the best quality."""
        size = max(size[0], 1), max(size[1], 1)
        texture = RenderTexture(self._context, size)
        if drawn is not None:
            self._renderer.draw(drawn.model, drawn.scene, drawn.seen, texture.framebuffer, (0, 0, *size))
        pixels = texture.pixels()
        texture.release()
        return pixels

    def pick_drawn(self, drawn: Drawn, aspect: float, x: float, y: float) -> Picked | None:
        """What is drawn at a point of a draw list."""
        return self._renderer.pick(drawn.model, drawn.scene, drawn.seen, aspect, x, y)


def small_pictures(context: Any, assets: Any) -> list[Pictures]:
    """What renders the pictures of instruments."""
    entries = (entry.pictures for entry in instruments().values())
    return [pictures(context, assets) for pictures in entries if pictures is not None]


def ghosts_of(snapshot: Snapshot, view: ViewState) -> tuple[Ghost, ...]:
    """That of an instrument, and that of a branch in the branch's colour."""
    history = snapshot.run.history
    found = (view.instruments.ghost,) if view.instruments.ghost is not None else ()
    if snapshot.ghost is None or history.ghost == NO_BRANCH:
        return found
    return (*found, Ghost(snapshot.ghost, branch_colour(history.find(history.ghost).colour)))
