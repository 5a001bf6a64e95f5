#include <algorithm>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/data/components.h"
#include "cornu/data/rows.h"

namespace cornu::inline v0::data {
namespace {

Dims shape_of(const Element& leaf) {
  if (leaf.is_text()) return {};
  if (leaf.is_strings()) return leaf.strings().shape();
  if (leaf.is_ragged() || leaf.is_dataset())
    invalid_argument("[padded_batch] a component is {}, which cannot be padded", leaf.type_str());
  return numeric_type(leaf).dims;
}

/// The common shape for all leaves of a component.
Dims padded_shape(Leaves leaves, std::size_t component, const Padding& padding) {
  Dims shape = shape_of(*leaves.front());
  const Dims* wanted = nullptr;
  if (!padding.shapes.empty()) {
    if (component >= padding.shapes.size())
      invalid_argument("[padded_batch] padded_shapes has {} shapes, but there is a component {}",
                       padding.shapes.size(), component);
    wanted = &padding.shapes[component];
    if (wanted->size() != shape.size())
      invalid_argument("[padded_batch] the padded shape {} of component {} has another rank than {}",
                       ir::shape_str(*wanted), component, ir::shape_str(shape));
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Dims here = shape_of(*leaves[i]);
    if (here.size() != shape.size())
      invalid_argument("[padded_batch] component {} has rank {} in the first element, rank {} in element {}",
                       component, shape.size(), here.size(), i);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (wanted == nullptr || (*wanted)[axis] == kUnknownExtent) {
        shape[axis] = std::max(shape[axis], here[axis]);
        continue;
      }
      shape[axis] = (*wanted)[axis];
      if (here[axis] > shape[axis])
        invalid_argument(
            "[padded_batch] element {} of shape {} is larger than the padded shape {} of component {}", i,
            ir::shape_str(here), ir::shape_str(*wanted), component);
    }
  }
  return shape;
}

/// Copies a block of `shape` into one of `padded` shape, both row-major, by `copy(from, to, count)` with
/// positions.
template <typename Copy>
void copy_block(const Dims& shape, const Dims& padded, std::size_t axis, std::int64_t from, std::int64_t to,
                const Copy& copy) {
  if (axis + 1 >= shape.size()) {
    copy(from, to, shape.empty() ? 1 : shape.back());
    return;
  }
  std::int64_t from_step = 1, to_step = 1;
  for (std::size_t k = axis + 1; k < shape.size(); ++k) {
    from_step *= shape[k];
    to_step *= padded[k];
  }
  for (std::int64_t i = 0; i < shape[axis]; ++i)
    copy_block(shape, padded, axis + 1, from + i * from_step, to + i * to_step, copy);
}

Element pad_numbers(Leaves leaves, std::size_t component, const Dims& shape, const Element* value,
                    BufferPool& pool) {
  TensorType type{numeric_type(*leaves.front()).dtype, shape};
  const auto row = static_cast<std::size_t>(type.num_elements());
  type.dims.insert(type.dims.begin(), static_cast<std::int64_t>(leaves.size()));
  std::byte* data = nullptr;
  Tensor batch = pool.take(type, &data);
  const std::size_t size = ir::size_bytes(type.dtype);
  std::memset(data, 0, type.size_bytes());
  if (value != nullptr) {
    const Number number = value->number();
    if (number.dtype != type.dtype)
      invalid_argument("[padded_batch] the padding value of component {} is {}, but the component is {}",
                       component, ir::numpy_name(number.dtype), ir::numpy_name(type.dtype));
    for (std::size_t i = 0; i < leaves.size() * row; ++i) std::memcpy(data + i * size, number.bytes(), size);
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Tensor tensor = leaves[i]->tensor();
    if (tensor.dtype() != type.dtype)
      invalid_argument("[padded_batch] component {} of the first element is {}, of element {} {}", component,
                       ir::numpy_name(type.dtype), i, ir::numpy_name(tensor.dtype()));
    if (tensor.num_elements() == 0) continue;
    const std::byte* from = tensor.bytes();
    std::byte* to = data + i * row * size;
    copy_block(tensor.shape(), shape, 0, 0, 0, [&](std::int64_t at, std::int64_t place, std::int64_t count) {
      std::memcpy(to + static_cast<std::size_t>(place) * size, from + static_cast<std::size_t>(at) * size,
                  static_cast<std::size_t>(count) * size);
    });
  }
  return batch;
}

Element pad_texts(Leaves leaves, const Dims& shape, const Element* value) {
  constexpr const char* kWhat = "[padded_batch] an element of texts";
  const std::int64_t row = CheckedSize::product(shape).value(kWhat);
  const std::string_view filler = value == nullptr ? std::string_view() : value->text();
  auto storage = std::make_shared<Strings::Storage>();
  for (const Element* leaf : leaves) {
    std::vector<std::string_view> texts = host_vector<std::string_view>(row, kWhat, filler);
    if (leaf->is_text()) {
      texts[0] = leaf->text();
    } else if (leaf->strings().size() > 0) {
      const Strings& strings = leaf->strings();
      copy_block(strings.shape(), shape, 0, 0, 0, [&](std::int64_t at, std::int64_t to, std::int64_t count) {
        for (std::int64_t k = 0; k < count; ++k) texts[static_cast<std::size_t>(to + k)] = strings[at + k];
      });
    }
    for (const std::string_view text : texts) storage->push(text);
  }
  Dims dims = shape;
  dims.insert(dims.begin(), static_cast<std::int64_t>(leaves.size()));
  return Strings(std::move(dims), std::move(storage));
}

}  // namespace

Element stack_padded(std::span<const Element> elements, const Padding& padding, BufferPool& pool) {
  return combine_components(elements, [&](Leaves leaves, std::size_t component) {
    const Dims shape = padded_shape(leaves, component, padding);
    if (!padding.values.empty() && component >= padding.values.size())
      invalid_argument("[padded_batch] padding_values has {} values, but there is a component {}",
                       padding.values.size(), component);
    const Element* value = padding.values.empty() ? nullptr : &padding.values[component];
    const Element& first = *leaves.front();
    if (first.is_text() || first.is_strings()) return pad_texts(leaves, shape, value);
    return pad_numbers(leaves, component, shape, value, pool);
  });
}

}  // namespace cornu::inline v0::data
