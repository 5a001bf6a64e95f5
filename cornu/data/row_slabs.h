#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cornu/data/buffer_pool.h"
#include "cornu/data/element.h"

namespace cornu::inline v0::data {

/// The memory of a batch into which large rows are copied one by one as they come: a row is still in a cache
/// then, and its own memory is free for the next one. Rows that wait for the whole batch are in neither.
class RowSlabs {
 public:
  /// Whether a batch of so many elements like this one gains by it: it has a large tensor, and is not so
  /// large that memory for rows that may not come should wait.
  static bool gain(const Element& first, std::int64_t batch_size);

  /// Element `at` of a batch; from 0 on a new one. Large tensors of the first one's type become parts
  /// of the batch.
  void put(Element& element, std::size_t at, std::int64_t batch_size, BufferPool& pool);
  /// The batch of these elements, which put() has seen. Errors: those of stack().
  Element finish(std::span<const Element> elements, BufferPool& pool);

 private:
  struct Slab {
    Tensor batch;
    std::byte* data = nullptr;
    TensorType row = {};
    std::size_t count = 0;
  };
  std::vector<Slab> slabs_;  // one a component
};

}  // namespace cornu::inline v0::data
