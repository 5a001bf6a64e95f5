"""Arrays, objects and call arguments as JSON."""

import json
import zlib

import jax
import keras
import numpy as np
from keras.src import tree

LARGEST_ARRAY = 8192
KERAS_VALUES = ("__keras_tensor__", "__slice__")  # in configurations, of no module


class NotRecordable(Exception):
    """A call without a case, with the reason."""


def digits(dtype):
    return 17 if dtype == "float64" else 9


def number(x):
    return float(x) if np.isfinite(x) and x != int(x) else (int(x) if np.isfinite(x) and abs(x) < 2**53 and not (x == 0 and np.signbit(x)) else float(x))


def array(x):
    """{"dtype", "shape", "data"}: numbers row-major, complex ones as pairs, texts as texts."""
    x = np.asarray(x)
    dtype = "string" if x.dtype.kind in "SUO" else str(x.dtype)
    if x.size > LARGEST_ARRAY:
        raise NotRecordable("an array too large")
    if dtype == "string":
        data = [each.decode() if isinstance(each, bytes) else str(each) for each in x.ravel().tolist()]
    elif x.dtype.kind == "c":
        data = [number(float(f"{part:.9g}")) for each in x.ravel() for part in (each.real, each.imag)]
    elif x.dtype.kind in "iu":
        data = [int(each) for each in x.ravel()]
    elif x.dtype.kind == "b":
        data = [int(each) for each in x.ravel()]
    else:
        data = [number(float(f"{each:.{digits(dtype)}g}")) for each in x.astype(np.float64).ravel()]
    return {"dtype": dtype, "shape": list(x.shape), "data": data}


def is_array(x):
    return isinstance(x, (np.ndarray, np.generic, jax.Array)) or type(x).__name__ == "EagerTensor"


def is_traced(x):
    return isinstance(x, (jax.core.Tracer, keras.KerasTensor))


def to_numpy(x):
    """A copy on the host of anything that Keras takes for a tensor; other values unchanged."""
    if isinstance(x, keras.Variable):
        x = x.value
    if is_traced(x):
        raise NotRecordable("symbolic arguments")
    if type(x).__name__ in ("BCOO", "BCSR", "SparseTensor", "RaggedTensor"):
        raise NotRecordable("sparse or ragged tensors")
    if is_array(x):
        return np.array(x)
    return x


def numpy_structure(structure):
    return tree.map_structure(to_numpy, structure, none_is_leaf=True) if not isinstance(structure, dict) else {k: numpy_structure(v) for k, v in structure.items()}


def is_own(module):
    return module == "builtins" or module is not None and module.split(".")[0] == "keras" and not module.endswith("_test")


def check_own_classes(config):
    """Raises for classes and functions of the tests themselves, which no other program can make."""
    if isinstance(config, (list, tuple)):
        for each in config:
            check_own_classes(each)
    elif isinstance(config, dict):
        name = config.get("class_name", KERAS_VALUES[0])
        if name in ("__lambda__", "Lambda") or (name not in KERAS_VALUES and not is_own(config.get("module"))):
            raise NotRecordable("a class or function of the test")
        if config.get("class_name") == "function" and (config.get("module") != "builtins" or ">" in str(config.get("config"))):
            raise NotRecordable("a function of the test")
        for each in config.values():
            check_own_classes(each)


def serialized(instance):
    """The object as Keras writes it, without what a build left."""
    if not is_own(type(instance).__module__):
        raise NotRecordable("a class or function of the test")
    try:
        config = keras.saving.serialize_keras_object(instance)
    except Exception as error:  # noqa: BLE001  (whatever get_config refuses)
        raise NotRecordable(f"get_config: {type(error).__name__}") from error
    config.pop("build_config", None)
    config.pop("shared_object_id", None)
    check_own_classes(config)
    try:
        return json.loads(json.dumps(config))
    except (TypeError, ValueError) as error:
        raise NotRecordable("a configuration that is no JSON") from error


def key_of(*parts):
    return zlib.crc32(json.dumps(parts, sort_keys=True, default=str).encode())


def without_names(config):
    """The configuration without the automatic names, to find equal cases."""
    if isinstance(config, list):
        return [without_names(each) for each in config]
    if isinstance(config, dict):
        return {k: without_names(v) for k, v in config.items() if k not in ("name", "registered_name", "shared_object_id")}
    return config


def forms(structure):
    """Shapes and dtypes of the arrays in a structure, and its other values."""
    return [[str(x.dtype), list(x.shape)] if is_array(x) else repr(x) for x in tree.flatten(structure)]
