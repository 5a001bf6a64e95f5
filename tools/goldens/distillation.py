"""Writes tests/goldens/distillation.json: the distillation losses, and the logs and weights of a Distiller.

    KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/goldens/keras_goldens.py distillation
"""

import keras
import numpy as np
from golden import array, scalar, write
from keras import distillation


def losses(random):
    teacher, student = random.normal(size=(2, 6, 4)).astype("float32")
    made = {
        "divergence": distillation.LogitsDistillation(4.0, keras.losses.KLDivergence()),
        "crossentropy": distillation.LogitsDistillation(2.0, keras.losses.CategoricalCrossentropy(from_logits=True)),
        "logits_mse": distillation.LogitsDistillation(3.0, "mse"), "features": distillation.FeatureDistillation(),
        "cosine": distillation.FeatureDistillation(keras.losses.CosineSimilarity()),
    }
    values = {name: scalar(loss.compute_loss(keras.ops.array(teacher), keras.ops.array(student))) for name, loss in made.items()}
    two = distillation.LogitsDistillation(3.0, [keras.losses.KLDivergence(), "mse"])
    pair = [keras.ops.array(teacher), keras.ops.array(student)]
    values["two_outputs"] = scalar(two.compute_loss(pair, pair[::-1]))
    return {"teacher": array(teacher), "student": array(student), "values": values}


def model(random, name, units):
    inputs = keras.Input((5,))
    outputs = keras.layers.Dense(3, name=f"{name}_out")(keras.layers.Dense(units, activation="tanh", name=f"{name}_hidden")(inputs))
    made = keras.Model(inputs, outputs, name=name)
    for weight in made.weights:
        weight.assign(random.normal(size=weight.shape) * 0.5)
    return made


def trained(random, with_features):
    keras.utils.clear_session()
    teacher, student = model(random, "teacher", 4), model(random, "student", 4)
    parts = [distillation.LogitsDistillation(2.0, keras.losses.KLDivergence())]
    if with_features:
        parts.append(distillation.FeatureDistillation("mse", "teacher_hidden", "student_hidden"))
    distiller = distillation.Distiller(teacher, student, parts, [1.0, 0.5][: len(parts)], student_loss_weight=0.25)
    distiller.compile(keras.optimizers.SGD(0.1), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                      metrics=["accuracy"])
    x, y = random.normal(size=(10, 5)).astype("float32"), random.integers(0, 3, (10,)).astype("int32")
    result = {"with_features": with_features, "x": array(x), "y": array(y), "teacher": [array(w) for w in teacher.weights],
              "student": [array(w) for w in student.weights]}
    history = distiller.fit(x, y, batch_size=4, epochs=3, shuffle=False, verbose=0).history
    return {**result, "logs": {name: [scalar(v) for v in values] for name, values in history.items()},
            "after": [array(w) for w in student.weights], "evaluated": {k: scalar(v) for k, v in distiller.evaluate(x, y, batch_size=4, verbose=0, return_dict=True).items()},
            "predicted": array(distiller.predict(x, verbose=0))}


def main():
    random = np.random.default_rng(20)
    write("distillation", {"losses": losses(random), "runs": [trained(random, False), trained(random, True)]})
