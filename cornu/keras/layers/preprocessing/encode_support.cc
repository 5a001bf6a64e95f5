#include "cornu/keras/layers/preprocessing/encode_support.h"

#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {

std::optional<EncodeMode> encode_mode_named(const std::string& name) {
  if (name == "int") return EncodeMode::kInt;
  if (name == "one_hot") return EncodeMode::kOneHot;
  if (name == "multi_hot") return EncodeMode::kMultiHot;
  if (name == "count") return EncodeMode::kCount;
  return std::nullopt;
}

Dims encoded_shape(const Dims& numbers, EncodeMode mode, std::int64_t depth) {
  if (mode == EncodeMode::kInt) return numbers;
  Dims shape = numbers.empty() ? Dims{1} : numbers;
  if (mode != EncodeMode::kOneHot)
    shape.erase(shape.begin() + (shape.size() > 1 ? 1 : 0));
  else if (shape.size() > 1 && shape.back() == 1)
    shape.pop_back();
  shape.push_back(depth);
  return shape;
}

Tensor encoded(const Tensor& given, EncodeMode mode, std::int64_t depth, DType dtype, const Tensor& weights) {
  if (mode == EncodeMode::kInt) return ops::cast(given, dtype);
  Tensor numbers = given.rank() == 0 ? ops::expand_dims(given, -1) : given;
  if (mode == EncodeMode::kOneHot) {
    if (numbers.rank() > 1 && numbers.shape().back() == 1) numbers = ops::squeeze(numbers, -1);
    return ops::one_hot(numbers, depth, {.dtype = dtype});
  }
  const std::int64_t axis = numbers.rank() > 1 ? 1 : 0;
  Tensor vectors = ops::one_hot(numbers, depth, {.dtype = weights.defined() ? weights.dtype() : dtype});
  if (mode == EncodeMode::kMultiHot) return ops::max(vectors, {.axis = axis});
  if (weights.defined()) vectors = vectors * ops::expand_dims(weights, -1);
  return ops::sum(vectors, {.axis = axis});
}

}  // namespace cornu::inline v0::keras::layers
