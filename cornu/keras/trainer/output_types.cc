#include "cornu/keras/trainer/output_types.h"

#include <utility>

#include "cornu/keras/layer/types_only.h"
#include "cornu/keras/trainer/step_tools.h"
#include "cornu/tensor/trace.h"

namespace cornu::inline v0::keras {
namespace {

/// The batch that the layer was declared for; any number where it is open.
std::int64_t declared_batch(const Layer& layer) {
  for (const TensorType& type : layer.build_types())
    if (!type.dims.empty() && type.dims[0] != kUnknown) return type.dims[0];
  return 48;
}

std::vector<TensorType> open_types(const std::vector<Tensor>& outputs) {
  std::vector<TensorType> types;
  for (const Tensor& output : outputs) {
    types.push_back(output.type());
    if (!types.back().dims.empty()) types.back().dims[0] = kUnknown;
  }
  return types;
}

}  // namespace

std::vector<TensorType> traced_output_types(Layer& layer, std::vector<TensorType> inputs) {
  Trace trace("outputs");
  const Trace::Scope scope(trace);
  const TypesOnlyScope types_only;
  std::vector<Tensor> arguments;
  for (TensorType& input : inputs) {
    input.dims[0] = declared_batch(layer);
    arguments.push_back(trace.add_rows_argument(input));
  }
  return open_types(layer.call_many(arguments));
}

std::vector<TensorType> concrete_output_types(Layer& layer, const ArrayData& data) {
  const TypesOnlyScope types_only;
  return open_types(layer.call_many(step_data(data.rows(0, 1), {}).x));
}

}  // namespace cornu::inline v0::keras
