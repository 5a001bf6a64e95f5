"""Calls of the function in cornu/tensor/ops/attention.h. The mask stands in front of the bias where both are inputs."""

import keras
from ops_goldens import case, t, v

attention = keras.ops.dot_product_attention


def add():
    inputs = lambda dtype="f32", groups=4: (t((2, 5, 4, 3), dtype), t((2, 6, groups, 3), dtype), t((2, 6, groups, 3), dtype))
    with_mask = lambda q, k, w, m, **args: attention(q, k, w, mask=keras.ops.cast(m, "bool"), **args)
    with_bias = lambda q, k, w, b, **args: attention(q, k, w, bias=b, **args)
    with_both = lambda q, k, w, m, b, **args: attention(q, k, w, mask=keras.ops.cast(m, "bool"), bias=b, **args)
    case("dot_product_attention", *inputs(), grad=True)
    case("dot_product_attention", *inputs(), is_causal=True, grad=True)
    case("dot_product_attention", *inputs(), scale=0.3, grad=True)
    case("dot_product_attention", *inputs(groups=2), is_causal=True, grad=True)
    case("dot_product_attention", *inputs(groups=1))
    case("dot_product_attention", *inputs("f16"))
    case("dot_product_attention", *inputs("bf16"), is_causal=True)
    for shape in ((2, 4, 5, 6), (2, 1, 1, 6), (1, 4, 5, 6), (1, 1, 5, 6)):
        case("dot_product_attention", *inputs(), t(shape, "b"), which="mask", function=lambda *x, which: with_mask(*x))
        case("dot_product_attention", *inputs(), t(shape), which="bias", function=lambda *x, which: with_bias(*x), grad=True)
    case("dot_product_attention", *inputs(), t((2, 4, 5, 6), "b"), t((1, 4, 5, 6)), which="both", is_causal=True,
         function=lambda *x, which, is_causal: with_both(*x, is_causal=is_causal))
    case("dot_product_attention", *inputs(), v((1, 1, 1, 6), [0] * 6, "b"), which="mask", function=lambda *x, which: with_mask(*x))
    case("dot_product_attention", *inputs("f16"), t((2, 4, 5, 6), "f16"), which="bias", scale=2.0, function=lambda *x, which, scale: with_bias(*x, scale=scale))
