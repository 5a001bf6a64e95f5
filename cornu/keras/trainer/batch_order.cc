#include "cornu/keras/trainer/batch_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/trainer/host_memory.h"

namespace cornu::inline v0::keras {
namespace {

// splitmix64's finalizer: a good hash of a counter.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

}  // namespace

void shuffle_rows(std::span<std::int64_t> rows, std::uint64_t seed, std::uint64_t position) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ull;
  std::uint64_t counter = mix(seed + kGolden) ^ mix(position * kGolden + 0x632BE59BD9B4E019ull);
  for (std::size_t i = rows.size(); i > 1; --i) {
    counter += kGolden;
    // The high half of a product maps 64 random bits to [0, i) with a bias below i / 2^64.
    const auto j = static_cast<std::size_t>((static_cast<unsigned __int128>(mix(counter)) * i) >> 64);
    std::swap(rows[i - 1], rows[j]);
  }
}

std::size_t order_bytes(std::int64_t num_steps, std::int64_t batch_size) {
  std::int64_t num_bytes = 0;
  if (__builtin_mul_overflow(num_steps, batch_size, &num_bytes) ||
      __builtin_mul_overflow(num_bytes, static_cast<std::int64_t>(sizeof(std::int64_t)), &num_bytes)) {
    fail(ErrorCode::kResourceExhausted, "not enough host memory for the order of an epoch's rows: {} steps of {} rows", num_steps,
         batch_size);
  }
  return static_cast<std::size_t>(num_bytes);
}

void BatchOrder::resize(std::int64_t num_rows) {
  const std::size_t num_bytes = order_bytes(ceil_divide(num_rows, batch_size_), batch_size_);
  with_host_memory(num_bytes, "the order of an epoch's rows", [&] { rows_.resize(num_bytes / sizeof(std::int64_t)); });
  num_rows_ = num_rows;
}

void BatchOrder::pad() {
  if (static_cast<std::size_t>(num_rows_) == rows_.size()) return;
  const std::int64_t first_of_last_step = rows_[static_cast<std::size_t>(num_rows_ / batch_size_ * batch_size_)];
  std::fill(rows_.begin() + num_rows_, rows_.end(), first_of_last_step);
}

void BatchOrder::set_sequential(std::int64_t num_rows) {
  resize(num_rows);
  std::iota(rows_.begin(), rows_.begin() + num_rows, 0);
  pad();
}

void BatchOrder::set_shuffled(std::int64_t num_rows, std::uint64_t seed, std::uint64_t position) {
  resize(num_rows);
  std::iota(rows_.begin(), rows_.begin() + num_rows, 0);
  shuffle_rows({rows_.data(), static_cast<std::size_t>(num_rows)}, seed, position);
  pad();
}

void BatchOrder::set_rows(std::span<const std::int64_t> rows, std::int64_t num_rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || rows[i] >= num_rows)
      fail(ErrorCode::kOutOfRange, "[fit] row_order names row {} at position {}, but the data have {} rows", rows[i], i, num_rows);
  }
  resize(static_cast<std::int64_t>(rows.size()));
  std::copy(rows.begin(), rows.end(), rows_.begin());
  pad();
}

void BatchOrder::set_repeated(std::int64_t num_rows, std::int64_t num_steps, bool shuffle, std::uint64_t seed, std::uint64_t position) {
  resize(static_cast<std::int64_t>(order_bytes(num_steps, batch_size_) / sizeof(std::int64_t)));
  std::vector<std::int64_t> pass(static_cast<std::size_t>(num_rows));
  for (std::int64_t begin = 0, k = 0; begin < num_rows_; begin += num_rows, ++k) {
    std::iota(pass.begin(), pass.end(), 0);
    // Far from the positions of other epochs.
    if (shuffle) shuffle_rows(pass, seed, position + (static_cast<std::uint64_t>(k) << 40));
    std::copy_n(pass.begin(), std::min(num_rows, num_rows_ - begin), rows_.begin() + begin);
  }
}

}  // namespace cornu::inline v0::keras
