#include "cornu/keras/layers/preprocessing/categories_support.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// Marks or counts the numbers of one row in `vector`; numbers outside are dropped.
template <typename T>
void count_row(std::span<const std::int64_t> numbers, bool is_count, std::span<T> vector) {
  for (const std::int64_t number : numbers) {
    if (number < 0 || number >= static_cast<std::int64_t>(vector.size())) continue;
    T& at = vector[static_cast<std::size_t>(number)];
    at = is_count ? at + 1 : T{1};
  }
}

/// A vector for each row, in int64 or float32, from which other dtypes are cast.
template <typename T>
Tensor vectors(const CategoryEncoder& encoder, std::span<const std::int64_t> numbers,
               std::span<const std::int64_t> row_splits, const Dims& shape) {
  const auto depth = static_cast<std::size_t>(encoder.depth);
  std::vector<T> values((row_splits.size() - 1) * depth);
  const bool is_count = encoder.mode == CategoryMode::kCount || encoder.mode == CategoryMode::kTfIdf;
  for (std::size_t row = 0; row + 1 < row_splits.size(); ++row) {
    const auto begin = static_cast<std::size_t>(row_splits[row]);
    const std::span<T> vector = std::span(values).subspan(row * depth, depth);
    count_row(numbers.subspan(begin, static_cast<std::size_t>(row_splits[row + 1]) - begin), is_count,
              vector);
    if (encoder.mode == CategoryMode::kTfIdf)
      for (std::size_t i = 0; i < depth; ++i) vector[i] *= static_cast<T>(encoder.idf_weights[i]);
  }
  return Tensor::adopt(shape, std::move(values));
}

Tensor encoded_rows(const CategoryEncoder& encoder, std::span<const std::int64_t> numbers,
                    std::span<const std::int64_t> row_splits, const Dims& shape) {
  ir::check_type({encoder.dtype, shape});
  if (encoder.dtype == DType::kI64) return vectors<std::int64_t>(encoder, numbers, row_splits, shape);
  const Tensor result = vectors<float>(encoder, numbers, row_splits, shape);
  return encoder.dtype == DType::kF32 ? result : ops::cast(result, encoder.dtype);
}

std::vector<std::int64_t> even_splits(std::int64_t num_rows, std::int64_t length) {
  std::vector<std::int64_t> splits;
  for (std::int64_t i = 0; i <= num_rows; ++i) splits.push_back(i * length);
  return splits;
}

}  // namespace

std::optional<CategoryMode> category_mode_named(const std::string& name) {
  if (name == "int") return CategoryMode::kInt;
  if (name == "one_hot") return CategoryMode::kOneHot;
  if (name == "multi_hot" || name == "binary") return CategoryMode::kMultiHot;
  if (name == "count") return CategoryMode::kCount;
  if (name == "tf_idf" || name == "tf-idf") return CategoryMode::kTfIdf;
  return std::nullopt;
}

Tensor CategoryEncoder::operator()(std::vector<std::int64_t> numbers, Dims shape) const {
  const auto count = static_cast<std::int64_t>(numbers.size());
  if (mode == CategoryMode::kInt) {
    const Tensor result = Tensor::adopt(shape, std::move(numbers));
    return dtype == DType::kI64 ? result : ops::cast(result, dtype);
  }
  if (mode == CategoryMode::kOneHot) {
    if (shape.empty()) shape.push_back(1);
    if (shape.size() > 1 && shape.back() == 1) shape.pop_back();
    shape.push_back(depth);
    return encoded_rows(*this, numbers, even_splits(count, 1), shape);
  }
  if (shape.size() > 2)
    invalid_argument("[{}] with this output_mode the input has up to two axes; got one of shape {}", op,
                     ir::shape_str(shape));
  if (shape.size() < 2) return encoded_rows(*this, numbers, even_splits(1, count), {depth});
  return encoded_rows(*this, numbers, even_splits(shape[0], shape[1]), {shape[0], depth});
}

Tensor CategoryEncoder::rows(std::span<const std::int64_t> numbers,
                             std::span<const std::int64_t> row_splits) const {
  return encoded_rows(*this, numbers, row_splits, {static_cast<std::int64_t>(row_splits.size()) - 1, depth});
}

data::Element encode_element(
    const data::Element& input, const CategoryEncoder& encoder,
    const std::function<std::vector<std::int64_t>(const data::Element&)>& numbers_of) {
  if (input.is_structure() || input.is_dataset())
    invalid_argument("[{}] takes texts or numbers; got {}", encoder.op, input.type_str());
  if (!input.is_ragged()) return encoder(numbers_of(input), leaf_shape(input));
  const data::Ragged& ragged = input.ragged();
  if (encoder.mode == CategoryMode::kInt)
    return data::Ragged(encode_element(ragged.values(), encoder, numbers_of), ragged.row_splits());
  if (ragged.values().is_ragged() || leaf_shape(ragged.values()).size() != 1 ||
      encoder.mode == CategoryMode::kOneHot)
    invalid_argument("[{}] with this output_mode ragged rows of single items can be counted; got {}",
                     encoder.op, input.type_str());
  return encoder.rows(numbers_of(ragged.values()), ragged.row_splits());
}

Dims leaf_shape(const data::Element& leaf) {
  if (leaf.is_text() || leaf.is_number()) return {};
  return leaf.is_strings() ? leaf.strings().shape() : leaf.tensor().shape();
}

std::vector<std::int64_t> integers_of(const char* op, const data::Element& leaf) {
  if (leaf.is_number()) return {leaf.item<std::int64_t>()};
  if (!leaf.is_numeric()) invalid_argument("[{}] takes integers; got {}", op, leaf.type_str());
  return ops::cast(leaf.tensor(), DType::kI64).to_vector<std::int64_t>();
}

void for_each_text(const char* op, const data::Element& leaf,
                   const std::function<void(std::string_view)>& f) {
  if (leaf.is_text()) return f(leaf.text());
  if (!leaf.is_strings()) invalid_argument("[{}] takes texts; got {}", op, leaf.type_str());
  const data::Strings& strings = leaf.strings();
  for (std::int64_t i = 0, count = strings.size(); i < count; ++i) f(strings[i]);
}

std::optional<std::array<std::uint64_t, 2>> salt_of(const char* op, const ops::OptionalIntOrInts& salt) {
  if (!salt.has_value()) return std::nullopt;
  const Dims& values = salt->values();
  if (values.size() != (salt->is_list() ? 2 : 1))
    invalid_argument({.argument = "salt"}, "[{}] salt must be a number or two; got {}", op, values.size());
  return std::array{static_cast<std::uint64_t>(values.front()), static_cast<std::uint64_t>(values.back())};
}

}  // namespace cornu::inline v0::keras::layers
