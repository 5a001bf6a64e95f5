"""Small models: ten single steps, and fit, evaluate and predict."""

import keras
import numpy as np

from golden import REPOSITORY, array, scalar, write


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


def main():
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

    # 6 x 6 images in two channels of which corner is bright: 22 rows in batches of 8, the third has 6.
    labels = random.integers(0, 3, size=30).astype(np.int32)
    images = 0.5 * random.normal(size=(30, 6, 6, 2)).astype(np.float32)
    for image, label in zip(images, labels):
        image[3 * (label // 2):3 * (label // 2) + 3, 3 * (label % 2):3 * (label % 2) + 3] += 1
    model_golden("model_cnn",
                 lambda: keras.Sequential([layers.Input((6, 6, 2)), layers.Conv2D(4, 3, padding="same", activation="relu"),
                                           layers.MaxPooling2D(), layers.Conv2D(6, 2, activation="relu"), layers.Flatten(),
                                           layers.Dense(3, activation="softmax")]),
                 lambda: keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy", ["accuracy"],
                 images[:22], labels[:22], images[22:], labels[22:], 8, 3)
