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
import sys

os.environ.setdefault("KERAS_BACKEND", "jax")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import keras
import numpy as np
from keras import ops

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tools"))
from function_tables import read_functions

random = np.random.RandomState(7)
cases = []


def f(*shape, low=-2.0, high=2.0):
    return random.uniform(low, high, shape).astype("float32")


def i(*shape, low=0, high=4):
    return random.randint(low, high, shape).astype("int32")


def b(*shape):
    return random.uniform(size=shape) < 0.5


def case(function, *inputs, call=None, batch_size=None, runs=True):
    """The graph of the function on symbolic inputs, and what it gives for these. Inputs have open batches, or this size. `call` names the
    case for the test that makes the same graph in C++. Where Keras's graph does not run, there are no outputs."""
    keras.backend.clear_session()
    symbols = [keras.Input(x.shape[1:], batch_size, str(x.dtype), name=f"x{n}") for n, x in enumerate(inputs)]
    outputs = keras.tree.flatten(function(*symbols))
    model = keras.Model(symbols, outputs)
    results = [np.asarray(y) for y in keras.tree.flatten(model(list(inputs)))] if runs else []
    cases.append({
        **({} if call is None else {"call": call}),
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


def calls():
    """Calls that tests/model_files/operation_calls_test.cc makes in C++ under the same names."""
    ramp = np.array([1, 2, 3, 4], "float32")
    # Elementwise.
    for name in "hard_shrink soft_shrink squareplus nan_to_num".split():
        case(getattr(ops, name), f(3, 4), call=name)
    case(lambda x: ops.hard_shrink(x, 0.25), f(3, 4), call="hard_shrink threshold")
    case(lambda x: ops.soft_shrink(x, 0.25), f(3, 4), call="soft_shrink threshold")
    case(lambda x: ops.squareplus(x, b=2.5), f(3, 4), call="squareplus b")
    case(lambda x: ops.nan_to_num(x, nan=1.5, posinf=2.5, neginf=-2.5), np.array([[np.nan, np.inf, -np.inf, 1]], "float32"), call="nan_to_num values")
    case(lambda x: ops.threshold(x, 0.5, -1.0), f(3, 4), call="threshold")
    case(lambda x, y: ops.isclose(x, y), f(3, 4), f(3, 4), call="isclose")
    case(lambda x: ops.isclose(x, 0.5, rtol=0.25, atol=0.125, equal_nan=True), f(3, 4), call="isclose options")
    case(lambda x: ops.saturate_cast(x, "uint8"), f(3, 4, low=-300, high=300), call="saturate_cast")
    case(lambda x: ops.convert_to_tensor(x, dtype="int32"), f(3, 4), call="convert_to_tensor dtype")
    case(lambda x, y: ops.select([x > 0, y > 0], [x, y]), f(3, 4), f(3, 4), call="select")
    case(lambda x, y: ops.select([x > 0, y > 0], [x, y], default=0.5), f(3, 4), f(3, 4), call="select default")
    # Reductions.
    case(lambda x: ops.average(x, axis=1), f(3, 4), call="average")
    case(lambda x: ops.average(x, axis=1, weights=ramp), f(3, 4), call="average weights")
    case(lambda x, y: ops.average(x, weights=y), f(3, 4), f(3, 4, low=1), call="average tensor weights")
    case(lambda x: ops.norm(x), f(3, 4), call="norm")
    case(lambda x: ops.norm(x, ord=1, axis=(1, 2), keepdims=True), f(3, 4, 2), call="norm ord")
    case(lambda x: ops.norm(x, ord=np.inf), f(3), call="norm inf")
    case(lambda x: ops.norm(x, ord="fro", axis=(1, 2)), f(3, 4, 2), call="norm fro")
    case(lambda x: ops.quantile(x, 0.25), f(3, 4), call="quantile")
    case(lambda x: ops.quantile(x, [0.25, 0.5], keepdims=True), f(3, 4), call="quantile list")
    case(lambda x: ops.percentile(x, 25.0, axis=-1), f(3, 4), call="percentile")
    case(lambda x: ops.percentile(x, [25.0, 50.0], axis=1, method="lower"), f(3, 4), call="percentile method")
    case(lambda x, y: ops.allclose(x, y, rtol=0.5), f(3, 4), f(3, 4), call="allclose")
    # Shapes.
    case(lambda x, y: ops.append(x, y), f(3, 4), f(3, 4), call="append")
    case(lambda x, y: ops.append(x, y, axis=1), f(3, 4), f(3, 4), call="append axis")
    case(lambda x: ops.array_split(x, 3, axis=1), f(3, 4), call="array_split")
    case(lambda x: ops.diag(x), f(3, 3), call="diag", batch_size=3)
    case(lambda x: ops.diagflat(x, k=1), f(2, 2), call="diagflat", batch_size=2)
    case(lambda x: ops.diff(x), f(3, 4), call="diff")
    case(lambda x: ops.diff(x, n=2, axis=1), f(3, 4), call="diff n")
    case(lambda x: ops.rot90(x, k=1, axes=(1, 2)), f(3, 4, 2), call="rot90")
    case(lambda x: ops.full_like(x, 3), f(3, 4), call="full_like")
    case(lambda x: ops.full_like(x, 2.5, dtype="float16"), f(3, 4), call="full_like dtype")
    case(lambda x: ops.empty_like(x), f(3, 4), call="empty_like")
    case(lambda x: ops.full((2, 3), x, dtype="float32"), f(3), call="full", batch_size=3)
    case(lambda x: ops.cast(ops.size(x), "float32"), f(3, 4), call="size")
    case(lambda x: ops.ndim(x), f(3, 4), call="ndim", runs=False)
    case(lambda x, y: ops.linspace(x, y, num=3), f(3, 4), f(3, 4), call="linspace")
    case(lambda x: ops.linspace(0.0, x, num=4, endpoint=False, axis=-1), f(3, 4), call="linspace constant")
    case(lambda x, y: ops.meshgrid(x, y, indexing="ij"), f(3), f(2), call="meshgrid", batch_size=3)
    # Indices.
    case(lambda x: ops.bincount(x, minlength=5), i(3), call="bincount", batch_size=3)
    case(lambda x: ops.bincount(x, weights=[1.0, 2.0, 4.0], minlength=5), i(3), call="bincount weights", batch_size=3, runs=False)
    case(lambda x: ops.digitize(x, np.array([0.0, 1.0], "float32")), f(3, 4), call="digitize")
    case(lambda x: ops.extract_sequences(x, 3, 2), f(3, 9), call="extract_sequences")
    case(lambda x, y: ops.in_top_k(x, y, 2), i(3), f(3, 4), call="in_top_k")
    case(lambda x, y: ops.scatter(x, y, (6,)), i(3, 1), f(3), call="scatter", batch_size=3)
    case(lambda x, y: ops.scatter_update(x, np.array([[0, 1], [2, 2], [1, 0]], "int32"), y), f(3, 4), f(3), call="scatter_update", batch_size=3)
    case(lambda x: ops.scatter_update(x, np.array([[0, 1], [2, 2]], "int32"), np.array([3, 4], "float32"), reduction="add"), f(3, 4),
         call="scatter_update reduction")
    case(lambda x: ops.searchsorted(np.array([0, 1, 2], "float32"), x), f(3), call="searchsorted")
    case(lambda x: ops.searchsorted(np.array([0, 1, 2], "float32"), x, side="right"), i(3, low=0), call="searchsorted side")
    for name in "segment_sum segment_max segment_min segment_prod".split():
        case(lambda x, y, n=name: getattr(ops, n)(x, y, num_segments=4), f(5, 2), i(5), call=name)
    case(lambda x: ops.segment_sum(x, np.array([0, 0, 2], "int32"), num_segments=3, sorted=True), f(3, 2), call="segment_sum sorted", batch_size=3)
    case(lambda x: ops.slice(x, [0, 1, 0], [3, 2, 2]), f(3, 4, 2), call="slice")
    case(lambda x, y: ops.slice(x, y, [2, 2]), f(2, 4), i(2, low=0, high=2), call="slice tensor start", batch_size=2)
    case(lambda x, y: ops.slice_update(x, [0, 1], y), f(3, 4), f(3, 2), call="slice_update")
    # Products.
    case(lambda x, y: ops.cross(x, y), f(3, 3), f(3, 3), call="cross")
    case(lambda x: ops.cross(x, np.array([1, 2, 3], "float32"), axis=-1), f(4, 3), call="cross axis")
    case(lambda x: ops.tensordot(x, np.ones((4, 2), "float32"), axes=1), f(3, 4), call="tensordot")
    case(lambda x: ops.tensordot(x, np.ones((4, 2), "float32"), axes=[[1], [0]]), f(3, 4), call="tensordot lists")
    # Networks.
    case(lambda x: ops.max_pool(x, (2,), strides=(2,)), f(3, 4, 2), call="max_pool")
    case(lambda x: ops.max_pool(x, (2,)), f(3, 4, 2), call="max_pool default strides", runs=False)
    case(lambda x: ops.average_pool(x, 2, strides=1, padding="same"), f(3, 4, 2), call="average_pool")
    case(lambda x: ops.conv(x, np.ones((3, 2, 2), "float32"), padding="same"), f(3, 5, 2), call="conv")
    case(lambda x: ops.conv(x, np.ones((2, 2, 1, 2), "float32"), (2, 1), dilation_rate=1), f(2, 4, 4, 1), call="conv strides")
    case(lambda x: ops.depthwise_conv(x, np.ones((3, 2, 2), "float32")), f(3, 5, 2), call="depthwise_conv")
    case(lambda x: ops.separable_conv(x, np.ones((3, 2, 1), "float32"), np.ones((1, 2, 3), "float32")), f(3, 5, 2), call="separable_conv")
    case(lambda x: ops.conv_transpose(x, np.ones((3, 2, 2), "float32"), 2, padding="same", output_padding=1), f(3, 5, 2), call="conv_transpose", runs=False)
    case(lambda x, y: ops.binary_crossentropy(x, y), f(3, 4, low=0, high=1), f(3, 4, low=0.1, high=0.9), call="binary_crossentropy")
    case(lambda x, y: ops.categorical_crossentropy(x, y, from_logits=True), f(3, 4, low=0, high=1), f(3, 4), call="categorical_crossentropy")
    case(lambda x, y: ops.sparse_categorical_crossentropy(x, y, from_logits=True), i(3), f(3, 4), call="sparse_categorical_crossentropy")
    case(lambda x: ops.batch_normalization(x, np.full(4, 0.5, "float32"), np.full(4, 2.0, "float32"), axis=-1), f(3, 4), call="batch_normalization")
    case(lambda x: ops.batch_normalization(x, np.full(4, 0.5, "float32"), np.full(4, 2.0, "float32"), -1, np.full(4, 0.25, "float32"),
                                           np.full(4, 1.5, "float32"), 0.01), f(3, 4), call="batch_normalization scale")
    case(lambda x: ops.layer_normalization(x), f(3, 4), call="layer_normalization")
    case(lambda x: ops.layer_normalization(x, gamma=ramp, beta=ramp, epsilon=0.01), f(3, 4), call="layer_normalization gamma")
    case(lambda x: ops.rms_normalization(x), f(3, 4), call="rms_normalization")
    case(lambda x, y: ops.rms_normalization(x, scale=y, epsilon=0.01), f(3, 4), f(3, 4), call="rms_normalization scale")
    # Constants first.
    case(lambda x: ops.maximum(0.5, x), f(3, 4), call="maximum constant first")
    case(lambda x: ops.matmul(np.ones((2, 3), "float32"), x), f(3, 4), call="matmul constant first", batch_size=3)


def flattened():
    """An axis that is null, where it says another thing than no axis; and other nulls."""
    case(lambda x: ops.sort(x, axis=None), f(3, 4), call="sort flattened")
    case(lambda x: ops.argsort(x, axis=None), f(3, 4), call="argsort flattened")
    case(lambda x: ops.softmax(x, axis=None), f(3, 4), call="softmax flattened")
    case(lambda x: ops.log_softmax(x, axis=None), f(3, 4), call="log_softmax flattened")
    case(lambda x: ops.normalize(x, axis=None), f(3, 4), call="normalize flattened")
    case(lambda x: ops.rms_normalization(x, axis=None), f(3, 4), call="rms_normalization flattened")
    case(lambda x: ops.moments(x, axes=None), f(3, 4), call="moments flattened")
    case(lambda x: ops.gelu(x, approximate=None), f(3, 4))
    case(lambda x, y: ops.linspace(x, y, num=3, endpoint=None), f(3, 4), f(3, 4))
    case(lambda x: ops.clip(x, None, 1.0), f(3, 4))
    case(lambda x: ops.clip(x, -1.0, None), f(3, 4))
    case(lambda x: ops.mean(x, axis=None, keepdims=None), f(3, 4))
    case(lambda x, y: ops.categorical_crossentropy(x, y, axis=None), f(3, 4, low=0, high=1), f(3, 4, low=0.1, high=0.9))


def table():
    """Classes that have no case above: calls made from the columns of cornu/tensor/ops/functions/*.toml."""
    made = {layer["class_name"] for each in cases for layer in each["model"]["layers"]}
    for function in read_functions(REPOSITORY):
        if function.class_name in made | {"BroadcastTo", "Vdot"} or not function.mechanical("operation") or not function.mechanical("graph"):
            continue
        low, high = function.row.get("range", (-2, 2))
        given = function.row.get("dtypes", "f32 " * len(function.tensors)).split()
        args = {**function.row.get("sample", {}), **({"axis": 1} if any(field.name == "axis" for field in function.fields) else {})}
        case(lambda *x, n=function.name: getattr(ops, n)(*x, **args), *(i(3, 4, 2) if each == "i32" else f(3, 4, 2, low=low, high=high) for each in given))


def arrays():
    """Functions whose calls do not follow from the columns; with random numbers of their own, so that other cases stay."""
    global random
    before, random = random, np.random.RandomState(8)
    case(lambda x: ops.hsplit(x, 2), f(3, 4))
    case(lambda x: ops.vsplit(x, [1, 3]), f(4, 3), batch_size=4)
    case(lambda x: ops.dsplit(x, 2), f(2, 3, 4))
    case(lambda x, y: ops.dstack([x, y]), f(2, 3, 1), f(2, 3, 2))
    case(lambda x: ops.depth_to_space(x, 2), f(2, 2, 3, 8))
    case(lambda x: ops.space_to_depth(x, 2, data_format="channels_first"), f(2, 1, 4, 2))
    case(lambda x: ops.unfold(x, 2, padding=1, stride=2), f(2, 2, 4, 6))
    case(lambda x: ops.fold(x, (3, 4), 2), f(2, 8, 6))
    case(lambda x: ops.unravel_index(x, (3, 4)), i(3, 4, high=12))
    case(lambda x: ops.isin(x, np.array([1, 3], "int32"), invert=True), i(3, 4))
    case(lambda x: ops.argpartition(x, 1), f(3, 4), runs=False)
    case(ops.cdist, f(2, 3, 4), f(2, 5, 4))
    case(lambda x: ops.trapezoid(x, dx=0.5, axis=1), f(3, 4, 2))
    case(ops.gcd, i(3, 4, low=-30, high=30), i(3, 4, low=-30, high=30))
    case(ops.lcm, i(3, 4, low=-30, high=30), i(3, 4, low=-30, high=30))
    case(ops.ldexp, f(3, 4), i(3, 4))
    case(ops.nextafter, f(3, 4), f(3, 4))
    case(ops.i0, f(3, 4))
    case(lambda x, y: ops.logspace(x, y, num=3), f(3, 2, low=0, high=1), f(3, 2, low=1))
    case(lambda x, y: ops.geomspace(x, y, num=3, axis=-1), f(3, 2, low=0.5, high=1), f(3, 2, low=1))
    lengths = np.array([2, 1, 0], "int32"), np.array([5, 4, 5], "int32")
    case(ops.ctc_loss, i(3, 2, low=1, high=4), f(3, 5, 4), *lengths)
    case(ops.ctc_decode, f(3, 5, 4), lengths[1])
    case(lambda x: ops.adaptive_max_pool(x, (2,), data_format="channels_last"), f(2, 5, 2))
    case(lambda x: ops.adaptive_average_pool(x, (2, 3), data_format="channels_last"), f(2, 5, 4, 1))
    for name in ("rgb_to_grayscale", "rgb_to_hsv", "hsv_to_rgb"):
        case(lambda x, n=name: getattr(ops.image, n)(x), f(2, 3, 2, 3, low=0, high=1))
    for name in ("nanargmax", "nanargmin", "nanmedian"):
        case(lambda x, n=name: getattr(ops, n)(x, axis=1), f(3, 4, 2))
    case(lambda x: ops.nanquantile(x, 0.25, axis=1), f(3, 4))
    case(lambda x: ops.nanpercentile(x, [25.0, 50.0], axis=1), f(3, 4))
    random = before


def spectral():
    """Functions of matrices, spectra and images, with random numbers of their own."""
    global random
    before, random = random, np.random.RandomState(9)
    for name in ("fft", "fft2", "ifft2"):
        case(lambda x, y, n=name: getattr(ops, n)((x, y)), f(2, 3, 4), f(2, 3, 4))
    case(lambda x: ops.rfft(x, 6), f(2, 8))
    case(lambda x, y: ops.irfft((x, y), fft_length=7), f(2, 4), f(2, 4))
    case(lambda x: ops.stft(x, 4, 2, 6), f(2, 12))
    case(lambda x, y: ops.istft((x, y), 4, 2, 6, length=9, window="hamming"), f(2, 6, 4), f(2, 6, 4))
    case(lambda x: ops.view_as_real(ops.view_as_complex(x)), f(2, 3, 2))
    for name in ("real", "imag", "conjugate", "angle", "isreal"):
        case(lambda x, n=name: getattr(ops, n)(x), f(2, 3))
    definite = np.matmul(f(2, 3, 3, low=-1, high=1), np.eye(3, dtype="float32") * 0.1) + np.eye(3, dtype="float32") * 2
    definite = (definite + definite.transpose(0, 2, 1)).astype("float32")
    case(lambda x: ops.cholesky(x, upper=True), definite)
    case(lambda x: ops.cholesky_inverse(x), definite[0], batch_size=3)
    for name in ("lu_factor", "det", "slogdet", "logdet", "inv", "matrix_rank"):
        case(lambda x, n=name: getattr(ops, n)(x), definite)
    case(lambda x: ops.eigh(x)[0], definite)
    case(ops.solve, definite, f(2, 3, 2))
    case(lambda x, y: ops.solve_triangular(x, y, lower=True), definite, f(2, 3, 2))
    case(lambda x: ops.qr(x, mode="complete"), f(2, 4, 3))
    case(lambda x: ops.svd(x, compute_uv=False), f(2, 4, 3))
    case(lambda x: ops.pinv(x, rcond=0.1), f(2, 4, 3))
    case(lambda x, y: ops.lstsq(x, y), f(4, 3), f(4, 2), batch_size=4)
    case(lambda x: ops.norm(x, ord="nuc", axis=(1, 2)), f(2, 4, 3))
    image = ops.image
    case(lambda x: image.resize(x, (3, 5), interpolation="bicubic", antialias=True), f(2, 5, 4, 2))
    case(lambda x: image.resize(x, (3, 5), pad_to_aspect_ratio=True, fill_value=0.5), f(2, 4, 4, 1))
    case(image.affine_transform, f(2, 4, 5, 2), np.array([[1, 0.2, -0.5, -0.3, 1.2, 0.4, 0, 0]] * 2, "float32"))
    start = np.array([[[0, 0], [4, 0], [0, 3], [4, 3]]] * 2, "float32")
    case(lambda x, y, z: image.perspective_transform(x, y, z, fill_value=0.5), f(2, 4, 5, 1), start, start + f(2, 4, 2, low=-0.5, high=0.5))
    case(lambda x: image.elastic_transform(x, seed=1), f(2, 4, 5, 1), runs=False)
    case(lambda x: image.gaussian_blur(x, kernel_size=(5, 3), sigma=(1.5, 0.7)), f(2, 5, 6, 2))
    case(lambda x: image.sobel_edges(x), f(2, 5, 6, 1), runs=False)
    case(lambda x: image.pad_images(x, 1, 2, target_height=6, target_width=8), f(2, 3, 4, 1))
    case(lambda x: image.crop_images(x, 1, 2, target_height=2, target_width=1), f(2, 4, 4, 1))
    case(lambda x: image.extract_patches(x, (2, 3), strides=1, padding="same"), f(2, 4, 5, 2))
    case(lambda x: image.extract_patches_3d(x, 2), f(2, 4, 4, 4, 1))
    case(lambda x, y: image.map_coordinates(x, y, 1, fill_mode="reflect"), f(2, 4), f(2, 5, low=-2, high=5), batch_size=2)
    case(lambda x, y: image.ssim(x, y, filter_size=5), f(2, 6, 7, 1, low=0, high=1), f(2, 6, 7, 1, low=0, high=1))
    random = before


def bits():
    random.seed(8)  # independent of the parts before
    case(lambda x: ops.view(x, "int32"), f(3, 4))
    case(lambda x: ops.view(x, "float16"), i(3, 4))
    case(lambda x, y: ops.view_as_real(ops.polar(x, y)), f(3, 4, low=0.0), f(3, 4))
    case(lambda x: ops.logical_and(x, True), b(3, 4))
    case(lambda x: ops.logical_or(False, x), b(3, 4))
    case(lambda x: ops.array(x, "int32"), f(3, 4))
    case(lambda x: ops.vander(x, 3, increasing=True), f(4), batch_size=4)
    case(ops.corrcoef, f(3, 4), batch_size=3)
    case(lambda x, y: ops.correlate(x, y, mode="same"), f(4), f(4), batch_size=4)
    case(lambda x: ops.histogram(x, bins=4, range=(-1, 1)), f(8), batch_size=8, runs=False)  # Keras on JAX does not run it
    case(lambda x: ops.rearrange(x, "b (h p) c -> b h (p c)", p=2), f(3, 4, 2), call="rearrange", batch_size=3)  # Keras needs the extent


def general_matrices():
    random.seed(9)  # independent of the parts before
    case(lambda x: ops.eig(x)[0], f(2, 3, 3), runs=False)  # complex numbers, in any order


def distinct():
    random.seed(10)
    case(lambda x: ops.unique(x, size=3), i(8), batch_size=8)
    case(lambda x: ops.unique(x, return_index=True, return_inverse=True, return_counts=True, size=4, fill_value=9), i(8), batch_size=8)
    case(lambda x: ops.unique(x, axis=0, size=4, return_counts=True), i(5, 2, high=2), batch_size=5)


def main():
    for part in (elementwise, reducing, shaping, indexing, network, applications, masks, calls, flattened, arrays, spectral, table, bits, general_matrices, distinct):
        part()
    names = sorted({layer["class_name"] for each in cases for layer in each["model"]["layers"]} - {"InputLayer"})
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in cases)
    path = REPOSITORY / "tests/goldens/operation_graphs.json"
    made_by = f"tools/goldens/operation_graphs.py with Keras {keras.__version__} on JAX"
    path.write_text(f'{{"made_by": {json.dumps(made_by)},\n"classes": {json.dumps(names)},\n"cases": [\n{lines}\n]}}\n')
    print(f"{len(cases)} cases of {len(names)} classes")


if __name__ == "__main__":
    main()
