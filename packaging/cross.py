"""Wheels for other platforms, cross-compiled with Zig from the wheel of this one: `make wheel cross`.

The release builds each platform on a machine of its own (.github/workflows/wheels.yml). This script shows on one
machine that the compiled modules also compile and link for the others; it cannot run them there. Windows is missing:
its modules need the headers and the import library of Python for Windows, which no Python package has.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "problex"
SOURCES = sorted(path.relative_to(PACKAGE).with_suffix("").as_posix() for path in PACKAGE.rglob("*.pyx"))
SHARED = "_util/_memoryviews"
"""Cython's own code, which has no source: see setup.py."""
TARGETS = {
    "manylinux_2_17_aarch64": "aarch64-linux-gnu.2.17",
    "musllinux_1_2_x86_64": "x86_64-linux-musl",
    "musllinux_1_2_aarch64": "aarch64-linux-musl",
    "macosx_11_0_x86_64": "x86_64-macos.11.0",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
}
"""Name of the platform in a wheel, and Zig's name of it."""


def run(*command: str | Path) -> None:
    """Run a module of Python; raise if it fails."""
    subprocess.run([sys.executable, "-m", *map(str, command)], check=True, stdout=subprocess.DEVNULL)


def compile_module(source: str, target: str, folder: Path, package: Path) -> None:
    """Compile one module for a platform, in place of that in an unpacked wheel."""
    generated = folder / "generated" / f"{source}.c"
    generated.parent.mkdir(parents=True, exist_ok=True)
    if not generated.exists() and source == SHARED:
        run("cython", f"--generate-shared={generated}")
    elif not generated.exists():
        shared = f"--shared=problex.{SHARED.replace('/', '.')}"
        run("cython", "-3", shared, PACKAGE / f"{source}.pyx", "-o", generated)
    options = ["-shared", "-fPIC", "-O3", "-g0", "-std=gnu11", "-DPy_LIMITED_API=0x030B0000", "-w"]
    options += ["-Wl,-undefined,dynamic_lookup"] if "macos" in target else []
    options += ["-DPX_PORTABLE"] if "x86_64" in target else []  # Zig has no library that names the processor
    places = [f"-I{sysconfig.get_paths()['include']}", f"-I{PACKAGE / 'counting'}"]
    output = package / f"{source}.abi3.so"
    assert output.exists(), f"{output.name} is not in the wheel: build it with make wheel"
    run("ziglang", "cc", "-target", target, *options, *places, generated, "-o", output)


def main() -> None:
    """Make a wheel for each platform, in dist/cross."""
    (wheel,) = (ROOT / "dist").glob("problex-*.whl")
    made = ROOT / "dist" / "cross"
    made.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {"ZIG_GLOBAL_CACHE_DIR": str(folder / "zig"), "ZIG_LOCAL_CACHE_DIR": str(folder / "zig")}
        run("wheel", "unpack", wheel, "--dest", folder)
        (unpacked,) = folder.glob("problex-*")
        for platform, target in TARGETS.items():
            for source in [SHARED, *SOURCES]:
                compile_module(source, target, folder, unpacked / "problex")
            described = unpacked.glob("*.dist-info/WHEEL")
            for file in described:
                lines = file.read_text(encoding="utf-8").splitlines()
                kept = [line for line in lines if line and not line.startswith("Tag:")]
                file.write_text("\n".join([*kept, f"Tag: cp311-abi3-{platform}", ""]), encoding="utf-8")
            run("wheel", "pack", unpacked, "--dest-dir", made)
    for file in sorted(made.iterdir()):
        print(file.name, f"{file.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
