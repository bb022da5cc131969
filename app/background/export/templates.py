"""The functions of exported tests and scripts, as text."""

from __future__ import annotations

UNPACK = '''
def unpack(text):
    """The content of a file."""
    return zlib.decompress(base64.b64decode(text))
'''
REST = '''
def put(owner, values):
    """Set fields by name, opt.gravity for one; an engine may lack a field."""
    for name, value in values.items():
        *groups, field = name.split(".")
        place = owner
        for group in groups:
            place = getattr(place, group, None)
        old = getattr(place, field, None)
        if isinstance(old, np.ndarray):
            old[...] = np.reshape(value, old.shape)
        elif old is not None:
            setattr(place, field, value)


def later(m, d, check):
    """The state after the steps."""
    for name, value in LATER.items():
        check(f"d.{name} after {STEPS} steps", getattr(d, name), value, TOLERANCES[name])


def difference(value, other):
    """How far two values are apart; infinitely if they differ in shape, or in what is not finite."""
    value, other = (np.ravel(np.asarray(one, float)) for one in (value, other))
    if value.shape != other.shape or (np.isfinite(value) != np.isfinite(other)).any():
        return np.inf
    finite = np.isfinite(value)
    return np.abs(value[finite] - other[finite]).max(initial=0.0)
'''
ASKED = '''
def seen(mujoco, m, d, check):
    """What was asked: what it is called, its value now, what was seen, and how far they may be apart."""
'''
CONTACT_FORCE = '''
def contact_force(mujoco, m, d, contact):
    """Force and torque of a contact, in its frame."""
    force = np.zeros(6)
    mujoco.mj_contactForce(m, d, contact, force)
    return force
'''
MEASURE = '''
try:
    from app.run.engine.choice import adopt
    from sim.analysis.measures import MEASURES
except ImportError:
    # they are Kinetoscope's
    MEASURES = {}


def measure(m, d, name, *names):
    """A measure of Kinetoscope's, such as normal_force, of the Model and Data of either engine."""
    return MEASURES[name].function(*adopt(m, d), *names)
'''
TEST = '''
@pytest.fixture(params=ENGINES)
def mujoco(request):
    """Each engine that is installed."""
    return pytest.importorskip(request.param)


def check(label, value, expected, tolerance):
    """A value is what was seen."""
    apart = difference(value, expected)
    assert apart <= tolerance, f"{label} is {value}: {apart:.3g} away from what was seen, tolerance {tolerance:g}"


def test_moment(mujoco):
    """What was seen at the moment."""
    m, d = load(mujoco)
    mujoco.mj_forward(m, d)
    seen(mujoco, m, d, check)


def test_steps(mujoco):
    """The steps after it."""
    m, d = load(mujoco)
    mujoco.mj_step(m, d, STEPS)
    later(m, d, check)
'''
SCRIPT = '''
def main():
    """Print what was asked with each engine that is installed; exit code 1 if something differs from what was seen."""
    modules = [find(name) for name in ENGINES]
    if "--view" in sys.argv:
        return view(next(module for module in modules if module))
    same = []

    def check(label, value, expected, tolerance):
        apart = difference(value, expected)
        same.append(apart <= tolerance)
        seen_then = "as seen" if same[-1] else f"NOT as seen: {short(expected)}"
        print(f"  {label} = {short(value)}   {seen_then}, {apart:.2g} apart")

    for mujoco in filter(None, modules):
        print(mujoco.__name__)
        m, d = load(mujoco)
        mujoco.mj_forward(m, d)
        seen(mujoco, m, d, check)
        m, d = load(mujoco)
        mujoco.mj_step(m, d, STEPS)
        later(m, d, check)
    print("reproduced" if same and all(same) else f"NOT reproduced: {same.count(False)} of {len(same)} differ")
    return 0 if same and all(same) else 1


def short(value):
    """A number, or the first and last ones of several."""
    return np.array2string(np.asarray(value), 100_000, precision=9, threshold=8, edgeitems=2)


def find(name):
    """An engine, or None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def view(mujoco):
    """Open the moment in a window."""
    importlib.import_module(f"{mujoco.__name__}.viewer").launch(*load(mujoco))
    return 0
'''
CALL = """
if __name__ == "__main__":
    sys.exit(main())
"""


def usage(kind: str, name: str) -> list[str]:
    """How to run the file."""
    if kind == "test":
        return [f"    python -m pytest {name}"]
    return [
        f"    python {name}          prints the requested values next to the recorded ones",
        f"    python {name} --view   opens it",
    ]


def imports(kind: str, packed: bool, beside: bool, binary: bool, sleeps: bool) -> str:
    """The imports that a file needs."""
    inside = packed and not beside
    names = {
        "base64": inside, "importlib": kind == "script" or sleeps, "sys": kind == "script", "tempfile": binary,
        "zlib": inside,
    }  # fmt: skip
    lines = [f"import {name}" for name, needed in names.items() if needed]
    lines += ["from pathlib import Path"] if beside or binary else []
    lines += ["", "import numpy as np"] if lines else ["import numpy as np"]
    lines += ["import pytest"] if kind == "test" else []
    return "\n".join(lines)


def load(xml: bool, fields: bool, sleeps: bool) -> str:
    """The function that makes Model and Data."""
    lines = ["def load(mujoco):", '    """The model and the state of that moment, in an engine."""']
    if xml:
        lines.append("    m = mujoco.MjModel.from_xml_string(MODEL, ASSETS)")
    else:
        lines += [
            "    with tempfile.TemporaryDirectory() as folder:",
            '        file = Path(folder, "model.mjb")',
            "        file.write_bytes(BINARY)",
            "        m = mujoco.MjModel.from_binary_path(str(file))",
        ]
    lines += ["    put(m, FIELDS)"] if fields else []
    if not sleeps:
        lines += ["    d = mujoco.MjData(m)", "    put(d, STATE)", "    return m, d"]
    else:
        lines += [
            "    # once with all awake: sleeping trees are no longer computed",
            "    flags = m.opt.enableflags",
            "    m.opt.enableflags = flags & ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)",
            "    d = mujoco.MjData(m)",
            "    put(d, STATE)",
            "    mujoco.mj_forward(m, d)",
            "    m.opt.enableflags = flags",
            '    if mujoco.__name__ == "mujoco":',
            "        put(d, {**STATE, **SLEEP, **AWAKE})",
            "    else:",
            '        importlib.import_module("kinetoscope").write_state(m, d, as_arrays({**STATE, **SLEEP}, d))',
            "    return m, d",
            "",
            "",
            "def as_arrays(values, d):",
            '    """Fields in their shapes."""',
            "    return {name: np.reshape(value, np.shape(d.read(name))) for name, value in values.items()}",
        ]
    return "\n".join(lines)
