"""Dtypes of the results of keras.ops and keras.random that no argument gives a dtype, for each keras.config.floatx().

Results of integers and booleans are those that Keras declares: JAX itself computes many of them in its own default type. For floatx = float64 JAX gets
its 64-bit types, and Keras's rule that float64 becomes float32, which is of JAX without these types, is switched off.
"""

import json
import os
import subprocess
import sys

FLOATS = ("float16", "bfloat16", "float32", "float64")
UNARY = ("angle", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "cbrt", "ceil", "cos", "cosh", "deg2rad", "exp", "exp2", "expm1", "fabs", "floor",
         "i0", "log", "log10", "log1p", "log2", "mean", "median", "nanmean", "rad2deg", "sin", "sinc", "sinh", "sqrt", "std", "tan", "tanh", "trunc",
         "var")
BINARY = ("arctan2", "divide", "heaviside", "hypot", "linspace", "logaddexp", "logspace", "true_divide")


def creations():
    """(name, result) of the calls without tensors."""
    from keras import ops, random

    calls = {
        "zeros": lambda: ops.zeros((2,)), "ones": lambda: ops.ones((2,)), "empty": lambda: ops.empty((2,)), "full_1": lambda: ops.full((2,), 1),
        "full_0.5": lambda: ops.full((2,), 0.5), "eye": lambda: ops.eye(2), "identity": lambda: ops.identity(2), "tri": lambda: ops.tri(2),
        "arange_3": lambda: ops.arange(3), "arange_3.0": lambda: ops.arange(3.0), "arange_0.5": lambda: ops.arange(0, 2, 0.5),
        "linspace_0.5_1": lambda: ops.linspace(0.5, 1.0, 3), "logspace_0.5_1": lambda: ops.logspace(0.5, 1.0, 3),
        "bartlett": lambda: ops.bartlett(4), "blackman": lambda: ops.blackman(4), "hamming": lambda: ops.hamming(4), "hanning": lambda: ops.hanning(4),
        "kaiser": lambda: ops.kaiser(4, 1.0), "convert_to_tensor_0.5": lambda: ops.convert_to_tensor(0.5),
        "uniform": lambda: random.uniform((2,)), "normal": lambda: random.normal((2,)), "truncated_normal": lambda: random.truncated_normal((2,)),
        "gamma": lambda: random.gamma((2,), 1.0), "beta": lambda: random.beta((2,), 1.0, 1.0), "binomial": lambda: random.binomial((2,), 3.0, 0.5),
        "randint": lambda: random.randint((2,), 0, 3), "one_hot_int": lambda: ops.one_hot(ops.zeros((2,), "int32"), 3),
        "multi_hot_int": lambda: ops.multi_hot(ops.zeros((2,), "int32"), 3),
    }
    return {name: str(call().dtype) for name, call in calls.items()}


def functions(integer, boolean):
    """(name, dtype) of the calls with symbolic integers [2, 3] and booleans."""
    from keras import ops

    def of(name, *arguments):
        return getattr(ops, name)(*arguments).dtype

    found = {f"{name}_int": of(name, integer) for name in UNARY} | {f"{name}_bool": of(name, boolean) for name in ("mean", "sqrt", "var")}
    found |= {f"{name}_ints": of(name, integer, integer) for name in BINARY}
    found |= {f"{name}_int_0.5": of(name, integer, 0.5) for name in ("add", "divide", "floor_divide", "maximum", "mod", "multiply", "power", "subtract")}
    found["divide_int_2"] = of("divide", integer, 2)
    found["where_int_0.5"] = of("where", boolean, integer, 0.5)
    found["average_int"] = of("average", integer)
    found["quantile_int"] = of("quantile", integer, 0.5)
    found["corrcoef_int"] = of("corrcoef", integer)
    found["norm_int"] = of("norm", integer)
    return found


def record(floatx):
    """Prints the dtypes for one floatx."""
    import keras
    from keras.src.backend.common import dtypes

    del dtypes.BIT64_TO_BIT32_DTYPE["float64"]
    keras.config.set_floatx(floatx)
    inputs = [keras.KerasTensor((2, 3), dtype) for dtype in ("int32", "bool")]
    print(json.dumps(creations() | functions(*inputs)))


def main():
    from golden import write

    found = {}
    for name in FLOATS:
        environment = {**os.environ, "JAX_ENABLE_X64": "1" if name == "float64" else "0"}
        made = subprocess.run([sys.executable, __file__, name], env=environment, check=True, capture_output=True, text=True)
        found[name] = json.loads(made.stdout.splitlines()[-1])
    write("default_dtypes", found)


if __name__ == "__main__":
    record(sys.argv[1])
