#include "cornu/keras/trainer/array_data.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "cornu/base/check.h"
#include "cornu/keras/layer.h"
#include "cornu/keras/trainer/batch_order.h"

namespace cornu::keras {
namespace {

constexpr std::int64_t kDefaultBatch = 32;
constexpr std::int64_t kSmallBatch = 256;  // padding up to this many rows costs too little to care

void check_array(const Tensor& array, const std::string& caller, const char* name) {
  if (array.is_symbolic()) invalid_argument("[{}] {} must hold values; got a symbolic tensor {}", caller, name, array.type().str());
  if (array.rank() == 0) invalid_argument("[{}] {} must be an array whose first axis counts the rows; got a scalar", caller, name);
  if (array.num_rows() == 0)
    invalid_argument("[{}] {} has no rows (shape {}): there is nothing to work on", caller, name, ir::shape_str(array.shape()));
  if (array.num_elements() == 0) invalid_argument("[{}] {} has no elements (shape {})", caller, name, ir::shape_str(array.shape()));
  if (array.dtype() == DType::kF16 || array.dtype() == DType::kBF16)
    fail(ErrorCode::kUnimplemented, "[{}] {} has dtype {}; convert it to float32 first", caller, name, ir::numpy_name(array.dtype()));
}

template <typename T>
std::optional<std::int64_t> first_non_finite(const std::byte* row, std::int64_t count) {
  const T* values = reinterpret_cast<const T*>(row);
  for (std::int64_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) return i;
  }
  return std::nullopt;
}

}  // namespace

ArrayData ArrayData::rows(std::int64_t begin, std::int64_t end) const {
  const auto part = [&](const Tensor& array) { return array.defined() ? array.rows(begin, end) : Tensor(); };
  return {part(x), part(y), part(sample_weight)};
}

std::size_t ArrayData::size_bytes() const {
  std::size_t total = 0;
  for (const Tensor* array : {&x, &y, &sample_weight}) total += array->defined() ? array->type().size_bytes() : 0;
  return total;
}

std::vector<const std::byte*> ArrayData::bases() const {
  std::vector<const std::byte*> all;
  for (const Tensor* array : {&x, &y, &sample_weight}) {
    if (array->defined()) all.push_back(array->bytes());
  }
  return all;
}

std::optional<std::string> ArrayData::find_non_finite(const std::int64_t* row_indices, std::int64_t count) const {
  const std::pair<const char*, const Tensor*> arrays[] = {{"x", &x}, {"y", &y}, {"sample_weight", &sample_weight}};
  for (const auto& [name, array] : arrays) {
    if (!array->defined() || !ir::is_float(array->dtype())) continue;
    const std::int64_t elements = array->num_elements() / array->num_rows();
    const std::size_t row_bytes = static_cast<std::size_t>(elements) * ir::size_bytes(array->dtype());
    for (std::int64_t i = 0; i < count; ++i) {
      const std::byte* row = array->bytes() + static_cast<std::size_t>(row_indices[i]) * row_bytes;
      const auto at = array->dtype() == DType::kF64 ? first_non_finite<double>(row, elements) : first_non_finite<float>(row, elements);
      if (at.has_value())
        return fmt::format("row {} of {}, element {}, is {}", row_indices[i], name, *at, array->at(row_indices[i] * elements + *at));
    }
  }
  return std::nullopt;
}

void check_arrays(const ArrayData& data, const std::string& caller, bool needs_labels) {
  if (!data.x.defined()) invalid_argument("[{}] x is missing", caller);
  check_array(data.x, caller, "x");
  if (!data.y.defined()) {
    if (needs_labels) invalid_argument("[{}] y is missing: the loss compares the model's output with it", caller);
    return;
  }
  check_array(data.y, caller, "y");
  if (data.y.num_rows() != data.x.num_rows()) {
    invalid_argument("[{}] x and y must have the same number of rows; got x {} and y {}", caller, ir::shape_str(data.x.shape()),
                     ir::shape_str(data.y.shape()));
  }
  if (!data.sample_weight.defined()) return;
  check_array(data.sample_weight, caller, "sample_weight");
  if (data.sample_weight.shape() != Dims{data.x.num_rows()}) {
    invalid_argument("[{}] sample_weight must have shape ({},), one weight a row of x; got {}", caller, data.x.num_rows(),
                     ir::shape_str(data.sample_weight.shape()));
  }
}

std::pair<ArrayData, ArrayData> split_for_validation(const ArrayData& data, double validation_split) {
  const bool is_inside = validation_split > 0 && validation_split < 1;  // false for NaN too
  if (!is_inside) invalid_argument("[fit] validation_split must lie between 0 and 1; got {}", validation_split);
  const std::int64_t num_rows = data.num_rows();
  const auto split_at = static_cast<std::int64_t>(std::floor(static_cast<double>(num_rows) * (1.0 - validation_split)));
  if (split_at == 0 || split_at == num_rows) {
    invalid_argument("[fit] {} rows are not enough to set validation_split = {} of them apart: one part would be empty", num_rows,
                     validation_split);
  }
  return {data.rows(0, split_at), data.rows(split_at, num_rows)};
}

void check_labels(const ArrayData& data, const Loss& loss, const TensorType& output, const std::string& caller, const std::string& what) {
  TensorType labels = data.y.type();
  labels.dims[0] = kUnknown;
  loss.check_types(labels, output);
  const std::optional<std::int64_t> classes = loss.num_label_classes(output.dims);
  if (!classes.has_value()) return;
  const std::int64_t labels_per_row = data.y.num_elements() / data.y.num_rows();
  const std::optional<std::int64_t> ignored = loss.ignored_class();
  const auto check = [&]<typename T>() {
    const std::span<const T> values = data.y.data<T>();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto value = static_cast<double>(values[i]);
      if (value >= 0 && value < static_cast<double>(*classes) && value == std::floor(value)) continue;
      if (ignored && value == static_cast<double>(*ignored)) continue;
      fail(ErrorCode::kOutOfRange,
           "[{}] label {} in row {} of {} is not a class id in [0, {}), which loss \"{}\" needs for an output of shape {}", caller, value,
           static_cast<std::int64_t>(i) / labels_per_row, what, *classes, loss.name(), shape_with_none_str(output.dims));
    }
  };
  ir::visit_dtype(data.y.dtype(), check);
}

std::int64_t resolve_batch_size(const std::optional<std::int64_t>& batch_size, const std::optional<std::int64_t>& steps,
                                std::int64_t num_rows) {
  if (batch_size.has_value()) return *batch_size;
  return steps.has_value() ? ceil_divide(num_rows, *steps) : kDefaultBatch;
}

std::int64_t program_batch_size(std::int64_t batch_size, std::int64_t num_rows) {
  if (batch_size <= kSmallBatch || batch_size <= 2 * num_rows) return batch_size;
  const auto enough = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(num_rows)));
  return std::min(batch_size, std::max(kSmallBatch, enough));
}

}  // namespace cornu::keras
