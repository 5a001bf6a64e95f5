#include "cornu/data/stacked_rows.h"

#include <cstring>
#include <utility>

#include "cornu/base/checked_size.h"
#include "cornu/data/components.h"
#include "cornu/data/rows.h"

namespace cornu::inline v0::data {
namespace {

constexpr std::size_t kLargeBytes = std::size_t{64} << 10;
constexpr std::int64_t kMostBatchBytes = std::int64_t{256} << 20;

bool is_large(const Element& leaf) {
  return leaf.is_numeric() && !leaf.is_number() && leaf.size_bytes() >= kLargeBytes;
}

}  // namespace

bool StackedRows::gain(const Element& first, std::int64_t batch_size) {
  if (batch_size < 2) return false;
  bool has_large = false;
  for_each_leaf(first, [&](const Element& leaf) { has_large = has_large || is_large(leaf); });
  return has_large && !(CheckedSize(batch_size) * first.size_bytes()).exceeds(kMostBatchBytes);
}

void StackedRows::put(Element& element, std::size_t at, std::int64_t batch_size, BufferPool& pool) {
  if (at == 0) stacks_.clear();
  std::size_t component = 0;
  element = map_leaves(element, [&](const Element& leaf) {
    const std::size_t here = component++;
    if (at == 0) stacks_.emplace_back();
    if (here >= stacks_.size() || !is_large(leaf)) return leaf;
    Stack& stack = stacks_[here];
    const Tensor tensor = leaf.tensor();
    if (at == 0) {
      stack.row = tensor.type();
      TensorType type = stack.row;
      type.dims.insert(type.dims.begin(), batch_size);
      stack.batch = pool.take(type, &stack.data);
    }
    if (stack.count != at || tensor.type() != stack.row) return leaf;
    const std::size_t size = stack.row.size_bytes();
    std::byte* const to = stack.data + at * size;
    std::memcpy(to, tensor.bytes(), size);
    ++stack.count;
    return Element(Tensor::from_bytes(stack.row, to, size, stack.batch.memory()));
  });
}

Element StackedRows::finish(std::span<const Element> elements, BufferPool& pool) {
  const std::vector<Stack> stacks = std::exchange(stacks_, {});
  return combine_components(elements, [&](Leaves leaves, std::size_t component) -> Element {
    if (component >= stacks.size() || stacks[component].count != leaves.size())
      return stack_component(leaves, component, pool);
    const Tensor& batch = stacks[component].batch;
    const auto count = static_cast<std::int64_t>(leaves.size());
    return count == batch.shape()[0] ? Element(batch) : rows(batch, 0, count);
  });
}

}  // namespace cornu::inline v0::data
