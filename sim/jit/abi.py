"""Binary interface between compiler and loader: status codes, the fault record, and the platform's key."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache

# every index is checked; a negative one is an error
CHECKED = os.environ.get("KINETOSCOPE_CHECK", "") not in ("", "0")

# kernels are compiled by numba's stock pipeline instead of our front end
STOCK = os.environ.get("KINETOSCOPE_JIT", "") == "stock"

# status codes of native functions; numba's own exceptions have 1
OK = 0
RAISED = 1
FAULT = 101  # an index out of range: see the fault record
UNBOUND = 102  # a required kernel could not be compiled, or Python raised


def _ascii(symbol: str) -> str:
    """llvmlite looks up no other symbols."""
    return symbol.encode("ascii", "backslashreplace").decode()


def unit_symbol(kernel: str) -> str:
    """Symbol of a kernel's code."""
    return _ascii(f"kinetoscope.unit.{kernel}")


def cell_symbol(kernel: str) -> str:
    """Symbol of the word that holds the address of a kernel's code."""
    return _ascii(f"kinetoscope.cell.{kernel}")


def field_symbol(layout: str, field: str) -> str:
    """Symbol whose address is the byte offset of a field."""
    return _ascii(f"kinetoscope.{layout}.{field}")


# files that determine the object code of kernels and the memory layout of fields
CODEGEN = ("abi.py", "compiler.py", "frontend.py", "layout.py", "level.py", "library.py", "lowering.py", "stock.py")


class FaultRecord(ctypes.Structure):
    """The index that was out of range; each call passes one, and native code of a checked build writes it."""

    _fields_ = (
        ("field", ctypes.c_char_p),
        ("function", ctypes.c_char_p),
        ("axis", ctypes.c_int64),
        ("index", ctypes.c_int64),
        ("extent", ctypes.c_int64),
    )


@cache
def platform() -> str:
    """Everything outside the kernels' sources that determines object code compiled here."""
    from importlib.metadata import PackageNotFoundError, version

    import llvmlite
    import llvmlite.binding as llvm

    from sim.jit import level

    try:
        numba = version("numba")
    except PackageNotFoundError:
        numba = "none"
    return "\n".join(
        [
            f"python {sys.version_info[0]}.{sys.version_info[1]}",
            f"numba {numba} llvmlite {llvmlite.__version__}",
            f"{llvm.get_process_triple()} {level.current()[:3]}",
            f"checked {CHECKED} stock {STOCK}",
            f"codegen {codegen_digest()}",
        ]
    )


@cache
def codegen_digest() -> str:
    """Digest of the CODEGEN files: a change there invalidates every cached unit."""
    import hashlib
    from pathlib import Path

    here = Path(__file__).parent
    return hashlib.sha256(b"".join((here / name).read_bytes() for name in CODEGEN)).hexdigest()
