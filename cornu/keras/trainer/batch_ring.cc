#include "cornu/keras/trainer/batch_ring.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"

namespace cornu::inline v0::keras {

void BatchRing::reset(const ArrayData& example, std::int64_t batch_size) {
  example_ = example.rows(0, 1);
  batch_size_ = batch_size;
  capacity_ = begin_ = 0;
  num_rows_.clear();
}

void BatchRing::reserve(std::int64_t num_batches) {
  const std::size_t batch_bytes =
      std::max<std::size_t>(1, example_.size_bytes() * static_cast<std::size_t>(batch_size_));
  const auto affordable = static_cast<std::int64_t>(std::max<std::size_t>(1, kMaxBytes / batch_bytes));
  const std::int64_t wanted = std::min(num_batches, affordable);
  if (wanted > capacity_) allocate(wanted);
}

void BatchRing::allocate(std::int64_t num_batches) {
  const std::vector<Array> before = std::exchange(memory_, {});
  Tensors* const groups[] = {&arrays_.x, &arrays_.y, &arrays_.sample_weight};
  const Tensors* const examples[] = {&example_.x, &example_.y, &example_.sample_weight};
  for (std::size_t g = 0; g < std::size(groups); ++g) {
    std::vector<Tensor> tensors;
    for (const Tensor& row : *examples[g]) {
      tensors.emplace_back();
      if (!row.defined()) continue;
      const std::size_t batch_bytes = row.type().size_bytes() * static_cast<std::size_t>(batch_size_);
      Array array{.bytes = {}, .batch_bytes = batch_bytes};
      const std::size_t k = memory_.size();
      const CheckedSize bytes = CheckedSize(batch_bytes) * num_batches;
      if (size() == 0 && k < before.size() &&
          !bytes.exceeds(static_cast<std::int64_t>(before[k].bytes->size())))
        array.bytes = before[k].bytes;  // reuse the memory of batches with other rows
      else
        with_host_memory(
            bytes, [&] { return fmt::format("{} batches of {} rows", num_batches, batch_size_); },
            [&] {
              array.bytes = std::make_shared<std::vector<std::byte>>(batch_bytes *
                                                                     static_cast<std::size_t>(num_batches));
            });
      for (std::int64_t i = 0; i < size(); ++i)
        std::memcpy(array.bytes->data() + static_cast<std::size_t>(i) * batch_bytes,
                    before[k].bytes->data() + static_cast<std::size_t>(slot(i)) * batch_bytes, batch_bytes);
      TensorType type = row.type();
      type.dims[0] = num_batches * batch_size_;
      tensors.back() = Tensor::from_bytes(type, array.bytes->data(), type.size_bytes(), array.bytes);
      memory_.push_back(std::move(array));
    }
    *groups[g] = Tensors(std::move(tensors));
  }
  begin_ = 0;
  capacity_ = num_batches;
  bases_ = arrays_.bases();
  indices_.resize(static_cast<std::size_t>(num_batches * batch_size_));
}

void BatchRing::push(const ArrayData& batch) {
  CORNU_CHECK(!is_full(), "a ring of {} batches is full", capacity_);
  const auto at = static_cast<std::size_t>(slot(size()));
  std::size_t k = 0;
  batch.for_each([&](const Tensor& array) {
    const Array& memory = memory_[k++];
    std::memcpy(memory.bytes->data() + at * memory.batch_bytes, array.bytes(), array.type().size_bytes());
  });
  num_rows_.push_back(batch.num_rows());
}

void BatchRing::pop(std::int64_t count) {
  if (count == 0) return;
  num_rows_.erase(num_rows_.begin(), num_rows_.begin() + count);
  begin_ = slot(count);
}

Batches BatchRing::first(std::int64_t count) {
  Batches batches{
      .arrays = &arrays_, .bases = bases_, .row_indices = indices_.data(), .batch_size = batch_size_};
  while (batches.num_steps < std::min(count, size())) {
    const std::int64_t num_rows = num_rows_[static_cast<std::size_t>(batches.num_steps)];
    const std::int64_t first_row = slot(batches.num_steps) * batch_size_;
    const auto indices = indices_.begin() + batches.num_steps * batch_size_;
    std::iota(indices, indices + num_rows, first_row);
    std::fill(indices + num_rows, indices + batch_size_, first_row);  // padding
    batches.num_rows += num_rows;
    ++batches.num_steps;
    if (num_rows < batch_size_) break;
  }
  return batches;
}

BatchRing::Place BatchRing::place_of(std::int64_t index) const {
  const std::int64_t at = index / batch_size_ - begin_;
  return {.batch = at < 0 ? at + capacity_ : at, .row = index % batch_size_};
}

}  // namespace cornu::inline v0::keras
