#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::ir {

class Builder;
class OpAttributes;
class ShortForm;

/// Input of a shape rule. The rule throws InvalidArgument, with the specification's constraint, if the op is
/// invalid.
struct InferContext {
  std::span<const Value> operands;
  const Attributes& attributes;
  std::span<const std::unique_ptr<Block>> regions;

  const TensorType& type(std::size_t i) const { return operands[i].type(); }
};
using InferFn = std::vector<TensorType> (*)(const InferContext&);

/// Computes the gradients of `wrt` from the gradients `result_gradients` of `results`, through the ops of the
/// builder's block from number `first_op` on: everything else is constant. An empty Value is a zero gradient.
/// Rules of ops with regions use it to differentiate their copies of a region's ops.
using DifferentiateFn =
    std::function<std::vector<Value>(Builder& builder, std::size_t first_op, std::span<const Value> results,
                                     std::span<const Value> result_gradients, std::span<const Value> wrt)>;

/// Input of a gradient rule: the op and the gradients of its results (an empty Value is a zero gradient). The
/// rule builds with `builder` and returns one gradient for each operand and, if it supports them, for each
/// captured value; an empty Value if no gradient flows.
struct GradientContext {
  Builder& builder;
  const Op& op;
  std::span<const Value> result_gradients;
  /// The outer values used in the op's regions whose gradients are wanted.
  std::span<const Value> captured = {};
  DifferentiateFn differentiate = {};
  /// True for a value whose gradient is wanted.
  std::function<bool(Value)> is_active = {};

  /// True if a value's gradient is wanted, or is_active is empty. Rules may omit unwanted gradients, but not
  /// those of constants: a captured tensor is a constant, and may be watched.
  bool wants(Value value) const { return is_active == nullptr || is_active(value); }
};
using GradientFn = std::vector<Value> (*)(const GradientContext&);

/// Evaluates a region on literals; for reference kernels of ops with regions (reduce, while).
using RegionEvaluator = std::function<std::vector<Literal>(const Block&, std::span<const Literal>)>;

/// Input of a reference kernel. The kernel returns one literal for each result, of the shape rule's types.
struct ReferenceContext {
  const Op& op;
  std::span<const Literal> operands;
  const RegionEvaluator& evaluate;
};
using ReferenceFn = std::vector<Literal> (*)(const ReferenceContext&);

/// Builds the decomposition that defines a composite: plain ops from operands and attributes; returns the
/// results.
using DecomposeFn = std::vector<Value> (*)(Builder&, std::span<const Value> operands, const Attributes&);

/// An op as it is read from a program, for OpDef::expand.
struct ExpandContext {
  Builder& builder;
  std::span<const Value> operands;
  const Attributes& attributes;
  std::span<const std::unique_ptr<Block>> regions;
  /// The declared types; empty if the program leaves them out.
  std::span<const TensorType> result_types;
};
/// Builds other ops with the same results in the op's place; returns an empty list if the op is made as it is.
using ExpandFn = std::vector<Value> (*)(const ExpandContext&);

/// The definition of an op: one static object for each, in its folder under cornu/ops.
struct OpDef {
  /// StableHLO's name without the dialect, e.g. "dot_general"; a composite's is "cornu.softmax".
  std::string_view name;
  InferFn infer = nullptr;
  /// Null: not differentiable (gradient() fails unless no gradient flows).
  GradientFn gradient = nullptr;
  /// True if a gradient may flow to this operand; null: to any.
  bool (*passes_gradient_to)(const Op&, std::size_t operand) = nullptr;
  /// Null only for composites, which run as their decomposition.
  ReferenceFn reference = nullptr;
  /// Not null: the op is a composite, or an op of StableHLO that runs as its decomposition.
  DecomposeFn decompose = nullptr;
  /// True if the reference kernel has no code for f16 and bf16: ops::run_reference widens the operands to f32
  /// and rounds the results.
  bool reference_by_f32 = false;
  /// True if all operands and the result have one shape and element i depends on elements i only.
  bool elementwise = false;
  /// Prints the attributes inside `<{ }>` of MLIR's generic form; null: each attribute by its kind (lists as
  /// array<i64: ..>).
  std::string (*print_attributes)(const Op&) = nullptr;
  /// True if an op in text may have regions.
  bool has_regions = false;
  /// Parses the attributes, see text/op_attributes.h; null: each by its kind, under its own name.
  Attributes (*read_attributes)(OpAttributes&) = nullptr;
  /// Parses a short form with regions, see text/short_form.h; null: the op has none.
  void (*read_short_form)(ShortForm&) = nullptr;

  /// Not null: the readers write some forms of the op out in other ops, for example a dot whose result has
  /// another dtype than its operands.
  ExpandFn expand = nullptr;

  bool is_composite() const { return decompose != nullptr; }
  /// True if the op is printed under its own name in the dialect stablehlo; false: as stablehlo.composite.
  bool is_stablehlo() const { return name.find('.') == std::string_view::npos; }
};

/// A list of definitions.
template <const OpDef&... kDefs>
std::span<const OpDef* const> list_defs() {
  static constexpr const OpDef* kAll[] = {&kDefs...};
  return kAll;
}

}  // namespace cornu::inline v0::ir
