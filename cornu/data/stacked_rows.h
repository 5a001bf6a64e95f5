#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cornu/data/buffer_pool.h"
#include "cornu/data/element.h"

namespace cornu::inline v0::data {

/// Memory of a batch into which large rows are copied as they arrive: a row is still in a cache then, and its
/// memory is free for the next row. Copying all rows when the batch is complete would lose both advantages.
class StackedRows {
 public:
  /// True if a batch of `batch_size` elements like this one gains by it: the element has a large tensor, and
  /// the batch is not so large that memory should not be allocated for rows that may not arrive.
  static bool gain(const Element& first, std::int64_t batch_size);

  /// Adds element `at` of a batch; 0 begins a new batch. Large tensors with the first element's type are
  /// replaced by parts of the batch.
  void put(Element& element, std::size_t at, std::int64_t batch_size, BufferPool& pool);
  /// Makes the batch of these elements, which were passed to put(). Errors: those of stack().
  Element finish(std::span<const Element> elements, BufferPool& pool);

 private:
  struct Stack {
    Tensor batch;
    std::byte* data = nullptr;
    TensorType row = {};
    std::size_t count = 0;
  };
  std::vector<Stack> stacks_;  // one for each component
};

}  // namespace cornu::inline v0::data
