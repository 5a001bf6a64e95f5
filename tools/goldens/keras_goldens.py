#!/usr/bin/env python3
"""Makes tests/goldens/*.json: what real Keras computes, for the tests to compare with.

Needs Keras 3 and JAX, in float32 on the CPU:

    KERAS_BACKEND=jax JAX_PLATFORMS=cpu python tools/goldens/keras_goldens.py

Arrays are stored as {"shape": [...], "data": [...]} in row-major order. Everything follows from the seeds below, so a second run with the
same versions writes the same files.
"""

import json
import os
import pathlib

os.environ.setdefault("KERAS_BACKEND", "jax")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import jax
import jax.numpy as jnp
import keras
import numpy as np

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
OUTPUT = REPOSITORY / "tests" / "goldens"


def array(x):
    x = np.asarray(x)
    if x.dtype.kind == "f":
        data = [float(f"{v:.9g}") for v in x.astype(np.float32).ravel()]
    else:
        data = [int(v) for v in x.ravel()]
    return {"shape": list(x.shape), "data": data}


def scalar(x):
    return float(f"{float(x):.9g}")


def write(name, content):
    content = {"made_by": f"keras {keras.__version__}, jax {jax.__version__}", **content}
    path = OUTPUT / f"{name}.json"
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")
    print(f"{path.relative_to(REPOSITORY)}: {path.stat().st_size} bytes")


def activations():
    names = ["celu", "elu", "exponential", "hard_sigmoid", "hard_silu", "hard_tanh", "leaky_relu", "linear", "log_sigmoid", "log_softmax",
             "mish", "relu", "relu6", "selu", "sigmoid", "silu", "softmax", "softplus", "softsign", "tanh"]
    random = np.random.default_rng(1)
    x = (random.normal(size=(5, 6)) * 3).astype(np.float32)
    x[0] = [-20.0, -0.01, 0.01, 20.0, -4.5, 4.5]
    weights = random.normal(size=x.shape).astype(np.float32)
    cases = []
    for name in names:
        function = keras.activations.get(name)
        gradient = jax.grad(lambda v, f=function: jnp.sum(f(v) * weights))(jnp.asarray(x))
        cases.append({"name": name, "y": array(function(x)), "gradient": array(gradient)})
    write("activations", {"x": array(x), "weights": array(weights), "cases": cases})


def losses():
    random = np.random.default_rng(2)

    def probabilities(*shape):
        e = np.exp(random.normal(size=shape))
        return (e / e.sum(-1, keepdims=True)).astype(np.float32)

    def normal(*shape):
        return random.normal(size=shape).astype(np.float32)

    def one_hot(*shape):
        return np.eye(shape[-1], dtype=np.float32)[random.integers(0, shape[-1], size=shape[:-1])]

    extreme = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]], np.float32)
    big = np.array([[30.0, -30.0, 0.0], [200.0, 0.0, -200.0]], np.float32)
    cases = []

    def case(loss, y_true, y_pred, config=None, sample_weight=None):
        config = config or {}
        made = keras.losses.get({"class_name": loss, "config": config})
        values = made.call(jnp.asarray(y_true), jnp.asarray(y_pred))
        call = lambda p: made(y_true, p, sample_weight)
        cases.append({
            "loss": loss, "config": config, "y_true": array(y_true), "y_pred": array(y_pred),
            "sample_weight": None if sample_weight is None else array(sample_weight),
            "values": array(values), "result": scalar(call(jnp.asarray(y_pred))),
            "gradient": array(jax.grad(call)(jnp.asarray(y_pred))),
        })

    for loss in ["LogCosh", "MeanSquaredError", "MeanAbsoluteError", "Huber"]:
        case(loss, normal(4, 3), normal(4, 3) * 2)
        case(loss, normal(3, 2, 4), normal(3, 2, 4))
        case(loss, normal(5), normal(5, 1))
        case(loss, normal(4, 3), normal(4, 3), sample_weight=random.random(4).astype(np.float32))
    case("LogCosh", np.zeros((2, 3), np.float32), big)
    case("MeanSquaredError", normal(4, 3), normal(4, 3), {"reduction": "sum"})
    for from_logits in [False, True]:
        config = {"from_logits": from_logits}
        make = normal if from_logits else probabilities
        weight = random.random(6).astype(np.float32)
        case("CategoricalCrossentropy", one_hot(6, 4), make(6, 4), config)
        case("CategoricalCrossentropy", one_hot(6, 4), make(6, 4), {**config, "label_smoothing": 0.1}, weight)
        case("CategoricalCrossentropy", one_hot(3, 2, 5), make(3, 2, 5), config)
        case("CategoricalCrossentropy", one_hot(2, 3), big if from_logits else extreme, config)
        case("SparseCategoricalCrossentropy", random.integers(0, 4, size=6).astype(np.int32), make(6, 4), config)
        case("SparseCategoricalCrossentropy", random.integers(0, 4, size=(6, 1)).astype(np.int32), make(6, 4), config, weight)
        case("SparseCategoricalCrossentropy", random.integers(0, 5, size=(3, 2)).astype(np.int32), make(3, 2, 5), config)
        case("SparseCategoricalCrossentropy", np.array([1, 0], np.int32), big if from_logits else extreme, config)
        binary = random.integers(0, 2, size=(6, 1)).astype(np.float32)
        predicted = normal(6, 1) * 3 if from_logits else random.random((6, 1)).astype(np.float32)
        case("BinaryCrossentropy", binary, predicted, config)
        case("BinaryCrossentropy", random.integers(0, 2, size=(4, 3)).astype(np.float32),
             normal(4, 3) if from_logits else random.random((4, 3)).astype(np.float32), {**config, "label_smoothing": 0.2})
    write("losses", {"cases": cases})


def metrics():
    random = np.random.default_rng(3)
    cases = []

    def case(metric, updates, config=None):
        made = getattr(keras.metrics, metric)(**(config or {}))
        rows = []
        for y_true, y_pred, sample_weight in updates:
            made.update_state(y_true, y_pred, sample_weight=sample_weight) if y_pred is not None else made.update_state(
                y_true, sample_weight=sample_weight)
            rows.append({"y_true": array(y_true), "y_pred": None if y_pred is None else array(y_pred),
                         "sample_weight": None if sample_weight is None else array(sample_weight), "result": scalar(made.result())})
        cases.append({"metric": metric, "config": config or {}, "updates": rows})

    def random_array(*shape):
        return random.random(shape).astype(np.float32)

    eye = np.eye(4, dtype=np.float32)
    for metric in ["Mean", "Sum"]:
        case(metric, [(random_array(5), None, None), (random_array(3, 2), None, None), (random_array(4), None, random_array(4))])
    case("CategoricalAccuracy", [(eye[random.integers(0, 4, 6)], random_array(6, 4), w) for w in [None, random_array(6), None]])
    case("SparseCategoricalAccuracy", [(random.integers(0, 4, 6).astype(np.int32), random_array(6, 4), w) for w in [None, random_array(6)]]
         + [(random.integers(0, 4, (6, 1)).astype(np.int32), random_array(6, 4), None)])
    case("SparseCategoricalAccuracy", [(random.integers(0, 3, (4, 5)).astype(np.int32), random_array(4, 5, 3), None)])
    case("BinaryAccuracy", [(random.integers(0, 2, (6, 1)).astype(np.float32), random_array(6, 1), w) for w in [None, random_array(6)]])
    case("BinaryAccuracy", [(random.integers(0, 2, (6, 3)).astype(np.float32), random_array(6, 3), None)], {"threshold": 0.3})
    case("MeanSquaredError", [(random_array(6, 3), random_array(6, 3), w) for w in [None, random_array(6)]])
    case("MeanAbsoluteError", [(random_array(6, 3), random_array(6, 3), None)])
    write("metrics", {"cases": cases})


def optimizers():
    random = np.random.default_rng(4)
    shapes = [(3, 2), (4,)]
    starts = [random.normal(size=s).astype(np.float32) for s in shapes]
    gradients = [[random.normal(size=s).astype(np.float32) for s in shapes] for _ in range(10)]
    gradients[3][1][2] = 0.0
    configs = [
        ("SGD", {}), ("SGD", {"learning_rate": 0.1, "momentum": 0.9}), ("SGD", {"learning_rate": 0.1, "momentum": 0.9, "nesterov": True}),
        ("Adam", {}), ("Adam", {"learning_rate": 0.1, "beta_1": 0.8, "beta_2": 0.99, "epsilon": 1e-3}),
        ("Adam", {"learning_rate": 0.05, "amsgrad": True}), ("Adam", {"learning_rate": 0.05, "weight_decay": 0.01}),
        ("RMSprop", {}), ("RMSprop", {"learning_rate": 0.01, "momentum": 0.5}), ("RMSprop", {"learning_rate": 0.01, "centered": True}),
        ("RMSprop", {"learning_rate": 0.01, "momentum": 0.9, "centered": True, "rho": 0.8}),
        ("SGD", {"clipnorm": 0.5}), ("SGD", {"clipvalue": 0.3}), ("SGD", {"global_clipnorm": 0.7}),
    ]
    cases = []
    for name, config in configs:
        optimizer = getattr(keras.optimizers, name)(**config)
        variables = [keras.Variable(s, name=f"v{i}") for i, s in enumerate(starts)]
        steps = []
        for step in gradients:
            optimizer.apply([jnp.asarray(g) for g in step], variables)
            steps.append([array(v.numpy()) for v in variables])
        slots = [array(np.asarray(v.numpy())) for v in optimizer.variables[2:]]
        cases.append({"optimizer": name, "config": config, "steps": steps, "slots": slots})
    write("optimizers", {"starts": [array(s) for s in starts], "gradients": [[array(g) for g in step] for step in gradients],
                         "cases": cases})


def model_golden(name, make_model, make_optimizer, loss, metrics_list, x, y, x_val, y_val, batch_size, epochs):
    keras.utils.clear_session()
    keras.utils.set_random_seed(7)
    initial = make_model().get_weights()

    def fresh():
        model = make_model()
        model.set_weights(initial)
        model.compile(optimizer=make_optimizer(), loss=loss, metrics=metrics_list)
        return model

    # Ten single steps in the data's order, running into the next epoch (a partial batch ends each).
    model = fresh()
    step_losses, step_rows = [], []
    starts = list(range(0, len(x), batch_size))
    for i in range(10):
        begin = starts[i % len(starts)]
        model.reset_metrics()
        logs = model.train_on_batch(x[begin:begin + batch_size], y[begin:begin + batch_size], return_dict=True)
        step_losses.append(scalar(logs["loss"]))
        step_rows.append(len(x[begin:begin + batch_size]))
    after_ten = model.get_weights()

    class RunningLogs(keras.callbacks.Callback):
        def __init__(self):
            super().__init__()
            self.rows = []

        def on_train_batch_end(self, batch, logs=None):
            self.rows.append({k: scalar(v) for k, v in logs.items()})

    model = fresh()
    running = RunningLogs()
    initial_predictions = model.predict(x_val, batch_size=batch_size, verbose=0)
    history = model.fit(x, y, batch_size=batch_size, epochs=epochs, shuffle=False, verbose=0, validation_data=(x_val, y_val),
                        callbacks=[running]).history
    evaluated = model.evaluate(x_val, y_val, batch_size=batch_size, verbose=0, return_dict=True)
    write(name, {
        "batch_size": batch_size, "epochs": epochs, "x": array(x), "y": array(y), "x_val": array(x_val), "y_val": array(y_val),
        "initial_weights": [array(w) for w in initial],
        "step_losses": step_losses, "step_rows": step_rows, "weights_after_ten_steps": [array(w) for w in after_ten],
        "running_logs": running.rows, "history": {k: [scalar(v) for v in values] for k, values in history.items()},
        "final_weights": [array(w) for w in model.get_weights()],
        "evaluate": {k: scalar(v) for k, v in evaluated.items()},
        "initial_predictions": array(initial_predictions), "predictions": array(model.predict(x_val, batch_size=batch_size, verbose=0)),
    })


def models():
    layers = keras.layers
    rows = [line.split(",") for line in (REPOSITORY / "examples/01_iris/iris.csv").read_text().splitlines() if line[:1].isdigit()]
    names = sorted({row[4] for row in rows})
    x = np.array([[float(v) for v in row[:4]] for row in rows], np.float32)
    y = np.eye(3, dtype=np.float32)[[names.index(row[4]) for row in rows]]
    order = np.random.default_rng(5).permutation(len(x))
    x, y = x[order], y[order]
    # 105 rows in batches of 20: the sixth has 5.
    model_golden("model_iris",
                 lambda: keras.Sequential([layers.Input((4,)), layers.Dense(32, activation="relu"), layers.Dense(3, activation="softmax")]),
                 lambda: keras.optimizers.Adam(0.1), "log_cosh", ["accuracy"], x[:105], y[:105], x[105:], y[105:], 20, 3)

    random = np.random.default_rng(6)
    centres = random.normal(size=(10, 20))
    labels = random.integers(0, 10, size=94).astype(np.int32)
    features = (centres[labels] + 0.8 * random.normal(size=(94, 20))).astype(np.float32)
    # 70 rows in batches of 16: the fifth has 6.
    model_golden("model_mlp",
                 lambda: keras.Sequential([layers.Input((20,)), layers.Dense(16, activation="relu"), layers.Dense(16, activation="relu"),
                                           layers.Dense(10, activation="softmax")]),
                 lambda: keras.optimizers.RMSprop(0.003), "sparse_categorical_crossentropy", ["accuracy"],
                 features[:70], labels[:70], features[70:], labels[70:], 16, 3)


def main():
    OUTPUT.mkdir(parents=True, exist_ok=True)
    activations()
    losses()
    metrics()
    optimizers()
    models()


if __name__ == "__main__":
    main()
