#include "cornu/keras/trainer/step_runner.h"

#include <utility>

#include "cornu/tensor/device.h"

namespace cornu::inline v0::keras {

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

const detail::VariableValues& StepRunner::last_values() const {
  static const auto& kNone = *new detail::VariableValues;
  return kNone;
}

void StepRunner::read_logs(Logs& result) const {
  const detail::HostScope on_host;  // what metrics compute of their variables
  const detail::ValuesScope values(last_values());
  result.clear();
  for (const LogSource& source : logs())
    result.set(source.name, source.metric != nullptr ? source.metric->result() : Tensor(source.value.read()));
}

}  // namespace cornu::inline v0::keras
