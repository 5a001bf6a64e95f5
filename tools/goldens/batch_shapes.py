"""What fit, evaluate and predict compute where the batches of a run differ in shape: lengths of sequences, sizes of images, numbers of rows."""

import keras
import numpy as np

from golden import array, scalar, write


class Batches(keras.utils.PyDataset):
    """A list of (x, y) as a data set."""

    def __init__(self, batches):
        super().__init__()
        self.batches = batches

    def __len__(self):
        return len(self.batches)

    def __getitem__(self, i):
        return self.batches[i]


def lengths():
    return keras.Sequential([keras.layers.LSTM(3), keras.layers.Dense(1)])


def masked():
    return keras.Sequential([keras.layers.Embedding(7, 3, mask_zero=True), keras.layers.GRU(4, return_sequences=True),
                             keras.layers.Dense(3, activation="softmax")])


def images():
    inputs = keras.Input((None, None, 1))
    x = keras.layers.Conv2D(2, 3, activation="tanh")(inputs)
    x = keras.layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, keras.layers.Dense(3, activation="softmax")(x))


def main():
    random = np.random.default_rng(43)
    cases = {}

    def normal(*shape):
        return random.normal(size=shape).astype(np.float32)

    def case(name, make, batches, loss, joins=True, logs=("loss", "accuracy", "mae")):
        keras.utils.clear_session()
        keras.utils.set_random_seed(43)
        model = make()
        model.compile(optimizer=keras.optimizers.Adam(0.05), loss=loss, metrics=["accuracy"] if "sparse" in loss else ["mae"])
        model(batches[0][0])  # makes the weights
        initial = [array(w) for w in model.get_weights()]
        history = model.fit(Batches(batches), epochs=3, shuffle=False, verbose=0).history
        cases[name] = {
            "batches": [[array(x), array(y)] for x, y in batches], "weights": initial,
            "history": {k: [scalar(v) for v in values] for k, values in history.items() if k in logs},
            "final_weights": [array(w) for w in model.get_weights()],
            "evaluate": {k: scalar(v) for k, v in model.evaluate(Batches(batches), verbose=0, return_dict=True).items()},
        }
        if joins:
            cases[name]["predict"] = array(model.predict(Batches(batches), verbose=0))

    sizes = [(3, 4), (3, 4), (2, 4), (3, 6), (3, 4), (4, 2), (3, 6), (1, 6)]
    case("lengths", lengths, [(normal(n, t, 2), normal(n, 1)) for n, t in sizes], "mse")

    def sentences(n, t):
        ids = random.integers(1, 7, size=(n, t)).astype(np.int32)
        for row in ids[1:]:
            row[random.integers(1, t + 1):] = 0
        return ids, random.integers(0, 3, size=(n, t)).astype(np.int32)

    # On JAX the mask of y_pred does not reach the metrics of fit, as it does those of evaluate.
    case("masked", masked, [sentences(n, t) for n, t in sizes], "sparse_categorical_crossentropy", joins=False, logs=("loss",))
    pictures = [(2, 5, 6), (3, 4, 4), (3, 4, 4), (2, 5, 6), (4, 4, 4), (1, 6, 5)]
    case("images", images, [(normal(*size, 1), random.integers(0, 3, size=size[0]).astype(np.int32)) for size in pictures],
         "sparse_categorical_crossentropy")
    write("batch_shapes", {"cases": cases})
