"""Kernels that are wrong, each in one way; the line that is to blame ends in `# here`."""

# ruff: noqa: F821, RET503

import math

import numpy as np

import sim

GAIN = 2.0
CALLS = 0
TABLE = np.array([1.0, 2.0])
GAINS = {"kp": 1.0}
COUNT = np.int64(3)


def plain(x):
    return 2 * x


@sim.helper
def add(a, b):
    return a + b


@sim.helper
def factorial(x):  # here
    return 1.0 if x < 1.0 else x * factorial(x - 1.0)


@sim.kernel
def raises(m, d):
    if d.time > 1:
        raise ValueError("late")  # here


@sim.kernel
def asserts(m, d):
    assert d.time < 1  # here


@sim.kernel
def catches(m, d):
    try:  # here
        d.ctrl[0] = 1.0
    except ValueError:
        d.ctrl[0] = 2.0


@sim.kernel
def opens(m, d):
    with open("log"):  # here
        d.ctrl[0] = 1.0


@sim.kernel
def lists(m, d):
    found = []  # here
    found.append(d.time)
    d.ctrl[0] = found[0]


@sim.kernel
def dicts(m, d):
    gains = {"kp": 1.0}  # here
    d.ctrl[0] = gains["kp"]


@sim.kernel
def comprehends(m, d):
    d.ctrl[0] = sum([d.qpos[i] for i in range(3)])  # here


@sim.kernel
def formats(m, d):
    d.ctrl[0] = f"{d.time}"  # here


@sim.kernel
def prints(m, d):
    print(d.time)  # here


@sim.kernel
def stops(m, d):
    breakpoint()  # here  # noqa: T100


@sim.kernel
def imports(m, d):
    import time  # here

    d.ctrl[0] = time.time()


@sim.kernel
def counts(m, d):
    global CALLS  # here
    CALLS += 1


@sim.kernel
def yields(m, d):
    yield d.time  # here


@sim.kernel
def nests(m, d):
    def twice(x):  # here
        return 2 * x

    d.ctrl[0] = twice(d.time)


@sim.kernel
def misspells(m, d):
    d.ctrl[0] = d.qpso[0]  # here


@sim.kernel
def misspells_group(m, d):
    d.ctrl[0] = m.opt.timestp  # here


@sim.kernel
def misspells_math(m, d):
    d.ctrl[0] = math.sine(d.time)  # here


@sim.kernel
def misspells_name(m, d):
    d.ctrl[0] = GAIM  # here


@sim.kernel
def confuses(m, d):
    d.ctrl[0] = d.nq  # here


@sim.kernel
def asks_by_name(m, d):
    d.ctrl[0] = d.joint("knee").qpos[0]  # here


@sim.kernel
def copies(m, d):
    before = d.qpos.copy()  # here
    d.ctrl[0] = before[0]


@sim.kernel
def asks_shape(m, d):
    for i in range(d.ctrl.shape[0]):  # here
        d.ctrl[i] = 0.0


@sim.kernel
def calls_python(m, d):
    d.ctrl[0] = plain(d.time)  # here


@sim.kernel
def calls_numpy(m, d):
    d.ctrl[0] = np.linalg.norm(d.qpos)  # here


@sim.kernel
def makes_array(m, d):
    found = np.zeros(3)  # here
    d.ctrl[0] = found[0]


@sim.kernel
def sums(m, d):
    d.ctrl[0] = sum(d.qpos)  # here


@sim.kernel
def slices(m, d):
    d.ctrl[:] = 0.0  # here


@sim.kernel
def assigns_whole(m, d):
    d.ctrl = d.qpos  # here


@sim.kernel
def adds_whole(m, d):
    d.qfrc_applied += 1.0  # here


@sim.kernel
def multiplies_whole(m, d):
    position = d.xpos
    d.ctrl[0] = (2.0 * position)[0]  # here


@sim.kernel
def goes_through(m, d):
    for q in d.qpos:  # here
        d.ctrl[0] += q


@sim.kernel
def tests_whole(m, d):
    if d.qpos:  # here
        d.ctrl[0] = 1.0


@sim.kernel
def forgets_index(m, d):
    d.ctrl[0] = d.xpos[1]  # here


@sim.kernel
def indexes_by_float(m, d):
    d.ctrl[0] = d.qpos[m.nq / 2]  # here


@sim.kernel
def indexes_group(m, d):
    d.ctrl[0] = d.contact[0].dist  # here


@sim.kernel
def counts_from_end(m, d):
    d.ctrl[0] = d.qpos[-1]  # here


@sim.kernel
def counts_columns_from_end(m, d):
    d.ctrl[0] = d.xpos[1, -1]  # here


@sim.kernel
def writes_model(m, d):
    m.body_mass[1] = 2.0  # here


@sim.kernel
def writes_option(m, d):
    m.opt.timestep = 2.0  # here


@sim.kernel
def stores_text(m, d):
    d.ctrl[0] = "full"  # here


@sim.kernel
def stores_fraction(m, d):
    d.tree_asleep[0] = 0.5 * m.ntree  # here


@sim.kernel
def turns_by_float(m, d):
    for i in range(m.nu / 2):  # here
        d.ctrl[i] = 0.0


@sim.kernel
def uses_array(m, d):
    d.ctrl[0] = TABLE[0]  # here


@sim.kernel
def uses_dict(m, d):
    d.ctrl[0] = GAINS["kp"]  # here


@sim.kernel
def uses_number_of_numpy(m, d):
    d.ctrl[0] = COUNT  # here


@sim.kernel
def uses_module(m, d):
    sim.forward(m, d)  # here


@sim.kernel
def calls_itself(m, d):
    d.ctrl[0] = factorial(d.time)


@sim.kernel
def gives_too_few(m, d):
    d.ctrl[0] = add(d.time)  # here


@sim.kernel
def gives_names(m, d):
    d.ctrl[0] = add(d.time, b=2.0)  # here


@sim.kernel
def clips(m, d):
    d.ctrl[0] = np.clip(d.time, 0.0, 1.0)  # here


@sim.kernel
def unpacks_several(m, d):
    first, *rest = (1.0, 2.0, 3.0)  # here
    d.ctrl[0] = first + rest[0]


@sim.kernel
def turns_back(m, d):
    for i in reversed(range(3)):  # here
        d.ctrl[0] = i


@sim.kernel
def has_two_types(m, d):
    x = 0.0
    if d.time > 1:
        x = (1.0, 2.0)
    d.ctrl[0] = x  # here


@sim.kernel
def misses_math(m, d):
    d.ctrl[0] = math.prod((1.0, 2.0))  # here


@sim.kernel
def returns_sometimes(m, d, i: int) -> float:  # here
    if i > 0:
        return 1.0


@sim.kernel
def returns_after_break(m, d, i: int) -> float:  # here
    while True:
        i += 1
        if i > 3:
            break
        if d.time > i:
            return d.time


@sim.kernel
def returns_text(m, d) -> float:
    return "a"  # here


@sim.kernel
def returns_unannounced(m, d):
    return d.time  # here


@sim.kernel
def returns_fraction(m, d) -> int:
    return 0.5 * m.nq  # here


@sim.kernel
def returns_bool(m, d) -> bool:  # here
    return True


@sim.kernel
def takes_anything(m, d, k):  # here
    d.ctrl[0] = k


@sim.kernel
def takes_array(m, d, k: np.ndarray):  # here
    d.ctrl[0] = k[0]


@sim.kernel
def takes_data(data):  # here
    data.ctrl[0] = 1.0


@sim.kernel
def takes_default(m, d, k: float = 1.0):  # here
    d.ctrl[0] = k


@sim.kernel
def takes_more(m, d, *rest):  # here
    d.ctrl[0] = 1.0
