#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/transform/attention_matrices.h"

/// Masks of scores.
namespace cornu::inline v0::transform {

/// The masks of a block, of which layers share one, as a rule: each is evaluated once.
class AttentionMasks {
 public:
  /// True if a constant mask of the scores' dimensions, or its inverse, is true for keys that are not later than
  /// the query.
  bool is_causal(ir::Value mask, bool is_inverted, const AttentionAxes& axes);

 private:
  /// A mask before it was repeated, and the dimensions of it that are those of queries and of keys.
  struct Source {
    ir::Value value;
    std::size_t query = 0, key = 0;
    bool is_inverted = false;
    bool operator==(const Source&) const = default;
  };
  static std::optional<Source> source_of(ir::Value mask, bool is_inverted, const AttentionAxes& axes);
  static bool is_causal(const Source& source);

  std::vector<std::pair<Source, bool>> known_;
};

/// True for equal masks, also if dimensions of extent 1 differ.
bool are_same_masks(ir::Value x, ir::Value y);

}  // namespace cornu::inline v0::transform
