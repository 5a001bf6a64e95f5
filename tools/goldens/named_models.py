"""Functional models whose inputs and outputs are dictionaries with other keys than the names of their layers, and one inside another: configurations,
training by names, and predictions."""

import json

import keras
import numpy as np

from golden import array, scalar, write

L = keras.layers


def named():
    title, body = keras.Input((3,), name="title_input"), keras.Input((4,), name="body_input")
    joined = L.Concatenate()([L.Dense(5)(title), L.Dense(5)(body)])
    # Sorted by key, the outputs are in another order than here.
    return keras.Model({"title": title, "body": body}, {"stars": L.Dense(2, name="first")(joined), "price": L.Dense(1, name="second")(joined)})


def main():
    keras.utils.clear_session()
    keras.utils.set_random_seed(3)
    random = np.random.default_rng(5)
    x = {"title": random.normal(size=(6, 3)).astype("float32"), "body": random.normal(size=(6, 4)).astype("float32")}
    y = {"stars": random.normal(size=(6, 2)).astype("float32"), "price": random.normal(size=(6, 1)).astype("float32")}
    model = named()
    u, v = keras.Input((3,), name="u"), keras.Input((4,), name="v")
    outer = keras.Model([u, v], L.Dense(2)(model({"title": u, "body": v})["stars"]))
    nested = {"json": json.loads(outer.to_json()), "weights": [array(w) for w in outer.get_weights()],
              "prediction": array(outer.predict([x["title"], x["body"]], verbose=0))}
    model.compile(keras.optimizers.SGD(0.05), loss={"price": "mae", "stars": "mse"}, loss_weights={"price": 0.5, "stars": 1.0}, metrics={"stars": ["mae"]})
    content = {"json": json.loads(model.to_json()), "compile": model.get_compile_config(), "weights": [array(w) for w in model.get_weights()],
               "x": {name: array(value) for name, value in x.items()}, "y": {name: array(value) for name, value in y.items()},
               "history": {name: [scalar(value) for value in values] for name, values in model.fit(x, y, batch_size=6, epochs=3, verbose=0).history.items()},
               "evaluation": {name: scalar(value) for name, value in model.evaluate(x, y, verbose=0, return_dict=True).items()},
               "prediction": {name: array(value) for name, value in model.predict(x, verbose=0).items()}}
    # A list of one loss, and an output without a loss.
    partial = named()
    partial.compile(keras.optimizers.SGD(0.05), loss={"stars": ["mse"]}, metrics={"stars": ["mae"]})
    one = {"compile": partial.get_compile_config(), "weights": [array(w) for w in partial.get_weights()],
           "history": {name: [scalar(value) for value in values] for name, values in partial.fit(x, y, batch_size=6, epochs=3, verbose=0).history.items()}}
    write("named_models", {"named": content, "nested": nested, "partial": one})
