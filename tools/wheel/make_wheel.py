#!/usr/bin/env python3
"""make_wheel.py INSTALLED VERSION OUTPUT: makes a wheel of an installed Cornu, the package in package/ and the entry points.

INSTALLED is the folder of `cmake --install`. The wheel has the tag linux_x86_64; auditwheel gives it the one of manylinux.
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# Modules that need libraries of the system which no wheel can bring: gRPC, MPI, curl, image formats.
LEFT_OUT = ("libcornu_remote", "libcornu_mpi", "libcornu_kubernetes", "libcornu_http", "libcornu_images")

METADATA = """Metadata-Version: 2.1
Name: cornu
Version: {version}
Summary: CPU engine for JAX and Keras programs (a PJRT plug-in), and the C++ library Cornu
License: Apache-2.0
Requires-Python: >=3.11
Provides-Extra: jax
Requires-Dist: jax>=0.10,<0.11; extra == "jax"

Run JAX and Keras programs on Cornu's CPU engine: JAX_PLATFORMS=cornu python train.py
"""
ENTRY_POINTS = """[jax_plugins]
cornu = cornu.jax_plugin

[torch_xla.plugins]
cornu = cornu.torch_xla_plugin:Plugin

[console_scripts]
cornu = cornu:main
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: cornu\nRoot-Is-Purelib: false\nTag: py3-none-linux_x86_64\n"


class Wheel:
    """A wheel that is being written, with the hashes of its files."""

    def __init__(self, path):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.records = []

    def add(self, name, content, mode=0o644):
        info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        info.external_attr = (0o100000 | mode) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(info, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.records.append(f"{name},sha256={digest},{len(content)}")

    def close(self, record):
        self.archive.writestr(record, "\n".join([*self.records, f"{record},,", ""]))
        self.archive.close()


def installed_files(root):
    """Names in the wheel, and the files. A wheel has no links: of the library's names the one that programs load is kept."""
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_dir() or path.name.startswith(LEFT_OUT) or name.startswith("share/"):
            continue
        if path.name.startswith("libcornu.so") and path.name.count(".") != 3:  # libcornu.so.0.1
            continue
        yield name, path


def content_of(path):
    content = path.read_bytes()
    if path.suffix == ".cmake":  # the exported target names the full version, whose file is left out
        version = next(path.parents[2].glob("libcornu.so.*.*.*")).name
        content = content.replace(version.encode(), version.rsplit(".", 1)[0].encode())
    return content


def main():
    root, version, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"cornu-{version}-py3-none-linux_x86_64.whl"
    wheel = Wheel(path)
    for source in sorted((HERE / "package").rglob("*.py")):
        wheel.add(source.relative_to(HERE / "package").as_posix(), source.read_bytes())
    for name, file in installed_files(root):
        wheel.add(f"cornu/{name}", content_of(file), 0o755 if file.stat().st_mode & 0o100 else 0o644)
    info = f"cornu-{version}.dist-info"
    wheel.add(f"{info}/METADATA", METADATA.format(version=version).encode())
    wheel.add(f"{info}/entry_points.txt", ENTRY_POINTS.encode())
    wheel.add(f"{info}/WHEEL", WHEEL.encode())
    wheel.close(f"{info}/RECORD")
    print(path)


if __name__ == "__main__":
    main()
