#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::ir {

class Builder;

/// What a shape rule sees. It throws InvalidArgument, naming the specification's constraint, when the op is
/// not allowed.
struct InferContext {
  std::span<const Value> operands;
  const Attributes& attributes;
  std::span<const std::unique_ptr<Block>> regions;

  const TensorType& type(std::size_t i) const { return operands[i].type(); }
};
using InferFn = std::vector<TensorType> (*)(const InferContext&);

/// The gradients of `wrt` when `results` have the gradients `result_gradients`, through the ops of the
/// builder's block from number `first_op` on: everything else is constant. An empty Value is a zero gradient.
/// Rules of ops with regions differentiate by it what they have copied from a region.
using DifferentiateFn =
    std::function<std::vector<Value>(Builder& builder, std::size_t first_op, std::span<const Value> results,
                                     std::span<const Value> result_gradients, std::span<const Value> wrt)>;

/// What a gradient rule sees: the op and the gradients of its results (an empty Value is a zero gradient). It
/// builds with `builder` and returns one gradient an operand, then, when it can, one a captured value; an
/// empty Value where none flows.
struct GradientContext {
  Builder& builder;
  const Op& op;
  std::span<const Value> result_gradients;
  /// The values from outside that the op's regions use and whose gradient is wanted.
  std::span<const Value> captured = {};
  DifferentiateFn differentiate = {};
  /// Whether a value's gradient is wanted.
  std::function<bool(Value)> is_active = {};

  /// As is_active; true where that is empty. Rules leave out what nobody wants, never what is a constant: a
  /// captured tensor is one, and may be watched.
  bool wants(Value value) const { return is_active == nullptr || is_active(value); }
};
using GradientFn = std::vector<Value> (*)(const GradientContext&);

/// Runs a region on literals; ops with regions (reduce, while) get it.
using RegionEvaluator = std::function<std::vector<Literal>(const Block&, std::span<const Literal>)>;

/// What a reference kernel sees. It returns one literal a result, of the types that the shape rule gave.
struct ReferenceContext {
  const Op& op;
  std::span<const Literal> operands;
  const RegionEvaluator& evaluate;
};
using ReferenceFn = std::vector<Literal> (*)(const ReferenceContext&);

/// The decomposition that defines a composite: builds plain ops from operands and attributes, returns the
/// results.
using DecomposeFn = std::vector<Value> (*)(Builder&, std::span<const Value> operands, const Attributes&);

/// The definition of an op: one static object an op, in its folder under cornu/ops.
struct OpDef {
  /// StableHLO's name without the dialect, e.g. "dot_general"; a composite's is "cornu.softmax".
  std::string_view name;
  InferFn infer = nullptr;
  /// Null: not differentiable (calling gradient() through it is an error unless no gradient flows).
  GradientFn gradient = nullptr;
  /// Whether the gradient may give something for this operand; null: for any.
  bool (*passes_gradient_to)(const Op&, std::size_t operand) = nullptr;
  /// Null only for composites, which run by their decomposition.
  ReferenceFn reference = nullptr;
  /// Not null: the op is a composite.
  DecomposeFn decompose = nullptr;
  /// The reference kernel has no code for f16 and bf16: ops::run_reference widens them to f32 for it and
  /// rounds what it returns.
  bool reference_by_f32 = false;
  /// All operands and the result have one shape and element i depends on elements i only.
  bool elementwise = false;
  /// Prints the attributes inside `<{ }>` of MLIR's generic form; null: each attribute by its kind (lists as
  /// array<i64: ..>).
  std::string (*print_attributes)(const Op&) = nullptr;

  bool is_composite() const { return decompose != nullptr; }
};

}  // namespace cornu::inline v0::ir
