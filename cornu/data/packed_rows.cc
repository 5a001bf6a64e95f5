#include "cornu/data/packed_rows.h"

#include <algorithm>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"

namespace cornu::inline v0::data {

PackedRows packed_rows(const Ragged& rows, const PackedRowsOptions& options) {
  if (options.capacity <= 0)
    invalid_argument({.argument = "capacity"}, "[packed_rows] capacity must be positive; got capacity = {}",
                     options.capacity);
  const Element& given = rows.values();
  if (!given.is_numeric() || given.tensor().rank() != 1 || ir::is_unsigned_integer(given.tensor().dtype()))
    invalid_argument("[packed_rows] the rows must be lists of numbers with a sign; got values of {}{}",
                     given.type_str(), given.is_strings() ? ": number them by a StringLookup first" : "");
  const std::int64_t count = rows.num_rows();
  if (count == 0) invalid_argument("[packed_rows] there must be a row; got none");
  const std::vector<std::int64_t>& splits = rows.row_splits();
  const std::int64_t first = splits.front(), num_values = splits.back() - first;
  if (num_values > options.capacity)
    invalid_argument({.argument = "capacity"},
                     "[packed_rows] {} rows have {} values, more than capacity = {}: give a larger capacity",
                     count, num_values, options.capacity);
  const Dims shape = {count, (options.capacity - 1) / count + 1};
  const auto num_places =
      static_cast<std::size_t>(CheckedSize::product(shape).value("the number of values of packed rows"));

  const Tensor values = given.tensor();
  ir::Literal packed = ir::Literal(TensorType{values.dtype(), shape});
  const std::size_t size = ir::size_bytes(values.dtype());
  std::vector<std::int32_t> numbers(num_places, -1);
  for (std::int64_t row = 0; row < count; ++row)
    std::fill(numbers.begin() + (splits[static_cast<std::size_t>(row)] - first),
              numbers.begin() + (splits[static_cast<std::size_t>(row) + 1] - first),
              static_cast<std::int32_t>(row));
  std::byte* const to = packed.mutable_bytes().data();
  std::copy_n(values.bytes() + static_cast<std::size_t>(first) * size,
              static_cast<std::size_t>(num_values) * size, to);
  if (ir::is_integer(values.dtype()))  // all bits of -1 are set
    std::fill(to + static_cast<std::size_t>(num_values) * size, to + num_places * size, std::byte(0xff));
  return {Tensor(packed), Tensor::adopt(shape, std::move(numbers))};
}

}  // namespace cornu::inline v0::data
