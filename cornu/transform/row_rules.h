#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/ir/op_def.h"
#include "cornu/transform/row_dependence.h"

/// Rules of single ops for RowAnalysis. They are in the ops' folders (cornu/ops/x/x_row_rule.cc); this header
/// has their types and building blocks.
namespace cornu::inline v0::transform {

struct RowRuleContext {
  const ir::Op& op;
  std::span<const RowDependence> operands;
  std::int64_t batch;
};

/// Transfer of row dependence through one op. An elementwise op needs a rule only if more is known of its
/// padding; any other op without a rule mixes rows.
struct RowRule {
  /// Ops whose regions RowAnalysis follows itself.
  enum class Control { kNone, kLoop, kBranches };

  /// Properties of the op as the body of a reduction.
  struct Combiner {
    bool is_sum = false;
    /// True if combining an element a second time changes nothing.
    bool (*is_idempotent)(ir::DType dtype) = nullptr;
    /// True if combining with the scalar changes nothing.
    bool (*is_neutral)(const ir::Literal& element) = nullptr;
  };

  std::string_view op;  // the op's name
  RowDependence (*of)(const RowRuleContext& context) = nullptr;
  /// Elementwise ops only: the result's padding, if known. If `padding` is set, it alone determines it.
  /// `known_padding` is called if an operand's padding is unknown; otherwise the op is evaluated.
  std::optional<ir::Literal> (*padding)(const RowRuleContext& context) = nullptr;
  std::optional<ir::Literal> (*known_padding)(const RowRuleContext& context) = nullptr;
  Combiner combiner = {};
  Control control = Control::kNone;
};

/// All rules; generated from the folders.
std::span<const RowRule> all_row_rules();

/// The rule of an op; null if its folder has none.
const RowRule* find_row_rule(const ir::Op& op);

/// The dependence of an op's results on padding, from its operands'. `context.op` is not a loop or branch,
/// and not a composite unless an elementwise one.
std::vector<RowDependence> row_dependence_of(const RowRuleContext& context);

/// The dependence of a value that equals either a or b.
RowDependence either(const RowDependence& a, const RowDependence& b, const ir::Op& op);

/// kMixed, with the op as the reason.
RowDependence mixed_by(const ir::Op& op);

// Building blocks of rules.

inline std::size_t at(std::int64_t axis) { return static_cast<std::size_t>(axis); }
inline bool contains(const ir::Dims& dims, std::int64_t d) {
  return std::find(dims.begin(), dims.end(), d) != dims.end();
}
inline std::int64_t index_of(const ir::Dims& dims, std::int64_t d) {
  return std::find(dims.begin(), dims.end(), d) - dims.begin();
}

/// The number of consecutive indices of the rows' axis in one pass through the batch.
std::int64_t period(const RowRuleContext& c, const RowDependence& x);
/// The same rows on another axis.
RowDependence moved(RowDependence x, std::int64_t axis);
RowDependence without_padding(RowDependence x);
std::optional<ir::Literal> zero_of(ir::DType dtype);
/// The padding of both, if it is equal.
std::optional<ir::Literal> if_equal(const RowDependence& a, const RowDependence& b);
bool are_none(std::span<const RowDependence> operands);
/// True if each padding row equals a row of the data in any result computed row by row from these. An operand
/// without rows may still vary along their axis, unless it is a single number.
bool all_repeat(std::span<const RowDependence> operands);
/// The rows of values that an op combines index by index; padding unknown. Operands without rows fit any
/// axis.
RowDependence joined(const RowRuleContext& c, std::span<const RowDependence> operands);
/// The rule of an op whose element i depends on elements i.
RowDependence elementwise_rule(const RowRuleContext& c);

// Building blocks for reductions.

/// The single op of a body of two scalars; null if there is none.
const ir::Op* only_op(const ir::Block& body);
bool is_sum(const ir::Op& body);
bool is_idempotent(const ir::Op& body);
/// True if an element changes nothing in a reduction that begins with `init`.
bool is_neutral_in(const ir::Op& body, const ir::Literal& element, const RowDependence& init);
/// The result of reducing elements that all equal `x.padding`.
std::optional<ir::Literal> combined_padding(const ir::Op& body, const RowDependence& x,
                                            const RowDependence& init);

// Building blocks for sums of products.

/// Contraction over rows: padding must be 0 on one side.
RowDependence contracted(const RowRuleContext& c, const RowDependence& x, const RowDependence& y);
/// Batched over the rows of both: an operand without rows may still vary along the axis.
RowDependence batched(const RowDependence& x, const RowDependence& y);
/// The rows of a product on an axis of the result; its padding is 0 if a factor's is.
RowDependence product_at(const RowRuleContext& c, const RowDependence& place, std::int64_t axis);

}  // namespace cornu::inline v0::transform
