"""Embedding, masking and normalization layers: each option, odd shapes, masks, training mode."""

import functools

import numpy as np

import golden

random = np.random.default_rng(52)


def normal(*shape):
    return random.normal(size=shape).astype(np.float32)


layer_case = functools.partial(golden.layer_case, random)


def embedding_cases():
    repeated = np.array([[4, 0, 0, 2], [1, 4, 4, 4], [0, 0, 0, 0]], np.int32)
    return [
        layer_case("Embedding", {"input_dim": 5, "output_dim": 3}, repeated),
        layer_case("Embedding", {"input_dim": 5, "output_dim": 3, "mask_zero": True}, repeated),
        layer_case("Embedding", {"input_dim": 5, "output_dim": 1, "embeddings_regularizer": "l2"}, np.array([[4], [3]], np.int32)),
        layer_case("Embedding", {"input_dim": 4, "output_dim": 7, "embeddings_constraint": "non_neg"}, np.array([3, 0, 3], np.int32)),
        layer_case("Embedding", {"input_dim": 4, "output_dim": 2, "activity_regularizer": "l1"}, repeated[:, ::-1] % 4),
        layer_case("Embedding", {"input_dim": 6, "output_dim": 2}, random.integers(0, 6, size=(2, 3, 2)).astype(np.int32)),
        # Floating-point ids are cut to integers; the mask sees them as they are.
        layer_case("Embedding", {"input_dim": 3, "output_dim": 2, "mask_zero": True}, np.array([[0.0, 0.5, 1.0], [2.9, 1.2, 0.0]], np.float32)),
    ]


def masking_cases():
    x = normal(3, 4, 2)
    x[0, 2:] = 0
    x[1, 1, 0] = 0
    x[2] = 0
    whole = random.integers(1, 4, size=(2, 3, 2)).astype(np.float32)
    whole[0, 1] = 2
    minus_one = normal(2, 3, 2, 2)
    minus_one[1, 2] = -1
    other = np.array([[True, True, False, False], [True, False, True, False], [False, False, False, False]])
    return [
        layer_case("Masking", {}, x), layer_case("Masking", {"mask_value": 2.0}, whole),
        layer_case("Masking", {"mask_value": -1.0}, minus_one), layer_case("Masking", {}, x, [other]),
    ]


def main():
    golden.write("norm_layers", {"cases": embedding_cases() + masking_cases()})
