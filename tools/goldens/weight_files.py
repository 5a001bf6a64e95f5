"""Small files of weights for the readers' tests and fuzz targets: HDF5 by h5py, safetensors by its own library, zip by Python."""

import io
import zipfile

import h5py
import numpy as np
import safetensors.numpy

from golden import REPOSITORY

CORPUS = REPOSITORY / "tests" / "fuzz" / "corpus"


def hdf5(name, fill):
    path = CORPUS / "hdf5" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with h5py.File(path, "w") as file:
        fill(file)


def weights(file):
    for layer in range(2):
        group = file.create_group(f"layers/dense_{layer}/vars" if layer else "layers/dense/vars")
        group.attrs["name"] = f"dense_{layer}"
        group["0"] = np.arange(6, dtype="float32").reshape(2, 3)
        group["1"] = np.zeros(3, dtype="float16")
    numbers = file.create_group("optimizer/vars")
    for i in range(10):
        numbers[str(i)] = np.int64(i)
    half = numbers.create_dataset("10", data=np.array([b"\x80\x3f"], dtype="V2"))
    half.attrs["dtype"] = "bfloat16"


def types(file):
    file["truth"] = np.array([True, False])
    file["empty"] = np.zeros((0, 3), "float32")
    file["double"] = np.float64(0.5)
    for kind in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "uint64"):
        file[kind] = np.arange(3, dtype=kind)
    file.attrs["names"] = ["a", "bc", ""]
    file.attrs["none"] = []
    file.attrs["number"] = 3


REFUSED = {
    "soft_link": lambda file: file.__setitem__("link", h5py.SoftLink("/elsewhere")),
    "external_link": lambda file: file.__setitem__("link", h5py.ExternalLink("/etc/passwd", "/")),
    "chunks": lambda file: file.create_dataset("x", data=np.zeros((8, 8)), chunks=(4, 4)),
    "filter": lambda file: file.create_dataset("x", data=np.zeros((8, 8)), compression="gzip"),
    "external_data": lambda file: file.create_dataset("x", (4,), "float32", external=[("/etc/passwd", 0, 16)]),
    "virtual": lambda file: file.create_virtual_dataset("x", virtual_layout()),
    "hard_link": lambda file: (file.create_group("a"), file.__setitem__("b", file["a"])),
    "compound": lambda file: file.create_dataset("x", data=np.zeros(2, dtype=[("a", "i4"), ("b", "f4")])),
}


def virtual_layout():
    layout = h5py.VirtualLayout((4,), "float32")
    layout[:] = h5py.VirtualSource("/etc/passwd", "x", (4,))
    return layout


def main():
    hdf5("weights", weights)
    hdf5("types", types)
    for name, fill in REFUSED.items():
        hdf5(f"refused_{name}", fill)
    arrays = {"dense.kernel": np.arange(6, dtype="float32").reshape(2, 3), "dense.bias": np.zeros(3, "float16"), "step": np.array(3)}
    path = CORPUS / "safetensors" / "weights"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(safetensors.numpy.save(arrays, metadata={"made_by": "safetensors"}))
    bytes_of = io.BytesIO()
    with zipfile.ZipFile(bytes_of, "w") as archive:
        for name, method in (("stored", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED)):
            archive.writestr(zipfile.ZipInfo(name), b"content " * 8, compress_type=method)
    path = CORPUS / "zip" / "two"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes_of.getvalue())


if __name__ == "__main__":
    main()
