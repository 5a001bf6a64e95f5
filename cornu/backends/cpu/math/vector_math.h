#pragma once

#include <llvm/IR/IRBuilder.h>

/// Elementary functions as LLVM IR, for scalars and vectors alike.
///
/// Every emitter takes x of type float, double, <N x float> or <N x double> and emits only additions,
/// multiplications, divisions, fused multiply-adds, square roots, conversions, comparisons, selects and
/// integer operations: no call, no branch, no table in memory. A lane's bits do not depend on the width. With
/// and without FMA the bits differ.
///
/// sine, cosine and tan are no straight line: where a lane is beyond 1e6 (float) or 1e5 (double) a branch
/// leads to a function of the same module, which reduces such lanes one by one, exactly; the builder goes on
/// in a new block.
///
/// The code lives by its exact rounding: the emitters clear the builder's fast-math flags while they work and
/// restore them afterwards; do not add such flags later, and compile with FP contraction off or standard.
///
/// Special values follow C's Annex F (IEEE 754): infinities, NaN, signs of zero, overflow to infinity,
/// gradual underflow (denormals must not be flushed).
///
/// Accuracy: see CpuOp::error_bound in the ops' rows, and docs/ops.md.
namespace cornu::inline v0::backends::cpu {

/// What the code may use of the machine it is for.
struct MathTarget {
  /// AVX2+FMA or AVX-512: llvm.fma is one instruction. Without it a multiplication and an addition are each
  /// rounded.
  bool has_fma = true;
};

/// e^x.
llvm::Value* emit_exponential(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Value* x);

/// e^x - 1, accurate near 0.
llvm::Value* emit_exponential_minus_one(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Value* x);

/// Natural logarithm; NaN below zero, -inf at both zeros.
llvm::Value* emit_log(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Value* x);

/// log(1 + x), accurate near 0.
llvm::Value* emit_log_plus_one(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Value* x);

/// Hyperbolic tangent.
llvm::Value* emit_tanh(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Value* x);

/// 1 / (1 + e^-x).
llvm::Value* emit_logistic(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Value* x);

/// x^y with C's special cases.
llvm::Value* emit_power(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Value* x, llvm::Value* y);

/// sin(x).
llvm::Value* emit_sine(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Value* x);

/// cos(x).
llvm::Value* emit_cosine(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Value* x);

/// tan(x).
llvm::Value* emit_tan(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Value* x);

/// The cube root, of x's sign.
llvm::Value* emit_cbrt(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Value* x);

/// The angle of the point (x, y), in (-pi, pi], with C's special cases.
llvm::Value* emit_atan2(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Value* y, llvm::Value* x);

/// 1 / sqrt(x), by an exact square root and an exact division.
llvm::Value* emit_rsqrt(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Value* x);

}  // namespace cornu::inline v0::backends::cpu
