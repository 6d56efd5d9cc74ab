"""The kernel compiles for all platforms, and counts the same with and without what only some compilers have."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import problex.counting

KERNEL = Path(problex.counting.__file__).parent
DRIVER = Path(__file__).with_name("driver.c")
PLATFORMS = [
    f"{processor}-{system}"
    for system in ("linux-gnu", "linux-musl", "macos", "windows-gnu")
    for processor in ("x86_64", "aarch64")
]
CC = shutil.which(os.environ.get("CC", "cc"))

needs_zig = pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="the package ziglang is missing")
needs_cc = pytest.mark.skipif(CC is None, reason="there is no C compiler")


def compile_for(platform: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Compile the driver for a platform; without optimising it, which takes longest and warns of nothing."""
    cache = {"ZIG_GLOBAL_CACHE_DIR": str(folder), "ZIG_LOCAL_CACHE_DIR": str(folder)}
    command = [sys.executable, "-m", "ziglang", "cc", "-target", platform, "-c", "-std=c11", "-O0", *options]
    command += ["-Wall", "-Wextra", "-Werror", f"-I{KERNEL}", str(DRIVER), "-o", str(folder / "driver.o")]
    return subprocess.run(command, env=os.environ | cache, capture_output=True, text=True, check=False)


@needs_zig
@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_kernel_compiles_for(platform: str, tmp_path: Path) -> None:
    compiled = compile_for(platform, tmp_path)
    assert compiled.returncode == 0, compiled.stderr
    assert (tmp_path / "driver.o").stat().st_size > 10_000


@needs_zig
def test_the_kernel_compiles_without_builtins(tmp_path: Path) -> None:
    compiled = compile_for("x86_64-windows-gnu", tmp_path, "-DPX_PORTABLE")
    assert compiled.returncode == 0, compiled.stderr


@needs_zig
def test_a_big_endian_processor_is_refused(tmp_path: Path) -> None:
    compiled = compile_for("s390x-linux-gnu", tmp_path)
    assert compiled.returncode != 0
    assert "needs a little-endian processor" in compiled.stderr


def counted_by(folder: Path, path: str, *options: str) -> str:
    """What the driver prints, compiled for this machine; `path` is the instruction set, "0" for plain C."""
    program = folder / "driver"
    command = [str(CC), "-std=gnu11", *options, f"-I{KERNEL}", str(DRIVER), "-o", str(program)]
    subprocess.run(command, capture_output=True, check=True)
    return subprocess.run([str(program), path], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the driver prints as it is compiled here."""
    return counted_by(tmp_path_factory.mktemp("native"), "0", "-O2")


@needs_cc
def test_results_are_the_same_without_builtins(native: str, tmp_path: Path) -> None:
    """Multiplication to 128 bits, popcount and trailing zeros in plain C, and no vector instructions."""
    assert native == counted_by(tmp_path, "0", "-O2", "-DPX_PORTABLE")
    assert "1200 documents, 24505 tokens" in native


@needs_cc
def test_results_are_the_same_under_sanitizers(native: str, tmp_path: Path) -> None:
    """Every text of the driver ends where its memory ends, so reading a byte too many is an error.

    It is not optimised, so that no such reading is removed before it is checked.
    """
    try:
        checked = counted_by(tmp_path, "0", "-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    except subprocess.CalledProcessError as error:
        if b"cannot find" in (error.stderr or b""):
            pytest.skip("this compiler comes without sanitizers")
        raise
    assert checked == native
