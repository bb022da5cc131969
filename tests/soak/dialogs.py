"""Random keys and clicks through every dialog while edits are unsaved: nothing is written or lost without an answer.

    python -m tests.soak.dialogs [--presses 2000] [--seed 0] [--display :1]

Drives the window's own loop under an X server without a screen (Xvfb), as fast as pictures come. Several events can
come before one picture. After each picture every file in the folders of a person is looked at. It fails if

- a file that was there changes or goes, other than by a press on Save, Overwrite or Export, or on Enter while such a
  button was on the screen long enough to be seen; for another file than the model's it must have been Overwrite;
- a model with unsaved edits is left for another one, or the window closes, without a press on Discard or a save;
- anything raises: in a panel, an action, the simulation, a thread.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from tests.app.window_driver import x_server  # noqa: E402

BALLS = """<mujoco model="{name}">
  <include file="part.xml"/>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom name="ball" size=".1" class="red"/></body>
    <body name="arm" pos="1 0 1">
      <joint name="hinge" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <keyframe><key name="start"/></keyframe>
</mujoco>
"""
PART = """<mujoco><default><default class="red"><geom rgba="1 0 0 1" density="500"/></default></default></mujoco>"""
TEXTS = ("a", "b.xml", "new", "run", "note.txt", "test_a", "..", "/", "sub/", "1e-3", "0", "x", "é", "ball", "qpos")
# buttons that write, buttons that replace a file which is there, and one that leaves edits behind
WRITES, REPLACES, DISCARDS = {"Save", "Overwrite", "Export"}, {"Overwrite"}, {"Discard"}
# what the dialog for a name has all the time: Save is new whenever another name takes back Overwrite
NAMES = {"Cancel"}
# a person needs this long to see a button, s
SEEN_SECONDS, READ_SECONDS = 0.25, 0.32
SAVE_KEY = "Ctrl+S"
ITEMS = (
    "button", "checkbox", "slider_float", "drag_float", "drag_int", "combo", "begin_combo", "menu_item", "selectable",
    "input_text_with_hint", "invisible_button", "small_button", "begin_menu", "input_text_multiline",
)  # fmt: skip
# what dated files begin with, and what the program writes beside them
MADE = ("kinetoscope-", "plots-", "sensors-", "moment_", "test_")
SIZE = (1000, 700)
# most pictures are not drawn to the end: without a GPU that takes most of the time
DRAWN_EVERY = 30

Rect = tuple[float, float, float, float]
# its window and its label
Item = tuple[str, str]
Stamp = tuple[int, int, int]


@dataclass
class Burst:
    """What is pressed between two pictures: keys, and the labels of what was clicked or answered with Enter."""

    keys: list[str] = field(default_factory=list)
    answers: set[str] = field(default_factory=set)
    # the buttons that were there, with each click and Enter
    screens: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.keys} answering {sorted(self.answers & (WRITES | DISCARDS))} {self.screens}"


class Screen:
    """What the last picture shows: items by window and label, and since when."""

    def __init__(self) -> None:
        self.items: dict[Item, Rect] = {}
        self.since: dict[Item, float] = {}
        self._drawn: dict[Item, Rect] = {}

    def listen(self) -> None:
        """Note what ImGui draws."""
        from imgui_bundle import imgui

        def noting(item: Callable[..., Any]) -> Callable[..., Any]:
            def call(label: str, *arguments: Any, **options: Any) -> Any:
                window = imgui.internal.get_current_window().name
                result = item(label, *arguments, **options)
                low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
                self._drawn[window, label.partition("##")[0] or label] = (low.x, low.y, high.x, high.y)
                return result

            return call

        for name in ITEMS:
            setattr(imgui, name, noting(getattr(imgui, name)))
        new_frame = imgui.new_frame

        def begin() -> None:
            self._drawn = {}
            new_frame()

        imgui.new_frame = begin

    def drawn(self) -> None:
        """A picture is on the screen."""
        now = time.monotonic()
        self.since = {item: self.since.get(item, now) for item in self._drawn}
        self.items = self._drawn

    def seen(self) -> set[Item]:
        """What a person has seen."""
        now = time.monotonic()
        return {item for item, since in self.since.items() if now - since >= SEEN_SECONDS}

    def at(self, x: float, y: float) -> set[str]:
        """Labels of what is there and was seen."""
        rects = ((item[1], self.items[item]) for item in self.seen())
        return {label for label, (left, top, right, bottom) in rects if left <= x <= right and top <= y <= bottom}

    def __str__(self) -> str:
        """The buttons that matter, and for how long they are there."""
        now, wanted = time.monotonic(), WRITES | DISCARDS
        return str({item: round(now - since, 2) for item, since in self.since.items() if item[1] in wanted})


class Files:
    """All files of a person: what they hold, as far as their stamps tell."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.stamps = self._look()

    def _look(self) -> dict[Path, Stamp]:
        found = {}
        for folder, _, names in os.walk(self._folder):
            # one that is written to be renamed has a hidden name
            for path in (Path(folder, name) for name in names if not name.startswith(".")):
                with suppress(FileNotFoundError):
                    stat = path.lstat()
                    found[path] = stat.st_mtime_ns, stat.st_size, stat.st_ino
        return found

    def changes(self) -> tuple[set[Path], set[Path]]:
        """Files that have changed or gone since the last look, and new ones."""
        before, self.stamps = self.stamps, self._look()
        changed = {path for path, stamp in before.items() if self.stamps.get(path) != stamp}
        return changed, self.stamps.keys() - before.keys()


class Person:
    """Someone who presses whatever comes to hand, and a witness of what comes of it."""

    def __init__(self, application: Any, simulation: Any, folder: Path, seed: int) -> None:
        from app.view.input.bindings import BINDINGS
        from tests.app.random_edits import random_edit

        self.application, self._simulation, self._folder = application, simulation, folder
        self._random, self._random_edit = random.Random(seed), random_edit
        self.screen, self.files = Screen(), Files(folder)
        self.screen.listen()
        keys = [binding.trigger for binding in BINDINGS if binding.group != "Rendering"]
        # a restart needs another process; a click needs a place; full screen takes a window manager
        left_out = ("drag", "click", "Scroll", "Drop", "Shift+R", "F5", "F11")
        self._keys = [key for key in keys if not any(word in key for word in left_out)]
        self._counts: Counter[str] = Counter()
        self.presses, self.faults = 0, list[str]()
        # how each save has begun: its burst, and whether it may write unasked
        self._begun: tuple[Any, Burst, bool] = (None, Burst(), False)
        # what may change, since when a model is left after a save, and what the program has made
        self._expected: set[Path] = set()
        self._own: set[Path] = set()
        # the last export
        self._ordered: Any = None
        self._saves = 0
        self._saves_when_asked = 0
        self.burst = Burst()
        self._recent: list[str] = []
        self._listen()

    # ---- the witness

    def _listen(self) -> None:
        """See each command as it is sent."""
        send = self._simulation.send

        def seen_send(command: Any) -> None:
            if threading.current_thread() is threading.main_thread():
                self._sent(command)
            send(command)

        self._simulation.send = seen_send

    def fault(self, text: str) -> None:
        """Something that must not happen."""
        ui = self.application.view.ui
        shown = f"{self.screen}, saving {ui.saving}, leaving {ui.leaving}, edits under way {ui.edits_under_way}"
        self.faults.append(f"press {self.presses}: {text}; after {self._recent[-6:]}; {shown}")
        print(self.faults[-1], flush=True)

    def _sent(self, command: Any) -> None:
        from app.run import commands as cmd

        saving = self.application.view.ui.saving
        if isinstance(command, cmd.PlanSave) and saving is not None and saving is not self._begun[0]:
            known = os.path.realpath(self._simulation.latest.run.path) in self.application.view.ui.saved_files
            unasked = known and saving.path is None and (SAVE_KEY in self.burst.keys or bool(self.burst.answers))
            self._begun = saving, self.burst, unasked
        elif isinstance(command, cmd.WriteSave):
            self._written(command)
        elif isinstance(command, cmd.SaveRecording):
            path = Path(command.path)
            if path.name.startswith(MADE) and not os.path.lexists(path):
                # what a page is made of, in a new file
                self._own.add(path)
                return
            # a page is made of it
            for one in (path, path.with_suffix(".html")) if command.then is not None else (path,):
                self._answered(one, self.burst, REPLACES if os.path.lexists(one) else WRITES)
        elif isinstance(command, cmd.StartRecording):
            self._own.add(Path(command.path))
        elif isinstance(command, cmd.LoadModel) and command.path != self._simulation.latest.run.path:
            self._left(f"opens {command.path}")

    def _written(self, command: Any) -> None:
        """A save is written: because of what?"""
        from app.files.resources import is_bundled

        saving = self.application.view.ui.saving
        begun, origin, unasked = self._begun
        burst = self.burst if saving is not None and saving.shown else origin
        taken = not command.path or os.path.lexists(command.path)
        if saving is None or (not saving.shown and begun is not saving):
            self.fault("a save is written that nobody has asked for")
        elif not (burst.answers & (WRITES if taken else WRITES | NAMES) or (unasked and not saving.shown)):
            self.fault(f"a save is written after {burst}")
        if command.path and taken and not (self.burst.answers | origin.answers) & WRITES:
            self.fault(f"{command.path} is replaced after {origin}")
        for change in command.plan.files:
            if is_bundled(change.path) or command.path not in (None, str(change.path)):
                self.fault(f"{change.path} is written instead of {command.path}")
        self._expected |= {change.path for change in command.plan.files} | {*command.plan.backups}
        self._saves += 1

    def _answered(self, path: Path, burst: Burst, wanted: set[str]) -> None:
        """A file is written because of an answer."""
        if not burst.answers & wanted:
            self.fault(f"{path.name} is written after {burst}")
        self._expected.add(path)

    def _left(self, what: str) -> None:
        """The model is left: nothing unsaved is lost unless someone has said so."""
        unsaved = self._unsaved()
        asked = self.burst.answers & DISCARDS or self._saves > self._saves_when_asked
        # what a save has just written counts as unsaved until the file is read again
        if unsaved and not asked and self._simulation.live.model.copy().plan_save().files:
            self.fault(f"the window {what} with unsaved {unsaved} after {self.burst}")

    def _unsaved(self) -> tuple[str, ...]:
        """The edits that the file does not have, once all that was sent has been handled."""
        from app.run import commands as cmd

        sent, said = 0.0, f"handled by {time.monotonic()}"
        while self._simulation.latest.run.notification != said:
            # something else may be said after it
            if time.monotonic() > sent + 1.0:
                sent = time.monotonic()
                self._simulation.send(cmd.Notify(said))
            time.sleep(0.001)
        return tuple(self._simulation.latest.unsaved)

    def look(self) -> None:
        """What has come of the last burst."""
        view = self.application.view
        if view.ui.leaving is not None:
            self._saves_when_asked = self._saves
        if self.application.window.closed:
            self._left("closes")
            self.application.window.closed = False
        before = self.files.stamps
        changed, new = self.files.changes()
        ordered = view.export.ordered if view.export is not None else None
        if ordered is not None and ordered != self._ordered:
            self._ordered, path = ordered, Path(ordered[1]).expanduser().resolve()
            replaces = path in before and path not in self._own | self._expected
            self._answered(path, self.burst, REPLACES if replaces else WRITES)
        self._own |= {path for path in new if path.name.startswith(MADE)}
        for path in changed - self._expected - self._own:
            self.fault(f"{path} has {'changed' if path.exists() else 'gone'} after {self.burst}")
        for path in new - self._expected - self._own:
            self.fault(f"{path} appears after {self.burst}")
        for part, fault in view.feedback.faults.items():
            self.fault(f"{part} fails: {fault.text}")
        view.feedback.faults.clear()
        problem = self._simulation.latest.run.problem
        if problem is not None and "paused by an error" in problem.title:
            self.fault(problem.text)

    # ---- the person

    def press(self) -> None:
        """Press a few things, then look at a picture."""
        self.burst = Burst()
        for _ in range(self._random.choice((1, 1, 1, 2, 3, 5))):
            doings = (
                (30, self._click_item), (6, self._click_anywhere), (18, self._key), (12, self._answer_key),
                (6, self._type), (5, self._edit), (1, self._drop), (1, self._close_button), (2, self._drag),
            )  # fmt: skip
            doing = self._random.choices([one for _, one in doings], [weight for weight, _ in doings])[0]
            self._counts[doing.__name__] += 1
            doing()
            self.presses += 1
        self._recent = [*self._recent[-10:], str(self.burst)]
        for _ in range(self._random.choice((1, 1, 2, 3))):
            self.picture()
        if self._random.random() < 0.4:
            # long enough to read
            time.sleep(READ_SECONDS)
            self.picture()
            self.picture()

    def picture(self) -> None:
        """What the window's loop does."""
        from app.view.input.actions import quit_program

        window = self.application.window
        window.dispatch_events()
        if window.asked_to_close:
            window.asked_to_close = False
            self.application.act(quit_program)
        self.application._frame()
        self.screen.drawn()
        self.look()

    def _click(self, x: float, y: float, modifiers: int = 0) -> None:
        from pyglet.window import mouse

        window = self.application.window
        self.burst.keys.append(f"click {x:.0f} {y:.0f}")
        self.burst.answers |= self.screen.at(x, y)
        self.burst.screens.append(str(self.screen))
        height = window.get_size()[1]
        window.on_mouse_motion(int(x), int(height - y), 0, 0)
        window.on_mouse_press(int(x), int(height - y), mouse.LEFT, modifiers)
        if self._random.random() < 0.3:
            self.picture()
        window.on_mouse_release(int(x), int(height - y), mouse.LEFT, modifiers)

    def _click_item(self) -> None:
        """Click on something, of a dialog rather than of what is behind it."""
        items = self.screen.items
        if not items:
            return
        answers = WRITES | DISCARDS | {"Cancel", "Save as…", "Reload"}
        wanted = [item for item in items if item[1] in answers]
        item = self._random.choice(wanted if wanted and self._random.random() < 0.3 else [*items])
        left, top, right, bottom = items[item]
        self._click(self._random.uniform(left, right), self._random.uniform(top, bottom))

    def _click_anywhere(self) -> None:
        width, height = self.application.window.get_size()
        self._click(self._random.randrange(width), self._random.randrange(height))

    def _drag(self) -> None:
        from pyglet.window import mouse

        window = self.application.window
        width, height = window.get_size()
        x, y = self._random.randrange(width), self._random.randrange(height)
        self.burst.keys.append("drag")
        window.on_mouse_motion(x, y, 0, 0)
        window.on_mouse_press(x, y, mouse.LEFT, 0)
        self.picture()
        window.on_mouse_motion(x + self._random.randrange(-80, 80), y, 0, 0)
        self.picture()
        window.on_mouse_release(x, y, mouse.LEFT, 0)

    def _strike(self, trigger: str) -> None:
        """Press and release a key with its modifiers."""
        from pyglet.window import key

        *held, name = trigger.split("+") if trigger[-1:] != "+" else [*trigger[:-2].split("+"), "+"]
        names = {
            "[": "BRACKETLEFT", "]": "BRACKETRIGHT", "\\": "BACKSLASH", "=": "EQUAL", "-": "MINUS", "Page up": "PAGEUP",
        }  # fmt: skip
        name = names.get(name, name).upper().replace(" ARROW", "")
        symbol = getattr(key, {"ENTER": "RETURN"}.get(name, name), None)
        if symbol is None:
            return
        bits = sum({"Ctrl": key.MOD_CTRL, "Shift": key.MOD_SHIFT, "Alt": key.MOD_ALT}[one] for one in held)
        if symbol == key.RETURN:
            self.burst.answers |= {label for _, label in self.screen.seen()}
            self.burst.screens.append(str(self.screen))
        self.burst.keys.append(trigger)
        self.application.window.on_key_press(symbol, bits)
        self.application.window.on_key_release(symbol, bits)

    def _key(self) -> None:
        usual = ("Ctrl+S", "Ctrl+Shift+S", "Ctrl+O", "Ctrl+Q", "Ctrl+G", "Ctrl+E", "Ctrl+Alt+S", "Ctrl+L", "Ctrl+K")
        self._strike(self._random.choice(usual if self._random.random() < 0.6 else self._keys))

    def _answer_key(self) -> None:
        name = self._random.choice(("Enter", "Enter", "Escape", "Space", "Tab", "Down arrow", "Up arrow", "Backspace"))
        self._strike(name)

    def _type(self) -> None:
        text = self._random.choice(TEXTS)
        self.burst.keys.append(f"type {text!r}")
        for letter in text:
            self.application.window.on_text(letter)

    def _edit(self) -> None:
        """What a panel would send, if it does nothing costly."""
        model = self._simulation.latest.model
        if model is not None and not self.application.view.asks:
            self._simulation.send(self._random_edit(self._random, model))

    def _drop(self) -> None:
        names = ("a.xml", "b.xml", "note.txt", "gone.xml")
        self.burst.keys.append("drop")
        self.application.window.on_file_drop(10, 10, [str(self._folder / "work" / self._random.choice(names))])

    def _close_button(self) -> None:
        self.burst.keys.append("close button")
        self.application.window.on_close()


def files_of(folder: Path) -> None:
    """Models and other files of a person."""
    work = folder / "work"
    (work / "sub").mkdir(parents=True)
    for name in ("a", "b", "new"):
        (work / f"{name}.xml").write_text(BALLS.format(name=name))
    (work / "part.xml").write_text(PART)
    for name in ("run.ktr", "test_a.py", "note.txt", "b.py", "new.ktr", "a.xml~", "x.zip", "moment.py"):
        (work / name).write_text(f"this is {name}")
    (work / "sub" / "c.xml").write_text(BALLS.format(name="c").replace("part.xml", "../part.xml"))


def quiet(application_class: Any) -> Callable[[], None]:
    """Start nothing outside of the process, and leave out most of the drawing; returns what undoes it."""
    import subprocess

    from app.render.gui import GuiRenderer

    pictures = [0]
    view, panels, popen = application_class._draw_view, GuiRenderer.draw, subprocess.Popen

    def draw_view(self: Any, screen: Any) -> bool:
        pictures[0] += 1
        return bool(view(self, screen)) if pictures[0] % DRAWN_EVERY == 0 else False

    def draw_panels(self: Any, *arguments: Any) -> None:
        if pictures[0] % DRAWN_EVERY == 0:
            panels(self, *arguments)

    def refuse(command: Any, *arguments: Any, **options: Any) -> Any:
        # an editor, a folder: what a link opens; what an export runs is the program itself
        if options.get("start_new_session"):
            raise FileNotFoundError(str(command))
        return popen(command, *arguments, **options)

    application_class._draw_view, GuiRenderer.draw = draw_view, draw_panels  # type: ignore[method-assign, assignment]
    subprocess.Popen = refuse  # type: ignore[misc, assignment]

    def undo() -> None:
        application_class._draw_view, GuiRenderer.draw = view, panels  # type: ignore[method-assign]
        subprocess.Popen = popen  # type: ignore[misc]

    return undo


class Tracebacks(io.TextIOBase):
    """Standard error, with all that was printed since the last look."""

    def __init__(self, passed_to: Any) -> None:
        self._passed_to, self._text = passed_to, ""

    def write(self, text: str) -> int:
        self._text += text
        return int(self._passed_to.write(text))

    def take(self) -> str:
        """The end of a traceback, if there is one."""
        text, self._text = self._text, ""
        return text[-2000:] if "Traceback" in text else ""


def soak(presses: int, seed: int) -> list[str]:
    """Press so often under the current display; what went wrong."""
    import sim
    from app.application import Application
    from app.run.commands import open_command
    from app.run.sim_thread import SimThread
    from app.ui.window import WindowWish

    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        files_of(folder)
        hidden = folder.parent / f"{folder.name}-hidden"
        os.environ.update(HOME=str(folder), XDG_CONFIG_HOME=str(hidden), XDG_STATE_HOME=str(hidden))
        os.chdir(folder / "work")
        sim.prepare(sim.load(folder / "work" / "a.xml"))
        simulation = SimThread(sim, paused=True, history_bytes=8 << 20)
        simulation.start()
        simulation.send(open_command(folder / "work" / "a.xml"))
        undo = quiet(Application)
        errors, sys.stderr = sys.stderr, Tracebacks(sys.stderr)
        try:
            application = Application(simulation, wish=WindowWish(size=SIZE))
            person = Person(application, simulation, folder, seed)
            _presses(person, simulation, presses)
            application.window.closed = True
            application.run()
        finally:
            errors, sys.stderr = sys.stderr, errors  # type: ignore[assignment]
            undo()
            os.chdir(ROOT)
    person.faults += filter(None, [errors.take()])  # type: ignore[attr-defined]
    print(f"seed {seed}: {person.presses} presses, {person._saves} saves, {len(person.faults)} faults", flush=True)
    return person.faults


def _presses(person: Person, simulation: Any, count: int) -> None:
    """Press; print what comes of it now and then."""
    said = time.monotonic()
    while person.presses < count:
        person.press()
        if text := sys.stderr.take():  # type: ignore[attr-defined]
            person.fault(text)
        if time.monotonic() > said + 60:
            said = time.monotonic()
            ui = person.application.view.ui
            asked = [name for name in ("leaving", "saving", "browse") if getattr(ui, name) is not None]
            unsaved = len(simulation.latest.unsaved)
            print(f"{person.presses} presses, {person._saves} saves, {unsaved} unsaved, {asked}", flush=True)


def main(arguments: Iterable[str] | None = None) -> int:
    """From the command line; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--presses", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--display", help="an X server that runs already")
    options = parser.parse_args(None if arguments is None else [*arguments])
    with nullcontext(options.display) if options.display else x_server(f"{SIZE[0]}x{SIZE[1]}") as display:
        os.environ["DISPLAY"] = display
        return bool(soak(options.presses, options.seed))


if __name__ == "__main__":
    sys.exit(main())
