#pragma once

#include <span>
#include <vector>

#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/backends/cpu/recurrent/gates.h"
#include "cornu/backends/cpu/recurrent/problem.h"

namespace cornu::inline v0::backends::cpu::recurrent {

/// Columns of the recurrent kernel in one product of a step.
struct KernelColumns {
  std::int64_t begin = 0, width = 0;
};

/// Common part of the kernels of all cells: each slice of the batch runs the whole sequence independently, so
/// that threads synchronize once; the recurrent kernel is packed once for all steps. A cell implements a
/// step.
///
/// Rows are independent, and a product's bits do not depend on how its rows are split, so the number of
/// slices may depend on the threads. A row that a mask excludes from a step keeps its states, whatever rows
/// share its slice: the step writes nothing for it.
class SequenceKernel : public GroupKernel {
 public:
  void run(const KernelMemory& memory, ThreadPool& pool) const override;

 protected:
  /// Rows of the batch that one thread runs through time, and its working memory. Its row r is row begin + r
  /// of the batch.
  struct Slice {
    const KernelMemory* memory = nullptr;
    const float* packed = nullptr;
    std::int64_t begin = 0, rows = 0;
    std::int64_t next = 0;     // the step after this one; this one if it is the last
    float* state = nullptr;    // rows x units: the states, or their gradients
    float* carry = nullptr;    // rows x units: an LSTM's carries, or their gradients
    float* sums = nullptr;     // rows x gates * units
    float* product = nullptr;  // rows x units
  };

  /// `products`: the products of a step, numbered for the cell.
  SequenceKernel(const RecurrentProblem& problem, const Target& target, int num_threads,
                 std::span<const KernelColumns> products);

  /// Forward: computes the states after step t from `state` and `carry`, in place and stacked, and the gates,
  /// for each unmasked row. There is at least one.
  virtual void step(const Slice& s, std::int64_t t) const = 0;
  /// Backward: computes the gradients before step t from those after it, in place, and the gradient of the
  /// projected input.
  virtual void gradient_step(const Slice& s, std::int64_t t) const = 0;

  std::int64_t units() const { return problem_.units; }
  std::int64_t width() const { return problem_.num_gates * problem_.units; }

  const float* input(const Slice& s, Role role) const {
    return reinterpret_cast<const float*>(
        s.memory->operands[static_cast<std::size_t>(problem_.tensor(role))]);
  }
  float* result(const Slice& s, Role role) const {
    return reinterpret_cast<float*>(s.memory->results[static_cast<std::size_t>(problem_.tensor(role))]);
  }
  /// The offset of step t of row r in a stacked tensor with `features` features.
  std::int64_t at(const Slice& s, std::int64_t r, std::int64_t t, std::int64_t features) const {
    return ((s.begin + r) * problem_.time + t) * features;
  }

  bool counts(const Slice& s, std::int64_t r, std::int64_t t) const {
    if (!problem_.has(Role::kMask)) return true;
    return s.memory->operands[static_cast<std::size_t>(problem_.tensor(Role::kMask))]
                             [(s.begin + r) * problem_.time + t] != std::byte{0};
  }
  /// Calls f(r) for each unmasked row of the slice in step t.
  template <typename F>
  void for_counted(const Slice& s, std::int64_t t, const F& f) const {
    for (std::int64_t r = 0; r < s.rows; ++r)
      if (counts(s, r, t)) f(r);
  }

  /// Forward: to [rows, columns] += from [rows, units] . columns of the kernel; `to` with `width` floats a
  ///          row.
  void add_product(const Slice& s, std::size_t number, const float* from, float* to) const;
  /// Backward: to [rows, units] = from [rows, columns] . columns of the kernel, transposed; `from` with
  ///           `width` floats a row.
  void multiply_transposed(const Slice& s, std::size_t number, const float* from, float* to) const;

  /// Prefetches the data that row r reads and writes in the next step: its rows are too far apart for the
  /// hardware's prefetchers.
  void fetch_ahead(const Slice& s, std::int64_t r) const;

  RecurrentProblem problem_;
  const GateFunctions& gates_;

 private:
  struct Product {
    KernelColumns columns;
    std::int64_t offset = 0;  // position of its packed columns, in floats
  };
  struct Stream {
    Role role = Role::kProjected;
    bool is_result = false;
    std::int64_t features = 0;
  };

  void pack(const KernelMemory& memory, float* packed) const;
  void walk(Slice s) const;
  bool any_counts(const Slice& s, std::int64_t t) const;
  void skip_rows(const Slice& s, std::int64_t t) const;

  IsaLevel isa_;
  std::vector<Product> products_;
  std::vector<Stream> streams_;
  std::int64_t slice_rows_ = 0;
  std::size_t packed_bytes_ = 0, slot_bytes_ = 0;
};

inline void copy_floats(const float* from, std::int64_t count, float* to) {
  __builtin_memcpy(to, from, static_cast<std::size_t>(count) * sizeof(float));
}

std::unique_ptr<GroupKernel> make_simple_rnn_kernel(const RecurrentProblem& problem, const Target& target,
                                                    int num_threads);
std::unique_ptr<GroupKernel> make_gru_kernel(const RecurrentProblem& problem, const Target& target,
                                             int num_threads);
std::unique_ptr<GroupKernel> make_lstm_kernel(const RecurrentProblem& problem, const Target& target,
                                              int num_threads);

}  // namespace cornu::inline v0::backends::cpu::recurrent
