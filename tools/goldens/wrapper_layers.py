"""SpectralNormalization: outputs, kernel and vector_u of calls in training, one after the other, and of one without. ReversibleEmbedding: both of
its calls, and their gradients."""

import jax
import jax.numpy as jnp
import keras
import numpy as np

from golden import array, write

random = np.random.default_rng(71)
layers = keras.layers


def normal(*shape):
    return random.normal(size=shape).astype(np.float32)


def weights_of(layer):
    return [{"name": w.name, "path": w.path, "value": array(w)} for w in layer.weights]


def spectral(inner, config, x):
    """Eager calls, so that assignments stay."""
    keras.utils.clear_session()
    layer = layers.SpectralNormalization(getattr(layers, inner)(**config["layer"]), **config["options"])
    layer(x)
    for weight in layer.weights:
        weight.assign(normal(*weight.shape))
    if config.get("zeros"):
        layer.layer.kernel.assign(np.zeros(layer.layer.kernel.shape, np.float32))
    row = {"inner": inner, "config": config, "input": array(x), "weights": weights_of(layer), "calls": []}
    for training in (True, True, True, False):
        y = layer(x, training=training)
        row["calls"].append({"training": training, "y": array(y), "weights": [array(w) for w in layer.get_weights()]})
    return row


def reversible(config, ids, hidden):
    keras.utils.clear_session()
    layer = layers.ReversibleEmbedding(**config)
    layer.build()
    for weight in layer.weights:
        weight.assign(normal(*weight.shape))
    values = [jnp.asarray(w) for w in layer.get_weights()]
    rows_shape, logits_shape = layer(ids).shape, layer(hidden, reverse=True).shape
    of_rows, of_logits = normal(*rows_shape), normal(*logits_shape)

    def run(weights, x):
        with keras.src.backend.StatelessScope(list(zip(layer.weights, weights))):
            return layer(ids), layer(x, reverse=True)

    def total(weights, x):
        rows, logits = run(weights, x)
        return jnp.sum(rows * of_rows) + jnp.sum(logits * of_logits)

    rows, logits = run(values, jnp.asarray(hidden))
    by_weight, by_hidden = jax.grad(total, argnums=(0, 1))(values, jnp.asarray(hidden))
    return {"config": config, "ids": array(ids), "hidden": array(hidden), "weights": weights_of(layer), "rows": array(rows), "logits": array(logits),
            "of_rows": array(of_rows), "of_logits": array(of_logits), "weight_gradients": [array(g) for g in by_weight],
            "hidden_gradient": array(by_hidden)}


def main():
    ids, hidden = np.array([[1, 0, 4], [2, 2, 6]], np.int32), normal(2, 3, 4)
    size = {"input_dim": 7, "output_dim": 4}
    write("wrapper_layers", {
        "spectral": [
            spectral("Dense", {"layer": {"units": 3}, "options": {}}, normal(2, 4)),
            spectral("Conv2D", {"layer": {"filters": 3, "kernel_size": 2}, "options": {"power_iterations": 3}}, normal(1, 4, 4, 2)),
            spectral("Dense", {"layer": {"units": 3}, "options": {}, "zeros": True}, normal(2, 4)),
        ],
        "reversible": [
            reversible(size, ids, hidden), reversible({**size, "tie_weights": False}, ids, hidden),
            reversible({**size, "logit_soft_cap": 2.5}, ids, hidden), reversible({**size, "tie_weights": False, "logit_soft_cap": 0.5}, ids, hidden),
        ],
    })
