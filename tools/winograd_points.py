#!/usr/bin/env python3
"""Rounding errors of Winograd convolutions by interpolation points, in float32 against float64.

    tools/winograd_points.py [--channels 32 64 128 256]

One row a choice of points: root mean square and largest error of the three directions, relative to the result's root mean square,
beside those of the direct sum. The tables of docs/adr/0012 come from here.
"""
import argparse

import numpy as np

ROOT = np.sqrt(2.0)
CHOICES = {
    "F(2x2) 0 1": (2, [0, 1, -1]),
    "F(4x4) 0 1 2": (4, [0, 1, -1, 2, -2]),
    "F(4x4) 0 1 1/2": (4, [0, 1, -1, 0.5, -0.5]),
    "F(4x4) 0 1/2 3/2": (4, [0, 0.5, -0.5, 1.5, -1.5]),
    "F(4x4) 0 3/4 3/2": (4, [0, 0.75, -0.75, 1.5, -1.5]),
    "F(4x4) 0 5/8 3/2": (4, [0, 0.625, -0.625, 1.5, -1.5]),
    "F(4x4) 0 5/8 5/4": (4, [0, 0.625, -0.625, 1.25, -1.25]),
    "F(4x4) 0 2/3 3/2": (4, [0, 2 / 3, -2 / 3, 1.5, -1.5]),
    "F(4x4) 0 root1/2 root2": (4, [0, 1 / ROOT, -1 / ROOT, ROOT, -ROOT]),
}


def matrices(points, outputs, taps=3):
    """a (points x outputs), g (points x taps), bt (points x points) with y = a^T ((g w) * (bt d)); the last point is infinity."""
    n = outputs + taps - 1
    a = np.array([[p**j for j in range(outputs)] for p in points] + [[0.0] * (outputs - 1) + [1.0]])
    g = np.array([[p**j for j in range(taps)] for p in points] + [[0.0] * (taps - 1) + [1.0]])
    bt = np.zeros((n, n))
    for i, p in enumerate(points):
        others = [q for q in points if q != p]
        bt[i, : n - 1] = np.poly(others)[::-1]
        g[i] /= np.prod([p - q for q in others])
    bt[n - 1] = np.poly(points)[::-1]
    return a, g, bt


def error(actual, expected):
    scale = np.sqrt(np.mean(expected**2))
    return np.sqrt(np.mean((actual - expected) ** 2)) / scale, np.max(np.abs(actual - expected)) / scale


def balance(a, g, bt):
    """Powers of two between the factors of a point, so that no row is much larger than another."""
    for i in range(len(g)):
        s = 2.0 ** np.round(np.log2(np.abs(g[i]).sum()))
        g[i] /= s
        bt[i] *= s
    return a, g, bt


def run(name, channels, tiles, random):
    outputs, points = CHOICES[name]
    a, g, bt = matrices(points, outputs)
    n = outputs + 2
    f = np.float32
    d = np.maximum(random.standard_normal((tiles, n, n, channels)), 0).astype(f)
    w = (random.standard_normal((3, 3, channels, 32)) * np.sqrt(2 / (9 * channels))).astype(f)
    dy = random.standard_normal((tiles, outputs, outputs, 32)).astype(f)
    a32, g32, b32 = a.astype(f), g.astype(f), bt.astype(f)

    def both(m, x):
        return np.einsum("jb,iabc->iajc", m, np.einsum("ia,tabc->tibc", m, x)) if x.dtype == np.float64 else two_steps(m, x)

    def two_steps(m, x):
        first = np.zeros((x.shape[0], m.shape[0], x.shape[2], x.shape[3]), x.dtype)
        for i in range(m.shape[0]):
            for k in range(m.shape[1]):
                if m[i, k] != 0:
                    first[:, i] += m[i, k] * x[:, k]
        second = np.zeros((x.shape[0], m.shape[0], m.shape[0], x.shape[3]), x.dtype)
        for i in range(m.shape[0]):
            for k in range(m.shape[1]):
                if m[i, k] != 0:
                    second[:, :, i] += m[i, k] * first[:, :, k]
        return second

    v, u, p = two_steps(b32, d), two_steps(g32, w.transpose(2, 0, 1, 3)), two_steps(a32, dy)
    m = np.einsum("tijc,cijk->tijk", v, u, optimize=True)
    y = two_steps(a32.T.copy(), m)
    exact, direct = np.zeros((tiles, outputs, outputs, 32)), np.zeros((tiles, outputs, outputs, 32), f)
    exact_w, direct_w = np.zeros((3, 3, channels, 32)), np.zeros((3, 3, channels, 32), f)
    for r in range(3):
        for s in range(3):
            part = d[:, r : r + outputs, s : s + outputs]
            exact += part.astype(float) @ w[r, s].astype(float)
            direct += part @ w[r, s]
            exact_w[r, s] = np.einsum("tijc,tijk->ck", part.astype(float), dy.astype(float), optimize=True)
            direct_w[r, s] = np.einsum("tijc,tijk->ck", part, dy, optimize=True)
    du = np.einsum("tijc,tijk->cijk", v, p, optimize=True)
    dw = two_steps(g32.T.copy(), du).transpose(1, 2, 0, 3)
    return *error(y, exact), *error(direct, exact), *error(dw, exact_w), *error(direct_w, exact_w)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--channels", type=int, nargs="+", default=[32, 64, 128, 256])
    parser.add_argument("--tiles", type=int, default=512)
    options = parser.parse_args()
    print("points | channels | forward rms, max | direct rms, max | kernel's gradient rms, max | direct rms, max   (1e-7)")
    for name in CHOICES:
        for channels in options.channels:
            figures = run(name, channels, options.tiles, np.random.default_rng(1))
            print(name, "|", channels, "|", " | ".join(f"{1e7 * x:.1f}, {1e7 * y:.1f}" for x, y in zip(figures[::2], figures[1::2])))


if __name__ == "__main__":
    main()
