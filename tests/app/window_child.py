"""A viewer in a process of its own, for tests with a real window: answers questions about its state.

Each line on standard input is a question: `state` prints the state as JSON, `close` closes the window. Answers are
given between two frames, when what a frame has begun is done: a new window has the keyboard.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
from dataclasses import asdict
from pathlib import Path

import pyglet
from imgui_bundle import imgui

import sim
from app.application import Application
from app.resources import open_command
from app.sim_thread import SimThread


def state_of(application: Application) -> dict[str, object]:
    """What tests ask about."""
    run, view, window = application._simulation.latest.run, application.view, application.window
    camera, rect = view.camera, application.rect
    model, state, grasp = application._simulation.latest.model, application._simulation.latest.state, view.grasp
    return {
        "path": run.path, "paused": run.paused, "ready": run.ready, "steps": run.steps, "speed": run.speed,
        "problem": run.problem.text if run.problem else None, "message": view.message,
        "azimuth": camera.azimuth, "elevation": camera.elevation, "distance": camera.distance,
        "lookat": list(camera.lookat), "camera": view.camera_id, "help": view.show_help, "info": view.show_info,
        "panels": view.show_left, "full_screen": window.fullscreen, "hidden": window.hidden, "size": window.get_size(),
        "body": grasp.body if grasp else -1, "pulls": bool(grasp and grasp.pulls),
        "places": state.xpos.tolist() if state else [], "forces": state.xfrc_applied.tolist() if state else [],
        "options": asdict(view.options), "right": view.show_right, "bottom": view.show_bottom,
        "profiler": view.show_profiler, "sensors": view.show_sensors, "palette": view.show_palette,
        "light": view.light_theme, "font": view.font_scale, "tracked": view.tracked,
        "selection": str(view.selection), "time": run.time, "timestep": model.opt.timestep if model else 0.0,
        "film": view.film.seconds if view.film else None, "gallery": view.show_gallery,
        "browse": str(view.browse.folder) if view.browse else None,
        "frames": imgui.get_frame_count(), "typing": imgui.get_io().want_text_input,
        "watches": view.plots.expressions(),
        "picture": [rect.x, rect.y, rect.width, rect.height], "error": application.context.error,
    }  # fmt: skip


def answer(application: Application, questions: queue.SimpleQueue[str]) -> None:
    """Answer the questions that have come."""
    while not questions.empty():
        if questions.get() == "close":
            application.close()
        else:
            print(json.dumps(state_of(application)), flush=True)


def listen(questions: queue.SimpleQueue[str]) -> None:
    """Take in questions until there are no more."""
    for line in sys.stdin:
        questions.put(line.strip())


def main() -> None:
    """Open the file named on the command line, paused."""
    simulation = SimThread(sim, paused=True)
    simulation.start()
    simulation.send(open_command(Path(sys.argv[1])))
    application = Application(simulation)
    questions: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(questions,), daemon=True).start()
    pyglet.clock.schedule_interval(lambda _: answer(application, questions), 0.005)
    application.run()
    print("closed", flush=True)


if __name__ == "__main__":
    main()
