"""Embedding, masking and normalization layers: each option, odd shapes, masks, training mode."""

import functools

import keras
import numpy as np

import golden

random = np.random.default_rng(52)


def normal(*shape):
    return random.normal(size=shape).astype(np.float32)


layer_case = functools.partial(golden.layer_case, random)


def embedding_cases():
    repeated = np.array([[4, 0, 0, 2], [1, 4, 4, 4], [0, 0, 0, 0]], np.int32)
    return [
        layer_case("Embedding", {"input_dim": 5, "output_dim": 3}, repeated),
        layer_case("Embedding", {"input_dim": 5, "output_dim": 3, "mask_zero": True}, repeated),
        layer_case("Embedding", {"input_dim": 5, "output_dim": 1, "embeddings_regularizer": "l2"}, np.array([[4], [3]], np.int32)),
        layer_case("Embedding", {"input_dim": 4, "output_dim": 7, "embeddings_constraint": "non_neg"}, np.array([3, 0, 3], np.int32)),
        layer_case("Embedding", {"input_dim": 4, "output_dim": 2, "activity_regularizer": "l1"}, repeated[:, ::-1] % 4),
        layer_case("Embedding", {"input_dim": 6, "output_dim": 2}, random.integers(0, 6, size=(2, 3, 2)).astype(np.int32)),
        # Floating-point ids are cut to integers; the mask sees them as they are.
        layer_case("Embedding", {"input_dim": 3, "output_dim": 2, "mask_zero": True}, np.array([[0.0, 0.5, 1.0], [2.9, 1.2, 0.0]], np.float32)),
    ]


def masking_cases():
    x = normal(3, 4, 2)
    x[0, 2:] = 0
    x[1, 1, 0] = 0
    x[2] = 0
    whole = random.integers(1, 4, size=(2, 3, 2)).astype(np.float32)
    whole[0, 1] = 2
    minus_one = normal(2, 3, 2, 2)
    minus_one[1, 2] = -1
    other = np.array([[True, True, False, False], [True, False, True, False], [False, False, False, False]])
    return [
        layer_case("Masking", {}, x), layer_case("Masking", {"mask_value": 2.0}, whole),
        layer_case("Masking", {"mask_value": -1.0}, minus_one), layer_case("Masking", {}, x, [other]),
    ]


def batch_normalization_cases():
    """Inference, training mode (outputs and gradients) and ten training steps, which move the statistics."""
    x2, x3, x4 = normal(5, 3) * 2 + 1, normal(4, 3, 2), normal(2, 3, 2, 4)
    steps = np.array([[True, True, False], [True, False, False], [False, False, False], [True, True, True]])
    training = {"training": True}
    options = {"axis": 1, "momentum": 0.5, "epsilon": 0.01}
    cases = [
        layer_case("BatchNormalization", {}, x2), layer_case("BatchNormalization", {}, x2, call=training),
        layer_case("BatchNormalization", options, x3), layer_case("BatchNormalization", options, x3, call=training),
        layer_case("BatchNormalization", {"axis": 1}, x4, call=training), layer_case("BatchNormalization", {"momentum": 0.9}, x4),
        layer_case("BatchNormalization", {"axis": -2, "center": False}, x4), layer_case("BatchNormalization", {"scale": False}, x2),
        layer_case("BatchNormalization", {"center": False, "scale": False}, x3),
        layer_case("BatchNormalization", {"gamma_regularizer": "l2", "beta_regularizer": "l1", "gamma_constraint": "non_neg",
                                          "beta_constraint": "max_norm"}, x2),
        layer_case("BatchNormalization", {"trainable": False}, x2, call=training),
        # A batch of one: the variance is 0, the output beta.
        layer_case("BatchNormalization", {}, normal(1, 3), call=training), layer_case("BatchNormalization", {}, normal(1, 3)),
        layer_case("BatchNormalization", {}, normal(1, 1), call=training),
        # Masked steps are normalized by statistics that they do not count in.
        layer_case("BatchNormalization", {}, x3, [steps]), layer_case("BatchNormalization", {}, x3, [steps], call=training),
        layer_case("BatchNormalization", {"axis": 1}, x3, [steps], call=training),
        layer_case("BatchNormalization", {}, x3, [np.zeros((4, 3), bool)], call=training),
    ]
    for clipping in [{}, {"rmin": 0.5, "rmax": 1.5, "dmax": 0.2}]:
        renorm = {"renorm": True, "renorm_clipping": clipping, "renorm_momentum": 0.7, "momentum": 0.8}
        cases += [layer_case("BatchNormalization", renorm, x2), layer_case("BatchNormalization", renorm, x2, call=training)]
    cases.append(layer_case("BatchNormalization", {"renorm": True, "center": False, "scale": False}, x3, call=training))
    return cases


def other_normalization_cases():
    x2, x3, x4 = normal(3, 4), normal(2, 3, 4), normal(2, 3, 5, 4)
    steps = np.array([[True, True, False], [True, False, False]])
    one = {"center": False, "scale": False}
    return [
        layer_case("LayerNormalization", {}, x2), layer_case("LayerNormalization", {"axis": [1, 2], "epsilon": 0.1}, x3),
        layer_case("LayerNormalization", {"axis": 1}, x4), layer_case("LayerNormalization", {"axis": [-1, -3]}, x4),
        layer_case("LayerNormalization", {"center": False, "gamma_regularizer": "l2", "gamma_constraint": "non_neg"}, x3),
        layer_case("LayerNormalization", {"scale": False, "beta_regularizer": "l1", "beta_constraint": "unit_norm"}, x3),
        layer_case("LayerNormalization", one, x3, [steps]), layer_case("LayerNormalization", {}, normal(3, 1)),
        layer_case("RMSNormalization", {}, x2), layer_case("RMSNormalization", {"axis": [1, 2], "epsilon": 0.01}, x3),
        layer_case("GroupNormalization", {"groups": 2}, x2), layer_case("GroupNormalization", {"groups": 2, "epsilon": 0.01}, x4),
        layer_case("GroupNormalization", {"groups": -1}, x4), layer_case("GroupNormalization", {"groups": 1}, x3, [steps]),
        layer_case("GroupNormalization", {"groups": 3, "axis": 1}, x4), layer_case("GroupNormalization", {"groups": 5, "axis": -2}, x4),
        layer_case("GroupNormalization", {"groups": 4, **one}, x3),
        layer_case("GroupNormalization", {"groups": 2, "gamma_regularizer": "l2", "beta_regularizer": "l2", "beta_constraint": "non_neg",
                                          "gamma_constraint": "max_norm"}, x3),
    ]


def noise_cases():
    """What the layers of noise do out of training."""
    x3, x4, x5 = normal(2, 3, 4), normal(2, 3, 2, 4), normal(2, 2, 3, 2, 4)
    steps = np.array([[True, True, False], [True, False, False]])
    return [
        layer_case("SpatialDropout1D", {"rate": 0.5}, x3), layer_case("SpatialDropout1D", {"rate": 0.5}, x3, [steps]),
        layer_case("SpatialDropout2D", {"rate": 0.5, "data_format": "channels_first"}, x4), layer_case("SpatialDropout3D", {"rate": 0.5}, x5),
        layer_case("GaussianNoise", {"stddev": 0.5}, x3, [steps]), layer_case("GaussianDropout", {"rate": 0.5}, x3, [steps]),
        layer_case("AlphaDropout", {"rate": 0.5}, x3, [steps]),
        layer_case("SpatialDropout1D", {"rate": 0.0}, x3, call={"training": True}),
        layer_case("GaussianNoise", {"stddev": 0.0}, x3, call={"training": True}),
        layer_case("GaussianDropout", {"rate": 0.0}, x3, call={"training": True}),
        layer_case("AlphaDropout", {"rate": 0.0}, x3, call={"training": True}),
    ]


def fitted(model, frozen_index, x, y):
    """Two epochs in batches of 4 (the last one is not full), an evaluation and a prediction; then one epoch with a layer frozen."""
    for weight in model.weights:
        value = normal(*weight.shape)
        weight.assign(np.abs(value) if "variance" in weight.name else value)
    found = {"x": golden.array(x), "y": golden.array(y), "weights": [golden.array(w) for w in model.get_weights()]}

    def fit(epochs):
        model.compile(keras.optimizers.SGD(0.05), loss="mse")
        history = model.fit(x, y, batch_size=4, epochs=epochs, shuffle=False, verbose=0)
        return {"losses": [golden.scalar(v) for v in history.history["loss"]], "weights": [golden.array(w) for w in model.get_weights()]}

    found["training"] = fit(2)
    found["evaluate"] = golden.scalar(model.evaluate(x, y, batch_size=4, verbose=0))
    found["predict"] = golden.array(model.predict(x, batch_size=4, verbose=0))
    model.layers[frozen_index].trainable = False
    found["frozen"] = fit(1)
    return found


def models():
    L = keras.layers
    plain = keras.Sequential([keras.Input((3,)), L.Dense(4), L.BatchNormalization(momentum=0.7), L.Activation("tanh"), L.Dense(2)])
    ids = np.array([[1, 2, 0], [3, 0, 0], [0, 0, 0], [4, 4, 4], [2, 0, 0], [1, 1, 0], [3, 2, 4], [1, 0, 0], [2, 2, 0]], np.int32)
    masked = keras.Sequential([keras.Input((3,), dtype="int32"), L.Embedding(5, 4, mask_zero=True), L.BatchNormalization(momentum=0.7),
                               L.Dense(2)])
    images = keras.Sequential([keras.Input((3, 2, 4)), L.BatchNormalization(axis=1), L.GroupNormalization(2), L.Flatten(), L.Dense(2)])
    return {"plain": fitted(plain, 1, normal(10, 3), normal(10, 2)), "masked": fitted(masked, 1, ids, normal(9, 3, 2)),
            "images": fitted(images, 0, normal(6, 3, 2, 4), normal(6, 2))}


def main():
    golden.write("norm_layers", {"cases": embedding_cases() + masking_cases() + batch_normalization_cases()
                                 + other_normalization_cases() + noise_cases(), "models": models()})
