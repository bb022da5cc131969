"""The handle of a passive viewer for scripts that use MuJoCo's names: its objects are those of mujoco.viewer.

`cam`, `opt`, `perturb` and `user_scn` are MuJoCo's own structs, or those of `sim.mujoco`. When a frame is due, `sync`
passes on what the script has changed in them and takes over what the user has changed in the window; between two frames
it does not look at them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.run import commands as cmd
from app.run.engine.installed import structs_for
from app.run.engine.mujoco_data import MujocoData
from app.run.engine.mujoco_model import MujocoModel
from app.run.passive_mujoco import MujocoPassive
from app.run.publisher import DISPLAY_INTERVAL
from app.scene import mujoco_options
from app.scene.mujoco_geoms import SceneGeoms
from app.ui.windows import WindowWish
from app.view.script import mujoco_camera
from app.view.script.exchange import Exchange, Side, Values
from app.view.script.figure import Figure, read_figure
from app.view.view_state import ViewState
from app.viewer import Handle
from sim import Data, Model
from sim.enums import PERT_ROTATE, PERT_TRANSLATE

# as in mujoco.viewer
MAX_GEOMS = 10_000

FigureIn = tuple[Any, Any]


class ScriptHandle(Handle):
    """A passive viewer whose objects are structs of a module: MuJoCo's, or ours under its names."""

    def __init__(
        self,
        model: Model,
        data: Data,
        key_callback: Callable[[int], None] | None,
        realtime: bool = False,
        wish: WindowWish = WindowWish(),  # noqa: B008
        script: tuple[Any, Any] | None = None,
    ) -> None:
        # a script may read results before its first step
        model.engine.forward(model, data)
        super().__init__(model, data, key_callback, realtime, wish)
        # the script's own objects
        self.m, self.d = script or (model, data)
        self._module = module = structs_for(self.m)
        self._cam, self._opt, self._perturb = module.MjvCamera(), module.MjvOption(), module.MjvPerturb()
        self._user_scn = module.MjvScene(self.m, MAX_GEOMS)
        self._scene_geoms = SceneGeoms(self._user_scn, int(self.m.nmesh))
        self._exchanges = self._make_exchanges(self.m)
        self._pulls = ""
        self._exchanged = 0.0

    # the loop

    def set_model(self, model: Any, data: Any) -> None:
        """Go on with another MjModel and its MjData; the timeline, the view and the user's edits stay."""
        super().set_model(model, data)
        self.m, self.d = model, data
        self._scene_geoms = SceneGeoms(self._user_scn, int(model.nmesh))
        self._exchanges = self._make_exchanges(model)

    def sync(self, state_only: bool = False) -> None:
        """Exchange state with the window, and what the script and the user have changed in what is shown."""
        now = time.perf_counter()
        if now >= self._exchanged + max(DISPLAY_INTERVAL, self._simulation.frame_interval):
            self._exchanged = now
            if self.is_running():
                self._exchange()
        super().sync(state_only)

    def _make_exchanges(self, model: Any) -> tuple[Exchange, ...]:
        """What the script and the user both change: camera, options, the selected body."""
        return (
            Exchange(mujoco_camera.script_side(self._cam), mujoco_camera.user_side(self.view, model.nbody, model.ncam)),
            Exchange(self._options_there(), self._options_here()),
            Exchange(_selected_there(self._perturb), _selected_here(self.view, model.nbody)),
        )

    def _exchange(self) -> None:
        """Once a frame."""
        for exchange in self._exchanges:
            exchange.exchange()
        self._script_layer.scene_geoms = self._scene_geoms.read()
        self._exchange_pull()

    def _exchange_pull(self) -> None:
        """Tell the script what the mouse pulls; or pull, where the script asks for it."""
        drag, pert = self.view.perturb, self._perturb
        if drag is not None and drag.active:
            pert.select, pert.localpos = drag.body, drag.point
            pert.active = PERT_TRANSLATE * (drag.target is not None) | PERT_ROTATE * (drag.quat is not None)
            pert.refselpos = pert.refselpos if drag.target is None else drag.target
            pert.refquat = pert.refquat if drag.quat is None else drag.quat
            self._pulls = "mouse"
        elif self._pulls == "mouse":
            pert.active, self._pulls = 0, ""
        elif pert.active and pert.select > 0:
            target = tuple(pert.refselpos.tolist()) if pert.active & PERT_TRANSLATE else None
            quat = tuple(pert.refquat.tolist()) if pert.active & PERT_ROTATE else None
            wanted = cmd.Perturbation(int(pert.select), tuple(pert.localpos.tolist()), target, quat)
            self._simulation.send(cmd.Perturb(wanted))
            self._pulls = "script"
        elif self._pulls == "script":
            self._simulation.send(cmd.Perturb())
            self._pulls = ""

    # what is shown

    @property
    def cam(self) -> Any:
        """The camera: an MjvCamera."""
        return self._cam

    @property
    def opt(self) -> Any:
        """What is drawn: an MjvOption."""
        return self._opt

    @property
    def perturb(self) -> Any:
        """The selected body and what pulls it: an MjvPerturb."""
        return self._perturb

    pert = perturb

    @property
    def user_scn(self) -> Any:
        """Geoms to draw with the model, and rendering flags: an MjvScene."""
        return self._user_scn

    @property
    def viewport(self) -> Any:
        """The rectangle of figures and images that fill the view, in pixels: an MjrRect."""
        _, _, width, height = self._running().frame_box(panels=False)
        return self._module.MjrRect(0, 0, width, height)

    def set_figures(self, viewports_figures: FigureIn | list[FigureIn]) -> None:
        """Figures over the view: (rectangle in pixels from its lower left corner, mujoco.MjvFigure)."""
        given = [viewports_figures] if isinstance(viewports_figures, tuple) else viewports_figures
        self._script_layer.figures = tuple(read_figure(rect, figure) for rect, figure in given)

    def clear_figures(self) -> None:
        """Remove the figures."""
        self._script_layer.figures = tuple[Figure, ...]()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """For missing attributes."""
            raise AttributeError(f"a passive viewer has no {name!r}")

    def _options_there(self) -> Side:
        """Options of the script."""
        opt, scene = self._opt, self._user_scn
        return Side(lambda: mujoco_options.read(opt, scene), lambda values: mujoco_options.write(values, opt, scene))

    def _options_here(self) -> Side:
        """Options of the view."""
        view, module = self.view, self._module
        return Side(
            lambda: mujoco_options.read_own(view.options, module),
            lambda values: mujoco_options.write_own(values, view.options),
        )


class MujocoHandle(ScriptHandle):
    """A passive viewer of an MjModel and its MjData, which MuJoCo steps."""

    simulation_class = MujocoPassive
    _simulation: MujocoPassive

    def __init__(
        self,
        model: MujocoModel,
        data: MujocoData,
        key_callback: Callable[[int], None] | None,
        realtime: bool = False,
        wish: WindowWish = WindowWish(),  # noqa: B008
    ) -> None:
        super().__init__(model, data, key_callback, realtime, wish, (model.mj, data.mj))

    def sync(self, state_only: bool = False) -> None:
        """Exchange state with the window; a loop as fast as it can be comes here every few microseconds."""
        simulation, now = self._simulation, time.perf_counter()
        if now < simulation.quiet_until:
            return
        if now < self._exchanged + max(DISPLAY_INTERVAL, simulation.frame_interval):
            simulation.sync(state_only)
            return
        super().sync(state_only)


def _selected_there(pert: Any) -> Side:
    """The body that the script has selected."""

    def write(values: Values) -> None:
        pert.select = values["select"]

    return Side(lambda: {"select": int(pert.select)}, write)


def _selected_here(view: ViewState, nbody: int) -> Side:
    """The body that is selected in the window."""

    def read() -> Values:
        selection, drag = view.selection, view.perturb
        if selection is None:
            return {"select": 0}
        return {"select": selection.index if selection.kind == "body" else drag.body if drag is not None else 0}

    def write(values: Values) -> None:
        body = values["select"]
        if 0 < body < nbody:
            view.select("body", body)
        else:
            view.deselect()

    return Side(read, write)
