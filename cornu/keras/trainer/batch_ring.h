#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cornu/keras/trainer/batch_source.h"

namespace cornu::inline v0::keras {

/// Host memory for some batches, filled at one end and used up at the other: what sources that do not hold
/// all their rows give programs.
///
/// Programs gather rows by index, so a run of batches may go over the memory's end to its beginning.
/// Threads: one thread.
class BatchRing {
 public:
  /// The most memory that a ring takes, unless one batch takes more.
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

  /// Forgets what it holds. From now on it takes batches like `example` of at most `batch_size` rows. Memory
  /// that is large enough for them is used again.
  void reset(const ArrayData& example, std::int64_t batch_size);
  /// Makes room for so many batches, as far as kMaxBytes allows. What it holds stays. Errors:
  /// ResourceExhausted, naming the bytes.
  void reserve(std::int64_t num_batches);

  std::int64_t capacity() const { return capacity_; }
  /// How many batches it holds.
  std::int64_t size() const { return static_cast<std::int64_t>(num_rows_.size()); }
  bool is_full() const { return size() == capacity_; }
  /// Whether the last one has fewer rows than a full one: it ends an execution.
  bool ends_partial() const { return !num_rows_.empty() && num_rows_.back() < batch_size_; }
  /// Copies a batch behind the others. It has the types of the example, and there is room.
  void push(const ArrayData& batch);
  /// Forgets the first `count` batches.
  void pop(std::int64_t count);
  /// The first batches, `count` at most, up to the first partial one.
  Batches first(std::int64_t count);

  /// The batch (0: the oldest held) and the row in it that an index of first() means.
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
  /// Where batch `i` of those that it holds lies.
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
