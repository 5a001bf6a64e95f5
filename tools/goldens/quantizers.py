"""keras.quantizers and layers after quantize(): tests/goldens/quantizers.json and quantized_layers.json."""

import jax
import jax.numpy as jnp
import keras
import numpy as np
from keras import quantizers
from keras.quantizers import AbsMaxQuantizer, Int4QuantizationConfig, Int8QuantizationConfig

from golden import array, scalar, write


def normal(random, *shape):
    return random.normal(size=shape).astype(np.float32)


def abs_max_cases(random):
    x = normal(random, 3, 4, 5)
    x[1] = 0
    cases = []
    for options in [{"axis": -1}, {"axis": 0}, {"axis": (0, 2)}, {"axis": -1, "value_range": (-8, 7)}, {"axis": 1, "epsilon": 0.5},
                    {"axis": -1, "value_range": (0, 100), "dtype": "int32"}]:
        values, scale = quantizers.abs_max_quantize(x, **options)
        cases.append({"options": options, "values": array(values), "scale": array(scale)})
    return {"x": array(x), "cases": cases}


def grouped_cases(random):
    x = normal(random, 7, 3)
    x[2:4, 1] = x[2, 1]
    cases = []
    for block_size in (2, 3, 7, 9):
        for to_numpy in (False, True):
            if block_size == 9 and not to_numpy:
                continue  # Keras's own shapes do not fit there
            values, scale, zero = quantizers.abs_max_quantize_grouped_with_zero_point(x, block_size, to_numpy=to_numpy)
            cases.append({"block_size": block_size, "to_numpy": to_numpy, "values": array(values), "scale": array(scale), "zero_point": array(zero)})
    return {"x": array(x), "cases": cases}


def fake_quant_cases(random):
    x, dy = normal(random, 4, 3) * 3, normal(random, 4, 3)
    cases = []
    for low, high, options in [(-1.5, 2.0, {}), (-1.5, 2.0, {"num_bits": 4}), (0.5, 2.0, {"num_bits": 3, "narrow_range": True}),
                               ([-1.0, -2.0, 0.25], [1.0, 0.5, 3.0], {"axis": 1})]:
        low, high = np.asarray(low, "float32"), np.asarray(high, "float32")

        def total(x, low, high):
            return jnp.sum(quantizers.fake_quant_with_min_max_vars(x, low, high, **options) * dy)

        y = quantizers.fake_quant_with_min_max_vars(x, low, high, **options)
        gradients = jax.grad(total, argnums=(0, 1, 2))(jnp.asarray(x), jnp.asarray(low), jnp.asarray(high))
        cases.append({"min": array(low), "max": array(high), "options": options, "y": array(y), "gradients": [array(g) for g in gradients]})
    return {"x": array(x), "dy": array(dy), "cases": cases}


def float8_cases(random):
    x = normal(random, 40) * 100
    rounded = []
    for dtype in ("float8_e4m3fn", "float8_e5m2"):
        for scale in (1.0, 0.03, 2.5):
            y = quantizers.quantize_and_dequantize(x, jnp.float32(scale), dtype, "float32")
            rounded.append({"dtype": dtype, "scale": scale, "y": array(y)})
    scales = []
    for amax, scale, margin in [(3.0, 2.0, 0), (3.0, 2.0, 2), (0.0, 2.0, 0), (float("inf"), 2.0, 0), (1e-3, 0.5, 0)]:
        new = quantizers.compute_float8_scale(jnp.float32(amax), jnp.float32(scale), jnp.float32(448), margin)
        scales.append({"amax": "inf" if np.isinf(amax) else amax, "scale": scale, "margin": margin, "new_scale": scalar(new)})
    history = normal(random, 5)
    return {"x": array(x), "rounded": rounded, "scales": scales, "history": array(history),
            "new_history": array(quantizers.compute_float8_amax_history(jnp.asarray(x), jnp.asarray(history)))}


def packing_cases(random):
    cases = []
    for shape, axis in [((4, 3), 0), ((5, 3), 0), ((2, 5), 1), ((2, 5), -1), ((3, 4, 5), 1), ((7,), 0)]:
        for dtype, low, high in (("int8", -8, 8), ("uint8", 0, 16)):
            x = random.integers(low, high, size=shape).astype(dtype)
            packed, packed_shape, length = quantizers.pack_int4(x, axis=axis, dtype=dtype)
            assert (np.asarray(quantizers.unpack_int4(packed, length, axis=axis, dtype=dtype)) == x).all()
            cases.append({"axis": axis, "dtype": dtype, "x": array(x), "packed": array(packed), "shape": list(packed_shape), "length": length})
    return cases


def layer_case(random, name, options, x, mode=None, config=None, reverse=False):
    """The weights before and after quantize(), the result for x, and the gradient of sum(y * dy) for a float x."""
    keras.utils.clear_session()
    layer = getattr(keras.layers, name)(**options)
    call = {"reverse": True} if reverse else {}
    layer.build((None, *x.shape[1:]))
    before = [normal(random, *w.shape) for w in layer.weights]
    layer.set_weights(before)
    layer.quantize(mode, config=config)
    y = layer(x, **call)
    case = {"name": name, "options": options, "reverse": reverse, "x": array(x), "before": [array(w) for w in before],
            "policy": layer.dtype_policy.name, "trainable": [w.name for w in layer.trainable_weights],
            "weights": [{"name": w.name, "dtype": w.dtype, **array(np.asarray(w.value, "float32" if "float" in w.dtype else None))} for w in layer.weights],
            "y": array(np.asarray(y, "float32"))}
    if config is not None:
        case["config"] = keras.saving.serialize_keras_object(config)
    else:
        case["mode"] = mode
    case["written"] = keras.saving.serialize_keras_object(layer)["config"]
    if x.dtype.kind == "f" and not reverse:
        dy = normal(random, *y.shape)

        def total(value):
            return jnp.sum(jnp.asarray(layer(value), "float32") * dy)

        case["dy"], case["dx"] = array(dy), array(np.asarray(jax.grad(total)(jnp.asarray(x)), "float32"))
    return case


def layer_cases(random):
    x2, x3 = normal(random, 4, 6), normal(random, 3, 2, 6)
    heads = normal(random, 2, 3, 4, 5)
    ids = random.integers(0, 7, size=(3, 4)).astype("int32")
    hidden = normal(random, 2, 3, 5)
    weight_only = Int8QuantizationConfig(activation_quantizer=None)
    narrow = Int8QuantizationConfig(AbsMaxQuantizer(axis=0, value_range=(-64, 63)), AbsMaxQuantizer(axis=-1, value_range=(-31, 31)))
    columns = Int4QuantizationConfig(block_size=None)
    columns_and_rows = Int4QuantizationConfig(AbsMaxQuantizer(axis=0, value_range=(-8, 7)), AbsMaxQuantizer(), block_size=-1)
    table_rows = Int4QuantizationConfig(AbsMaxQuantizer(axis=-1, value_range=(-8, 7)), block_size=-1)
    blocks = Int4QuantizationConfig(block_size=4)
    dense = {"units": 5, "activation": "tanh"}
    cases = [layer_case(random, "Dense", dense, x2, "int8"), layer_case(random, "Dense", {"units": 3, "use_bias": False}, x3, "int8"),
             layer_case(random, "Dense", {"units": 5, "dtype": "mixed_bfloat16"}, x2, "int8"), layer_case(random, "Dense", dense, x2, config=weight_only),
             layer_case(random, "Dense", dense, x2, config=narrow), layer_case(random, "Dense", dense, x2, "int4"),
             layer_case(random, "Dense", dense, x3, config=blocks), layer_case(random, "Dense", dense, x2, config=columns),
             layer_case(random, "Dense", {"units": 4}, x2, config=columns_and_rows)]
    # Keras does not quantize equations with "...".
    for equation, shape, bias, x in [("abc,cd->abd", (None, 5), "d", x3), ("abc,cde->abde", (None, 2, 3), "de", x3),
                                     ("abde,dec->abc", (None, 7), None, heads), ("abc,dec->abed", (None, 2, 3), "d", x3), ("abd,bc->acd", (5, None), "c", x3)]:
        options = {"equation": equation, "output_shape": shape, "bias_axes": bias}
        cases += [layer_case(random, "EinsumDense", options, x, "int8"), layer_case(random, "EinsumDense", options, x, config=blocks),
                  layer_case(random, "EinsumDense", options, x, config=columns_and_rows)]
    cases.append(layer_case(random, "EinsumDense", {"equation": "abc,cde->abde", "output_shape": (None, 2, 3)}, x3, config=weight_only))
    for name, more in (("Embedding", {}), ("ReversibleEmbedding", {}), ("ReversibleEmbedding", {"tie_weights": False, "logit_soft_cap": 3.0})):
        options = {"input_dim": 7, "output_dim": 5, **more}
        for mode in ({"mode": "int8"}, {"mode": "int4"}, {"config": blocks}, {"config": table_rows if more == {} else columns}):
            cases.append(layer_case(random, name, options, ids, **mode))
            if name == "ReversibleEmbedding":
                cases.append(layer_case(random, name, options, hidden, **mode, reverse=True))
    return cases


def float8_training_case(random, policy):
    """Losses of four steps of SGD, the weights then by name, and predictions."""
    keras.utils.clear_session()
    layers = [keras.Input((3, 6)), keras.layers.Dense(5, activation="tanh", name="first", dtype=policy),
              keras.layers.EinsumDense("abc,cd->abd", (None, 4), bias_axes="d", name="second", dtype=policy)]
    model = keras.Sequential(layers)
    before = [normal(random, *w.shape) for w in model.weights]
    model.set_weights(before)
    model.quantize("float8")
    model.compile(keras.optimizers.SGD(0.1), "mse")
    x, y = normal(random, 8, 3, 6), normal(random, 8, 3, 4)
    losses = [scalar(model.train_on_batch(x, y)) for _ in range(4)]
    after = [{"path": "/".join(w.path.split("/")[-2:]), **array(np.asarray(w.value, "float32"))} for layer in model.layers for w in layer.weights]
    for weight in after:
        if "history" in weight["path"]:
            weight["shape"], weight["data"] = [6], weight["data"][:3] + weight["data"][-3:]
    return {"policy": policy, "before": [array(w) for w in before], "x": array(x), "y": array(y), "losses": losses, "after": after,
            "predictions": array(np.asarray(model.predict(x, verbose=0), "float32"))}


def attention_case(random, mode):
    """The weights by path before and after quantize() of a model of one attention layer, and its result."""
    keras.utils.clear_session()
    x = keras.Input((3, 6))
    model = keras.Model(x, keras.layers.MultiHeadAttention(2, 3, name="attention")(x, x))
    before = [normal(random, *w.shape) for w in model.weights]
    model.set_weights(before)
    model.quantize(**mode)
    value = normal(random, 4, 3, 6)
    weights = [{"name": w.name, **array(np.asarray(w.value, "float32" if "float" in w.dtype else None))} for w in model.weights]
    return {"mode": mode.get("mode", "int4/4"), "before": [array(w) for w in before], "x": array(value), "weights": weights,
            "y": array(np.asarray(model.predict(value, verbose=0), "float32"))}


def main():
    write("quantized_attention", {"cases": [attention_case(np.random.default_rng(21), mode) for mode in
                                            ({"mode": "int8"}, {"config": Int4QuantizationConfig(block_size=4)})]})
    random = np.random.default_rng(20)
    write("quantizers", {"abs_max": abs_max_cases(random), "grouped": grouped_cases(random), "fake_quant": fake_quant_cases(random),
                         "float8": float8_cases(random), "packing": packing_cases(random)})
    cases = layer_cases(random)
    write("quantized_layers", {"cases": cases, "float8": [float8_training_case(random, policy) for policy in ("float32", "mixed_bfloat16")]})


if __name__ == "__main__":
    main()
