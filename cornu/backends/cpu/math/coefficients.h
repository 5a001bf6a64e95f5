// Made by tools/minimax.py; do not edit. Lowest degree first.
// clang-format off
#pragma once

namespace cornu::inline v0::backends::cpu {

// (e^r - 1 - r) / r^2 on |r| <= log 2; error relative to e^r: 2^-25.8.
inline constexpr double kExpTail32[] = {
    0x1.00000c0000000p-1,
    0x1.5555100000000p-3,
    0x1.554a020000000p-5,
    0x1.1128460000000p-7,
    0x1.71bcc00000000p-10,
    0x1.9b4a7e0000000p-13,
};

// (e^r - 1 - r) / r^2 on |r| <= log 2; error relative to e^r: 2^-56.2.
inline constexpr double kExpTail64[] = {
    0x1.ffffffffffff3p-2,
    0x1.55555555555b7p-3,
    0x1.555555555694ap-5,
    0x1.1111111108236p-7,
    0x1.6c16c169c06a1p-10,
    0x1.a01a01b23a8fep-13,
    0x1.a01a0581a21d9p-16,
    0x1.71de29fe8656cp-19,
    0x1.27e1ca21fe7cfp-22,
    0x1.ae71340917b5fp-26,
    0x1.217a959076103p-29,
    0x1.5e6d6281b994ap-33,
};

// (e^r - 1 - r) / r^2 on |r| <= log 2; error relative to e^r - 1: 2^-28.2.
inline constexpr double kExpm1Tail32[] = {
    0x1.0000000000000p-1,
    0x1.55555c0000000p-3,
    0x1.55553e0000000p-5,
    0x1.110b2e0000000p-7,
    0x1.6c21120000000p-10,
    0x1.a56faa0000000p-13,
    0x1.9fc2e80000000p-16,
};

// (e^r - 1 - r) / r^2 on |r| <= log 2; error relative to e^r - 1: 2^-54.7.
inline constexpr double kExpm1Tail64[] = {
    0x1.ffffffffffff9p-2,
    0x1.5555555555571p-3,
    0x1.55555555562b1p-5,
    0x1.111111110e1a0p-7,
    0x1.6c16c16a47db6p-10,
    0x1.a01a01a6a4b47p-13,
    0x1.a01a04edd8566p-16,
    0x1.71de3454a293fp-19,
    0x1.27e2125c88d89p-22,
    0x1.ae688d07022dap-26,
    0x1.216086f664dd6p-29,
    0x1.612f114333955p-33,
};

// (e^2r - 1 - 2 r) / r^2 on |r| <= log(2) / 4; error relative to e^2r - 1: 2^-25.9.
inline constexpr double kTanhTail32[] = {
    0x1.fffffe0000000p+0,
    0x1.5554ae0000000p+0,
    0x1.5556780000000p-1,
    0x1.12278e0000000p-2,
    0x1.6bec700000000p-4,
};

// (e^2r - 1 - 2 r) / r^2 on |r| <= log(2) / 4; error relative to e^2r - 1: 2^-60.5.
inline constexpr double kTanhTail64[] = {
    0x1.0000000000000p+1,
    0x1.5555555555559p+0,
    0x1.5555555555540p-1,
    0x1.111111110f6d1p-2,
    0x1.6c16c16c1f07ep-4,
    0x1.a01a01afd72c3p-6,
    0x1.a01a017bc3c91p-8,
    0x1.71ddf8758b526p-10,
    0x1.27e5362e55858p-12,
    0x1.af5e867f96e04p-15,
    0x1.1ee88d0268ed6p-17,
};

// (log(1 + f) - f + f^2 / 2) / f^3 on sqrt(1/2) <= 1 + f <= sqrt(2); error relative to log(1 + f): 2^-27.3.
inline constexpr double kLogTail32[] = {
    0x1.5555540000000p-2,
    -0x1.0002280000000p-2,
    0x1.99a00e0000000p-3,
    -0x1.5471fc0000000p-3,
    0x1.22d9a00000000p-3,
    -0x1.0d879e0000000p-3,
    0x1.0560500000000p-3,
    -0x1.38b5060000000p-4,
};

// (2 atanh(s) / s - 2) / s^2 in z = s^2, s = f / (2 + f) for the same f;
// error relative to log(1 + f): 2^-59.1.
inline constexpr double kAtanhTail64[] = {
    0x1.5555555555592p-1,
    0x1.999999997fda0p-2,
    0x1.24924941f47f7p-2,
    0x1.c71c52052fba5p-3,
    0x1.7466400b08579p-3,
    0x1.39a196a90546fp-3,
    0x1.2f070f7e87db0p-3,
};

// ((2 atanh(s) / s - 2) / s^2 - 2/3) / s^2 in z = s^2; error relative to log(1 + f): 2^-66.5.
inline constexpr double kPowerTail64[] = {
    0x1.9999999999996p-2,
    0x1.2492492493035p-2,
    0x1.c71c71c580192p-3,
    0x1.745d18327fbcep-3,
    0x1.3b1362a874cc8p-3,
    0x1.1120b7e15f975p-3,
    0x1.de330defb12d0p-4,
    0x1.eb148ec57fe8bp-4,
};

// (sin(r) / r - 1) / r^2 in z = r^2, |r| <= pi / 4; error relative to sin(r): 2^-28.4.
inline constexpr double kSineTail32[] = {
    -0x1.5555560000000p-3,
    0x1.11110c0000000p-7,
    -0x1.a00f780000000p-13,
    0x1.6cd1580000000p-19,
};

// (sin(r) / r - 1) / r^2 in z = r^2, |r| <= pi / 4; error relative to sin(r): 2^-57.5.
inline constexpr double kSineTail64[] = {
    -0x1.5555555555555p-3,
    0x1.1111111111109p-7,
    -0x1.a01a01a018a61p-13,
    0x1.71de3a532f6d5p-19,
    -0x1.ae64528c04524p-26,
    0x1.61208b5370765p-33,
    -0x1.aaa1cc305cd9bp-41,
};

// (cos(r) - 1 + r^2 / 2) / r^4 in z = r^2; error relative to cos(r): 2^-33.0.
inline constexpr double kCosineTail32[] = {
    0x1.55554a0000000p-5,
    -0x1.6c0c2e0000000p-10,
    0x1.99ead40000000p-16,
};

// (cos(r) - 1 + r^2 / 2) / r^4 in z = r^2; error relative to cos(r): 2^-59.7.
inline constexpr double kCosineTail64[] = {
    0x1.555555555554bp-5,
    -0x1.6c16c16c14f82p-10,
    0x1.a01a019c8299fp-16,
    -0x1.27e4f7e97de49p-22,
    0x1.1ee9d6cfa2520p-29,
    -0x1.8fa41fd377bbcp-37,
};

// (atan(u) / u - 1) / u^2 in z = u^2, |u| <= sqrt(2) - 1; error relative to atan(u): 2^-59.9.
inline constexpr double kAtanTail64[] = {
    -0x1.5555555555554p-2,
    0x1.9999999999645p-3,
    -0x1.2492492475488p-3,
    0x1.c71c71b737781p-4,
    -0x1.745d14b7061dap-4,
    0x1.3b136df0abcecp-4,
    -0x1.110c6f5080031p-4,
    0x1.e171bca0f4c91p-5,
    -0x1.ab7bd60e28442p-5,
    0x1.70e6a452508a9p-5,
    -0x1.12289cfbe418dp-5,
    0x1.f1ac94c1d1b19p-7,
};

}  // namespace cornu::inline v0::backends::cpu
