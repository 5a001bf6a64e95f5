// Made by tools/special_functions.py; do not edit. Lowest degree first.
// clang-format off
#pragma once

namespace cornu::inline v0::ops {

// erfc(x) exp(x^2) (1 + 2x) in (x - c) / (x + c), 1/2 <= x <= 10.5: 2^-28.1.
inline constexpr double kErfcTail32[] = {
    0x1.451c8bdc18067p+0,
    -0x1.cd24760e8899ep-4,
    -0x1.008d7d3b77c03p-3,
    0x1.50e00c06c5f32p-3,
    -0x1.6470cc5811122p-4,
    0x1.e9fc85fd27803p-7,
    0x1.db199c0913210p-8,
    -0x1.956315f01cfb9p-9,
    -0x1.94ab2510d1c9ap-11,
    0x1.cdbc1a9e08dd3p-12,
};

inline constexpr double kErfcCentre32 = 0x1.2548ec0000000p+1;

// erfc(x) exp(x^2) (1 + 2x) in (x - c) / (x + c), 1/2 <= x <= 28.0: 2^-55.9.
inline constexpr double kErfcTail64[] = {
    0x1.3cd7dcd9459b5p+0,
    -0x1.1f3a65c59ac9ep-3,
    0x1.9d57cd75ae808p-9,
    0x1.53060697df8c3p-4,
    -0x1.bea2bdea53b97p-4,
    0x1.79b187c282b92p-4,
    -0x1.de68deba33e0bp-5,
    0x1.cbafb1c2130bcp-6,
    -0x1.38bb75ec3a722p-7,
    0x1.b4d08581f979fp-10,
    0x1.49ab90d261328p-12,
    -0x1.2d650f05ad2e3p-12,
    0x1.90ce4714ecc7bp-15,
    0x1.85afc5412e4a6p-16,
    -0x1.7426b0aa1aa49p-17,
    -0x1.3e9889aae1d9cp-20,
    0x1.ce71ce3c57aa6p-20,
    -0x1.94b61c7172b99p-27,
    -0x1.05174ad492572p-22,
    0x1.513e41a2236e1p-27,
    0x1.b68c2fee516bep-26,
};

inline constexpr double kErfcCentre64 = 0x1.deeea20000000p+1;

// P(X < -x) exp(x^2 / 2) (1 + x) for a normal X, in (x - c) / (x + c), 0 <= x <= 15.0: 2^-28.6.
inline constexpr double kNormalTail32[] = {
    0x1.ee84436037452p-2,
    -0x1.8ebc4f37a6c2bp-4,
    -0x1.2822b99c5e626p-7,
    0x1.5e99c8fc2fbe4p-5,
    -0x1.b26162a11cfdcp-6,
    0x1.3fb368f6dadc4p-8,
    0x1.369c5e4355b0cp-9,
    -0x1.03b82336f3a99p-10,
    -0x1.5bcc9ae2312bdp-12,
    0x1.2078c88753337p-13,
    0x1.fda0415d7a8b5p-15,
};

inline constexpr double kNormalTailCentre32 = 0x1.99999a0000000p+1, kNormalTailLimit32 = 15.0;

// erf(x) / x in x^2 on |x| <= 1/2: 2^-29.4.
inline constexpr double kErfNear32[] = {
    0x1.20dd74fdbf59bp+0,
    -0x1.812732a02c36fp-2,
    0x1.ce250ffea58dcp-4,
    -0x1.b66610c0c49cdp-6,
    0x1.3545114b17941p-8,
};

// erf(x) / x in x^2 on |x| <= 1/2: 2^-57.8.
inline constexpr double kErfNear64[] = {
    0x1.20dd750429b6dp+0,
    -0x1.812746b0379b5p-2,
    0x1.ce2f21a03d814p-4,
    -0x1.b82ce30f2b28fp-6,
    0x1.565bcbf8e0365p-8,
    -0x1.c02d4f6e4921ap-11,
    0x1.f98db34e8872ep-14,
    -0x1.f224dfc5409afp-17,
    0x1.8b4b60851826bp-20,
};

// erf_inv(x) / x in w - 2.5, w = -log(1 - x^2) < 5: 2^-27.2.
inline constexpr double kErfInvCentre32[] = {
    0x1.805c5d250add4p+0,
    0x1.f91e89e353ec5p-3,
    -0x1.11c505c813111p-8,
    -0x1.48650b88b4c67p-10,
    0x1.c9e96f22d3fa3p-13,
    -0x1.4db1851123b88p-18,
    -0x1.d0eda0a443e8cp-19,
    0x1.f6a6f712a661ep-22,
    0x1.90e8ab4aaed61p-26,
    -0x1.32e60d3c53520p-27,
};

// erf_inv(x) / x in w - 2.5, w = -log(1 - x^2) < 5: 2^-55.3.
inline constexpr double kErfInvCentre64[] = {
    0x1.805c5cfcedef5p+0,
    0x1.f91e8993f0d14p-3,
    -0x1.11c3c302dfaf0p-8,
    -0x1.4863cdfb61517p-10,
    0x1.c9b437ed0080cp-13,
    -0x1.4f47fe73684ebp-18,
    -0x1.ca9227b0a062dp-19,
    0x1.01037e3d97bd8p-21,
    0x1.ccff528c03084p-27,
    -0x1.752fdb81693a7p-27,
    0x1.f2cd342e3526fp-31,
    0x1.0704eb5764939p-33,
    -0x1.11a0e5e08c336p-35,
    0x1.008e1e14bcf63p-40,
    0x1.2e67836f4afd5p-41,
    -0x1.56c08cc65ee02p-44,
    -0x1.c9dd7964db247p-49,
    0x1.10f9a3abd03bcp-49,
    -0x1.d3896566661f1p-54,
    -0x1.eb8684d3967aap-56,
    0x1.7692a18a39c86p-59,
    0x1.847e944433021p-63,
};

// erf_inv(x) / x in sqrt(w) - 3, 5 <= w < 16: 2^-27.7.
inline constexpr double kErfInvTail32[] = {
    0x1.6a9efbd8f8794p+1,
    0x1.006dcaa783fb2p+0,
    0x1.358198eaa24e3p-7,
    -0x1.f4f106dd70ba3p-8,
    0x1.74b8988d4ec88p-8,
    -0x1.d2d53f09e18d4p-9,
    0x1.82994fb9fe15ap-10,
    -0x1.1358093d804cbp-13,
    -0x1.1e8b60143f6e2p-12,
    0x1.614a4ecc02c36p-13,
    -0x1.1ec5e3274e054p-15,
};

// erf_inv(x) / x in sqrt(w) - 3, 5 <= w < 16: 2^-58.0.
inline constexpr double kErfInvTail64[] = {
    0x1.6a9efbd66eae6p+1,
    0x1.006dca7a9c229p+0,
    0x1.3582c8114bcf5p-7,
    -0x1.f4f1c6f0b8c5dp-8,
    0x1.7495888ec4585p-8,
    -0x1.d2754fd42fb6ep-9,
    0x1.84f3ed626289ep-10,
    -0x1.38430dcd9fe0dp-13,
    -0x1.28e09ea999f14p-12,
    0x1.aeffd17ad20d2p-13,
    -0x1.85bd7f9e23d75p-15,
    -0x1.7fbc67d8a0dd3p-16,
    0x1.700261342d13ep-16,
    -0x1.8f48f162a86b6p-18,
    -0x1.bba836b4fc2fcp-20,
    0x1.0cf84502a61f6p-19,
    -0x1.5a5e896a84e39p-21,
    -0x1.6855438ee00e3p-24,
    0x1.6db4ec4be23d9p-23,
    -0x1.0a89bf5111a2ap-24,
    -0x1.6f40afea22d13p-28,
    0x1.81b158c5ed031p-27,
    -0x1.6be6c2945c80ep-29,
};

// erf_inv(x) / x in sqrt(w) - 5, w >= 16: 2^-55.8.
inline constexpr double kErfInvFarTail64[] = {
    0x1.3664ddd1ad7fbp+2,
    0x1.02a30d1fba10ep+0,
    -0x1.22ea5df18f7acp-13,
    -0x1.c2f36aa2a579bp-13,
    0x1.3ebf4eeeb6006p-14,
    -0x1.4a348f9b32011p-16,
    0x1.2fbd055255806p-18,
    -0x1.0a9082d3ffd2ep-20,
    0x1.ebde37b87f8e4p-23,
    -0x1.22241e0f4cbcdp-24,
    0x1.f2f7b94686193p-26,
    -0x1.0628e8c523bf8p-26,
    0x1.0b51f30889ae6p-27,
    -0x1.dc684c5e6531ep-29,
    0x1.74a9797558618p-30,
    -0x1.e443aaf0d45a3p-32,
    0x1.af1a23035c80dp-35,
    0x1.7f0c653ec7a99p-35,
    -0x1.18d24eaa10560p-36,
};

// lgamma(2 + y) / y on |y| <= 1/2: 2^-55.4.
inline constexpr double kLogGammaNear64[] = {
    0x1.b0ee6072093cep-2,
    0x1.4a34cc4a60fa6p-2,
    -0x1.13e001a557555p-4,
    0x1.51322ac7d8333p-6,
    -0x1.e404fc21d8fe7p-8,
    0x1.7add6eadfcc7bp-9,
    -0x1.38ac5bfce42c1p-10,
    0x1.0b36af5972ed1p-11,
    -0x1.d3fd6a9087d23p-13,
    0x1.a127cd91ac95bp-14,
    -0x1.78d8f868f383fp-15,
    0x1.5808af19fa483p-16,
    -0x1.3d4ce65b1d70bp-17,
    0x1.2620de1c78d97p-18,
    -0x1.08fccc794a9c7p-19,
    0x1.f038cb2f6a913p-21,
    -0x1.37fd97eeee99dp-21,
    0x1.2703c6effc4ebp-22,
};

// (lgamma(r + t) - lgamma(r)) / t^2, digamma(r) = 0, 1.2 <= r + t <= 1.6: 2^-56.1.
inline constexpr double kLogGammaLeast64[] = {
    0x1.ef72bc8ee38acp-2,
    -0x1.2e4278dc6bc16p-3,
    0x1.08b4294d504f9p-4,
    -0x1.0c9a8df51f03ep-5,
    0x1.266e79793eaaap-6,
    -0x1.51f9f923c0e7cp-7,
    0x1.8fce058809b02p-8,
    -0x1.e2f1e315060e0p-9,
    0x1.282ec590331d5p-9,
    -0x1.6f888d9ee150ep-10,
    0x1.ce383b86e74b7p-11,
    -0x1.20fb66ad9f766p-11,
    0x1.353bd1aada7b4p-12,
    -0x1.b952276067c9dp-12,
};

// digamma(x) / (x - r) in x - 1.75, digamma(r) = 0, 1 <= x <= 2.5: 2^-55.8.
inline constexpr double kDigammaRoot64[] = {
    0x1.b763ca67112a0p-1,
    -0x1.4e15b17372db3p-2,
    0x1.41c830a3205edp-3,
    -0x1.510ab0e548a38p-4,
    0x1.6effaf57fddf5p-5,
    -0x1.97cc6e107b2b1p-6,
    0x1.ca494713edcd7p-7,
    -0x1.0335d25277718p-7,
    0x1.26602337e701dp-8,
    -0x1.4f1c2b887a526p-9,
    0x1.7e0a5865a49ecp-10,
    -0x1.b3f161da16546p-11,
    0x1.f1c9b966ff2ffp-12,
    -0x1.1c465ef9d1457p-12,
    0x1.44344c3dc2e03p-13,
    -0x1.726d60311227ep-14,
    0x1.af29e0f844659p-15,
    -0x1.ecb5c196c96ccp-16,
    0x1.e61a6962bd765p-17,
    -0x1.15c2afb5e1c71p-17,
    0x1.1d733d1054ce0p-17,
    -0x1.4639ada1e9a76p-18,
    -0x1.4b221a2651909p-20,
    0x1.7a70e45a63586p-21,
    0x1.16db2882d91dep-19,
    -0x1.3eb1397b24cf0p-20,
};

// The root of digamma, and lgamma there, as sums of two numbers.
inline constexpr double kDigammaRootHigh = 0x1.762d86356be3fp+0;
inline constexpr double kDigammaRootLow = 0x1.b86a722197829p-54;
inline constexpr double kLeastLogGammaHigh = -0x1.f19b9bcc38a42p-4;
inline constexpr double kLeastLogGammaLow = 0x1.f095c88d5a6c1p-59;

// B(2k) / (2k (2k - 1)): lgamma(x) = (x - 1/2) log x - x + log(2 pi) / 2 + sum x^-(2k - 1) ...
inline constexpr double kStirling[] = {
    0x1.5555555555555p-4,
    -0x1.6c16c16c16c17p-9,
    0x1.a01a01a01a01ap-11,
    -0x1.3813813813814p-11,
    0x1.b951e2b18ff23p-11,
    -0x1.f6ab0d9993c7dp-10,
    0x1.a41a41a41a41ap-8,
    -0x1.e4286cb0f5398p-6,
    0x1.6fe96381e0680p-3,
    -0x1.6476701181f3ap+0,
};

// B(2k) / (2k): digamma(x) = log x - 1 / (2x) - sum x^-2k ...
inline constexpr double kDigammaSeries[] = {
    0x1.5555555555555p-4,
    -0x1.1111111111111p-7,
    0x1.0410410410410p-8,
    -0x1.1111111111111p-8,
    0x1.f07c1f07c1f08p-8,
    -0x1.5995995995996p-6,
    0x1.5555555555555p-4,
    -0x1.c5e5e5e5e5e5ep-2,
    0x1.86e7f9b9fe6e8p+1,
    -0x1.a74ca514ca515p+4,
};

}  // namespace cornu::inline v0::ops
