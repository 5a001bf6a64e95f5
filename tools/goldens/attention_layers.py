"""EinsumDense and the layers of attention: each option, masks of every kind, several axes of steps, scores."""

import functools

import numpy as np

import golden

random = np.random.default_rng(71)


def normal(*shape):
    return random.normal(size=shape).astype(np.float32)


layer_case = functools.partial(golden.layer_case, random)


def heads_case(name, config, inputs, *masks, **arguments):
    """A step's softmax does not depend on the bias of the keys: its gradient is noise around 0, unless it is regularized."""
    case = layer_case(name, config, inputs, *masks, names=["query", "value", "key", "attention_mask"], **arguments)
    if "bias_regularizer" not in config and "activity_regularizer" not in config:
        case["zero_gradients"] = [i for i, weight in enumerate(case["weights"]) if weight["path"].endswith("/key/bias")]
    return case


def einsum_case(config, inputs):
    """Cornu says the extents that Keras leaves open where output_shape does."""
    case = layer_case("EinsumDense", config, inputs)
    case["output_shape"] = [-1, *case["y"]["shape"][1:]]
    return case


def einsum_dense_cases():
    x2, x3, x4 = normal(4, 5), normal(3, 4, 5), normal(2, 3, 4, 5)
    return [
        einsum_case({"equation": "ab,bc->ac", "output_shape": [3], "bias_axes": "c", "activation": "tanh"}, x2),
        einsum_case({"equation": "abc,cd->abd", "output_shape": [None, 3], "bias_axes": "d", "kernel_regularizer": "l2"}, x3),
        einsum_case({"equation": "abc,cde->abde", "output_shape": [None, 2, 3], "bias_axes": "de"}, x3),
        einsum_case({"equation": "abcd,cde->abe", "output_shape": [None, 6]}, x4),
        einsum_case({"equation": "...x,xy->...y", "output_shape": [4], "bias_axes": "y"}, x4),
        einsum_case({"equation": "ab...,bc->ac...", "output_shape": [6], "bias_axes": "c", "bias_constraint": "non_neg"}, x4),
        einsum_case({"equation": "abc,cd->abd", "output_shape": [4, 2], "bias_axes": "b", "activity_regularizer": "l1"}, x3),
        einsum_case({"equation": "abc,bcd->abd", "output_shape": [4, 2], "lora_rank": 2}, x3),
    ]


def masks(batch, steps):
    lengths = random.integers(1, steps + 1, size=batch)
    return np.arange(steps) < lengths[:, None]


def scored_cases(name):
    query, value, key = normal(3, 4, 5), normal(3, 6, 5), normal(3, 6, 5)
    of_query, of_value = masks(3, 4), masks(3, 6)
    cases = [
        layer_case(name, {}, [query, value]), layer_case(name, {}, [query, value, key]),
        layer_case(name, {"use_scale": name == "Attention"}, [query, value]),
        layer_case(name, {}, [query, value], [of_query, of_value]), layer_case(name, {}, [query, value, key], [None, of_value, None]),
        layer_case(name, {}, [query, query], call={"use_causal_mask": True}),
        layer_case(name, {}, [query, query], [of_query, of_query], call={"use_causal_mask": True, "return_attention_scores": True}),
    ]
    if name == "Attention":
        cases += [layer_case(name, {"score_mode": "concat", "use_scale": scale}, [query, value, key]) for scale in (False, True)]
    return cases


def multi_head_cases():
    name = "MultiHeadAttention"
    x, query, value, key = normal(3, 4, 6), normal(3, 4, 6), normal(3, 5, 7), normal(3, 5, 3)
    allowed = (random.random((3, 4, 5)) < 0.6).astype(np.int32)
    by_head = (random.random((3, 2, 4, 5)) < 0.6).astype(np.int32)
    plain = {"num_heads": 2, "key_dim": 3}
    image = normal(2, 3, 4, 5)
    of_query, of_value = masks(3, 4), masks(3, 5)
    return [
        heads_case(name, plain, [x, x]),
        # Keras on JAX takes another value_dim where it computes scores itself.
        heads_case(name, {**plain, "value_dim": 5, "use_bias": False}, [query, value], call={"return_attention_scores": True}),
        heads_case(name, {**plain, "output_shape": [5]}, [query, value, key]),
        heads_case(name, {**plain, "output_shape": [2, 3], "kernel_regularizer": "l2", "bias_regularizer": "l1"}, [query, value], gradients=False),
        heads_case(name, {**plain, "activity_regularizer": "l2"}, [x, x], gradients=False), heads_case(name, {**plain, "use_gate": True}, [query, value]),
        heads_case(name, plain, [x, x], call={"use_causal_mask": True}), heads_case(name, {**plain, "sliding_window": 2}, [x, x]),
        heads_case(name, {**plain, "sliding_window": 2}, [x, x], call={"use_causal_mask": True}),
        heads_case(name, plain, [query, value, key, allowed]), heads_case(name, plain, [query, value, key, by_head]),
        heads_case(name, plain, [query, value], [of_query, of_value]),
        heads_case(name, plain, [query, value, key, allowed], [None, of_value, None, None]),
        heads_case(name, plain, [query, value], [of_query, of_value], call={"return_attention_scores": True}),
        heads_case(name, plain, [query, value, key, allowed], call={"return_attention_scores": True}),
        heads_case(name, plain, [x, x], call={"return_attention_scores": True, "use_causal_mask": True}),
        # Several axes of steps, and one of them.
        heads_case(name, plain, [image, image]), heads_case(name, {**plain, "attention_axes": [2]}, [image, image]),
        heads_case(name, {**plain, "attention_axes": [-2]}, [x, x]),
    ]


def grouped_query_cases():
    name = "GroupQueryAttention"
    query, value, key = normal(3, 4, 6), normal(3, 5, 6), normal(3, 5, 6)
    allowed = (random.random((3, 4, 5)) < 0.6).astype(np.int32)
    plain = {"head_dim": 3, "num_query_heads": 4, "num_key_value_heads": 2}
    return [
        heads_case(name, plain, [query, value]), heads_case(name, {**plain, "use_bias": False, "num_key_value_heads": 4}, [query, value, key]),
        heads_case(name, {**plain, "num_key_value_heads": 1, "use_gate": True}, [query, value]),
        heads_case(name, plain, [query, query], call={"use_causal_mask": True}), heads_case(name, {**plain, "sliding_window": 3}, [query, query]),
        heads_case(name, plain, [query, value, key, allowed], call={"return_attention_scores": True}),
        heads_case(name, plain, [query, value, key, allowed]),
    ]


def main():
    golden.write("attention_layers", {"cases": einsum_dense_cases() + scored_cases("Attention") + scored_cases("AdditiveAttention")
                                      + multi_head_cases() + grouped_query_cases()})
