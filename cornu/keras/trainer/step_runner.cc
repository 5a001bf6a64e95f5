#include "cornu/keras/trainer/step_runner.h"

#include <algorithm>
#include <utility>

namespace cornu::inline v0::keras {
namespace {

bool has_rows_of(const std::vector<std::optional<TensorType>>& types, const Tensors& arrays) {
  return std::equal(arrays.begin(), arrays.end(), types.begin(), types.end(),
                    [](const Tensor& array, const std::optional<TensorType>& row) {
                      if (!array.defined() || !row.has_value()) return array.defined() == row.has_value();
                      const Dims& shape = array.shape();
                      return array.dtype() == row->dtype &&
                             std::equal(shape.begin() + 1, shape.end(), row->dims.begin(), row->dims.end());
                    });
}

}  // namespace

ProgramKey ProgramKey::of(ProgramKind kind, std::int64_t batch_size, const ArrayData& data,
                          Placement placement) {
  ProgramKey key;
  key.kind = kind;
  key.batch_size = batch_size;
  key.placement = std::move(placement);
  const auto add = [](const Tensors& arrays, std::vector<std::optional<TensorType>>& types) {
    for (const Tensor& array : arrays) {
      types.emplace_back();
      if (!array.defined()) continue;
      types.back() = TensorType{array.dtype(), Dims(array.shape().begin() + 1, array.shape().end())};
    }
  };
  add(data.x, key.x);
  add(data.y, key.y);
  add(data.sample_weight, key.sample_weight);
  return key;
}

bool ProgramKey::same_arrays(const ProgramKey& other) const {
  return kind == other.kind && placement == other.placement && x == other.x && y == other.y &&
         sample_weight == other.sample_weight;
}

bool ProgramKey::takes(const ArrayData& data, std::int64_t rows_of_batch) const {
  return batch_size == rows_of_batch && has_rows_of(x, data.x) && has_rows_of(y, data.y) &&
         has_rows_of(sample_weight, data.sample_weight);
}

const detail::VariableValues& StepRunner::last_values() const {
  static const auto& kNone = *new detail::VariableValues;
  return kNone;
}

void StepRunner::read_logs(Logs& result) const {
  const detail::ValuesScope values(last_values());
  read_log_sources(logs(), result);
}

}  // namespace cornu::inline v0::keras
