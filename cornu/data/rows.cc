#include "cornu/data/rows.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"

namespace cornu::inline v0::data {
namespace {

std::int64_t num_rows_of_leaf(const Element& leaf, const char* caller) {
  if (leaf.is_ragged()) return leaf.ragged().num_rows();
  if (leaf.is_strings() && !leaf.strings().shape().empty()) return leaf.strings().shape()[0];
  if (leaf.is_numeric() && !leaf.is_number() && leaf.tensor().rank() > 0) return leaf.tensor().shape()[0];
  invalid_argument(
      "[{}] every component needs an axis of rows; got {}. For an array write a tensor or a "
      "std::vector: braces make a tuple of scalars",
      caller, leaf.type_str());
}

Element tensor_row(const Tensor& tensor, std::int64_t i) {
  if (tensor.rank() == 1 && Number::holds(tensor.dtype()))
    return Number::at(tensor.dtype(),
                      tensor.bytes() + static_cast<std::size_t>(i) * ir::size_bytes(tensor.dtype()));
  const Dims& shape = tensor.shape();
  TensorType type{tensor.dtype(), Dims(shape.begin() + 1, shape.end())};
  const std::size_t row_bytes = type.size_bytes();
  return Tensor::from_bytes(std::move(type), tensor.bytes() + static_cast<std::size_t>(i) * row_bytes,
                            row_bytes, tensor.memory());
}

Element ragged_rows(const Ragged& ragged, std::int64_t begin, std::int64_t end) {
  const auto& splits = ragged.row_splits();
  const std::int64_t first = splits[static_cast<std::size_t>(begin)];
  std::vector<std::int64_t> part(splits.begin() + begin, splits.begin() + end + 1);
  for (std::int64_t& split : part) split -= first;
  return Ragged(rows(ragged.values(), first, splits[static_cast<std::size_t>(end)]), std::move(part));
}

}  // namespace

std::int64_t num_rows(const Element& stacked, const char* caller) {
  std::int64_t count = -1;
  for_each_leaf(stacked, [&](const Element& leaf) {
    const std::int64_t here = num_rows_of_leaf(leaf, caller);
    if (count >= 0 && here != count)
      invalid_argument("[{}] the components must have the same number of rows; got {} and {}: {}", caller,
                       count, here, stacked.type_str());
    count = here;
  });
  if (count < 0) invalid_argument("[{}] the element has no component", caller);
  return count;
}

Element row(const Element& stacked, std::int64_t i) {
  return map_leaves(stacked, [&](const Element& leaf) -> Element {
    if (leaf.is_strings()) {
      const Strings& strings = leaf.strings();
      if (strings.shape().size() == 1) return strings.text(i);
      return strings.row(i);
    }
    if (leaf.is_ragged()) {
      const auto& splits = leaf.ragged().row_splits();
      return rows(leaf.ragged().values(), splits[static_cast<std::size_t>(i)],
                  splits[static_cast<std::size_t>(i) + 1]);
    }
    return tensor_row(leaf.tensor(), i);
  });
}

Element rows(const Element& stacked, std::int64_t begin, std::int64_t end) {
  return map_leaves(stacked, [&](const Element& leaf) -> Element {
    if (leaf.is_strings()) return leaf.strings().rows(begin, end);
    if (leaf.is_ragged()) return ragged_rows(leaf.ragged(), begin, end);
    return leaf.tensor().rows(begin, end);
  });
}

namespace {

template <typename T>
void gather_words(const std::byte* from, std::span<const std::int64_t> indices, std::byte* to) {
  for (std::size_t i = 0; i < indices.size(); ++i)
    std::memcpy(to + i * sizeof(T), from + static_cast<std::size_t>(indices[i]) * sizeof(T), sizeof(T));
}

// Rows in random order: prefetches a later row.
void gather_bytes(const std::byte* from, std::size_t row_bytes, std::span<const std::int64_t> indices,
                  std::byte* to) {
  constexpr std::size_t kAhead = 2, kLine = 64, kFetched = 4096;
  struct Words2 {
    std::uint64_t words[2];
  };
  if (row_bytes == 1) return gather_words<std::uint8_t>(from, indices, to);
  if (row_bytes == 4) return gather_words<std::uint32_t>(from, indices, to);
  if (row_bytes == 8) return gather_words<std::uint64_t>(from, indices, to);
  if (row_bytes == 16) return gather_words<Words2>(from, indices, to);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (i + kAhead < indices.size()) {
      const std::byte* later = from + static_cast<std::size_t>(indices[i + kAhead]) * row_bytes;
      for (std::size_t at = 0; at < std::min(row_bytes, kFetched); at += kLine)
        __builtin_prefetch(later + at);
    }
    std::memcpy(to + i * row_bytes, from + static_cast<std::size_t>(indices[i]) * row_bytes, row_bytes);
  }
}

Element gather_strings(const Strings& strings, std::span<const std::int64_t> indices) {
  Dims shape = strings.shape();
  const std::int64_t row = shape[0] == 0 ? 0 : strings.size() / shape[0];
  auto storage = std::make_shared<Strings::Storage>();
  for (const std::int64_t index : indices)
    for (std::int64_t k = 0; k < row; ++k) storage->push(strings[index * row + k]);
  shape[0] = static_cast<std::int64_t>(indices.size());
  return Strings(std::move(shape), std::move(storage));
}

}  // namespace

Element gather(const Element& stacked, std::span<const std::int64_t> indices, BufferPool& pool) {
  return map_leaves(stacked, [&](const Element& leaf) -> Element {
    if (leaf.is_strings()) return gather_strings(leaf.strings(), indices);
    if (leaf.is_ragged()) {
      std::vector<Element> chosen;
      for (const std::int64_t index : indices) chosen.push_back(rows(leaf, index, index + 1));
      return concatenate(chosen, pool);
    }
    const Tensor tensor = leaf.tensor();
    TensorType type = tensor.type();
    const std::size_t row_bytes =
        type.dims[0] == 0 ? 0 : type.size_bytes() / static_cast<std::size_t>(type.dims[0]);
    type.dims[0] = static_cast<std::int64_t>(indices.size());
    std::byte* data = nullptr;
    Tensor batch = pool.take(type, &data);
    gather_bytes(tensor.bytes(), row_bytes, indices, data);
    return batch;
  });
}

}  // namespace cornu::inline v0::data
