"""The four training loops of TensorFlow's guide to TPUs, for its network: `fit`, `fit` with `steps_per_execution`, a loop of one step a
call, and many steps in one call. The data are made, the batch is 20 in place of 200."""

import functools

import jax
import keras
import numpy as np
from keras import layers

BATCH, STEPS = 20, 4
random = np.random.default_rng(1)
labels = random.integers(0, 10, BATCH * STEPS)
images = (random.random((10, 28, 28, 1))[labels] + 0.3 * random.random((BATCH * STEPS, 28, 28, 1))).astype("float32")


def make_model(steps_per_execution=1):
    keras.utils.set_random_seed(1)
    penalty = keras.regularizers.L2(1e-5)
    model = keras.Sequential([
        layers.Input((28, 28, 1)),
        layers.Conv2D(256, 3, activation="relu", kernel_regularizer=penalty),
        layers.Conv2D(256, 3, activation="relu", kernel_regularizer=penalty),
        layers.Flatten(),
        layers.Dense(256, activation="relu", kernel_regularizer=penalty),
        layers.Dense(128, activation="relu", kernel_regularizer=penalty),
        layers.Dense(10, kernel_regularizer=penalty),
    ])
    model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["sparse_categorical_accuracy"], steps_per_execution=steps_per_execution)
    return model


for steps_per_execution in (1, 2):
    make_model(steps_per_execution).fit(images, labels, batch_size=BATCH, epochs=1, shuffle=False, verbose=2)

model = make_model()
cross_entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def loss_of(weights, others, x, y):
    logits, others, penalties = model.stateless_call(weights, others, x, training=True, return_losses=True)
    return cross_entropy(y, logits) + sum(penalties), others


def step(state, batch):
    weights, others, slots = state
    (loss, others), gradients = jax.value_and_grad(loss_of, has_aux=True)(weights, others, *batch)
    weights, slots = model.optimizer.stateless_apply(slots, gradients, weights)
    return (weights, others, slots), loss


def first_state():
    """Copies, since the steps below donate their state."""
    model.optimizer.build(model.trainable_variables)
    groups = model.trainable_variables, model.non_trainable_variables, model.optimizer.variables
    return tuple([jax.numpy.copy(variable.value) for variable in group] for group in groups)


batches = images.reshape(STEPS, BATCH, 28, 28, 1), labels.reshape(STEPS, BATCH)
one_step = functools.partial(jax.jit, donate_argnums=0)(step)
state, losses = first_state(), []
for x, y in zip(*batches):
    state, loss = one_step(state, (x, y))
    losses.append(loss)
print(f"one step a call - loss: {np.mean(losses):.6f}")

many_steps = functools.partial(jax.jit, donate_argnums=0)(lambda state, batches: jax.lax.scan(step, state, batches))
state, losses = many_steps(first_state(), batches)
print(f"{STEPS} steps a call - loss: {np.mean(losses):.6f}")
