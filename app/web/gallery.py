"""All bundled scenes as replays, and a page that lists them with thumbnail and caption."""

from __future__ import annotations

import base64
import html
from pathlib import Path

from app.files.resources import SceneFile, bundled_scenes, folder
from app.web.page import style_policy
from app.web.replay import SECONDS, Progress, Remarks, Replay

INDEX = "index.html"
STYLE = """
:root { color-scheme: dark light; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; padding: 1.5rem; max-width: 75rem; background: light-dark(#f6f7f8, #16181b);
  color: light-dark(#1c1e21, #e6e8ea); }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1.2rem; padding: 0; }
li { list-style: none; }
a { display: block; height: 100%; color: inherit; text-decoration: none; border-radius: 8px; overflow: hidden;
  background: light-dark(#fff, #202327); }
a:hover, a:focus-visible { outline: 2px solid #2f81d7; }
img { display: block; width: 100%; aspect-ratio: 16 / 10; object-fit: cover; }
h2, p { margin: 0; padding: .5rem .8rem 0; font-size: 1rem; }
p { padding: 0 .8rem .8rem; font-size: .85rem; opacity: .75; }
"""
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kinetoscope: bundled scenes</title>
<style>{style}</style>
</head>
<body>
<h1>Kinetoscope</h1>
<ul>
{items}
</ul>
</body>
</html>
"""
ITEM = '<li><a href="{name}.html"><img src="{image}" alt=""><h2>{title}</h2><p>{caption}</p></a></li>'


def write_gallery(
    place: Path, seconds: float | None, fps: float, progress: Progress, remarks: Remarks | None = None
) -> list[Path]:
    """Write a replay of each scene, and the index; returns the files."""
    place.mkdir(parents=True, exist_ok=True)
    scenes = bundled_scenes()
    files = [place / f"{scene.name}.html" for scene in scenes]
    for k, (scene, file) in enumerate(zip(scenes, files, strict=True)):
        progress(k, len(scenes), scene.name)
        Replay(scene.path, seconds or SECONDS, fps=fps, remarks=remarks).save(file)
    index = place / INDEX
    items = "\n".join(_item(scene) for scene in scenes)
    index.write_text(PAGE.format(policy=html.escape(style_policy(STYLE)), style=STYLE, items=items), encoding="utf-8")
    return [*files, index]


def _item(scene: SceneFile) -> str:
    picture = folder("scenes") / "thumbnails" / f"{scene.name}.jpg"
    image = f"data:image/jpeg;base64,{base64.b64encode(picture.read_bytes()).decode()}" if picture.is_file() else ""
    title = scene.name.replace("_", " ")
    return ITEM.format(name=scene.name, image=image, title=html.escape(title), caption=html.escape(scene.caption))
