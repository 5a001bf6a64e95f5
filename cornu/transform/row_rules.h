#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/ir/op_def.h"
#include "cornu/transform/row_dependence.h"

/// The rules of single ops, for RowAnalysis. They stand in the ops' folders (cornu/ops/x/x_row_rule.cc); here
/// is what they are made of.
namespace cornu::inline v0::transform {

struct RowRuleContext {
  const ir::Op& op;
  std::span<const RowDependence> operands;
  std::int64_t batch;
};

/// How the rows of a batch go through one op. An elementwise op needs no rule, unless more is known of its
/// padding; any other op without a rule mixes rows.
struct RowRule {
  /// Ops whose regions RowAnalysis follows itself.
  enum class Control { kNone, kLoop, kBranches };

  /// What the op is as the body of a reduction.
  struct Combiner {
    bool is_sum = false;
    /// Whether an element that is combined once more changes nothing.
    bool (*is_idempotent)(ir::DType dtype) = nullptr;
    /// Whether a scalar changes nothing, whatever it is combined with.
    bool (*is_neutral)(const ir::Literal& element) = nullptr;
  };

  std::string_view op;  // its name
  RowDependence (*of)(const RowRuleContext& context) = nullptr;
  /// Of elementwise ops: the padding, where it is known. `padding` is all that is known; `known_padding` is
  /// asked where the padding of an operand is unknown, else the op is evaluated.
  std::optional<ir::Literal> (*padding)(const RowRuleContext& context) = nullptr;
  std::optional<ir::Literal> (*known_padding)(const RowRuleContext& context) = nullptr;
  Combiner combiner = {};
  Control control = Control::kNone;
};

/// Every rule; generated from the folders.
std::span<const RowRule> all_row_rules();

/// The rule of an op; null when its folder has none.
const RowRule* find_row_rule(const ir::Op& op);

/// Of an op's results, from its operands'; `context.op` has neither loops nor branches and is no composite,
/// unless an elementwise one.
std::vector<RowDependence> row_dependence_of(const RowRuleContext& context);

/// Of a value that is one or the other.
RowDependence either(const RowDependence& a, const RowDependence& b, const ir::Op& op);

/// What an op does that puts rows together.
RowDependence mixed_by(const ir::Op& op);

// What rules are made of.

inline std::size_t at(std::int64_t axis) { return static_cast<std::size_t>(axis); }
inline bool contains(const ir::Dims& dims, std::int64_t d) {
  return std::find(dims.begin(), dims.end(), d) != dims.end();
}
inline std::int64_t index_of(const ir::Dims& dims, std::int64_t d) {
  return std::find(dims.begin(), dims.end(), d) - dims.begin();
}

/// How many of the rows' axis' indices belong to one round through the batch.
std::int64_t period(const RowRuleContext& c, const RowDependence& x);
/// The same rows along another axis.
RowDependence moved(RowDependence x, std::int64_t axis);
RowDependence without_padding(RowDependence x);
std::optional<ir::Literal> zero_of(ir::DType dtype);
/// The padding that both have.
std::optional<ir::Literal> if_equal(const RowDependence& a, const RowDependence& b);
bool are_none(std::span<const RowDependence> operands);
/// Whether padding rows hold what a row of the data does, in what is made of these row by row. An operand
/// without rows may still differ along their axis, unless it is one number.
bool all_repeat(std::span<const RowDependence> operands);
/// Where the rows are in values that an op takes index by index; padding unknown. Operands without rows fit
/// everywhere.
RowDependence joined(const RowRuleContext& c, std::span<const RowDependence> operands);
/// Of an op whose element i depends on elements i.
RowDependence elementwise_rule(const RowRuleContext& c);

// Reductions.

/// The op that a body of two scalars is; null when it is none.
const ir::Op* only_op(const ir::Block& body);
bool is_sum(const ir::Op& body);
bool is_idempotent(const ir::Op& body);
/// Whether an element changes nothing in a combination that begins with `init`.
bool is_neutral_in(const ir::Op& body, const ir::Literal& element, const RowDependence& init);
/// What elements that all equal `x.padding` come to.
std::optional<ir::Literal> combined_padding(const ir::Op& body, const RowDependence& x,
                                            const RowDependence& init);

// Sums of products.

/// Over rows: padding must be 0 on one side.
RowDependence contracted(const RowRuleContext& c, const RowDependence& x, const RowDependence& y);
/// Row by row of both: one without rows may still differ from row to row.
RowDependence batched(const RowDependence& x, const RowDependence& y);
/// The rows of a product at an axis of the result; its padding is 0 where that of a factor is.
RowDependence product_at(const RowRuleContext& c, const RowDependence& place, std::int64_t axis);

}  // namespace cornu::inline v0::transform
