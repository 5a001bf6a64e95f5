#include "cornu/keras/base/floatx.h"
#include "cornu/keras/layers/operations/operation_adapters_support.h"
#include "cornu/tensor/function_calls_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

using Tensors = std::vector<Tensor>;
using Call = OperationCall;

/// A number that is known when the program is traced, as an i32 scalar.
Tensor counted(std::int64_t count) { return ops::full({}, count, {.dtype = DType::kI32}); }

}  // namespace

Tensors call_size(const Call& c) { return {counted(ops::size(c[0]))}; }
Tensors call_ndim(const Call& c) { return {counted(ops::ndim(c[0]))}; }

Tensors call_view(const Call& c) {
  const auto dtype = c.get_nullable<std::optional<DType>>("dtype");
  return {ops::view(c[0], dtype.value_or(c[0].dtype()))};
}

Tensors call_rearrange(const Call& c) {
  ops::RearrangeOptions options;
  for (const auto& [name, value] : c.named().as_dict()) {
    if (name == "tensor" || name == "pattern") continue;
    saving::read_value(value, {"Rearrange", name}, options.axes_lengths.emplace_back(name, 0).second);
  }
  return {ops::rearrange(c[0], c.get<std::string>("pattern"), options)};
}

Tensors call_pad(const Call& c) {
  const ops::PadOptions options = ops::calls::pad_options(c);
  const Config* const width = c.find("pad_width");
  if (width != nullptr && width->is_integer()) return {ops::pad(c[0], width->as_integer(), options)};
  std::vector<std::pair<std::int64_t, std::int64_t>> widths;
  if (width == nullptr || !width->is_list()) saving::wrong_type({"Pad", "pad_width"}, "a list", Config());
  for (const Config& each : width->as_list()) {
    Dims both;
    saving::read_value(each, {"Pad", "pad_width"}, both);
    if (both.size() != 2) saving::wrong_type({"Pad", "pad_width"}, "pairs of integers", each);
    widths.emplace_back(both[0], both[1]);
  }
  return {ops::pad(c[0], widths, options)};
}

Tensors call_full(const Call& c) {
  const DType dtype = c.get("dtype", std::optional<DType>()).value_or(current_floatx());
  return {ops::full(c.get<Dims>("shape"), c[0], {.dtype = dtype})};
}

Tensors call_with_mask(const Call& c) { return {c[0].with_mask(c[1])}; }

/// The values, then those members for which Keras's constructor has flags.
std::vector<Tensor> call_unique(const OperationCall& c) {
  const ops::Unique found = ops::unique(c[0], ops::calls::unique_options(c));
  std::vector<Tensor> results = {found.values};
  if (c.get("return_index", false)) results.push_back(found.index);
  if (c.get("return_inverse", false)) results.push_back(found.inverse);
  if (c.get("return_counts", false)) results.push_back(found.counts);
  return results;
}

}  // namespace cornu::inline v0::keras::layers
