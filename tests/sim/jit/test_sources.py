"""Texts that a process runs, for compiler processes."""

import json
import subprocess
import sys

from sim.jit import sources


def test_texts_that_differ_from_files(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "_running", {})
    file = tmp_path / "one.py"
    file.write_text("X = 1\n")
    sources.run_from_now_on("one", file, "X = 1\n")
    assert sources.other_than_files() == {}
    file.write_text("X = 2\n")
    assert sources.other_than_files() == {"one": "X = 1\n"}
    assert sources.text_of("one", file) == "X = 1\n"
    assert sources.text_of("two", file) == "X = 2\n"
    file.unlink()
    assert sources.read(file) is None
    assert sources.other_than_files() == {"one": "X = 1\n"}


def test_a_process_imports_the_text_and_not_the_file(tmp_path):
    package = tmp_path / "some"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text("X = (\n")
    (package / "two.py").write_text("from some.one import X\n")
    texts = tmp_path / "texts.json"
    texts.write_text(json.dumps({"some.one": "X = 7\n"}))
    start = f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; import runpy; "
    start += f"runpy.run_path({sources.__file__!r})['install']({str(texts)!r}); import some.two; "
    start += "print(some.two.X, some.one.__file__, 'sim' in sys.modules, sep='\\n')"
    said = subprocess.run([sys.executable, "-c", start], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == ["7", str(package / "one.py"), "False"]
