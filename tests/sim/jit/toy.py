"""A tiny engine on sim.jit, with every kind of field, for the tests of the mechanism."""

import math

import numpy as np

from sim.jit import Field, Layout, Plan, Struct, helper, inline, kernel


def field(name, dtype, shape, default=0):
    return Field(name, dtype, shape, "toy", "", "", default)


MODEL = Layout(
    "toy_m",
    (
        field("n", "i8", ()),
        field("f", "f8", ("n", 3)),
        field("deep", "f8", ("n", 2, 2)),
        field("wide", "f8", ("n", "n")),
        field("single", "f4", ("n",)),
        field("index", "i4", ("n",)),
        field("long", "i8", ("n",)),
        field("byte", "u1", ("n",)),
        field("flag", "b1", ("n",)),
        field("opt.step", "f8", (), 0.5),
        field("opt.count", "i8", (), 3),
    ),
    const=True,
)
DATA = Layout(
    "toy_d",
    (
        field("time", "f8", ()),
        field("on", "b1", ()),
        field("f", "f8", ("n", 3)),
        field("deep", "f8", ("n", 2, 2)),
        field("wide", "f8", ("n", "n")),
        field("single", "f4", ("n",)),
        field("index", "i4", ("n",)),
        field("long", "i8", ("n",)),
        field("byte", "u1", ("n",)),
        field("flag", "b1", ("n",)),
        field("x", "f8", ()),
        field("checkpoint_x", "f8", ()),
        field("ncon", "i8", ()),
        field("contact.dist", "f8", ("ncon",)),
        field("contact.pos", "f8", ("ncon", 3)),
        field("required.ncon", "i8", ()),
    ),
    const=False,
)

SCALE = 2.0


def make(n=4, room=2):
    m = Struct(Plan(MODEL, {"n": n}))
    m.n = n
    return m, Struct(Plan(DATA, {"n": n, "ncon": room}))


@inline
def get3(a, i):
    return a[i, 0], a[i, 1], a[i, 2]


@helper
def scaled(v):
    return v * SCALE


@kernel
def chosen(m: MODEL, up: int) -> float:
    """An argument that is a conditional expression."""
    return scaled(m.opt.step if up > 0 else -m.opt.step)


@kernel
def copy_all(m: MODEL, d: DATA):
    """Every kind of field, read and written."""
    for i in range(m.n):
        x, y, z = get3(m.f, i)
        d.f[i, 0] = x
        d.f[i, 1] = y
        d.f[i, 2] = z
        for j in range(2):
            for k in range(2):
                d.deep[i, j, k] = m.deep[i, j, k]
        for j in range(m.n):
            d.wide[i, j] = m.wide[i, j]
        d.single[i] = m.single[i]
        d.index[i] = m.index[i]
        d.long[i] = m.long[i]
        d.byte[i] = m.byte[i]
        d.flag[i] = m.flag[i]
    d.time += m.opt.step
    d.on = m.opt.count == 3


@kernel
def double(m: MODEL, x: float) -> float:
    return scaled(x)


@inline
def square_less(x, y):
    return x * x - y


@kernel(exact=True)
def rest_of_square(m: MODEL, x: float, y: float) -> float:
    return square_less(x, y)


@kernel
def quadruple(m: MODEL, x: float) -> float:
    return double(m, double(m, x))


@kernel
def lonely(m: MODEL, i: int) -> int:
    return i + 1


@kernel
def count(m: MODEL, d: DATA, n: int) -> int:
    """Refers to a kernel that a model without flags does not need."""
    total = n
    if m.flag[0]:
        total = lonely(m, total)
    return total


@kernel
def read_at(m: MODEL, d: DATA, i: int, j: int) -> float:
    return d.f[i, j]


@kernel
def collide(m: MODEL, d: DATA):
    """As many contacts as steps were made, each with its own distance."""
    wanted = int(d.x) + 1
    d.ncon = 0
    if wanted > len(d.contact.dist):
        d.required.ncon = wanted
        return
    for c in range(wanted):
        d.contact.dist[c] = d.x + 0.001 * c
        d.contact.pos[c, 2] = c
        d.ncon += 1


@kernel
def run(m: MODEL, d: DATA, n: int) -> int:
    """Steps that change the state before they collide, so that a failed one must be undone."""
    for i in range(n):
        d.checkpoint_x = d.x
        d.required.ncon = 0
        d.x += 1.0
        collide(m, d)
        if d.required.ncon > 0:
            d.x = d.checkpoint_x
            return i
    return n


PRIMES = (2, 3, 5, 7)


@kernel
def turns(m: MODEL, start: int, stop: int, step: int) -> int:
    """What loops go through, by a step that is known and by one that is not."""
    total = 0
    for i in range(stop):
        total = (3 * total + i) % 9973
    for i in range(start, stop):
        total = (5 * total + i) % 9973
    for i in range(stop, start, -2):
        total = (7 * total + i) % 9973
    for i in range(start, stop, step):
        total = (11 * total + i) % 9973
    return total


@kernel
def extremes(m: MODEL, x: float, y: float, i: int) -> float:
    """min, max, int and `in`, of numbers of several types."""
    total = max(x, y) + 10.0 * min(x, y, 0.25) + 100.0 * max(i, 0) + 1000.0 * min(i, x) + 10000.0 * int(y)
    return total + (1.0 if i in PRIMES else 2.0) + PRIMES[i % 4]


@kernel
def joined(m: MODEL, n: int) -> float:
    """Variables that are assigned in branches and in loops, used after them, and exchanged."""
    low, high, last = 0.0, 1.0, -1.0
    for i in range(n):
        low, high = high, low + 0.5 * high
        if i % 3 == 1:
            last = low
        elif i % 3 == 2:
            continue
        for k in range(i):
            if k > 4:
                break
            last += high
        else:
            last -= 0.125
    return last + 8.0 * low


@kernel
def root(m: MODEL, x: float) -> float:
    """Mentions numpy, as no kernel of the engine does."""
    return np.sqrt(x) + divmod(7, 2)[0] + max((x, 3.0)) + math.gcd(12, 18) + sum((1.0, 2.0, 3.0, 4.0)[1:3])


@kernel
def unsigned(m: MODEL, x: float) -> float:
    """The largest of numbers without a sign."""
    return 1.0 if max(np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(3)) > np.uint64(5) else x


def times(factor):
    """A kernel with a helper of its own, of the same names each time."""

    @helper
    def scaled(x):
        return factor * x

    @kernel
    def product(m: MODEL, x: float) -> float:
        return scaled(x)

    return product


def one_more_than_times(factor):
    """A kernel that calls a kernel of its own, of the same names each time."""

    @kernel
    def product(m: MODEL, x: float) -> float:
        return factor * x

    @kernel
    def more(m: MODEL, x: float) -> float:
        return product(m, x) + 1.0

    return more


@helper(reduce=True)
def sum_of_products(a, b, n):
    total = 0.0
    for i in range(n):
        total += a[i] * b[i]
    return total


@kernel
def total(m: MODEL, d: DATA) -> float:
    """A sum that may be reordered: it is vectorised."""
    return sum_of_products(m.single, d.single, m.n)


@helper
def halved_until(x, low):
    """A loop that is left in three ways."""
    count = 0
    while True:
        if x < low:
            break
        x = 0.5 * x
        count += 1
        if count > 40:
            return -1.0
    return x + 0.001 * count


@kernel
def first_above(m: MODEL, x: float) -> int:
    """Returns from inside two loops."""
    for i in range(m.n):
        for k in range(3):
            if m.f[i, k] > halved_until(x + 1.0, 0.3 + x):
                return 3 * i + k
    return -1


@kernel
def smooth(m: MODEL, d: DATA) -> float:
    """Arithmetic that may be fused, with functions of the C library."""
    total = 0.0
    for i in range(m.n):
        x, y, z = get3(m.f, i)
        r = math.sqrt(x * x + y * y + z * z)
        total += math.sin(x) * math.cos(y) + math.atan2(z, r) * math.exp(-r) + halved_until(abs(x), 0.01)
        total += total // 3.0 + 7.0 % r + x**2 - math.pow(r, 0.3)
    return total


@kernel
def größe(m: MODEL, 長さ: float) -> float:
    """Names that are not ASCII."""
    ähnlich = 長さ
    for _ in range(2):
        ähnlich = ähnlich * 長さ
    return ähnlich


@kernel
def nth_prime(m: MODEL, i: int) -> int:
    return PRIMES[i]


@kernel
def no_turns(m: MODEL, n: int) -> int:
    """A loop whose step is zero; Python has none such."""
    total = n
    for i in range(3, 0, 0):
        total += i
    return total


@kernel
def does_not_compile(m: MODEL, d: DATA):
    d.time = m.no_such_field


@kernel
def writes_model(m: MODEL, d: DATA):
    m.f[0, 0] = 1.0


@kernel
def answer(m: MODEL, d: DATA, i: int, x: float) -> float:
    return x


@kernel
def other_answer(m: MODEL, d: DATA, i: int, x: float) -> float:
    return 10.0 * x + i


def python_answer(m, d, i, x):
    """Sees the structs themselves, numpy and all."""
    if i < 0:
        raise KeyError(i)
    d.f[i] = m.f[i] + x
    return d.f.sum()


@kernel
def asks(m: MODEL, d: DATA, i: int) -> float:
    return answer(m, d, i, m.opt.step) + 1.0
