"""Training steps in JAX with optax: make(name) for the networks of common.py, in plain JAX (jax_layers.py) or flax (jax_family.py)."""
import jax
import jax.numpy as jnp
import optax

import common
import jax_layers


def make_plain(workload):
    """What jax_family.make returns, for a list of layers."""
    all_weights, functions, shape = [], [], workload["inputs"][0][0]
    for kind, *arguments in workload["layers"]:
        weights, function, shape = jax_layers.make(kind, arguments, shape, workload)
        all_weights.append(weights)
        functions.append(function)

    def logits(all_weights, others, key, x):
        for weights, function in zip(all_weights, functions):
            key, used = jax.random.split(key)
            x = function(weights, used, x)
        penalty = sum((leaf * leaf).sum() for leaf in jax.tree.leaves(all_weights) if leaf.ndim > 1) if workload["l2"] else 0
        return x, others, workload["l2"] * penalty

    return all_weights, {}, logits


def loss_of(workload, logits, y):
    if workload["loss"] == "log_cosh":
        difference = jax.nn.softmax(logits) - y[:, None].astype(jnp.float32)
        return (difference + jax.nn.softplus(-2 * difference) - jnp.log(2.0)).mean()
    if workload["classes"] <= 1:
        return optax.sigmoid_binary_cross_entropy(logits.reshape(y.shape), y).mean()
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


def make_optimizer(name, learning_rate):
    if name == "momentum":
        return optax.sgd(learning_rate, momentum=0.9)
    if name == "adamw":
        return optax.adamw(learning_rate, weight_decay=0.004)
    return getattr(optax, name)(learning_rate)


def make(name):
    """The state, and step(xs, y, state, rows) -> (state, loss), a step on these rows of the data."""
    workload = common.facts(name)
    if workload["layers"] is None:
        import jax_family
        weights, others, logits = jax_family.make(name)
    else:
        weights, others, logits = make_plain(workload)
    optimizer = make_optimizer(*workload["optimizer"])

    def loss(weights, others, key, xs, y):
        value, others, added = logits(weights, others, key, *xs)
        return loss_of(workload, value, y) + added, others

    def step(xs, y, state, rows):
        weights, others, slots, key = state
        key, own = jax.random.split(key)
        batch = [x[rows] for x in xs], y[rows]
        (value, others), gradients = jax.value_and_grad(loss, has_aux=True)(weights, others, own, *batch)
        updates, slots = optimizer.update(gradients, slots, weights)
        return (optax.apply_updates(weights, updates), others, slots, key), value

    return (weights, others, optimizer.init(weights), jax.random.key(0)), step
