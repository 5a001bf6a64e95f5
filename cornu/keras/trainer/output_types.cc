#include "cornu/keras/trainer/output_types.h"

#include <algorithm>
#include <span>
#include <utility>

#include "cornu/keras/layer/types_only.h"
#include "cornu/keras/network/network.h"
#include "cornu/keras/trainer/step_tools.h"
#include "cornu/tensor/trace.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::int64_t kAnyBatch = 48;

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

}  // namespace

std::vector<TensorType> output_types(Layer& layer, const Network& network, std::vector<TensorType> inputs) {
  const TypesOnlyScope types_only;
  const std::int64_t declared = declared_batch(layer);
  for (TensorType& input : inputs) input.dims[0] = declared;
  if (layer.has_type_rule() && has_shapes_of_build(layer, inputs))
    return open_types(layer.call_types(inputs));
  if (auto known = network.output_types_of_build(inputs)) return open_types(std::move(*known));
  Trace trace("outputs");
  const Trace::Scope scope(trace);
  std::vector<Tensor> arguments;
  for (TensorType& input : inputs) {
    if (declared == kUnknown) input.dims[0] = kAnyBatch;
    arguments.push_back(trace.add_rows_argument(input));
  }
  std::vector<TensorType> types;
  for (const Tensor& output : layer.call_many(arguments)) types.push_back(output.type());
  return open_types(std::move(types));
}

std::vector<TensorType> concrete_output_types(Layer& layer, const ArrayData& data) {
  const TypesOnlyScope types_only;
  std::vector<TensorType> types;
  for (const Tensor& output : layer.call_many(step_data(data.rows(0, 1), {}).x))
    types.push_back(output.type());
  return open_types(std::move(types));
}

}  // namespace cornu::inline v0::keras
