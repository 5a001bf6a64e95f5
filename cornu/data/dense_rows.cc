#include "cornu/data/dense_rows.h"

#include <algorithm>
#include <cstring>

#include "cornu/base/check.h"
#include "cornu/data/buffer_pool.h"

namespace cornu::inline v0::data {
namespace {

Tensor padding_of(const DenseRowsOptions& options, DType dtype) {
  const Tensor number =
      options.padding_value.defined() ? options.padding_value : Tensor(ir::is_integer(dtype) ? -1 : 0);
  if (!number.is_weak())
    invalid_argument({.argument = "padding_value"}, "[dense_rows] padding_value must be a number; got {}",
                     type_str(number.type()));
  try {
    return number.strong_scalar(dtype);
  } catch (const Error&) {
    invalid_argument({.argument = "padding_value"},
                     "[dense_rows] padding_value {} does not fit {}: give another one, or rows of signed "
                     "integers",
                     number.str(), ir::numpy_name(dtype));
  }
}

std::int64_t length_of(const Ragged& rows, const DenseRowsOptions& options) {
  const std::vector<std::int64_t>& splits = rows.row_splits();
  std::int64_t longest = 0, which = 0;
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (splits[at + 1] - splits[at] <= longest) continue;
    longest = splits[at + 1] - splits[at];
    which = i;
  }
  const std::int64_t length = options.length.value_or(longest);
  if (length < 0)
    invalid_argument({.argument = "length"}, "[dense_rows] length must not be negative; got length = {}",
                     length);
  if (longest > length && !options.truncate)
    invalid_argument({.argument = "length"},
                     "[dense_rows] row {} has {} values, more than length = {}: give a larger length, or "
                     "truncate = true to cut the ends of long rows off",
                     which, longest, length);
  return length;
}

}  // namespace

Tensor dense_rows(const Ragged& rows, const DenseRowsOptions& options) {
  const Element& given = rows.values();
  if (!given.is_numeric() || given.tensor().rank() != 1)
    invalid_argument("[dense_rows] the rows must be lists of numbers; got values of {}{}", given.type_str(),
                     given.is_strings() ? ": number them by a StringLookup first" : "");
  const Tensor values = given.tensor(), padding = padding_of(options, values.dtype());
  const std::int64_t length = length_of(rows, options);
  const std::size_t size = ir::size_bytes(values.dtype());
  std::byte* to = nullptr;
  Tensor result = BufferPool().take({values.dtype(), {rows.num_rows(), length}}, &to);
  for (std::size_t i = 0; i + 1 < rows.row_splits().size(); ++i) {
    const std::int64_t begin = rows.row_splits()[i], end = rows.row_splits()[i + 1];
    const auto count = static_cast<std::size_t>(std::min(end - begin, length));
    if (count > 0) std::memcpy(to, values.bytes() + static_cast<std::size_t>(begin) * size, count * size);
    for (std::size_t k = count; k < static_cast<std::size_t>(length); ++k)
      std::memcpy(to + k * size, padding.bytes(), size);
    to += static_cast<std::size_t>(length) * size;
  }
  return result;
}

Element dense_rows(const Element& element, const DenseRowsOptions& options) {
  return map_leaves(element, [&](const Element& leaf) {
    return leaf.is_ragged() ? Element(dense_rows(leaf.ragged(), options)) : leaf;
  });
}

}  // namespace cornu::inline v0::data
