"""A training step in plain JAX: a dense network with Adam, written out, its state donated."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

SIZES = (784, 256, 10)


def make_state(key):
    keys = jax.random.split(key, len(SIZES) - 1)
    weights = [(jax.random.normal(k, (m, n)) / np.sqrt(m), jnp.zeros(n)) for k, m, n in zip(keys, SIZES, SIZES[1:])]
    zeros = jax.tree.map(jnp.zeros_like, weights)
    return weights, zeros, jax.tree.map(jnp.copy, zeros), jnp.zeros((), jnp.int32)


def loss_of(weights, x, y):
    for w, b in weights[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = weights[-1]
    return -jnp.mean(jax.nn.log_softmax(x @ w + b)[jnp.arange(y.shape[0]), y])


@functools.partial(jax.jit, donate_argnums=0)
def step(state, x, y):
    weights, first, second, count = state
    loss, gradients = jax.value_and_grad(loss_of)(weights, x, y)
    count = count + 1
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
    scale = jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    weights = jax.tree.map(lambda w, m, v: w - 0.001 * scale * m / (jnp.sqrt(v) + 1e-7), weights, first, second)
    return (weights, first, second, count), loss


random = np.random.default_rng(1)
y = random.integers(0, 10, 512)
x = (random.normal(size=(10, 784))[y] + random.normal(size=(512, 784))).astype("float32")
state = make_state(jax.random.key(1))
for epoch in range(5):
    losses = []
    for begin in range(0, 512, 64):
        state, loss = step(state, x[begin:begin + 64], y[begin:begin + 64])
        losses.append(loss)
    print(f"Epoch {epoch + 1}/5 - loss: {np.mean(losses):.6f}")
