"""JAX with optax: the whole step under jit, the steps of an execution in one lax.scan, data on the device, buffers donated."""
import time

started = time.perf_counter()
import jax
import jax.numpy as jnp
import numpy as np
import optax

import common

imported = time.perf_counter()


def initial_parameters(workload):
    generator = np.random.default_rng(0)
    parameters, inputs = [], workload["features"]
    for units, _, _ in workload["layers"]:
        parameters.append((jnp.asarray(generator.standard_normal((inputs, units), dtype=np.float32) * 0.05), jnp.zeros(units)))
        inputs = units
    return parameters


def make_loss(workload):
    last = len(workload["layers"]) - 1

    def logits(parameters, key, x):
        for index, ((kernel, bias), (_, _, rate)) in enumerate(zip(parameters, workload["layers"])):
            x = x @ kernel + bias
            if index < last:
                x = jax.nn.relu(x)
            if rate > 0:
                key, own = jax.random.split(key)
                x = jnp.where(jax.random.bernoulli(own, 1 - rate, x.shape), x / (1 - rate), 0)
        return x

    def log_cosh(parameters, key, x, y):
        difference = jax.nn.softmax(logits(parameters, key, x)) - y[:, None].astype(jnp.float32)
        return (difference + jax.nn.softplus(-2 * difference) - jnp.log(2.0)).mean()

    def crossentropy(parameters, key, x, y):
        return optax.softmax_cross_entropy_with_integer_labels(logits(parameters, key, x), y).mean()

    return log_cosh if workload["loss"] == "log_cosh" else crossentropy


def main():
    options = common.arguments(__doc__)
    workload = common.WORKLOADS[options.workload]
    x, y = (jnp.asarray(array) for array in common.make_data(workload))
    name, rate = workload["optimizer"]
    optimizer = getattr(optax, name)(rate)
    loss = make_loss(workload)

    def step(carry, rows):
        parameters, slots, key = carry
        key, own = jax.random.split(key)
        value, gradients = jax.value_and_grad(loss)(parameters, own, x[rows], y[rows])
        updates, slots = optimizer.update(gradients, slots, parameters)
        return (optax.apply_updates(parameters, updates), slots, key), value

    if options.spe == 1:
        execute = jax.jit(lambda carry, rows: step(carry, rows[0]), donate_argnums=0)
    else:
        execute = jax.jit(lambda carry, rows: jax.lax.scan(step, carry, rows), donate_argnums=0)
    parameters = initial_parameters(workload)
    state = [(parameters, optimizer.init(parameters), jax.random.key(0))]
    batches = common.index_batches(workload["rows"], workload["batch"])

    def run_steps(count):
        for _ in range(count // options.spe):
            state[0], _ = execute(state[0], np.stack([next(batches) for _ in range(options.spe)]))
        jax.block_until_ready(state[0])

    common.measure(run_steps, options, started, imported, peer="jax", version=jax.__version__)


main()
