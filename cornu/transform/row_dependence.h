#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/ir/literal.h"

namespace cornu::inline v0::transform {

/// What a value of a step takes from the padding rows of its batch.
struct RowDependence {
  enum class Kind {
    kNone,   // nothing
    kRows,   // an axis goes through the rows: what belongs to a row comes from that row alone
    kMixed,  // nobody knows
  };
  Kind kind = Kind::kNone;
  /// Of kRows: the axis, on which index (o * batch + row) * inner + i belongs to `row`, for o < outer and i <
  /// inner.
  std::int64_t axis = 0;
  std::int64_t outer = 1;
  std::int64_t inner = 1;
  /// The scalar that every element of a padding row equals (of kNone: every element), if known.
  std::optional<ir::Literal> padding = {};
  /// Of kRows: padding rows hold what a row of the data does.
  bool repeats = false;
  /// Of kMixed: who put rows together, for messages.
  std::shared_ptr<const std::string> reason = {};

  static RowDependence rows(std::int64_t axis) { return {.kind = Kind::kRows, .axis = axis}; }
  /// Of arguments: the rows themselves.
  static RowDependence data() { return {.kind = Kind::kRows, .repeats = true}; }
  bool is_none() const { return kind == Kind::kNone; }
  bool is_rows() const { return kind == Kind::kRows; }
  bool is_mixed() const { return kind == Kind::kMixed; }
  bool has_zero_padding() const { return padding.has_value() && padding->at(0) == 0; }
  bool same_place(const RowDependence& other) const {
    return axis == other.axis && outer == other.outer && inner == other.inner;
  }
  bool operator==(const RowDependence& other) const {
    return kind == other.kind && (!is_rows() || (same_place(other) && repeats == other.repeats)) &&
           padding == other.padding;
  }
};

/// Follows the rows of a batch through a step: which values padding rows can reach.
///
/// Semantics: forward, an op at a time; composites by their decompositions, loops until nothing changes.
///            These keep padding out:
///            a sum over rows whose padding is 0;
///            a product with 0;
///            a choice by a mask that is false in padding;
///            the largest or the smallest of values that repeat.
///            An op that no rule knows mixes rows: kNone and kRows are proven, kMixed is a doubt.
///            Padding rows repeat a row of the data, so 0 times what one holds is 0 unless the data's own
///            result is not finite either.
///            What is not seen: a number of rows that C++ took from a shape, as a divisor, and values of such
///            a shape, but for set_shaped_like().
/// Threads:   one thread.
class RowAnalysis {
 public:
  /// Errors: none; `batch` must be at least 2, for a batch of one has no padding.
  explicit RowAnalysis(std::int64_t batch);

  /// What is known before: of arguments, of the mask of rows. Stays though the value's op would give another.
  void set(ir::Value value, RowDependence dependence) { fixed_[value] = std::move(dependence); }
  /// `value`, which takes nothing from padding, has the shape of `like` and stands for its rows: its own rows
  /// lie where those of `like` do. Its rows repeat only where `is_uniform`: all its elements are equal.
  /// Of several such shapes the first counts that has rows.
  void set_shaped_like(ir::Value value, ir::Value like, bool is_uniform) {
    shaped_like_[value].push_back({like, is_uniform});
  }
  /// Values of the blocks around this one are known or kNone.
  void run(const ir::Block& block);
  RowDependence of(ir::Value value) const;

 private:
  struct ShapedLike {
    ir::Value value;
    bool is_uniform;
  };
  RowDependence with_rows_of_shape(ir::Value value, RowDependence found) const;
  std::vector<RowDependence> results_of(const ir::Op& op);
  std::vector<RowDependence> of_loop(const ir::Op& op);
  std::vector<RowDependence> of_branches(const ir::Op& op);
  std::vector<RowDependence> of_composite(const ir::Op& op, std::span<const RowDependence> operands);

  std::int64_t batch_;
  std::unordered_map<ir::Value, RowDependence, ir::ValueHash> fixed_;
  std::unordered_map<ir::Value, RowDependence, ir::ValueHash> known_;
  std::unordered_map<ir::Value, std::vector<ShapedLike>, ir::ValueHash> shaped_like_;
};

}  // namespace cornu::inline v0::transform
