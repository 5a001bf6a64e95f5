#include <algorithm>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/data/components.h"
#include "cornu/data/rows.h"

namespace cornu::inline v0::data {
namespace {

[[noreturn]] void fail_shapes(std::size_t component, const Dims& first, std::size_t i, const Dims& other) {
  invalid_argument(
      "[batch] elements of different shapes cannot be one batch: component {} of the first element has shape "
      "{}, of element {} {}. padded_batch pads them, ragged_batch keeps their lengths",
      component, ir::shape_str(first), i, ir::shape_str(other));
}

void check_dtype(std::size_t component, DType first, std::size_t i, DType other) {
  if (first != other)
    invalid_argument("[batch] component {} of the first element is {}, of element {} {}", component,
                     ir::numpy_name(first), i, ir::numpy_name(other));
}

Element stack_numbers(Leaves leaves, std::size_t component, BufferPool& pool) {
  const DType dtype = leaves.front()->number().dtype;
  const std::size_t size = ir::size_bytes(dtype);
  std::byte* data = nullptr;
  Tensor batch = pool.take({dtype, {static_cast<std::int64_t>(leaves.size())}}, &data);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (!leaves[i]->is_number() && !numeric_type(*leaves[i]).dims.empty())
      fail_shapes(component, {}, i, numeric_type(*leaves[i]).dims);
    const Number number = leaves[i]->number();
    check_dtype(component, dtype, i, number.dtype);
    std::memcpy(data + i * size, number.bytes(), size);
  }
  return batch;
}

Element stack_tensors(Leaves leaves, std::size_t component, BufferPool& pool) {
  TensorType type = numeric_type(*leaves.front());
  const TensorType row = type;
  type.dims.insert(type.dims.begin(), static_cast<std::int64_t>(leaves.size()));
  std::byte* data = nullptr;
  Tensor batch = pool.take(type, &data);
  const std::size_t row_bytes = row.size_bytes();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const TensorType here = numeric_type(*leaves[i]);
    check_dtype(component, row.dtype, i, here.dtype);
    if (here.dims != row.dims) fail_shapes(component, row.dims, i, here.dims);
    const Tensor tensor = leaves[i]->tensor();
    if (row_bytes > 0) std::memcpy(data + i * row_bytes, tensor.bytes(), row_bytes);
  }
  return batch;
}

Dims shape_of_texts(const Element& leaf) {
  if (leaf.is_text()) return {};
  return leaf.strings().shape();
}

Element stack_texts(Leaves leaves, std::size_t component) {
  Dims shape = shape_of_texts(*leaves.front());
  auto storage = std::make_shared<Strings::Storage>();
  std::size_t size = 0;
  for (const Element* leaf : leaves) size += leaf->is_text() ? leaf->text().size() : 0;
  storage->bytes.reserve(size);
  storage->offsets.reserve(leaves.size() + 1);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i]->is_text()) {
      if (!shape.empty()) fail_shapes(component, shape, i, {});
      storage->push(leaves[i]->text());
      continue;
    }
    const Strings& strings = leaves[i]->strings();
    if (strings.shape() != shape) fail_shapes(component, shape, i, strings.shape());
    for (std::int64_t k = 0; k < strings.size(); ++k) storage->push(strings[k]);
  }
  shape.insert(shape.begin(), static_cast<std::int64_t>(leaves.size()));
  return Strings(std::move(shape), std::move(storage));
}

Element concatenate_leaves(Leaves leaves, std::size_t component, BufferPool& pool);

/// Stacks rows of different lengths: each leaf is one row.
Element stack_rows(Leaves leaves, std::size_t component, BufferPool& pool) {
  std::vector<std::int64_t> splits = {0};
  for (const Element* leaf : leaves) splits.push_back(splits.back() + num_rows(*leaf, "ragged_batch"));
  return Ragged(concatenate_leaves(leaves, component, pool), std::move(splits));
}

Element stack_leaves(Leaves leaves, std::size_t component, BufferPool& pool) {
  const Element& first = *leaves.front();
  if (first.is_number()) return stack_numbers(leaves, component, pool);
  if (first.is_text() || first.is_strings()) return stack_texts(leaves, component);
  if (first.is_numeric()) return stack_tensors(leaves, component, pool);
  if (first.is_ragged()) return stack_rows(leaves, component, pool);
  invalid_argument("[batch] component {} is a dataset: use flat_map to get its elements", component);
}

Element concatenate_ragged(Leaves leaves, std::size_t component, BufferPool& pool) {
  std::vector<std::int64_t> splits = {0};
  std::vector<const Element*> values;
  for (const Element* leaf : leaves) {
    const Ragged& ragged = leaf->ragged();
    const std::int64_t before = splits.back();
    for (std::size_t i = 1; i < ragged.row_splits().size(); ++i)
      splits.push_back(before + ragged.row_splits()[i]);
    values.push_back(&ragged.values());
  }
  return Ragged(concatenate_leaves(values, component, pool), std::move(splits));
}

Element concatenate_strings(Leaves leaves, std::size_t component) {
  Dims shape = leaves.front()->strings().shape();
  auto storage = std::make_shared<Strings::Storage>();
  shape[0] = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Strings& strings = leaves[i]->strings();
    Dims here = strings.shape();
    if (here.empty()) fail_shapes(component, leaves.front()->strings().shape(), i, here);
    const std::int64_t count = std::exchange(here[0], shape[0]);
    if (here != shape) fail_shapes(component, leaves.front()->strings().shape(), i, strings.shape());
    for (std::int64_t k = 0; k < strings.size(); ++k) storage->push(strings[k]);
    shape[0] += count;
  }
  return Strings(std::move(shape), std::move(storage));
}

Element concatenate_tensors(Leaves leaves, std::size_t component, BufferPool& pool) {
  TensorType type = numeric_type(*leaves.front());
  CheckedSize count = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    TensorType here = numeric_type(*leaves[i]);
    check_dtype(component, type.dtype, i, here.dtype);
    if (here.dims.empty()) fail_shapes(component, type.dims, i, here.dims);
    count = count + here.dims[0];
    const Dims shape = here.dims;
    here.dims[0] = type.dims[0];
    if (here.dims != type.dims) fail_shapes(component, type.dims, i, shape);
  }
  type.dims[0] = count.value("[batch] the rows of a batch");
  std::byte* data = nullptr;
  Tensor batch = pool.take(type, &data);
  for (const Element* leaf : leaves) {
    const Tensor tensor = leaf->tensor();
    const std::size_t size = tensor.type().size_bytes();
    if (size > 0) std::memcpy(data, tensor.bytes(), size);
    data += size;
  }
  return batch;
}

Element concatenate_leaves(Leaves leaves, std::size_t component, BufferPool& pool) {
  const Element& first = *leaves.front();
  num_rows(first, "batch");
  if (first.is_ragged()) return concatenate_ragged(leaves, component, pool);
  if (first.is_strings()) return concatenate_strings(leaves, component);
  return concatenate_tensors(leaves, component, pool);
}

}  // namespace

Element stack_component(Leaves leaves, std::size_t component, BufferPool& pool) {
  return stack_leaves(leaves, component, pool);
}

Element stack(std::span<const Element> elements, BufferPool& pool) {
  return combine_components(
      elements, [&](Leaves leaves, std::size_t component) { return stack_leaves(leaves, component, pool); });
}

Element stack_ragged(std::span<const Element> elements, BufferPool& pool) {
  return combine_components(elements, [&](Leaves leaves, std::size_t component) {
    const Element& first = *leaves.front();
    const bool is_scalar =
        first.is_number() || first.is_text() || (first.is_numeric() && first.tensor().rank() == 0);
    return is_scalar ? stack_leaves(leaves, component, pool) : stack_rows(leaves, component, pool);
  });
}

Element concatenate(std::span<const Element> batches, BufferPool& pool) {
  if (batches.size() == 1) return batches.front();
  return combine_components(batches, [&](Leaves leaves, std::size_t component) {
    return concatenate_leaves(leaves, component, pool);
  });
}

}  // namespace cornu::inline v0::data
