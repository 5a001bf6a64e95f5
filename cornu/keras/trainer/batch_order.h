#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cornu::inline v0::keras {

/// The smallest integer >= a / b, for a >= 0 and b >= 1 of any size.
inline std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

/// The bytes of an order of `num_steps` batches. Errors: ResourceExhausted, naming both, when no memory could hold it.
std::size_t order_bytes(std::int64_t num_steps, std::int64_t batch_size);

/// Which rows of the data each step takes: the index array that a compiled program gathers by.
///
/// Semantics: step s takes entries [s * batch, s * batch + valid_rows(s)); only the last step may have fewer than `batch` valid rows. The
/// rest
///            of that step is padding and repeats its first row: a row that is masked out can then bring no value that the step does not
///            already hold.
/// Errors:    ResourceExhausted, naming the bytes, when there is no memory for the array.
class BatchOrder {
 public:
  explicit BatchOrder(std::int64_t batch_size) : batch_size_(batch_size) {}

  /// Rows 0 .. num_rows - 1 as they lie.
  void set_sequential(std::int64_t num_rows);

  /// A permutation of 0 .. num_rows - 1 that follows from (seed, position) alone.
  void set_shuffled(std::int64_t num_rows, std::uint64_t seed, std::uint64_t position);

  /// The caller's rows, which may repeat or leave out. Throws OutOfRange when one is not in [0, num_rows).
  void set_rows(std::span<const std::int64_t> rows, std::int64_t num_rows);

  /// `num_steps` full batches of an endless stream of permutations that follow from (seed, position); without `shuffle` of passes in order.
  void set_repeated(std::int64_t num_rows, std::int64_t num_steps, bool shuffle, std::uint64_t seed, std::uint64_t position);

  std::int64_t batch_size() const { return batch_size_; }
  std::int64_t num_rows() const { return num_rows_; }  // without padding
  std::int64_t num_steps() const { return static_cast<std::int64_t>(rows_.size()) / batch_size_; }
  const std::int64_t* step(std::int64_t s) const { return rows_.data() + s * batch_size_; }
  /// The rows of one step, without padding.
  std::span<const std::int64_t> rows_of(std::int64_t s) const {
    return rows()
        .subspan(static_cast<std::size_t>(s * batch_size_))
        .first(static_cast<std::size_t>(std::min(batch_size_, num_rows_ - s * batch_size_)));
  }
  std::span<const std::int64_t> rows() const { return {rows_.data(), static_cast<std::size_t>(num_rows_)}; }

 private:
  void resize(std::int64_t num_rows);
  void pad();

  std::int64_t batch_size_;
  std::int64_t num_rows_ = 0;
  std::vector<std::int64_t> rows_;
};

/// Shuffles in place by Fisher and Yates with a counter-based generator keyed by (seed, position).
void shuffle_rows(std::span<std::int64_t> rows, std::uint64_t seed, std::uint64_t position);

}  // namespace cornu::inline v0::keras
