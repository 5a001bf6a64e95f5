#include "cornu/keras/base/shapes.h"

#include <algorithm>

namespace cornu::inline v0::keras {

std::string shape_with_none_str(const Dims& shape) {
  std::string result = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) result += ", ";
    result += shape[i] == kUnknown ? "None" : std::to_string(shape[i]);
  }
  return result + (shape.size() == 1 ? ",)" : ")");
}

std::vector<Dims> shapes_of(std::span<const TensorType> types) {
  std::vector<Dims> shapes;
  for (const TensorType& type : types) shapes.push_back(type.dims);
  return shapes;
}

std::vector<Dims> shapes_of(std::span<const Tensor> tensors) {
  std::vector<Dims> shapes;
  for (const Tensor& tensor : tensors) shapes.push_back(tensor.shape());
  return shapes;
}

bool is_open_shape(const Dims& shape) {
  return std::all_of(shape.begin(), shape.end(),
                     [](std::int64_t extent) { return extent >= 0 || extent == kUnknown; });
}

std::optional<Dims> broadcast_shapes(const Dims& a, const Dims& b) {
  Dims result = a.size() < b.size() ? b : a;
  const Dims& shorter = a.size() < b.size() ? a : b;
  const auto offset = static_cast<std::ptrdiff_t>(result.size() - shorter.size());
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t& extent = result[static_cast<std::size_t>(offset) + i];
    if (extent == shorter[i] || shorter[i] == 1 || (shorter[i] == kUnknown && extent != 1)) continue;
    if (extent != 1 && extent != kUnknown) return std::nullopt;
    extent = shorter[i];
  }
  return result;
}

void check_open_type(TensorType type) {
  std::replace(type.dims.begin(), type.dims.end(), kUnknown, std::int64_t{1});
  ir::check_type(type);
}

}  // namespace cornu::inline v0::keras
