"""Numbers as panels write them: one prefix for a column, equal decimals, noise as 0."""

from __future__ import annotations

import math

import pytest

from app.ui.quantities import (
    align_decimals,
    column_scale,
    column_texts,
    compact,
    heading,
    number_and_unit,
    quantity,
    si,
)


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ((1.0, 2.0, 3.0), ["1.000", "2.000", "3.000"]), ((-6.7e-17, 1e-5, 0.0996), ["0.00000", "0.00001", "0.09960"]),
        ((12345.6, -0.4), ["12346", "0"]), ((0.0, -0.0), ["0", "0"]), ((4e-15, 0.0), ["0", "0"]),
        ((2e-6,), ["2.000e-06"]), ((3e9, 1.0), ["3.000e+09", "1.000e+00"]), ((float("nan"), 1.0), ["nan", "1.000"]),
    ],
)  # fmt: skip
def test_numbers_of_a_vector_are_written_alike(values: tuple[float, ...], texts: list[str]) -> None:
    assert align_decimals(values) == texts


def test_a_scale_keeps_numbers_from_jumping() -> None:
    assert align_decimals([0.01], largest=9.81) == ["0.010"]
    assert align_decimals([9.81], largest=9.81) == ["9.810"]


def test_quantities_stand_under_each_other() -> None:
    assert [quantity(value, "N") for value in (22.3, 0.957, -1.5e-17)] == ["22.3  N", "957 mN", "0  N"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (22.34, ("22.3", "")), (0.957, ("957", "m")), (1e-3, ("1.00", "m")), (1e6, ("1.00", "M")), (0.0, ("0", "")),
        (2.5e-16, ("0.00", "p")), (5e13, ("50000", "G")), (-1500.0, ("-1.50", "k")), (math.inf, ("inf", "")),
    ],
)  # fmt: skip
def test_prefix_of_one_number(value: float, text: tuple[str, str]) -> None:
    assert si(value) == text


@pytest.mark.parametrize(("unit", "least"), [("N", 1e-9), ("m", 1e-9), ("s", 1e-12), ("B", 1e-12)])
def test_noise_is_zero_by_unit(unit: str, least: float) -> None:
    assert compact(0.99 * least, unit) == f"0 {unit}"
    assert compact(-0.99 * least, unit) == f"0 {unit}"
    assert not compact(1.01 * least, unit).startswith("0 ")


def test_number_and_unit_apart() -> None:
    assert number_and_unit(0.0123, "N m") == ("12.3", "mN m")
    assert number_and_unit(12.3, "N") == ("12.3", "N")


@pytest.mark.parametrize(
    ("values", "unit", "texts", "prefixed"),
    [
        ((0.74, 170e-12, -0.0123), "N", [" 740.0", "     0", " -12.3"], "mN"),
        ((1.0, 0.0005, -0.0), "N", [" 1.000", " 0.001", "     0"], "N"),
        # too small for the decimals of the column but not noise
        ((0.74, 2e-5), "N", [" 740.0", "   0.0"], "mN"),
        ((1234.0, -999.0), "m", [" 1.234", "-0.999"], "km"),
        ((1e-10, -3e-11), "m", ["     0", "     0"], "m"),
        ((0.003, 0.0), "kg", [" 0.00300", "       0"], "kg"),
        ((2e9,), "kg", [" 2.000e+09"], "kg"),
        ((math.nan, 2.5, -math.inf), "m/s", ["   nan", " 2.500", "  -inf"], "m/s"),
        ((math.nan,), "N", ["   nan"], "N"),
        ((), "N", [], "N"),
    ],
)
def test_a_column_has_one_prefix(values: tuple[float, ...], unit: str, texts: list[str], prefixed: str) -> None:
    assert column_texts(values, unit) == (texts, prefixed)
    assert len({len(text) for text in texts}) <= 1


@pytest.mark.parametrize("largest", [1e-7, 3e-4, 0.1, 0.9999, 1.0, 56.7, 999.9, 4e5, 7e11])
def test_numbers_of_a_column_are_equally_wide(largest: float) -> None:
    scale = column_scale((largest,), "N")
    assert {len(scale.text(share * largest)) for share in (-1.0, -0.5, -1e-3, 0.0, 1e-7, 0.01, 1.0)} == {scale.width}
    assert float(scale.text(largest)) * scale.factor == pytest.approx(largest, rel=1e-3)


def test_a_column_keeps_its_prefix_while_it_suits() -> None:
    newtons = column_scale((2.0,), "N")
    assert column_scale((0.9,), "N").unit == "mN"
    assert [column_scale((size,), "N", before=newtons).unit for size in (0.9, 1500.0, 0.0)] == ["N", "N", "N"]
    assert [column_scale((size,), "N", before=newtons).unit for size in (0.4, 2100.0)] == ["mN", "kN"]
    assert column_scale((0.9,), "N", before=newtons).text(0.9).strip() == "0.9000"


def test_units_stand_in_headings() -> None:
    assert heading("force", "mN") == "force (mN)"
    assert heading("state", "") == "state"
