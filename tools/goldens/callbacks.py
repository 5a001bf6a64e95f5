"""What callbacks do with the same logs: when they stop, which weights they restore, learning rates, the text of CSV files."""

import contextlib
import io
import pathlib
import tempfile

import keras
import numpy as np

from golden import scalar, write


def compiled_model():
    model = keras.Sequential([keras.layers.Input((1,)), keras.layers.Dense(1, use_bias=False)])
    model.compile(optimizer=keras.optimizers.SGD(0.5), loss="mse", metrics=["accuracy", "mae"])
    model.evaluate(np.ones((2, 1)), np.ones((2, 1)), verbose=0)  # makes the metrics
    return model


def run_epochs(callback, logs, mark=False):
    """Calls the hooks of a training run over these logs; the weight is the epoch's number while it lasts. Returns the rates too."""
    model = compiled_model()
    callback.set_model(model)
    callback.set_params({"epochs": len(logs), "steps": 1, "verbose": 0})
    model.stop_training = False
    callback.on_train_begin()
    rates = []
    for epoch, values in enumerate(logs):
        callback.on_epoch_begin(epoch)
        model.set_weights([np.full((1, 1), float(epoch), np.float32)])
        values = dict(values)
        callback.on_epoch_end(epoch, values)
        rates.append(scalar(np.asarray(model.optimizer.learning_rate)))
        if model.stop_training:
            break
    callback.on_train_end()
    return model, rates


def early_stopping():
    random = np.random.default_rng(21)
    falling = [1.0, 0.8, 0.79, 0.78, 0.5, 0.51, 0.5, 0.49999997, 0.6, 0.7, 0.2, 0.3, 0.4, 0.5]
    wobbly = [round(float(v), 4) for v in 1 + 0.3 * random.normal(size=25)]
    rising = [0.1, 0.5, 0.5, 0.55, 0.54, 0.56, 0.3, 0.2, 0.9, 0.1, 0.1, 0.1]
    cases = []
    for name, series in [("val_loss", falling), ("val_loss", wobbly), ("val_accuracy", rising), ("mae", wobbly)]:
        for config in [{}, {"patience": 2}, {"patience": 3, "min_delta": 0.05}, {"patience": 2, "restore_best_weights": True},
                       {"patience": 1, "start_from_epoch": 4, "restore_best_weights": True}, {"patience": 3, "baseline": 0.75},
                       {"patience": 2, "mode": "max"}, {"patience": 2, "mode": "min", "min_delta": 0.1, "restore_best_weights": True}]:
            callback = keras.callbacks.EarlyStopping(monitor=name, **config)
            model, rates = run_epochs(callback, [{name: v} for v in series])
            cases.append({"monitor": name, "series": series, "config": config, "epochs": len(rates), "stopped_epoch": callback.stopped_epoch,
                          "best_epoch": callback.best_epoch, "best": scalar(callback.best), "wait": callback.wait,
                          "weight": scalar(model.get_weights()[0][0, 0])})
    return cases


def reduce_lr():
    series = [1.0, 0.9, 0.9, 0.89995, 0.9, 0.5, 0.6, 0.6, 0.6, 0.6, 0.4, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]
    cases = []
    for name in ["val_loss", "val_accuracy"]:
        for config in [{"patience": 2}, {"patience": 1, "factor": 0.5}, {"patience": 0, "factor": 0.9}, {"patience": 1, "cooldown": 3},
                       {"patience": 1, "factor": 0.3, "min_lr": 0.1}, {"patience": 2, "min_delta": 0.2, "factor": 0.5}]:
            _, rates = run_epochs(keras.callbacks.ReduceLROnPlateau(monitor=name, **config), [{name: v} for v in series])
            cases.append({"monitor": name, "series": series, "config": config, "rates": rates})
    return cases


def csv_logger():
    runs = [
        ([{"loss": 0.5, "accuracy": 0.30000001192092896}, {"loss": 1e-05, "accuracy": 1.0}, {"loss": 1e16, "accuracy": 0.1}], {}),
        ([{"loss": 0.5, "val_loss": 0.25}, {"loss": float("nan")}, {"loss": 3.0, "val_loss": float("inf"), "new": 1.0}], {"separator": ";"}),
        ([{"a,b": 1.5, "c\"d": -0.0}], {}),
        ([{"f1_score": np.array([0.2857142, 0.0, 1.0, 1e-7], np.float32), "loss": 0.25}], {}),
    ]
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        for index, (logs, config) in enumerate(runs):
            path = pathlib.Path(folder) / f"{index}.csv"
            run_epochs(keras.callbacks.CSVLogger(str(path), **config), logs)
            text = path.read_bytes().decode()
            run_epochs(keras.callbacks.CSVLogger(str(path), append=True, **config), logs)
            keep = lambda entry: {k: v.tolist() if isinstance(v, np.ndarray) else v if np.isfinite(v) else str(v) for k, v in entry.items()}
            cases.append({"logs": [list(keep(entry).items()) for entry in logs], "config": config, "text": text,
                          "appended": path.read_bytes().decode()})
    return cases


def progress_bar():
    """What the bar says of logs, without its times."""
    cases = []
    for logs in [{"accuracy": 0.5, "f1_score": np.array([0.2857142, 0.0, 1.0], np.float32), "loss": 1e-4},
                 {"f1_score": np.array([0.0, 0.0012], np.float32), "loss": 2.0}]:
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            keras.utils.Progbar(2, verbose=2).update(2, list(logs.items()), finalize=True)
        said = text.getvalue().strip().split("/step - ")[1]
        cases.append({"logs": [[k, v.tolist() if isinstance(v, np.ndarray) else v] for k, v in logs.items()], "text": said})
    return cases


def main():
    scheduler = keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.5 if epoch % 2 else rate + 0.25)
    _, rates = run_epochs(scheduler, [{"loss": 1.0}] * 6)
    write("callbacks", {"early_stopping": early_stopping(), "reduce_lr_on_plateau": reduce_lr(), "learning_rate_scheduler": rates,
                        "csv_logger": csv_logger(), "progress_bar": progress_bar()})
