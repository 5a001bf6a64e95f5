#pragma once

namespace cornu::inline v0::keras::losses {

/// Marks a Loss whose values depend on all labels of a batch. Labels of weight 0 are set to 1 before its
/// call(), so that no other value depends on them.
class ReadsAllLabels {
 public:
  virtual ~ReadsAllLabels() = default;
};
constexpr double kUncountedLabel = 1;

}  // namespace cornu::inline v0::keras::losses
