"""A healthy model to damage: one MJCF text with everything expanded and every element named, and its compiled Model."""

from __future__ import annotations

import copy
import io
import itertools
import tempfile
import warnings
import zipfile
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import numpy as np
from lxml import etree

import sim
from sim.enums import GEOM_HFIELD, GEOM_PLANE

# kind of element -> where its elements are, below the root
WHERE = {
    "body": ".//worldbody//body",
    "geom": ".//worldbody//geom",
    "joint": ".//worldbody//joint | .//worldbody//freejoint",
    "site": ".//worldbody//site",
    "tendon": "./tendon/*",
    "actuator": "./actuator/*",
    "equality": "./equality/*",
    "key": "./keyframe/key",
}
RUN = 1.0  # simulated seconds of a healthy model in which one looks who touches whom


def world_extent(m: sim.Model, d: sim.Data) -> float:
    """Half of the diagonal of the box around all that has a size, m."""
    sized = ~np.isin(m.geom_type, (GEOM_PLANE, GEOM_HFIELD))
    if not sized.any():
        return 1.0
    low = (d.geom_xpos[sized] - m.geom_rbound[sized, None]).min(axis=0)
    high = (d.geom_xpos[sized] + m.geom_rbound[sized, None]).max(axis=0)
    return float(np.linalg.norm(high - low) / 2)


class Subject:
    """A model of which damaged copies are made."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._folder = tempfile.TemporaryDirectory(prefix="planted_")
        self.folder = Path(self._folder.name)
        self.root = self._expanded()
        self.model = self.load(self.root)
        self.classes = _classes(self.root)
        self.degrees = self.compiler("angle", "degree") == "degree"

    def close(self) -> None:
        """Remove its files."""
        self._folder.cleanup()

    def _expanded(self) -> etree._Element:
        """The model as one file, its assets beside it."""
        archive = self.folder / "model.mjz"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sim.load(self.path).pack(archive)
        with zipfile.ZipFile(io.BytesIO(archive.read_bytes())) as packed:
            packed.extractall(self.folder)
        root = etree.fromstring((self.folder / "model.xml").read_bytes())
        for kind, where in WHERE.items():
            found = root.xpath(where)
            taken = {element.get("name") for element in found}
            fresh = (name for k in itertools.count() if (name := f"{kind}_{k}") not in taken)
            for element in found:
                if not element.get("name"):
                    element.set("name", next(fresh))
        return root

    def load(self, root: etree._Element) -> sim.Model:
        """A tree of elements compiled, from a file in the folder of the assets."""
        file = self.folder / "model.xml"
        file.write_bytes(etree.tostring(root, pretty_print=True))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return sim.load(file)

    @cached_property
    def data(self) -> sim.Data:
        """At qpos0."""
        data = sim.Data(self.model)
        sim.forward(self.model, data)
        return data

    @cached_property
    def extent(self) -> float:
        """How large it is, m."""
        return world_extent(self.model, self.data)

    @cached_property
    def touching(self) -> set[tuple[int, int]]:
        """Pairs of geoms, the smaller index first, that touch in the first second."""
        data, found = sim.Data(self.model), set()
        for _ in range(20):
            sim.step(self.model, data, max(1, round(RUN / 20 / self.model.opt.timestep)))
            pairs = np.sort(data.contact.geom[: data.ncon], axis=1)
            found |= {(int(a), int(b)) for a, b in pairs if a >= 0}
        return found

    def effective(self, element: etree._Element, attribute: str, default: str = "") -> str:
        """What an element says, or its default class."""
        if element.get(attribute) is not None:
            return str(element.get(attribute))
        name = element.get("class")
        for parent in () if name else element.iterancestors():
            if name := parent.get("childclass"):
                break
        return self.classes.get(name or "main", {}).get(_tag(element), {}).get(attribute, default)

    def compiler(self, attribute: str, default: str) -> str:
        """An attribute of the compiler; the last one counts."""
        found = [element.get(attribute) for element in self.root.findall("compiler") if element.get(attribute)]
        return str(found[-1]) if found else default

    def copy(self) -> etree._Element:
        """The elements, to be damaged."""
        return copy.deepcopy(self.root)


def _tag(element: etree._Element) -> str:
    return str(element.tag)


def _classes(root: etree._Element) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Default class -> tag -> attributes, those of its parents included."""
    found: dict[str, dict[str, dict[str, str]]] = {}

    def add(element: etree._Element, parent: dict[str, dict[str, str]]) -> None:
        name = element.get("class") or "main"
        own = found.setdefault(name, {tag: dict(values) for tag, values in parent.items()})
        for child in element:
            if isinstance(child.tag, str) and child.tag != "default":
                own.setdefault(child.tag, {}).update({str(k): str(v) for k, v in child.attrib.items()})
        for child in element.findall("default"):
            add(child, own)

    for element in root.findall("default"):
        add(element, found.get("main", {}))
    return found
