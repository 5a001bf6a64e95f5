"""JAX with optax: the whole step under jit, the steps of an execution in one lax.scan, data on the device, buffers donated."""
import functools
import time

started = time.perf_counter()
import jax
import jax.numpy as jnp
import numpy as np
import optax

import common
import jax_layers

imported = time.perf_counter()


def make_model(workload):
    """Parameters of all layers, and logits(parameters, key, x)."""
    parameters, functions, shape = [], [], workload["inputs"][0][0]
    for kind, *arguments in workload["layers"]:
        own, function, shape = jax_layers.make(kind, arguments, shape, workload)
        parameters.append(own)
        functions.append(function)

    def logits(all_parameters, key, x):
        for own, function in zip(all_parameters, functions):
            key, used = jax.random.split(key)
            x = function(own, used, x)
        return x

    return parameters, logits


def make_loss(workload, logits):
    def log_cosh(parameters, key, x, y):
        difference = jax.nn.softmax(logits(parameters, key, x)) - y[:, None].astype(jnp.float32)
        return (difference + jax.nn.softplus(-2 * difference) - jnp.log(2.0)).mean()

    def binary_crossentropy(parameters, key, x, y):
        return optax.sigmoid_binary_cross_entropy(logits(parameters, key, x)[:, 0], y).mean()

    def crossentropy(parameters, key, x, y):
        value = optax.softmax_cross_entropy_with_integer_labels(logits(parameters, key, x), y).mean()
        if workload["l2"]:
            value += workload["l2"] * sum((leaf * leaf).sum() for leaf in jax.tree.leaves(parameters) if leaf.ndim > 1)
        return value

    if workload["loss"] == "log_cosh":
        return log_cosh
    return binary_crossentropy if workload["classes"] == 1 else crossentropy


def main():
    options = common.arguments(__doc__)
    workload = common.WORKLOADS[options.workload]
    (x,), y = common.make_data(workload)
    x, y = jnp.asarray(x), jnp.asarray(y)
    name, rate = workload["optimizer"]
    optimizer = getattr(optax, name)(rate)
    parameters, logits = make_model(workload)
    loss = make_loss(workload, logits)

    def step(x, y, carry, rows):
        parameters, slots, key = carry
        key, own = jax.random.split(key)
        value, gradients = jax.value_and_grad(loss)(parameters, own, x[rows], y[rows])
        updates, slots = optimizer.update(gradients, slots, parameters)
        return (optax.apply_updates(parameters, updates), slots, key), value

    # Data are arguments: what a jitted function closes over would be copied into the program.
    if options.spe == 1:
        execute = jax.jit(lambda carry, x, y, rows: step(x, y, carry, rows[0]), donate_argnums=0)
    else:
        execute = jax.jit(lambda carry, x, y, rows: jax.lax.scan(functools.partial(step, x, y), carry, rows), donate_argnums=0)
    state = [(parameters, optimizer.init(parameters), jax.random.key(0))]
    batches = common.index_batches(workload["rows"], workload["batch"])

    def run_steps(count):
        for _ in range(count // options.spe):
            state[0], _ = execute(state[0], x, y, np.stack([next(batches) for _ in range(options.spe)]))
        jax.block_until_ready(state[0])

    common.measure(run_steps, options, started, imported, peer="jax", version=jax.__version__,
                   params=sum(leaf.size for leaf in jax.tree.leaves(parameters)))


main()
