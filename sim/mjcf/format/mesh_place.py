"""Where the mesh files of a URDF are: the rule for paths, `package://`, `model://` and `file://`.

A path is looked for where MuJoCo does: in `meshdir`, relative to the URDF; with `strippath` only its base name. If
that is not a file, `package://NAME/rest` (`model://` too) is looked for in

1. a folder NAME that is the folder of the URDF or above it, and one that lies in any of those folders, nearest first,
2. a folder NAME in a folder of ROS_PACKAGE_PATH, or that is in the list itself,
3. share/NAME below a folder of AMENT_PREFIX_PATH,
4. the folder of the URDF and those above it, for packages that have been renamed, nearest first,

and `file://` at its path. The first file found counts. Every place goes into the list of files of the model, so that a
mesh that comes into being is noticed; the error lists them all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from sim.mjcf.errors import shortened
from sim.mjcf.source import Node, XmlReader, bare

MESH_SUFFIXES = (".stl", ".obj", ".msh")
CONVERT = "convert it to .obj or .stl, with Blender, MeshLab or trimesh, and refer to that file"
# from the folder of the URDF to one that has the mesh too
MOST_LEVELS_UP = 3
IN_PACKAGES = ("package", "model")


def mesh_file(node: Node, name: str, meshdir: str, strippath: bool) -> str:
    """The attribute `file` of an MJCF mesh, for the file that a URDF's <mesh> names."""
    suffix = Path(bare(name)).suffix.lower()
    if suffix not in MESH_SUFFIXES:
        kind = "COLLADA, which is not supported" if suffix == ".dae" else f"not one of {' '.join(MESH_SUFFIXES)}"
        raise node.error(f"mesh file '{shortened(name)}' is {kind}", CONVERT)
    reader, plain = node.document.reader, bare(name) if strippath else name
    if reader.given(plain) is not None:
        return bare(plain)
    scheme, has_scheme, rest = name.partition("://")
    if not has_scheme:
        return plain
    looked = []
    with node.located():
        if "://" not in plain:
            looked = reader.places(plain, node.document.folder, meshdir)
            if _first_file(looked, node):
                return plain
        # in an archive, the same within it
        stored = reader.store is not None
        home = reader.folder if stored else Path(os.path.abspath(reader.folder))
        if scheme in IN_PACKAGES:
            found = [*_near(home, rest), *_installed(reader, rest), *_renamed(home, rest)]
        elif scheme == "file":
            found = [Path("/", unquote(rest.partition("/")[2]))]
        else:
            raise node.error(f"'{shortened(name)}' is a network address", "specify a local file")
        if path := _first_file(found, node):
            if stored:
                return str(path) if path.is_absolute() else os.path.relpath(path, home / meshdir)
            return _relative(path, home, meshdir)
    places = ", ".join(map(str, [*looked, *found]))
    raise node.error(f"mesh file '{shortened(name)}' not found", f"looked for {places}")


def _near(folder: Path, rest: str) -> Iterator[Path]:
    """A file of a package in folders named as the package, above or beside the URDF."""
    package, _, inside = rest.partition("/")
    for above in (folder, *folder.parents):
        if above.name == package:
            yield above / inside
        yield above / package / inside


def _installed(reader: XmlReader, rest: str) -> Iterator[Path]:
    """A file of a package in the folders that ROS is told of."""
    package, _, inside = rest.partition("/")
    for folder in reader.package_folders("ROS_PACKAGE_PATH"):
        if folder.name == package:
            yield folder / inside
        yield folder / package / inside
    for folder in reader.package_folders("AMENT_PREFIX_PATH"):
        yield folder / "share" / package / inside


def _renamed(folder: Path, rest: str) -> Iterator[Path]:
    """A file of a package whose folder has another name, above the URDF."""
    for above in (folder, *folder.parents):
        yield above / rest.partition("/")[2]


def _first_file(places: list[Path], node: Node) -> Path | None:
    return next((path for path in places if node.document.reader.has(path)), None)


def _relative(path: Path, home: Path, meshdir: str) -> str:
    """A path from meshdir, so that the saved model can be moved; in full if it is not near the URDF, or a symbolic link
    on the way leads elsewhere."""
    short = os.path.relpath(path, home / meshdir)
    with suppress(OSError):
        if len(home.parts) - len(Path(os.path.commonpath((home, path))).parts) <= MOST_LEVELS_UP:
            return short if os.path.samefile(home / meshdir / short, path) else str(path)
    return str(path)
