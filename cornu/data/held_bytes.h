#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "cornu/data/memory_budget.h"

namespace cornu::inline v0::data {

/// Counts one stage's memory in its pipeline's budget, until destruction. The stage does not wait for free
/// budget, since the program sets its size; the pipeline's other buffers get less.
/// Threads: one at a time.
class HeldBytes {
 public:
  explicit HeldBytes(std::shared_ptr<MemoryBudget> budget) : budget_(std::move(budget)) {}
  ~HeldBytes() { clear(); }
  HeldBytes(const HeldBytes&) = delete;
  HeldBytes& operator=(const HeldBytes&) = delete;

  void add(std::size_t size_bytes) {
    size_bytes_ += size_bytes;
    budget_->add(size_bytes);
  }
  void remove(std::size_t size_bytes) {
    size_bytes_ -= size_bytes;
    budget_->remove(size_bytes);
  }
  void clear() { budget_->remove(std::exchange(size_bytes_, 0)); }
  std::size_t size_bytes() const { return size_bytes_; }

 private:
  std::shared_ptr<MemoryBudget> budget_;
  std::size_t size_bytes_ = 0;
};

}  // namespace cornu::inline v0::data
