#include "cornu/keras/trainer/array_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/trainer/batch_order.h"
#include "cornu/keras/trainer/label_ids.h"
#include "cornu/keras/trainer/worker_arrays.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::int64_t kDefaultBatch = 32;
constexpr std::int64_t kSmallBatch = 32;  // data that grow up to this many rows need no further program

bool is_half_float(const Tensor& array) {
  return array.dtype() == DType::kF16 || array.dtype() == DType::kBF16;
}

void check_array(const Tensor& array, const std::string& caller, const std::string& name) {
  if (array.is_symbolic())
    invalid_argument("[{}] {} must hold values; got a symbolic tensor {}", caller, name, array.type().str());
  if (array.rank() == 0)
    invalid_argument(
        "[{}] {} must be an array whose first axis counts the rows; got a scalar; if it is an element of a "
        "data "
        "set, make batches by batch()",
        caller, name);
  if (array.num_rows() == 0)
    invalid_argument("[{}] {} has no rows (shape {}): there is nothing to work on", caller, name,
                     ir::shape_str(array.shape()));
  if (array.num_elements() == 0)
    invalid_argument("[{}] {} has no elements (shape {})", caller, name, ir::shape_str(array.shape()));
  if (is_half_float(array) && worker_buffer(array) != nullptr)
    fail(
        ErrorCode::kUnimplemented,
        "[{}] {} has dtype {}, and rows that a worker has opened stay there as they are; convert the file to "
        "float32 first",
        caller, name, ir::numpy_name(array.dtype()));
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

namespace {

template <typename F>
Tensors mapped(const Tensors& arrays, F&& f) {
  std::vector<Tensor> result;
  result.reserve(arrays.size());
  for (const Tensor& array : arrays) result.push_back(array.defined() ? f(array) : Tensor());
  return Tensors(std::move(result));
}

Tensor gathered_rows(const Tensor& array, const std::int64_t* row_indices, std::int64_t count) {
  TensorType type = array.type();
  const std::size_t row_bytes = type.size_bytes() / static_cast<std::size_t>(array.num_rows());
  type.dims[0] = count;
  ir::Literal batch(type);
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(batch.mutable_bytes().data() + static_cast<std::size_t>(i) * row_bytes,
                array.bytes() + static_cast<std::size_t>(row_indices[i]) * row_bytes, row_bytes);
  }
  return Tensor(batch);
}

}  // namespace

ArrayData ArrayData::rows(std::int64_t begin, std::int64_t end) const {
  const auto part = [&](const Tensor& array) { return array.rows(begin, end); };
  return {mapped(x, part), mapped(y, part), mapped(sample_weight, part)};
}

ArrayData ArrayData::gathered(const std::int64_t* row_indices, std::int64_t count) const {
  const auto part = [&](const Tensor& array) { return gathered_rows(array, row_indices, count); };
  return {mapped(x, part), mapped(y, part), mapped(sample_weight, part)};
}

std::size_t ArrayData::size_bytes() const {
  std::size_t total = 0;
  for_each([&](const Tensor& array) { total += array.type().size_bytes(); });
  return total;
}

std::vector<const std::byte*> ArrayData::bases() const {
  std::vector<const std::byte*> all;
  for_each([&](const Tensor& array) { all.push_back(array.bytes()); });
  return all;
}

std::string array_name(const char* group, const Tensors& arrays, std::size_t index) {
  if (arrays.is_named()) return fmt::format("{}[\"{}\"]", group, arrays.names()[index]);
  return arrays.size() == 1 ? std::string(group) : fmt::format("{}[{}]", group, index);
}

std::optional<NonFinite> ArrayData::find_non_finite(std::span<const std::int64_t> row_indices) const {
  const std::pair<const char*, const Tensors*> groups[] = {
      {"x", &x}, {"y", &y}, {"sample_weight", &sample_weight}};
  for (const auto& [name, group] : groups) {
    for (std::size_t k = 0; k < group->size(); ++k) {
      const Tensor& array = (*group)[k];
      if (!array.defined() || !ir::is_float(array.dtype())) continue;
      const std::int64_t elements = array.num_elements() / array.num_rows();
      const std::size_t row_bytes = static_cast<std::size_t>(elements) * ir::size_bytes(array.dtype());
      for (const std::int64_t index : row_indices) {
        const std::byte* row = array.bytes() + static_cast<std::size_t>(index) * row_bytes;
        const auto at = array.dtype() == DType::kF64 ? first_non_finite<double>(row, elements)
                                                     : first_non_finite<float>(row, elements);
        if (at.has_value()) {
          const double value = array.at(index * elements + *at);
          return NonFinite{index,
                           fmt::format("{}, element {}, is {}", array_name(name, *group, k), *at, value)};
        }
      }
    }
  }
  return std::nullopt;
}

void check_arrays(const ArrayData& data, const std::string& caller) {
  if (data.x.empty()) invalid_argument("[{}] x is missing", caller);
  const std::pair<const char*, const Tensors*> groups[] = {
      {"x", &data.x}, {"y", &data.y}, {"sample_weight", &data.sample_weight}};
  for (const auto& [group, arrays] : groups) {
    for (std::size_t k = 0; k < arrays->size(); ++k) {
      const Tensor& array = (*arrays)[k];
      const std::string name = array_name(group, *arrays, k);
      if (!array.defined()) {
        if (arrays == &data.x) invalid_argument("[{}] {} is missing", caller, name);
        continue;
      }
      check_array(array, caller, name);
      if (array.num_rows() != data.x[0].num_rows()) {
        invalid_argument("[{}] {} and {} must have the same number of rows; got {} {} and {} {}", caller,
                         array_name("x", data.x, 0), name, array_name("x", data.x, 0),
                         ir::shape_str(data.x[0].shape()), name, ir::shape_str(array.shape()));
      }
    }
  }
}

ArrayData with_wide_floats(const ArrayData& data) {
  bool has_half_floats = false;
  data.for_each([&](const Tensor& array) { has_half_floats = has_half_floats || is_half_float(array); });
  if (!has_half_floats) return data;
  const detail::HostScope on_host;
  const auto wide = [](const Tensor& array) {
    return is_half_float(array) ? ops::cast(array, DType::kF32) : array;
  };
  return {mapped(data.x, wide), mapped(data.y, wide), mapped(data.sample_weight, wide)};
}

std::pair<ArrayData, ArrayData> split_for_validation(const ArrayData& data, double validation_split) {
  const bool is_inside = validation_split > 0 && validation_split < 1;  // false for NaN too
  if (!is_inside)
    invalid_argument({.argument = "validation_split"},
                     "[fit] validation_split must be between 0 and 1; got validation_split = {}",
                     validation_split);
  if (has_worker_arrays(data))
    invalid_argument(
        {.argument = "validation_split"},
        "[fit] validation_split would fetch the rows that the worker has opened: give validation_data, "
        "e.g. data sets of the same arrays, one with take() and one with skip()");
  const std::int64_t num_rows = data.num_rows();
  const auto split_at =
      static_cast<std::int64_t>(std::floor(static_cast<double>(num_rows) * (1.0 - validation_split)));
  if (split_at == 0 || split_at == num_rows) {
    invalid_argument(
        "[fit] {} rows are not enough to set validation_split = {} of them apart: one part would be empty",
        num_rows, validation_split);
  }
  return {data.rows(0, split_at), data.rows(split_at, num_rows)};
}

void check_labels(const Tensor& labels, const Loss& loss, const TensorType& output, const std::string& caller,
                  const std::string& what) {
  TensorType labels_type = labels.type();
  labels_type.dims[0] = kUnknown;
  loss.check_types(labels_type, output);
  const std::optional<WrongId> wrong = first_wrong_id(labels, loss, output);
  if (!wrong.has_value()) return;
  fail(ErrorCode::kOutOfRange,
       "[{}] label {} in row {} of {} is not a class id in [0, {}), which loss \"{}\" needs for an output of "
       "shape {}",
       caller, wrong->value, wrong->row, what, wrong->num_classes, loss.name(),
       shape_with_none_str(output.dims));
}

void check_sample_weight(const Tensor& weight, const std::string& name, const TensorType& output,
                         const std::string& caller) {
  const Dims& dims = weight.shape();
  const auto rank = static_cast<std::int64_t>(output.dims.size());
  // A weight for each value of the loss, that is, for each element of the output without its last axis; a
  // column counts as one weight for each row.
  bool fits =
      weight.rank() <= std::max<std::int64_t>(rank - 1, 1) || (weight.rank() == rank && dims.back() == 1);
  for (std::size_t i = 1; fits && i < dims.size(); ++i)
    fits = dims[i] == 1 || output.dims[i] == kUnknown || dims[i] == output.dims[i];
  if (fits) return;
  invalid_argument("[{}] {} must have shape ({},), one weight a row of x{}; got {}", caller, name,
                   weight.num_rows(), rank > 2 ? ", or one a step of the output" : "", ir::shape_str(dims));
}

namespace {

/// The class of each row. Several columns are a one-hot row only if the output is [batch, classes]; for
/// outputs of more axes they are the labels of steps.
std::vector<std::int64_t> classes_of_rows(const Tensor& labels, const TensorType& output,
                                          const std::string& caller) {
  const std::int64_t columns = labels.num_elements() / labels.num_rows();
  if (labels.rank() > 2 || (columns > 1 && output.rank() > 2))
    invalid_argument(
        "[{}] class_weight needs one class a row; got y of shape {}{}", caller, ir::shape_str(labels.shape()),
        output.rank() > 2 ? " for an output of shape " + shape_with_none_str(output.dims) : std::string());
  std::vector<std::int64_t> classes(static_cast<std::size_t>(labels.num_rows()));
  for (std::int64_t row = 0; row < labels.num_rows(); ++row) {
    std::int64_t found = 0;
    for (std::int64_t k = 1; k < columns; ++k)
      if (labels.at(row * columns + k) > labels.at(row * columns + found)) found = k;
    const double value = labels.at(row * columns);
    classes[static_cast<std::size_t>(row)] = columns > 1            ? found
                                             : std::isfinite(value) ? std::llround(value)
                                                                    : -1;
  }
  return classes;
}

}  // namespace

Tensor weights_of_classes(const ClassWeight& class_weight, const Tensor& labels, const TensorType& output,
                          RowsGiven given, const std::string& caller) {
  const std::vector<std::int64_t> classes = classes_of_rows(labels, output, caller);
  const std::int64_t num_outputs = output.dims.size() >= 2 ? output.dims.back() : 1;
  const std::int64_t num_classes = num_outputs > 1 ? num_outputs : 2;
  const bool may_be_elsewhere = given == RowsGiven::kBatch && num_outputs == 1;
  for (const auto& [id, weight] : class_weight) {
    if (!(weight >= 0) || std::isinf(weight))
      invalid_argument("[{}] class_weight of class {} must be finite and not negative; got {}", caller, id,
                       weight);
    const bool is_known = may_be_elsewhere || (id >= 0 && (id < num_classes || num_outputs == kUnknown)) ||
                          std::find(classes.begin(), classes.end(), id) != classes.end();
    if (!is_known) {
      invalid_argument("[{}] class_weight names class {}, which neither y nor the model's output {} has",
                       caller, id, shape_with_none_str(output.dims));
    }
  }
  std::vector<float> weights(classes.size(), 1.0F);
  for (std::size_t row = 0; row < classes.size(); ++row) {
    const auto found = class_weight.find(classes[row]);
    if (found != class_weight.end()) weights[row] = static_cast<float>(found->second);
  }
  return Tensor::adopt({labels.num_rows()}, std::move(weights));
}

std::int64_t resolve_batch_size(const std::optional<std::int64_t>& batch_size,
                                const std::optional<std::int64_t>& steps, std::int64_t num_rows) {
  if (batch_size.has_value()) return *batch_size;
  return steps.has_value() ? divide_up(num_rows, *steps) : kDefaultBatch;
}

std::int64_t program_batch_size(std::int64_t batch_size, std::int64_t num_rows) {
  if (batch_size <= kSmallBatch || batch_size <= 2 * num_rows) return batch_size;
  const auto enough = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(num_rows)));
  return std::min(batch_size, std::max(kSmallBatch, enough));
}

std::int64_t predict_batch_size(std::int64_t batch_size, std::int64_t num_rows) {
  if (batch_size <= 2 * num_rows) return batch_size;
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(num_rows)));
}

}  // namespace cornu::inline v0::keras
