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

/// Dependence of a step's value on the padding rows of its batch.
struct BatchDependence {
  enum class Kind {
    kNone,     // independent of padding
    kRows,     // an axis runs over the rows: each row's elements depend on that row alone
    kUnknown,  // unknown: independence could not be proven
  };
  Kind kind = Kind::kNone;
  /// kRows only: the axis, on which index (o * batch + row) * inner + i belongs to `row`, for o < outer and i
  /// < inner.
  std::int64_t axis = 0;
  std::int64_t outer = 1;
  std::int64_t inner = 1;
  /// The scalar that every element of a padding row equals (kNone: every element), if known.
  std::optional<ir::Literal> padding = {};
  /// kRows only: true if each padding row equals a row of the data.
  bool repeats = false;
  /// kUnknown only: the op that combined rows, for messages.
  std::shared_ptr<const std::string> reason = {};

  static BatchDependence rows(std::int64_t axis) { return {.kind = Kind::kRows, .axis = axis}; }
  /// The dependence of row arguments: the rows themselves.
  static BatchDependence data() { return {.kind = Kind::kRows, .repeats = true}; }
  bool is_none() const { return kind == Kind::kNone; }
  bool is_rows() const { return kind == Kind::kRows; }
  bool is_mixed() const { return kind == Kind::kUnknown; }
  bool has_zero_padding() const { return padding.has_value() && padding->at(0) == 0; }
  bool same_place(const BatchDependence& other) const {
    return axis == other.axis && outer == other.outer && inner == other.inner;
  }
  bool operator==(const BatchDependence& other) const {
    return kind == other.kind && (!is_rows() || (same_place(other) && repeats == other.repeats)) &&
           padding == other.padding;
  }
};

/// Batch-dependence analysis: determines which values of a step may depend on padding rows.
///
/// Semantics: forward, one op at a time; composites by their decompositions, loops until a fixed point.
///            Padding is eliminated by:
///            a sum over rows whose padding is 0;
///            a product with 0;
///            a selection by a mask that is false in padding;
///            the maximum or minimum of values that repeat.
///            An op without a rule mixes rows: kNone and kRows are proven, kUnknown is unknown. Padding rows
///            repeat a row of the data, so 0 times their value is 0 unless the data's own result is not
///            finite either. Not detected: a number of rows that C++ read from a shape and used as a divisor,
///            and values made in such a shape, except by set_shaped_like().
/// Threads:   one thread.
class BatchDependenceAnalysis {
 public:
  /// `batch` must be at least 2: a batch of one has no padding.
  explicit BatchDependenceAnalysis(std::int64_t batch);

  /// Fixes the dependence of a value in advance: of an argument, or of the mask of rows. It overrides the
  /// result of the value's op.
  void set(ir::Value value, BatchDependence dependence) { fixed_[value] = std::move(dependence); }
  /// Declares that `value`, which does not depend on padding, has the shape of `like` and represents its
  /// rows: its rows are on the axis of those of `like`. Its rows repeat only if `is_uniform`: all its
  /// elements are equal. Of several such shapes the first one with rows counts.
  void set_shaped_like(ir::Value value, ir::Value like, bool is_uniform) {
    shaped_like_[value].push_back({like, is_uniform});
  }
  /// Analyzes a block. Values of enclosing blocks must be known, or are kNone.
  void run(const ir::Block& block);
  BatchDependence of(ir::Value value) const;

 private:
  struct ShapedLike {
    ir::Value value;
    bool is_uniform;
  };
  BatchDependence with_rows_of_shape(ir::Value value, BatchDependence found) const;
  std::vector<BatchDependence> results_of(const ir::Op& op);
  std::vector<BatchDependence> of_loop(const ir::Op& op);
  std::vector<BatchDependence> of_branches(const ir::Op& op);
  std::vector<BatchDependence> of_composite(const ir::Op& op, std::span<const BatchDependence> operands);

  std::int64_t batch_;
  std::unordered_map<ir::Value, BatchDependence, ir::ValueHash> fixed_;
  std::unordered_map<ir::Value, BatchDependence, ir::ValueHash> known_;
  std::unordered_map<ir::Value, std::vector<ShapedLike>, ir::ValueHash> shaped_like_;
};

}  // namespace cornu::inline v0::transform
