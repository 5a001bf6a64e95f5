#!/usr/bin/env python3
"""Makes tests/goldens/operation_graphs.json: functional models of one keras.ops function each, or of one layer
of keras.applications, with what they give.

Needs Keras 3 and JAX, on the CPU:

    KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/goldens/operation_graphs.py
"""

import importlib
import json
import os
import pathlib

os.environ.setdefault("KERAS_BACKEND", "jax")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import keras
import numpy as np
from keras import ops

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
random = np.random.RandomState(7)
cases = []


def f(*shape, low=-2.0, high=2.0):
    return random.uniform(low, high, shape).astype("float32")


def i(*shape, low=0, high=4):
    return random.randint(low, high, shape).astype("int32")


def b(*shape):
    return random.uniform(size=shape) < 0.5


def case(function, *inputs):
    """The graph of the function on symbolic inputs, and what it gives for these. Inputs have open batches."""
    keras.backend.clear_session()
    symbols = [keras.Input(x.shape[1:], dtype=str(x.dtype), name=f"x{n}") for n, x in enumerate(inputs)]
    outputs = keras.tree.flatten(function(*symbols))
    model = keras.Model(symbols, outputs)
    results = [np.asarray(y) for y in keras.tree.flatten(model(list(inputs)))]
    cases.append({
        "model": json.loads(model.to_json())["config"],
        "inputs": [{"dtype": str(x.dtype), "shape": x.shape, "values": x.astype("float64").ravel().tolist()} for x in inputs],
        "outputs": [{"dtype": str(y.dtype), "shape": y.shape, "values": [round(float(v), 7) for v in y.ravel()]} for y in results],
    })


def elementwise():
    for name in ("add subtract multiply divide true_divide divide_no_nan floor_divide mod fmod maximum minimum fmax fmin hypot logaddexp "
                 "logaddexp2 heaviside arctan2 equal not_equal less less_equal greater greater_equal logical_and logical_or "
                 "logical_xor").split():
        case(getattr(ops, name), f(3, 4), f(3, 4))
    case(lambda x: ops.power(x, 3), f(3, 4))
    case(lambda x: 2 - x, f(3, 4))
    case(lambda x: ops.maximum(x, np.array([0.5, 1.0, -1.0, 0.25], "float32")), f(3, 4))
    for name in "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift left_shift right_shift".split():
        case(getattr(ops, name), i(3, 4), i(3, 4))
    for name in ("logical_not negative absolute fabs sign signbit square exp exp2 expm1 cbrt sin cos tan arctan sinh cosh tanh arcsinh sinc "
                 "deg2rad rad2deg floor ceil trunc isnan isinf isposinf isneginf isfinite copy erf erfc relu relu6 selu sigmoid log_sigmoid "
                 "hard_sigmoid sparse_sigmoid silu hard_silu softplus softsign tanh_shrink hard_tanh sparse_plus leaky_relu elu celu "
                 "soft_shrink hard_shrink squareplus gelu nan_to_num stop_gradient").split():
        case(getattr(ops, name), f(3, 4))
    for name in "log log1p log2 log10 sqrt rsqrt reciprocal arccosh".split():
        case(getattr(ops, name), f(3, 4, low=1.1))
    for name in "arcsin arccos arctanh erfinv".split():
        case(getattr(ops, name), f(3, 4, low=-0.9, high=0.9))
    for name in "bitwise_not bitwise_invert".split():
        case(getattr(ops, name), i(3, 4))
    case(lambda x: ops.leaky_relu(x, 0.3), f(3, 4))
    case(lambda x: ops.elu(x, alpha=0.5), f(3, 4))
    case(lambda x: ops.gelu(x, approximate=False), f(3, 4))
    case(lambda x: ops.squareplus(x, b=2), f(3, 4))
    case(lambda x: ops.threshold(x, 0.5, -1.0), f(3, 4))
    case(lambda x: ops.isclose(x, 0.5, atol=0.3), f(3, 4))
    case(lambda x: ops.round(x, 1), f(3, 4))
    case(lambda x: ops.clip(x, -1, 1), f(3, 4))
    case(lambda x: ops.cast(x, "float16"), f(3, 4))
    case(lambda x: ops.saturate_cast(x, "uint8"), f(3, 4))
    case(lambda x: ops.where(x > 0, x, 0.5), f(3, 4))
    case(lambda x, y: ops.select([x > 0, y > 0], [x, y], default=0.5), f(3, 4), f(3, 4))


def reducing():
    for name in "sum mean amax amin max min ptp var std median logsumexp prod".split():
        case(lambda x, n=name: getattr(ops, n)(x, axis=1, keepdims=True), f(3, 4, 2))
        case(lambda x, n=name: getattr(ops, n)(x, axis=-1), f(3, 4, 2))
    for name in "all any count_nonzero".split():
        case(lambda x, n=name: getattr(ops, n)(x, axis=1), b(3, 4))
    for name in "argmax argmin cumsum cumprod".split():
        case(lambda x, n=name: getattr(ops, n)(x, axis=1), f(3, 4, 2))
    case(lambda x: ops.quantile(x, 0.25), f(3, 4))
    case(lambda x: ops.quantile(x, [0.25, 0.5]), f(3, 4))
    case(lambda x: ops.percentile(x, 25.0), f(3, 4))
    case(lambda x: ops.average(x, axis=1, weights=np.array([1, 2, 3, 4], "float32")), f(3, 4))
    case(lambda x: ops.norm(x), f(3, 4))
    case(lambda x: ops.norm(x, ord="fro", axis=(1, 2)), f(3, 4, 2))
    case(lambda x: ops.moments(x, axes=[1], keepdims=True), f(3, 4))


def shaping():
    case(lambda x: ops.reshape(x, (-1, 8)), f(3, 4, 2))
    case(ops.ravel, f(3, 4))
    case(lambda x: ops.transpose(x, (0, 2, 1)), f(3, 4, 2))
    case(ops.transpose, f(3, 4))
    case(lambda x: ops.swapaxes(x, 1, -1), f(3, 4, 2))
    case(lambda x: ops.moveaxis(x, 1, 2), f(3, 4, 2))
    case(lambda x: ops.moveaxis(x, [1, 2], [2, 1]), f(3, 4, 2))
    case(lambda x: ops.expand_dims(x, (1, -1)), f(3, 4))
    case(lambda x: ops.squeeze(x, 1), f(3, 1, 2))
    case(lambda x, y: ops.concatenate([x, y], axis=-1), f(3, 4), f(3, 2))
    case(lambda x, y: ops.stack([x, y], axis=1), f(3, 4), f(3, 4))
    case(lambda x, y: ops.hstack([x, y]), f(3, 4), f(3, 2))
    case(lambda x, y: ops.vstack([x, y]), f(3, 4), f(3, 4))
    case(lambda x, y: ops.append(x, y, axis=1), f(3, 4), f(3, 4))
    case(lambda x: ops.unstack(x, axis=1), f(3, 4))
    case(lambda x: ops.split(x, 2, axis=1), f(3, 4))
    case(lambda x: ops.split(x, [1, 3], axis=-1), f(3, 4))
    case(lambda x: ops.array_split(x, 3, axis=1), f(3, 4))
    case(lambda x: ops.tile(x, [1, 2]), f(3, 4))
    case(lambda x: ops.repeat(x, 2, axis=1), f(3, 4))
    case(lambda x: ops.flip(x, axis=1), f(3, 4))
    case(ops.fliplr, f(3, 4))
    case(ops.flipud, f(3, 4))
    case(lambda x: ops.rot90(x, k=1, axes=(1, 2)), f(3, 4, 2))
    case(lambda x: ops.roll(x, 1, axis=1), f(3, 4))
    case(lambda x: ops.pad(x, [[0, 0], [1, 2]], constant_values=1.5), f(3, 4))
    case(lambda x: ops.pad(x, [[0, 0], [1, 2]], mode="reflect"), f(3, 4))
    for name in "tril triu".split():
        case(lambda x, n=name: getattr(ops, n)(x, k=1), f(3, 4, 4))
    case(lambda x: ops.diagonal(x, axis1=1, axis2=2), f(3, 4, 4))
    case(lambda x: ops.trace(x, axis1=1, axis2=2), f(3, 4, 4))
    case(lambda x: ops.diff(x, axis=1), f(3, 4))
    case(ops.zeros_like, f(3, 4))
    case(ops.ones_like, f(3, 4))
    case(lambda x: ops.full_like(x, 3), f(3, 4))
    case(lambda x, y: ops.linspace(x, y, num=3, axis=-1), f(3, 4), f(3, 4))


def indexing():
    case(lambda x: x[:, 0], f(3, 4, 2))
    case(lambda x: x[:, -1], f(3, 4, 2))
    case(lambda x: x[:, 1:3, ::-1], f(3, 4, 2))
    case(lambda x: x[..., None, -1:], f(3, 4, 2))
    case(lambda x: x[:, None], f(3, 4, 2))
    case(lambda x: x[:, ::2, 1], f(3, 4, 2))
    case(lambda x: ops.take(x, np.array([1, 0], "int32"), axis=1), f(3, 4))
    case(lambda x: ops.take(np.arange(10, dtype="float32").reshape(5, 2), x, axis=0), i(3, 4))
    case(lambda x, y: ops.take_along_axis(x, y, axis=1), f(3, 4), i(3, 2))
    case(lambda x: ops.slice(x, [0, 1, 0], [3, 2, 2]), f(3, 4, 2))
    case(lambda x, y: ops.slice_update(x, [0, 1], y), f(3, 4), f(3, 2))
    case(lambda x: ops.scatter_update(x, [[0, 1], [2, 2]], [3.0, 4.0]), f(3, 4))
    case(lambda x: ops.one_hot(x, 4), i(3, 4))
    case(lambda x: ops.multi_hot(x, 4), i(3, 4))
    case(lambda x, y: ops.in_top_k(x, y, 2), i(3), f(3, 4))
    case(lambda x: ops.searchsorted(np.array([0, 1, 2], "float32"), x), f(3))
    case(lambda x: ops.digitize(x, np.array([0.0, 1.0], "float32")), f(3, 4))
    case(lambda x: ops.sort(x, axis=1), f(3, 4))
    case(lambda x: ops.argsort(x, axis=1), f(3, 4))
    case(lambda x: ops.top_k(x, 2), f(3, 4))
    case(lambda x: ops.extract_sequences(x, 3, 2), f(3, 9))
    for name in "segment_sum segment_max".split():
        case(lambda x, y, n=name: getattr(ops, n)(x, y, num_segments=4), f(5, 2), i(5))


def network():
    case(lambda x, y: x @ y, f(3, 4, 2), f(3, 2, 3))
    case(lambda x: ops.matmul(x, np.ones((4, 2), "float32")), f(3, 4))
    case(lambda x: ops.dot(x, np.ones((4, 2), "float32")), f(3, 4))
    case(lambda x, y: ops.einsum("bij,bkj->bik", x, y), f(3, 4, 2), f(3, 5, 2))
    case(lambda x: ops.tensordot(x, np.ones((4, 2), "float32"), axes=[[1], [0]]), f(3, 4))
    case(lambda x: ops.tensordot(x, np.ones((4, 2), "float32"), axes=1), f(3, 4))
    case(ops.cross, f(3, 3), f(3, 3))
    case(lambda x: ops.inner(x, np.ones((2, 4), "float32")), f(3, 4))
    case(ops.outer, f(3), f(3))
    case(ops.kron, f(3, 2), f(3, 2))
    case(lambda x: ops.softmax(x, axis=1), f(3, 4))
    case(lambda x: ops.log_softmax(x), f(3, 4))
    case(lambda x: ops.glu(x), f(3, 4))
    # Keras's rows do not always add up to one (3.15.1); these do.
    case(lambda x: ops.sparsemax(x), np.array([[-1.4, 0.2, -1.7, 1.5], [-1.3, 0.4, -1.3, -0.7]], "float32"))
    case(lambda x: ops.normalize(x, axis=1), f(3, 4))
    case(lambda x: ops.batch_normalization(x, np.full(4, 0.5, "float32"), np.full(4, 2.0, "float32"), axis=-1,
                                           offset=np.full(4, 0.25, "float32"), scale=np.full(4, 1.5, "float32")), f(3, 4))
    case(lambda x: ops.layer_normalization(x, gamma=np.array([1, 2, 3, 4], "float32")), f(3, 4))
    case(lambda x: ops.rms_normalization(x), f(3, 4))
    case(lambda x, y: ops.dot_product_attention(x, y, y, scale=0.3, is_causal=True), f(2, 4, 2, 3), f(2, 4, 2, 3))
    case(lambda x, y, m: ops.dot_product_attention(x, y, y, mask=m), f(2, 4, 2, 3), f(2, 5, 2, 3), b(2, 2, 4, 5))
    case(lambda x: ops.conv(x, np.ones((3, 2, 2), "float32"), padding="same"), f(3, 5, 2))
    case(lambda x: ops.conv(x, np.ones((2, 2, 1, 2), "float32"), strides=2, dilation_rate=1), f(2, 4, 4, 1))
    case(lambda x: ops.depthwise_conv(x, np.ones((3, 2, 2), "float32")), f(3, 5, 2))
    case(lambda x: ops.separable_conv(x, np.ones((3, 2, 1), "float32"), np.ones((1, 2, 3), "float32")), f(3, 5, 2))
    case(lambda x: ops.max_pool(x, (2,), strides=(2,)), f(3, 4, 2))
    case(lambda x: ops.average_pool(x, 2, strides=1, padding="same"), f(3, 4, 2))
    case(lambda x, y: ops.binary_crossentropy(x, y), f(3, 4, low=0, high=1), f(3, 4, low=0.1, high=0.9))
    case(lambda x, y: ops.categorical_crossentropy(x, y, from_logits=True), f(3, 4, low=0, high=1), f(3, 4))
    case(lambda x, y: ops.sparse_categorical_crossentropy(x, y, from_logits=True), i(3), f(3, 4))


def applications():
    """Layers that Keras keeps to the modules of its applications."""
    convnext = importlib.import_module("keras.src.applications.convnext")
    inception = importlib.import_module("keras.src.applications.inception_resnet_v2")
    case(lambda x: convnext.LayerScale(0.25, 4)(x), f(3, 2, 4))
    case(lambda x: convnext.StochasticDepth(0.5)(x), f(3, 2, 4))
    case(lambda x, y: inception.CustomScaleLayer(0.17)([x, y]), f(3, 4), f(3, 4))


def masks():
    """What attention layers make of their masks."""
    case(lambda x: ops.convert_to_tensor(x), f(3, 4))
    case(lambda x: ops.convert_to_tensor(x, dtype="int32"), f(3, 4))


def main():
    for part in (elementwise, reducing, shaping, indexing, network, applications, masks):
        part()
    names = sorted({layer["class_name"] for each in cases for layer in each["model"]["layers"]} - {"InputLayer"})
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in cases)
    path = REPOSITORY / "tests/goldens/operation_graphs.json"
    made_by = f"tools/goldens/operation_graphs.py with Keras {keras.__version__} on JAX"
    path.write_text(f'{{"made_by": {json.dumps(made_by)},\n"classes": {json.dumps(names)},\n"cases": [\n{lines}\n]}}\n')
    print(f"{len(cases)} cases of {len(names)} classes")


if __name__ == "__main__":
    main()
