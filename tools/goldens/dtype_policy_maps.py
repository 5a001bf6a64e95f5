"""keras.dtype_policies.DTypePolicyMap: configurations, and which policy a path has ("error" where several keys fit)."""

import keras
from keras.dtype_policies import DTypePolicy, DTypePolicyMap

from golden import write

MAPS = [
    (None, {}), ("float32", {}), ("mixed_bfloat16", {"encoder/layer_0/dense": "bfloat16", "encoder/.*": "float16", "decoder": "bfloat16"}),
    ("float32", {"encoder/.*": "float16", "encoder/attention/.*": "bfloat16", r"block_\d+/[a-f_]+/k?ernel": "float64", "a+b*c": "mixed_float16",
                 r"x\.y": "float16", "[^/]*/last": "bfloat16", r"\w+_\d": "float64"}),
]
PATHS = ["", "encoder", "encoder/", "encoder/x", "encoder/layer_0/dense", "encoder/attention/query", "decoder", "decoder/attention", "block_12/abc_/kernel", "block_12/abc/ernel",
         "block_/abc/kernel", "block_1/xyz/kernel", "aab", "abbbc", "ac", "bc", "aabc", "x.y", "xay", "a/last", "a/b/last", "/last", "layer_1", "layer_12", "layer_1/x"]


def found(policies, path):
    try:
        return policies[path].name
    except ValueError:
        return "error"


def case(default, keys):
    policies = DTypePolicyMap(None if default is None else DTypePolicy(default), {key: DTypePolicy(name) for key, name in keys.items()})
    row = {"default": default, "keys": list(keys.items()), "name": policies.name, "found": {path: found(policies, path) for path in PATHS}}
    return {**row, "config": keras.saving.serialize_keras_object(policies)}


def main():
    write("dtype_policy_maps", {"cases": [case(*one) for one in MAPS]})


if __name__ == "__main__":
    main()
