#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "cornu/data/memory_budget.h"

namespace cornu::inline v0::data {

/// What one stage holds of its pipeline's budget; given back at its end. The stage does not ask for room:
/// it is as large as the program says. Other buffers of the pipeline have the less.
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
