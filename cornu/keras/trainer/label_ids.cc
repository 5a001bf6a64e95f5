#include "cornu/keras/trainer/label_ids.h"

#include <cmath>
#include <cstddef>
#include <span>

#include "cornu/keras/trainer/worker_arrays.h"

namespace cornu::inline v0::keras {

std::optional<WrongId> first_wrong_id(const Tensor& labels, const Loss& loss, const TensorType& output) {
  const std::optional<std::int64_t> classes = loss.num_label_classes(output.dims);
  if (!classes.has_value()) return std::nullopt;
  // A worker's labels are fetched only to name the wrong one, or if their range does not decide.
  const std::optional<runtime::ValueRange> range = known_range(labels);
  if (range.has_value() && range->are_integers && range->least >= 0 &&
      range->greatest < static_cast<double>(*classes))
    return std::nullopt;
  const std::int64_t labels_per_row = labels.num_elements() / labels.num_rows();
  const std::optional<std::int64_t> ignored = loss.ignored_class();
  std::optional<WrongId> wrong;
  ir::visit_dtype(labels.dtype(), [&]<typename T>() {
    const std::span<const T> values = labels.data<T>();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto value = static_cast<double>(values[i]);
      if (value >= 0 && value < static_cast<double>(*classes) && value == std::floor(value)) continue;
      if (ignored && value == static_cast<double>(*ignored)) continue;
      const bool may_be_padding = value < 0;
      if (may_be_padding && wrong.has_value()) continue;
      wrong = {value, static_cast<std::int64_t>(i) / labels_per_row, *classes};
      if (!may_be_padding) return;
    }
  });
  return wrong;
}

}  // namespace cornu::inline v0::keras
