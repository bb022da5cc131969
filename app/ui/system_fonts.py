"""System fonts, for glyphs that the bundled fonts lack: Chinese, Japanese, Korean, other scripts and symbols.

They are searched for when a text first needs them. Without one, the glyph stays an empty box.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

FOLDERS = (
    "/usr/share/fonts", "/usr/local/share/fonts", "/run/host/fonts", "~/.local/share/fonts", "~/.fonts",
    "/System/Library/Fonts", "/Library/Fonts", "~/Library/Fonts",
    "${WINDIR}/Fonts", "${LOCALAPPDATA}/Microsoft/Windows/Fonts",
)  # fmt: skip
# small files first, then those with the widest coverage
NAMES = (
    "DejaVuSans.ttf", "seguisym.ttf",
    "NotoSansCJK-Regular.ttc", "NotoSansCJKsc-Regular.otf", "SourceHanSans-Regular.ttc", "wqy-microhei.ttc",
    "wqy-zenhei.ttc", "DroidSansFallbackFull.ttf", "DroidSansFallback.ttf", "NanumGothic.ttf", "ipag.ttf",
    "Hiragino Sans GB.ttc", "PingFang.ttc", "AppleSDGothicNeo.ttc", "Arial Unicode.ttf",
    "msyh.ttc", "malgun.ttf", "msgothic.ttc", "simsun.ttc",
)  # fmt: skip
# first bytes of a font file
MAGIC = (b"\0\1\0\0", b"OTTO", b"true", b"ttcf")


@cache
def system_fonts() -> tuple[Path, ...]:
    """The known fonts that are installed and readable, in the order of `NAMES`."""
    found: dict[str, Path] = {}
    for folder in FOLDERS:
        for place, _, names in os.walk(os.path.expanduser(os.path.expandvars(folder))):
            for name in set(names).intersection(NAMES):
                found.setdefault(name, Path(place) / name)
    return tuple(found[name] for name in NAMES if name in found and _is_font(found[name]))


def _is_font(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) in MAGIC
    except OSError:
        return False
