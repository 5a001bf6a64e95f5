#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cornu/keras/trainer/batch_source.h"

namespace cornu::inline v0::keras {

/// A ring buffer of batches in host memory, for sources that do not hold all their rows in memory. Programs
/// gather rows by index, so batches may wrap around the end of the memory.
/// Threads: one thread.
class BatchRing {
 public:
  /// The most memory that a ring takes, unless a single batch needs more.
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

  /// Empties the ring and sets its types: from now on it takes batches like `example` of at most `batch_size`
  /// rows. Memory is reused if it is large enough.
  void reset(const ArrayData& example, std::int64_t batch_size);
  /// Grows the ring to `num_batches` batches, as far as kMaxBytes allows; its contents stay. Errors:
  /// ResourceExhausted, naming the bytes.
  void reserve(std::int64_t num_batches);

  std::int64_t capacity() const { return capacity_; }
  /// The number of batches in the ring.
  std::int64_t size() const { return static_cast<std::int64_t>(num_rows_.size()); }
  bool is_full() const { return size() == capacity_; }
  /// True if the last batch has fewer rows than a full one; it then ends an execution.
  bool ends_partial() const { return !num_rows_.empty() && num_rows_.back() < batch_size_; }
  /// Appends a copy of a batch. Requires: the batch has the types of the example, and the ring is not full.
  void push(const ArrayData& batch);
  /// Removes the first `count` batches.
  void pop(std::int64_t count);
  /// The first batches: at most `count`, and none after the first partial one.
  Batches first(std::int64_t count);

  /// The batch (0 is the oldest) and its row that an index returned by first() refers to.
  struct Place {
    std::int64_t batch;
    std::int64_t row;
  };
  Place place_of(std::int64_t index) const;

 private:
  struct Array {
    std::shared_ptr<std::vector<std::byte>> bytes;
    std::size_t batch_bytes = 0;
  };
  /// The slot of batch `i`, counted from the oldest.
  std::int64_t slot(std::int64_t i) const { return (begin_ + i) % capacity_; }
  void allocate(std::int64_t num_batches);

  ArrayData example_;  // one row of each array
  std::int64_t batch_size_ = 0;
  std::int64_t capacity_ = 0;
  std::int64_t begin_ = 0;              // the slot of the first batch
  std::vector<std::int64_t> num_rows_;  // of the batches that it holds
  std::vector<Array> memory_;           // of each defined array
  ArrayData arrays_;                    // the memory as arrays of capacity * batch_size rows
  std::vector<const std::byte*> bases_;
  std::vector<std::int64_t> indices_;
};

}  // namespace cornu::inline v0::keras
