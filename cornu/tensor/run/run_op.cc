#include "cornu/tensor/run/run_op.h"

#include <algorithm>
#include <utility>

#include "cornu/ir/complex.h"
#include "cornu/tensor/run/device_operation.h"
#include "cornu/tensor/run/eager.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0::detail {
namespace {

std::vector<Tensor> run_here(const OpKey& key, std::span<const Tensor> inputs, BuildManyFn build) {
  if (current_device().is_foreign) return run_device_operation(key, inputs, build);
  const EagerOperation& operation = find_eager_operation(key, inputs, build);
  std::vector<Tensor> results(operation.results.size());
  run_eager_operation(operation, inputs, results);
  return results;
}

std::vector<Tensor> run_eagerly(const OpKey& key, std::span<const Tensor> inputs, BuildManyFn build) {
  std::vector<Tensor> results = run_here(key, inputs, build);
  for (const auto& recorder : op_recorders()) recorder->record(key, inputs, results, build);
  return results;
}

}  // namespace

std::vector<Tensor> run_op_many(const OpKey& key, std::span<const Tensor> inputs, BuildManyFn build) {
  Trace* trace = Trace::current();
  if (trace == nullptr) return run_eagerly(key, inputs, build);
  std::vector<ir::Value> values;
  for (const Tensor& input : inputs) values.push_back(trace->value_of(input));
  std::vector<Tensor> results;
  for (const ir::Value& value : build(trace->builder(), values)) results.push_back(trace->tensor(value));
  return results;
}

Tensor run_op(const OpKey& key, std::span<const Tensor> inputs, BuildFn build) {
  const auto build_many = [&](ir::Builder& b, std::span<const ir::Value> v) {
    return std::vector<ir::Value>{build(b, v)};
  };
  if (Trace::current() != nullptr || !op_recorders().empty() || current_device().is_foreign)
    return run_op_many(key, inputs, build_many)[0];
  const EagerOperation& operation = find_eager_operation(key, inputs, build_many);
  Tensor result;
  run_eager_operation(operation, inputs, {&result, 1});
  return result;
}

bool must_be_recorded(const Tensor& x) {
  if (x.is_symbolic()) return true;
  if (!ir::is_differentiable(x.dtype())) return false;
  const Trace* const trace = Trace::current();
  return (trace != nullptr && trace->is_watched(x)) ||
         std::ranges::any_of(op_recorders(), [&](const auto& recorder) { return recorder->follows(x); });
}

}  // namespace cornu::inline v0::detail
