#include "cornu/tensor/run/infeed_call.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"

namespace cornu::inline v0::detail {

std::vector<std::int64_t> first_capacities(std::span<const std::int64_t> counts) {
  std::vector<std::int64_t> capacities(counts.begin(), counts.end());
  for (std::int64_t& capacity : capacities) capacity = std::max<std::int64_t>(capacity, 1);
  return capacities;
}

std::vector<std::int64_t> next_capacities(std::span<const std::int64_t> counts) {
  std::vector<std::int64_t> capacities = first_capacities(counts);
  for (std::int64_t& capacity : capacities)
    capacity = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(capacity)));
  return capacities;
}

bool has_room(const Infeeds& infeeds, std::span<const std::int64_t> counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::int64_t capacity = infeeds.all[i].capacity;
    if (counts[i] > 0 && (capacity < counts[i] || capacity / 2 >= counts[i])) return false;
  }
  return true;
}

void require_elements(const std::string& function, ElementSource& source, std::int64_t count) {
  if (count > std::numeric_limits<std::int32_t>::max())
    fail(ErrorCode::kResourceExhausted, {.argument = "iterator"},
         "[{}] a call would take {} elements at once: loop over fewer", function, count);
  // An infinite data set would be read until the process is killed.
  CheckedSize stack_bytes = 0;
  for (const TensorType& type : source.spec().types)
    stack_bytes = stack_bytes + CheckedSize(count) * type.size_bytes();
  if (!fits_memory(stack_bytes))
    fail_no_memory(stack_bytes, [&] {
      return fmt::format("[{}] a call that takes {} elements at once: loop over fewer. It", function, count);
    });
  const std::int64_t there = source.read_ahead(count);
  if (there >= count) return;
  const std::string remedy =
      fmt::format("Nothing was run, and they are still there: call it for {} (as read_ahead tells)", there);
  if (const std::optional<std::string> other = source.spec_behind())
    invalid_argument(
        {.argument = "iterator"},
        "[{}] one call takes {} elements, of which {} are {} and the next is {}: a program takes one "
        "type. {}, or batch with .drop_remainder = true",
        function, count, there, source.spec().text, *other, remedy);
  if (there == 0)
    fail(ErrorCode::kOutOfRange, {.argument = "iterator"},
         "[{}] the iterator is at its end, and a call takes {} element{}: make a new one, or repeat() the "
         "data set",
         function, count, count == 1 ? "" : "s");
  fail(ErrorCode::kOutOfRange, {.argument = "iterator"},
       "[{}] one call takes {} elements, and {} are left. {}, or repeat() the data set", function, count,
       there, remedy);
}

std::vector<Tensor> make_stacks(const Infeeds& infeeds, std::span<ElementSource* const> sources,
                                std::span<const std::int64_t> counts) {
  std::vector<Tensor> stacks;
  for (std::size_t s = 0; s < infeeds.all.size(); ++s) {
    const Infeed& infeed = infeeds.all[s];
    if (infeed.capacity == 1 && counts[s] == 1) {
      const std::vector<Tensor> element = sources[s]->ahead(0);
      for (const Tensor& tensor : element) {
        const TensorType type = stack_type(tensor.type(), 1);
        const std::byte* const bytes = tensor.bytes();
        stacks.push_back(
            Tensor::from_bytes(type, bytes, type.size_bytes(), std::make_shared<Tensor>(tensor)));
      }
      continue;
    }
    std::vector<std::byte*> next;
    for (const TensorType& type : infeed.types)
      stacks.push_back(Tensor::uninitialized(stack_type(type, infeed.capacity), 0, &next.emplace_back()));
    for (std::int64_t i = 0; i < counts[s]; ++i) {
      const std::vector<Tensor> element = sources[s]->ahead(i);
      for (std::size_t k = 0; k < element.size(); ++k) {
        const std::size_t size_bytes = infeed.types[k].size_bytes();
        if (size_bytes > 0) std::memcpy(next[k], element[k].bytes(), size_bytes);
        next[k] += size_bytes;
      }
    }
  }
  return stacks;
}

}  // namespace cornu::inline v0::detail
