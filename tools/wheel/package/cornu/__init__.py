"""Cornu: a CPU engine for JAX, the program `cornu`, and the C++ library with its CMake package."""

import os
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def plugin_path():
    """Path of the PJRT plug-in."""
    return str(FOLDER / "lib" / "libcornu_pjrt.so")


def cmakedir():
    """Folder of the CMake package: cmake -DCornu_DIR=$(cornu config --cmakedir)."""
    return str(FOLDER / "lib" / "cmake" / "Cornu")


def main():
    """The program `cornu`; `cornu config` prints where the parts of the package are."""
    places = {"--cmakedir": cmakedir(), "--includedir": str(FOLDER / "include"), "--plugin": plugin_path()}
    if sys.argv[1:2] == ["config"]:
        if len(sys.argv) != 3 or sys.argv[2] not in places:
            sys.exit(f"cornu config needs one of: {', '.join(places)}")
        print(places[sys.argv[2]])
        return
    program = str(FOLDER / "bin" / "cornu")
    os.execv(program, [program, *sys.argv[1:]])
