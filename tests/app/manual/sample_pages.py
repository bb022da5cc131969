"""A small manual: one page with everything that a page can have, one of an instrument, and the page of all panels."""

from __future__ import annotations

from pathlib import Path

PAGES = {
    "tour": """# A short tour

Drag with the **left button** to orbit, see [the solver](solver.md#friction-cones), [keys](keys.md) or
[MuJoCo](https://mujoco.org).

- one, with `d.qpos` and *emphasis*
  1. inner
- two

## What it looks like

![a pendulum](pictures/pendulum.png)

```sh
kinetoscope manual tour
```

| Key | What it does |
| --- | --- |
| `Space` | play or pause |
""",
    "solver": "# Solver\n\nIterations and residuals.\n\n## Friction cones\n\nElliptic or pyramidal.\n",
    "panels": "# Panels\n\nAll panels.\n\n## Physics\n\nOptions: friction too.\n\n## Model tree\n\nBodies.\n",
    "keys": "# Keys and mouse\n\n| Key | What it does |\n| --- | --- |\n| Ctrl+K | search all commands |\n",
    "zebra": "# A page of somebody\n\nNot in the order.\n",
}


def write_pages(folder: Path) -> Path:
    """Write the pages and their picture into a folder."""
    from PIL import Image

    for topic, text in PAGES.items():
        (folder / f"{topic}.md").write_text(text, encoding="utf-8")
    (folder / "pictures").mkdir()
    Image.new("RGB", (400, 200), (200, 60, 20)).save(folder / "pictures" / "pendulum.png")
    return folder
