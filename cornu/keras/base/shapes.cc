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

bool is_open_shape(const Dims& shape) {
  return std::all_of(shape.begin(), shape.end(),
                     [](std::int64_t extent) { return extent >= 0 || extent == kUnknown; });
}

void check_open_type(TensorType type) {
  std::replace(type.dims.begin(), type.dims.end(), kUnknown, std::int64_t{1});
  ir::check_type(type);
}

}  // namespace cornu::inline v0::keras
