#!/usr/bin/env python3
"""Makes the coefficients of erf, erfc, gelu, erf_inv, lgamma and digamma, and values to test them by.

    pip install mpmath
    python3 tools/special_functions.py coefficients > cornu/ops/special_coefficients.h
    python3 tools/special_functions.py values > cornu/ops/special_values_test_support.h

Coefficients: polynomials that interpolate at Chebyshev's nodes, computed with 60 digits; the degree is the lowest whose error is below the
format's. Values: mpmath's own functions at arguments that the format holds exactly, rounded once to f64; independent of the polynomials.
"""
import struct
import sys

from mpmath import bernoulli, cos, digamma, erf, erfc, erfinv, exp, log, loggamma, mp, mpf, pi, sqrt

mp.dps = 60


def interpolate(f, low, high, degree):
    """Coefficients, lowest first, of the polynomial in the variable itself."""
    low, high = mpf(low), mpf(high)
    count = degree + 1
    nodes = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    divided = [f(x) for x in nodes]
    for level in range(1, count):
        for i in range(count - 1, level - 1, -1):
            divided[i] = (divided[i] - divided[i - 1]) / (nodes[i] - nodes[i - level])
    coefficients = [mpf(0)] * count
    for i in range(count - 1, -1, -1):  # Newton's form, Horner's scheme on polynomials
        shifted = [mpf(0)] + coefficients[:-1]
        coefficients = [s - nodes[i] * c for s, c in zip(shifted, coefficients)]
        coefficients[0] += divided[i]
    return coefficients


def evaluate(coefficients, x):
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def fit(f, low, high, bits):
    """The polynomial of the lowest degree whose relative error is below 2^-(bits + 2)."""
    points = [mpf(low) + (mpf(high) - mpf(low)) * i / 211 for i in range(212)]
    wanted = [f(x) for x in points]
    for degree in range(2, 60):
        coefficients = interpolate(f, low, high, degree)
        error = max(abs(evaluate(coefficients, x) / y - 1) for x, y in zip(points, wanted))
        if error < mpf(2) ** -(bits + 2):
            return coefficients, error
    raise ValueError("no polynomial is good enough")


# erfc(x) = exp(-x^2) * tail((x - c) / (x + c)) / (1 + 2 x), on [1/2, limit] with c = sqrt(limit / 2).
ERFC_LIMIT = {24: mpf("10.5"), 53: mpf(28)}


def erfc_tail(bits):
    c = mpf(struct.unpack("f", struct.pack("f", float(sqrt(ERFC_LIMIT[bits] / 2))))[0])

    def tail(t):
        x = c * (1 + t) / (1 - t)
        return erfc(x) * exp(x * x) * (1 + 2 * x)

    low, high = (mpf("0.5") - c) / (mpf("0.5") + c), (ERFC_LIMIT[bits] - c) / (ERFC_LIMIT[bits] + c)
    return fit(tail, low, high, bits) + (c,)


# A normal distribution's share below -x = exp(-x^2 / 2) * tail((x - c) / (x + c)) / (1 + x), on [0, limit].
NORMAL_LIMIT, NORMAL_CENTRE = mpf(15), mpf(struct.unpack("f", struct.pack("f", 3.2))[0])


def normal_tail(bits):
    c = NORMAL_CENTRE

    def tail(t):
        x = c * (1 + t) / (1 - t)
        return erfc(x / sqrt(mpf(2))) / 2 * exp(x * x / 2) * (1 + x)

    return fit(tail, -1, (NORMAL_LIMIT - c) / (NORMAL_LIMIT + c), bits)


def inverse_of_w(w):
    """erf_inv(x) / x with w = -log(1 - x^2)."""
    if w == 0:
        return sqrt(pi) / 2
    x = sqrt(-mp.expm1(-w))
    return erfinv(x) / x  # 60 digits are enough for 1 - x of 1e-17


DIGAMMA_ROOT = mp.findroot(digamma, mpf("1.4616321449683623"))


# name, meaning, function, intervals by precision: [(low, high)]
def rows():
    yield "kErfNear", "erf(x) / x in x^2 on |x| <= 1/2", lambda t: 2 / sqrt(pi) if t == 0 else erf(sqrt(t)) / sqrt(t), {24: (0, 0.25), 53: (0, 0.25)}
    yield "kErfInvCentre", "erf_inv(x) / x in w - 2.5, w = -log(1 - x^2) < 5", lambda t: inverse_of_w(t + mpf("2.5")), {24: (-2.5, 2.5), 53: (-2.5, 2.5)}
    yield "kErfInvTail", "erf_inv(x) / x in sqrt(w) - 3, 5 <= w < 16", lambda t: inverse_of_w((t + 3) ** 2), {24: (-0.77, 1.2), 53: (-0.77, 1.01)}
    yield "kErfInvFarTail", "erf_inv(x) / x in sqrt(w) - 5, w >= 16", lambda t: inverse_of_w((t + 5) ** 2), {53: (-1.01, 1.1)}
    yield "kLogGammaNear", "lgamma(2 + y) / y on |y| <= 1/2", lambda y: 1 - mp.euler if y == 0 else loggamma(2 + y) / y, {53: (-0.5, 0.5)}
    # A double's distance from the root of digamma is that from its nearest double, which has next to no influence.
    least = loggamma(DIGAMMA_ROOT)
    yield "kLogGammaLeast", "(lgamma(r + t) - lgamma(r)) / t^2, digamma(r) = 0, 1.2 <= r + t <= 1.6", lambda t: (loggamma(DIGAMMA_ROOT + t) - least) / t**2, {53: (-0.262, 0.139)}
    yield "kDigammaRoot", "digamma(x) / (x - r) in x - 1.75, digamma(r) = 0, 1 <= x <= 2.5", lambda t: digamma(t + mpf("1.75")) / (t + mpf("1.75") - DIGAMMA_ROOT), {53: (-0.75, 0.75)}


def print_array(name, comment, coefficients):
    print(f"// {comment}")
    print(f"inline constexpr double {name}[] = {{")
    for c in coefficients:
        print(f"    {float(c).hex()},")
    print("};\n")


def print_coefficients():
    print("// Made by tools/special_functions.py; do not edit. Lowest degree first.")
    print("// clang-format off")
    print("#pragma once\n\nnamespace cornu::inline v0::ops {\n")
    for bits, suffix in ((24, "32"), (53, "64")):
        coefficients, error, c = erfc_tail(bits)
        print_array("kErfcTail" + suffix, f"erfc(x) exp(x^2) (1 + 2x) in (x - c) / (x + c), 1/2 <= x <= {ERFC_LIMIT[bits]}: 2^{float(log(error, 2)):.1f}.", coefficients)
        print(f"inline constexpr double kErfcCentre{suffix} = {float(c).hex()};\n")
    coefficients, error = normal_tail(24)
    print_array("kNormalTail32", f"P(X < -x) exp(x^2 / 2) (1 + x) for a normal X, in (x - c) / (x + c), 0 <= x <= {NORMAL_LIMIT}: 2^{float(log(error, 2)):.1f}.", coefficients)
    print(f"inline constexpr double kNormalTailCentre32 = {float(NORMAL_CENTRE).hex()}, kNormalTailLimit32 = {NORMAL_LIMIT};\n")
    for name, meaning, f, intervals in rows():
        for bits, (low, high) in intervals.items():
            coefficients, error = fit(f, low, high, bits)
            print_array(name + ("32" if bits == 24 else "64"), f"{meaning}: 2^{float(log(error, 2)):.1f}.", coefficients)
    root = float(DIGAMMA_ROOT)
    print("// The root of digamma, and lgamma there, as sums of two numbers.")
    print(f"inline constexpr double kDigammaRootHigh = {root.hex()};")
    print(f"inline constexpr double kDigammaRootLow = {float(DIGAMMA_ROOT - mpf(root)).hex()};")
    least = loggamma(DIGAMMA_ROOT)
    print(f"inline constexpr double kLeastLogGammaHigh = {float(least).hex()};")
    print(f"inline constexpr double kLeastLogGammaLow = {float(least - mpf(float(least))).hex()};\n")
    print_array("kStirling", "B(2k) / (2k (2k - 1)): lgamma(x) = (x - 1/2) log x - x + log(2 pi) / 2 + sum x^-(2k - 1) ...", [bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, 11)])
    print_array("kDigammaSeries", "B(2k) / (2k): digamma(x) = log x - 1 / (2x) - sum x^-2k ...", [bernoulli(2 * k) / (2 * k) for k in range(1, 11)])
    print("}  // namespace cornu::inline v0::ops")


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


ARGUMENTS = {
    "erf": [0.0, 1e-30, 1e-5, 0.1, 0.3, 0.4999, 0.5, 0.5001, 0.7, 0.9, 1.0, 1.5, 2.0, 2.7, 3.3, 3.9, 5.0, 6.5, -0.25, -0.75, -2.5, -40.0],
    "erfc": [0.0, 1e-10, 0.2, 0.4999, 0.5, 0.6, 1.0, 1.7, 2.5, 3.7, 5.1, 6.3, 7.9, 9.1, -0.3, -1.2, -3.0, -8.0],
    "erfc_f64": [10.0, 12.3, 15.7, 20.1, 23.9, 26.0],
    "erf_inv": [0.0, 1e-20, 1e-4, 0.1, 0.3, 0.5, 0.7, 0.9, 0.96, 0.99, 0.9966, 0.9999, 0.999999, -0.2, -0.8, -0.995, -0.99999],
    "erf_inv_f64": [1 - 2.0**-30, 1 - 2.0**-40, 1 - 2.0**-50, 1 - 2.0**-53],
    "lgamma": [1e-20, 1e-3, 0.1, 0.25, 0.4999, 0.5, 0.7, 0.9, 0.99, 0.9999, 1.0, 1.0001, 1.19, 1.2, 1.3, 1.4376, 1.46, 1.4616321, 1.5, 1.59, 1.61, 1.7, 1.99, 2.0, 2.001, 2.3, 2.5, 2.7, 3.0, 3.5, 4.2, 5.0, 6.6, 7.4, 7.6, 8.0, 9.5, 20.0, 100.0, 1e4, 1e10, 1e30, -0.1, -0.5, -1.3, -2.2, -3.7, -10.5, -50.25],
    "digamma": [1e-10, 1e-3, 0.1, 0.277, 0.5, 0.9, 0.963, 1.0, 1.1, 1.3, 1.36, 1.46, 1.4616321, 1.463, 1.55, 1.7, 1.99, 2.0, 2.07, 2.5, 3.0, 3.3, 3.9, 4.0, 5.0, 7.7, 9.9, 10.0, 15.0, 100.0, 1e6, 1e30, -0.1, -0.5, -1.25, -3.7, -10.5, -50.25],
}
FUNCTIONS = {"erf": erf, "erfc": erfc, "erf_inv": erfinv, "lgamma": lambda x: log(abs(mp.gamma(x))) if x < 0 else loggamma(x), "digamma": digamma}


def print_values():
    print("// Made by tools/special_functions.py; do not edit. Arguments that f32 holds exactly (_f64: f64), values rounded to f64.")
    print("// clang-format off")
    print("#pragma once\n\nnamespace cornu::inline v0::ops {\n\nstruct SpecialValue {\n  double x, y;\n};\n")
    for name, arguments in ARGUMENTS.items():
        words = "".join(word.capitalize() for word in name.split("_"))
        print(f"inline constexpr SpecialValue k{words}Values[] = {{")
        for x in arguments:
            x = x if name.endswith("_f64") else f32(x)
            y = FUNCTIONS[name.removesuffix("_f64")](mpf(x))
            print(f"    {{{x.hex()}, {float(y).hex()}}},")
        print("};\n")
    print("}  // namespace cornu::inline v0::ops")


if __name__ == "__main__":
    {"coefficients": print_coefficients, "values": print_values}[sys.argv[1]]()
