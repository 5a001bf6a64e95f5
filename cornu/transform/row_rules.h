#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cornu/ir/op_def.h"
#include "cornu/ops/index_space.h"
#include "cornu/transform/batch_dependence.h"

/// Rules of single ops for BatchDependenceAnalysis: their type and building blocks. The rules are in the ops'
/// folders, see op_rules.h.
namespace cornu::inline v0::transform {

struct RowRuleContext {
  const ir::Op& op;
  std::span<const BatchDependence> operands;
  std::int64_t batch;
};

/// Transfer of row dependence through one op. An elementwise op needs a rule only if more is known of its
/// padding; any other op without a rule mixes rows.
struct RowRule {
  /// Ops whose regions BatchDependenceAnalysis follows itself.
  enum class Control { kNone, kLoop, kBranches };

  /// Properties of the op as the body of a reduction.
  struct Combiner {
    bool is_sum = false;
    /// True if combining an element a second time changes nothing.
    bool (*is_idempotent)(ir::DType dtype) = nullptr;
    /// True if combining with the scalar changes nothing.
    bool (*is_neutral)(const ir::Literal& element) = nullptr;
  };

  BatchDependence (*of)(const RowRuleContext& context) = nullptr;
  /// Elementwise ops only: the result's padding, if known. If `padding` is set, it alone determines it.
  /// `known_padding` is called if an operand's padding is unknown; otherwise the op is evaluated.
  std::optional<ir::Literal> (*padding)(const RowRuleContext& context) = nullptr;
  std::optional<ir::Literal> (*known_padding)(const RowRuleContext& context) = nullptr;
  Combiner combiner = {};
  Control control = Control::kNone;
};

/// The rule of an op; null if its folder has none.
const RowRule* find_row_rule(const ir::Op& op);

/// The dependence of an op's results on padding, from its operands'. `context.op` is not a loop or branch,
/// and not a composite unless an elementwise one.
std::vector<BatchDependence> batch_dependence_of(const RowRuleContext& context);

/// The dependence of a value that equals either a or b.
BatchDependence either(const BatchDependence& a, const BatchDependence& b, const ir::Op& op);

/// kUnknown, with the op as the reason.
BatchDependence mixed_by(const ir::Op& op);

// Building blocks of rules.

inline std::size_t at(std::int64_t axis) { return static_cast<std::size_t>(axis); }
using ops::contains;
inline std::int64_t index_of(const ir::Dims& dims, std::int64_t d) {
  return std::find(dims.begin(), dims.end(), d) - dims.begin();
}

/// The number of consecutive indices of the rows' axis in one pass through the batch.
std::int64_t period(const RowRuleContext& c, const BatchDependence& x);
/// The same rows on another axis.
BatchDependence moved(BatchDependence x, std::int64_t axis);
BatchDependence without_padding(BatchDependence x);
std::optional<ir::Literal> zero_of(ir::DType dtype);
/// The padding of both, if it is equal.
std::optional<ir::Literal> if_equal(const BatchDependence& a, const BatchDependence& b);
bool are_none(std::span<const BatchDependence> operands);
/// True if each padding row equals a row of the data in any result computed row by row from these. An operand
/// without rows may still vary along their axis, unless it is a single number.
bool all_repeat(std::span<const BatchDependence> operands);
/// The rows of values that an op combines index by index; padding unknown. Operands without rows fit any
/// axis.
BatchDependence joined(const RowRuleContext& c, std::span<const BatchDependence> operands);
/// The rule of an op whose element i depends on elements i.
BatchDependence elementwise_rule(const RowRuleContext& c);

// Building blocks for reductions.

/// The single op of a body of two scalars; null if there is none.
const ir::Op* only_op(const ir::Block& body);
bool is_sum(const ir::Op& body);
bool is_idempotent(const ir::Op& body);
/// True if an element changes nothing in a reduction that begins with `init`.
bool is_neutral_in(const ir::Op& body, const ir::Literal& element, const BatchDependence& init);
/// The result of reducing elements that all equal `x.padding`.
std::optional<ir::Literal> combined_padding(const ir::Op& body, const BatchDependence& x,
                                            const BatchDependence& init);

// Building blocks for sums of products.

/// Contraction over rows: padding must be 0 on one side.
BatchDependence contracted(const RowRuleContext& c, const BatchDependence& x, const BatchDependence& y);
/// Batched over the rows of both: an operand without rows may still vary along the axis.
BatchDependence batched(const BatchDependence& x, const BatchDependence& y);
/// The rows of a product on an axis of the result; its padding is 0 if a factor's is.
BatchDependence product_at(const RowRuleContext& c, const BatchDependence& place, std::int64_t axis);

}  // namespace cornu::inline v0::transform
