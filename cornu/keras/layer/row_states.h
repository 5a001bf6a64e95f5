#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras {

/// A base of layers that may keep a state for each row of a batch until the next batch: all batches must then
/// have one size, and padding rows would leave states too.
class RowStates {
 public:
  virtual bool keeps_row_states() const = 0;
  /// The states that exist so far.
  virtual std::vector<Variable> row_states() const = 0;

 protected:
  ~RowStates() = default;
};

/// A base of layers that compute over the rows of a batch together, so that another batch size is another
/// computation.
class RowsTogether {
 public:
  virtual bool takes_rows_together() const = 0;

 protected:
  ~RowsTogether() = default;
};

/// True if `layer` or an inner layer keeps states of rows.
inline bool keeps_row_states(const Layer& layer) {
  const auto* states = dynamic_cast<const RowStates*>(&layer);
  if (states != nullptr && states->keeps_row_states()) return true;
  const std::vector<std::shared_ptr<Layer>> inside = layer.sublayers();
  return std::any_of(inside.begin(), inside.end(), [](const auto& one) { return keeps_row_states(*one); });
}

}  // namespace cornu::inline v0::keras
