#include "cornu/keras/trainer/output_types.h"

#include <algorithm>
#include <span>
#include <utility>

#include "cornu/keras/layer/traced_types.h"
#include "cornu/keras/layer/types_only.h"
#include "cornu/keras/trainer/step_tools.h"
#include "cornu/tensor/trace.h"

namespace cornu::inline v0::keras {
namespace {

/// The batch that the layer was declared for; kUnknown where it is open.
std::int64_t declared_batch(const Layer& layer) {
  for (const TensorType& type : layer.build_types())
    if (!type.dims.empty() && type.dims[0] != kUnknown) return type.dims[0];
  return kUnknown;
}

/// Others are refused, or made to fit, by the call.
bool has_shapes_of_build(const Layer& layer, std::span<const TensorType> inputs) {
  return std::ranges::equal(inputs, layer.build_types(), {}, &TensorType::dims, &TensorType::dims);
}

std::vector<TensorType> open_types(std::vector<TensorType> types) {
  for (TensorType& type : types)
    if (!type.dims.empty()) type.dims[0] = kUnknown;
  return types;
}

std::vector<TensorType> types_of(std::span<const Tensor> tensors) {
  std::vector<TensorType> types;
  for (const Tensor& tensor : tensors) types.push_back(tensor.type());
  return types;
}

}  // namespace

std::vector<TensorType> output_types(Layer& layer, std::vector<TensorType> inputs) {
  const TypesOnlyScope types_only;
  const std::int64_t declared = declared_batch(layer);
  for (TensorType& input : inputs) input.dims[0] = declared;
  if (has_shapes_of_build(layer, inputs)) return open_types(layer.call_types(inputs));
  return open_types(traced_types(inputs, [&](std::span<const TensorType> closed) {
    Trace trace("outputs");
    const Trace::Scope scope(trace);
    std::vector<Tensor> arguments;
    for (const TensorType& input : closed) arguments.push_back(trace.add_rows_argument(input));
    return types_of(layer.call_many(arguments));
  }));
}

std::vector<TensorType> concrete_output_types(Layer& layer, const ArrayData& data) {
  const TypesOnlyScope types_only;
  const auto types_for = [&](std::int64_t num_rows) {
    return types_of(layer.call_many(step_data(data.rows(0, num_rows), {}).x));
  };
  const std::vector<TensorType> of_one = types_for(1);
  if (data.num_rows() == 1) return open_types(of_one);
  const std::vector<TensorType> of_two = types_for(2);
  return open_types(common_types(of_one, of_two).value_or(of_two));
}

}  // namespace cornu::inline v0::keras
