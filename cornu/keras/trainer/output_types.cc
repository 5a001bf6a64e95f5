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

/// The batch size that the layer was declared for; kUnknown if it is open.
std::int64_t declared_batch(const Layer& layer) {
  for (const TensorType& type : layer.build_types())
    if (!type.dims.empty() && type.dims[0] != kUnknown) return type.dims[0];
  return kUnknown;
}

/// True if the inputs have the shapes that the layer was built for. The call refuses or adapts others.
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

/// The first `num_rows` rows of the data; the first row repeated if there are fewer.
ArrayData that_many_rows(const ArrayData& data, std::int64_t num_rows) {
  if (data.num_rows() >= num_rows) return data.rows(0, num_rows);
  const std::vector<std::int64_t> same_row(static_cast<std::size_t>(num_rows), 0);
  return data.gathered(same_row.data(), num_rows);
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
    const ArrayData batch = that_many_rows(data, num_rows);
    return TypesForExtent{num_rows, types_of(layer.call_many(step_data(batch, {}).x))};
  };
  const std::int64_t declared = declared_batch(layer);
  if (declared != kUnknown) return open_types(types_for(declared).types);
  return open_types(common_types(types_for(1), types_for(2)));
}

std::vector<bool> masked_outputs(Layer& layer, const ArrayData& data, bool by_values) {
  const TypesOnlyScope types_only;
  const std::int64_t declared = declared_batch(layer);
  const ArrayData batch = that_many_rows(data, declared == kUnknown ? 1 : declared);
  const auto masked = [&](std::span<const Tensor> inputs) {
    std::vector<bool> have_masks;
    for (const Tensor& result : layer.call_many(inputs)) have_masks.push_back(result.mask() != nullptr);
    return have_masks;
  };
  if (by_values) return masked(step_data(batch, {}).x);
  Trace trace("outputs");
  const Trace::Scope scope(trace);
  std::vector<Tensor> arguments;
  for (const Tensor& array : batch.x) arguments.push_back(trace.add_rows_argument(model_type(array.type())));
  return masked(arguments);
}

}  // namespace cornu::inline v0::keras
