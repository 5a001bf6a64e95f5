#pragma once

#include <cstdint>

namespace cornu::inline v0::keras::losses {

/// Marks a Loss whose values depend on all labels of a batch. Labels of weight 0 are set to 1 before its
/// call(), so that no other value depends on them.
class ReadsAllLabels {
 public:
  virtual ~ReadsAllLabels() = default;
};
constexpr double kUncountedLabel = 1;

/// Marks a Loss whose value for a row may depend on other rows, so that padding rows would count.
class ComparesRows {
 public:
  virtual ~ComparesRows() = default;
  /// True if it does for outputs of this rank.
  virtual bool compares_rows(std::int64_t rank) const = 0;
};

}  // namespace cornu::inline v0::keras::losses
