#!/usr/bin/env python3
"""Makes cornu/backends/cpu/math/coefficients.h: minimax polynomials by Remez's algorithm, with rounded coefficients.

    pip install mpmath && python3 tools/minimax.py > cornu/backends/cpu/math/coefficients.h

Each row of POLYNOMIALS asks for the polynomial p of a degree that minimizes max |weight(x) * (f(x) - p(x))| on an interval. The weight turns
the error of p into the relative error of the function that p is part of; the comment above each array states that error.
"""
import struct

from mpmath import atan, cos, exp, expm1, floor, log, log1p, lu_solve, matrix, mp, mpf, pi, sin, sqrt

mp.prec = 200


def round_to(value, bits):
    """Nearest number of a format with `bits` of precision (24: float, 53: double)."""
    if value == 0:
        return mpf(0)
    exponent = int(floor(log(abs(value), 2))) - bits + 1
    scaled = value / mpf(2) ** exponent
    return mp.nint(scaled) * mpf(2) ** exponent


def evaluate(coefficients, x):
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def extrema(error, low, high, count):
    """Points of alternating sign where |error| is largest, from a dense grid refined by golden section."""
    grid = 40 * count
    nodes = [(low + high) / 2 - (high - low) / 2 * cos(pi * (i + mpf(1) / 3) / (grid + mpf(2) / 3)) for i in range(grid + 1)]
    values = [error(x) for x in nodes]
    points = []
    for i, (x, value) in enumerate(zip(nodes, values)):
        left = abs(values[i - 1]) if i > 0 else mpf(-1)
        right = abs(values[i + 1]) if i < grid else mpf(-1)
        if abs(value) >= left and abs(value) >= right:
            if points and (points[-1][1] > 0) == (value > 0):
                if abs(value) > abs(points[-1][1]):
                    points[-1] = (x, value)
            else:
                points.append((x, value))
    while len(points) > count:
        points.pop(0 if abs(points[0][1]) < abs(points[-1][1]) else -1)
    return points


def remez(f, weight, low, high, degree):
    """The best polynomial of that degree with real coefficients."""
    count = degree + 1
    points = [(low + high) / 2 - (high - low) / 2 * cos(pi * (2 * i + 1) / (2 * count + 2)) for i in range(count + 1)]
    # A start where the weight vanishes would make the first system singular.
    points = [x + (high - low) / 40 if abs(x) < (high - low) / 100 else x for x in points]
    best, smallest = None, mp.inf
    for _ in range(30):
        system = matrix(count + 1, count + 1)
        right = matrix(count + 1, 1)
        for row, x in enumerate(points):
            for column in range(count):
                system[row, column] = x**column
            system[row, count] = (-1) ** row / weight(x)
            right[row] = f(x)
        solution = lu_solve(system, right)
        coefficients = [solution[i] for i in range(count)]
        found = extrema(lambda x: weight(x) * (f(x) - evaluate(coefficients, x)), low, high, count + 1)
        largest = max(abs(value) for _, value in found)
        if largest < smallest:
            best, smallest = coefficients, largest
        if len(found) < count + 1 or largest <= abs(solution[count]) * mpf("1.001"):
            break
        points = [x for x, _ in found]
    return best


def rounded_minimax(f, weight, low, high, degree, bits):
    """Remez's coefficients rounded, then moved by units in the last place, lowest first, while that helps."""
    best = [round_to(c, bits) for c in remez(f, weight, low, high, degree)]
    nodes = [low + (high - low) * (i + mpf(1) / 2) / 300 for i in range(300)]
    rows = [(x, weight(x), f(x)) for x in nodes]

    def worst(coefficients):
        return max(abs(w * (y - evaluate(coefficients, x))) for x, w, y in rows)

    error = worst(best)
    for _ in range(2):
        for i, c in enumerate(best):
            unit = mpf(2) ** (int(floor(log(abs(c), 2))) - bits + 1)
            for step in (-1, 1):
                trial = best[:i] + [c + step * unit] + best[i + 1 :]
                trial_error = worst(trial)
                if trial_error < error:
                    best, error = trial, trial_error
    return best, error


LN2 = log(2)
SLACK = 1 + mpf(2) ** -12  # the argument's own rounding may step over the end of the interval
ROOT = sqrt(mpf(2))


def taylor_safe(f, series):
    """f, but its Taylor series near 0, where the closed form cancels."""
    return lambda x: evaluate(series, x) if abs(x) < mpf(2) ** -30 else f(x)


inverse_factorial = [1 / mp.factorial(n) for n in range(20)]
EXP_TAIL = taylor_safe(lambda r: (expm1(r) - r) / r**2, inverse_factorial[2:8])
TANH_TAIL = taylor_safe(lambda r: (expm1(2 * r) - 2 * r) / r**2, [2 ** (n + 2) * inverse_factorial[n + 2] for n in range(6)])
LOG_TAIL = taylor_safe(lambda f: (log1p(f) - f + f**2 / 2) / f**3, [mpf(1) / 3, -mpf(1) / 4, mpf(1) / 5, -mpf(1) / 6])


def atanh_tail(z):
    s = sqrt(z)
    return (log((1 + s) / (1 - s)) / s - 2) / z if z > mpf(2) ** -60 else mpf(2) / 3 + z * 2 / 5


def atanh_tail_power(z):
    s = sqrt(z)
    return ((log((1 + s) / (1 - s)) / s - 2) / z - mpf(2) / 3) / z if z > mpf(2) ** -60 else mpf(2) / 5 + z * 2 / 7


def sine_tail(z):
    r = sqrt(z)
    return (sin(r) / r - 1) / z if z > mpf(2) ** -60 else -mpf(1) / 6 + z / 120


def cosine_tail(z):
    r = sqrt(z)
    return (cos(r) - 1 + z / 2) / z**2 if z > mpf(2) ** -40 else mpf(1) / 24 - z / 720


def atan_tail(z):
    u = sqrt(z)
    return (atan(u) / u - 1) / z if z > mpf(2) ** -40 else mpf(-1) / 3 + z / 5


def safe_ratio(numerator, denominator, at_zero):
    return lambda x: numerator(x) / denominator(x) if abs(x) > mpf(2) ** -60 else at_zero(x)


S_MAX = (ROOT - 1) / (ROOT + 1)
EXPM1_WEIGHT = safe_ratio(lambda r: r**2, lambda r: abs(expm1(r)), lambda r: mpf(2) ** -60)
TANH_WEIGHT = safe_ratio(lambda r: r**2, lambda r: abs(expm1(2 * r)), lambda r: mpf(2) ** -60)
LOG_WEIGHT = safe_ratio(lambda f: abs(f) ** 3, lambda f: abs(log1p(f)), lambda f: mpf(2) ** -120)
SINE_END = (pi / 4 * SLACK) ** 2

POLYNOMIALS = [
    # name, meaning, function, weight, low, high, degree for float, degree for double
    ("kExpTail", "(e^r - 1 - r) / r^2 on |r| <= log 2; error relative to e^r", EXP_TAIL, lambda r: r**2 / exp(r) + mpf(2) ** -60,
     -LN2 * SLACK, LN2 * SLACK, 5, 11),
    ("kExpm1Tail", "(e^r - 1 - r) / r^2 on |r| <= log 2; error relative to e^r - 1", EXP_TAIL, EXPM1_WEIGHT, -LN2 * SLACK, LN2 * SLACK, 6, 11),
    ("kTanhTail", "(e^2r - 1 - 2 r) / r^2 on |r| <= log(2) / 4; error relative to e^2r - 1", TANH_TAIL, TANH_WEIGHT,
     -LN2 / 4 * SLACK, LN2 / 4 * SLACK, 4, 10),
    ("kLogTail", "(log(1 + f) - f + f^2 / 2) / f^3 on sqrt(1/2) <= 1 + f <= sqrt(2); error relative to log(1 + f)", LOG_TAIL, LOG_WEIGHT,
     (1 / ROOT - 1) * SLACK, (ROOT - 1) * SLACK, 7, None),
    ("kAtanhTail", "(2 atanh(s) / s - 2) / s^2 in z = s^2, s = f / (2 + f) for the same f; error relative to log(1 + f)", atanh_tail,
     lambda z: z / (2 + z * 2 / 3), mpf(0), (S_MAX * SLACK) ** 2, None, 6),
    ("kPowerTail", "((2 atanh(s) / s - 2) / s^2 - 2/3) / s^2 in z = s^2; error relative to log(1 + f)", atanh_tail_power,
     lambda z: z**2 / (2 + z * 2 / 3) + mpf(2) ** -90, mpf(0), (S_MAX * SLACK) ** 2, None, 7),
    ("kSineTail", "(sin(r) / r - 1) / r^2 in z = r^2, |r| <= pi / 4; error relative to sin(r)", sine_tail,
     lambda z: z / (sin(sqrt(z)) / sqrt(z)) if z > 0 else mpf(2) ** -120, mpf(0), SINE_END, 3, 6),
    ("kCosineTail", "(cos(r) - 1 + r^2 / 2) / r^4 in z = r^2; error relative to cos(r)", cosine_tail,
     lambda z: z**2 / cos(sqrt(z)) + mpf(2) ** -120, mpf(0), SINE_END, 2, 5),
    ("kAtanTail", "(atan(u) / u - 1) / u^2 in z = u^2, |u| <= sqrt(2) - 1; error relative to atan(u)", atan_tail,
     lambda z: z / (atan(sqrt(z)) / sqrt(z)) if z > 0 else mpf(2) ** -120, mpf(0), ((ROOT - 1) * SLACK) ** 2, None, 11),
]


def literal(value, bits):
    number = float(value)
    if bits == 24:
        assert struct.unpack("f", struct.pack("f", number))[0] == number
    return number.hex()


def main():
    print("// Made by tools/minimax.py; do not edit. Lowest degree first.")
    print("// clang-format off")
    print("#pragma once\n")
    print("namespace cornu::backends::cpu {\n")
    for name, meaning, f, weight, low, high, degree32, degree64 in POLYNOMIALS:
        for suffix, degree, bits in (("32", degree32, 24), ("64", degree64, 53)):
            if degree is None:
                continue
            coefficients, error = rounded_minimax(f, weight, low, high, degree, bits)
            print(f"// {meaning}: 2^{float(log(error, 2)):.1f}.")
            print(f"inline constexpr double {name}{suffix}[] = {{")
            for c in coefficients:
                print(f"    {literal(c, bits)},")
            print("};\n")
    print("}  // namespace cornu::backends::cpu")


if __name__ == "__main__":
    main()
