"""A simulation thread on a small model of everything, one command at a time; and panels drawn around it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import sim
from app.background.row_source import RowSource
from app.background.sampler import Sampler
from app.instruments.doctor.divergence_examiner import DivergenceExaminer, Examined
from app.instruments.doctor.post_mortem_state import PostMortemState
from app.run import commands as cmd
from app.run.history.history import HISTORY_BYTES
from app.run.sim_thread import SimThread
from app.run.snapshot import Snapshot
from app.view.input.desk import Action
from app.view.preferences import Preferences
from app.view.rect import Rect
from app.view.view_state import ViewState
from app.window import layout
from tests.app.gui_driver import Gui
from tests.app.run.test_sim_thread import wait_for

MODEL = """<mujoco>
<option gravity='0 0 -10'/>
<worldbody>
  <light name='lamp' pos='0 0 4' diffuse='.5 .5 .5' ambient='.1 .1 .1'/>
  <geom name='floor' type='plane' size='5 5 .1'/><camera name='eye' pos='0 -5 1' xyaxes='1 0 0 0 0 1'/>
  <body name='ball' pos='0 0 1'><freejoint name='free'/><geom name='ball' size='.1' mass='1'/><site name='mark'/></body>
  <body name='box' pos='-1 0 .0999'>
    <freejoint name='rest'/><geom name='box' type='box' size='.1 .1 .1' mass='1'/>
  </body>
  <body name='arm' pos='1 0 1'>
    <joint name='hinge' axis='0 1 0'/><geom name='arm' type='capsule' fromto='0 0 0 .5 0 0' size='.05' mass='1'/>
    <body name='head' pos='.5 0 0'><joint name='ball' type='ball'/><geom name='head' size='.08' mass='1'/></body>
  </body>
</worldbody>
<contact><pair name='pair' geom1='ball' geom2='box'/></contact>
<tendon><fixed name='tendon'><joint joint='hinge' coef='1'/></fixed></tendon>
<actuator><motor name='motor' joint='hinge' ctrlrange='-1 1' ctrllimited='true'/></actuator>
<equality><joint name='hold' joint1='hinge' active='false'/></equality>
<sensor><jointpos name='angle' joint='hinge'/><framepos name='where' objtype='body' objname='ball'/></sensor>
<keyframe><key name='start'/></keyframe>
</mujoco>"""

# with an element for every field that can be edited
RICH_MODEL = (
    MODEL.replace(
        "</actuator>",
        """<general name='crank' cranksite='tip' slidersite='rail' cranklength='.8' dyntype='filter' dynprm='.1'
        actlimited='true' actrange='-2 2' gaintype='affine' gainprm='3 .1 .2' biastype='affine' biasprm='.1 -2 -.3'
        nsample='4' delay='.004'/><position name='servo' joint='hinge' kp='30' dampratio='1'/>
        <muscle name='muscle' tendon='rope' lengthrange='0 2' force='9'/></actuator>""",
    )
    .replace("<site name='mark'/>", "<site name='mark'/><site name='tip'/>")
    .replace(
        "</tendon>", "<spatial name='rope' springyield='.1'><site site='tip'/><site site='rail'/></spatial></tendon>"
    )
    .replace("<joint name='hinge' axis='0 1 0'/>", "<joint name='hinge' axis='0 1 0' springyield='6'/>")
    .replace("<worldbody>", "<worldbody><site name='rail' pos='0 0 .5'/>")
    .replace(
        "<jointpos name='angle' joint='hinge'/>", "<jointpos name='angle' joint='hinge' nsample='3' delay='.002'/>"
    )
)

# every kind of element, and every type of actuator and of equality
SMALL = """<mujoco>
<option o_solref='-500 -20' wind='1e-7 0 3e5'/>
<worldbody>
  <geom name='floor' type='plane' size='5 5 .1' solref='-2250000 -10' solimp='.9 1 0 .5 6' friction='0 2 1e-9'/>
  <site name='rail'/><camera/>
  <body name='a' pos='0 0 1' gravcomp='.5'>
    <freejoint/><geom name='a' size='.1' mass='1e-6' margin='-.01'/><site name='a' pos='.1 0 0'/>
    <body name='b' pos='0 0 .4'>
      <joint name='hinge' range='-1e-3 0' springref='30' stiffness='-2' damping='1e9'/><geom name='b' size='.1'/>
      <body pos='0 0 .4'><joint name='slide' type='slide' springyield='.1'/><geom name='c' size='.1'/><site name='c'/>
      </body>
    </body>
  </body>
  <body name='e' pos='3 0 1'><joint name='ball' type='ball'/><geom size='.1'/></body>
  <light pos='0 0 4'/>
  <site type='capsule' size='.1 .2'/><site type='cylinder' size='.1 .2'/><site type='ellipsoid' size='.1 .2 .3'/>
  <site type='box' size='.1 .2 .3'/>
</worldbody>
<contact><pair geom1='a' geom2='floor' condim='6' solreffriction='-7 -1'/></contact>
<tendon><spatial name='t' springlength='.1 .2' range='0 2'><site site='rail'/><site site='c'/></spatial>
  <fixed name='f' springyield='.2'><joint joint='slide' coef='1'/></fixed></tendon>
<equality>
  <connect body1='a' body2='e' anchor='0 0 .5'/><connect site1='a' site2='rail'/><weld body1='a' body2='e'/>
  <weld site1='a' site2='rail' torquescale='2'/><joint joint1='hinge' joint2='slide' polycoef='0 1e-3 0 5 0'/>
  <tendon tendon1='t' tendon2='f'/><distance geom1='a' geom2='c' distance='.8'/>
</equality>
<actuator>
  <motor joint='hinge' nsample='3' delay='.004'/><position joint='hinge' kp='3000' kv='20'/>
  <velocity joint='hinge' kv='7'/><intvelocity joint='hinge' kp='3' actrange='-1 1'/>
  <damper joint='hinge' kv='2' ctrlrange='0 1'/>
  <cylinder joint='slide' area='.01' timeconst='.2' bias='1 2 3'/>
  <muscle tendon='t' lengthrange='0 2'/><adhesion body='a' ctrlrange='0 1' gain='4'/>
  <motor cranksite='a' slidersite='rail' cranklength='.5'/>
  <general joint='hinge' gaintype='affine' gainprm='1 2 3' biastype='affine' biasprm='1 2 3' dyntype='filter'/>
  <general joint='hinge' gaintype='user' biastype='user' dyntype='user' actdim='1'/>
  <orientation joint='ball' kp='5'/><pid joint='hinge' kp='5' kv='1' ki='2'/><pid joint='hinge' kp='5'/>
  <dcmotor joint='hinge' motorconst='.05' resistance='2'/>
</actuator>
<sensor><jointpos joint='hinge' nsample='3' delay='.002'/></sensor>
</mujoco>"""


class Hand:
    """A paused simulation that does what it is told."""

    def __init__(self, folder: Path, xml: str = MODEL, history_bytes: int = HISTORY_BYTES) -> None:
        path = folder / "model.xml"
        path.write_text(xml)
        # compiled here, not while the thread is waited for
        sim.prepare(sim.loads(xml))
        self.thread = SimThread(sim, paused=True, history_bytes=history_bytes)
        self.thread.start()
        self.thread.send(cmd.LoadModel(str(path)))
        wait_for(self.thread, lambda s: s.run.ready and s.run.progress is None)
        self._speed = 1.0

    def send(self, command: cmd.Command) -> Snapshot:
        """Send, and the snapshot that shows what came of it."""
        self.thread.send(command)
        return self.settle()

    def settle(self) -> Snapshot:
        """The first snapshot after all that was sent: it has a speed that is asked for now."""
        self._speed = 1.0 if self._speed > 7.0 else self._speed + 1 / 64
        self.thread.send(cmd.SetSpeed(self._speed))
        return wait_for(self.thread, lambda s: s.run.speed == self._speed and s.run.progress is None)

    def restart(self) -> None:
        """At the start, as the file has it."""
        self.thread.send(cmd.DismissProblem())
        self.thread.send(cmd.SetPaused(True))
        self.thread.send(cmd.ResetEdits())
        self.thread.send(cmd.SetData("noise.scale", 0, (0.0,)))
        self.send(cmd.Reset())

    @property
    def model(self) -> Any:
        """What the GUI sees of the model."""
        return self.thread.latest.model

    @property
    def state(self) -> Any:
        """What the GUI sees of the state."""
        return self.thread.latest.state

    def field(self, path: str) -> Any:
        """A copy of a field of the engine's own model."""
        return np.array(self.thread.live.model.read(path))


class LiveDesk:
    """All panels around a simulation that runs behind them."""

    def __init__(self, gui: Gui, hand: Hand) -> None:
        self.gui, self.hand, self.view = gui, hand, ViewState(prefs=Preferences(show_bottom=True))
        # its thread is the test's
        self.sampler = Sampler(RowSource(hand.thread.send))
        self.examiner = DivergenceExaminer(hand.thread.send)
        self.acted: list[Action] = []
        self.rect = Rect(0, 0, 0, 0)
        # so high that nothing has to be scrolled
        gui.io.display_size = (1500, 2600)  # type: ignore[assignment]

    def draw(self) -> None:
        """One frame."""
        snapshot = self.hand.thread.latest
        self.view.plots.sampled = self.sampler.latest
        self.rect = layout.draw(snapshot, self.view, self.hand.thread.send, self.acted.append)
        self.sampler.want(self.view.plots.take_request())
        shown = self.view.of(PostMortemState)
        self.examiner.want(shown.take_request())
        shown.found = self.examiner.latest
        layout.drop_focus()

    def frames(self, count: int = 3) -> None:
        """Some frames."""
        self.gui.frame(self.draw, count)

    def sample(self) -> None:
        """Let the sampler do all that there is to do for the plot."""
        idle = 0
        while idle < 2:
            self.frames(1)
            before = self.sampler.latest.version
            self.sampler.turn(20.0 if self.sampler._waiting else 0.0)
            idle = idle + 1 if self.sampler.latest.version == before and not self.sampler._waiting else 0
        self.frames(1)

    def examine(self) -> Examined:
        """Let the examiner find out about the divergence that is shown, or try its fixes; then it is drawn."""
        self.frames(1)
        while self.examiner.busy:
            assert self.examiner.turn(20.0)
        # the card finds its size
        self.frames(5)
        return self.view.of(PostMortemState).found

    def reveal(self, name: str) -> None:
        """Bring a panel to the front."""
        self.view.ui.reveal = name
        self.frames()

    def click(self, label: str, button: int = 0) -> Snapshot:
        """Click, and the snapshot that shows what came of it."""
        self.gui.click(self.draw, label, button)
        return self.hand.settle()

    def drag(self, label: str, dx: float = 40.0) -> Snapshot:
        """Drag an item sideways, and the snapshot that shows what came of it."""
        self.gui.drag(self.draw, label, dx)
        return self.hand.settle()

    def until(self, condition: Callable[[Snapshot], bool]) -> Snapshot:
        """The first snapshot that meets a condition."""
        return wait_for(self.hand.thread, condition)


def let_follow(worker: Any, request: object) -> None:
    """Let the thread of an instrument do all that there is to do for a request."""
    worker.want(request)
    idle = 0
    while idle < 3:
        before = worker.latest.version
        worker.turn(20.0 if worker._waiting else 0.0)
        idle = idle + 1 if worker.latest.version == before and not worker._waiting else 0
