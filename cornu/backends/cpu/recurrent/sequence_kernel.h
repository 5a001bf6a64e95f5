#pragma once

#include <span>
#include <vector>

#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/backends/cpu/recurrent/gates.h"
#include "cornu/backends/cpu/recurrent/problem.h"

namespace cornu::inline v0::backends::cpu::recurrent {

/// Columns of the recurrent kernel that take part in one product of a step.
struct KernelColumns {
  std::int64_t begin = 0, width = 0;
};

/// What the kernels of all cells share: slices of the batch walk the whole sequence by themselves, so that
/// threads meet once; the recurrent kernel is packed once for all steps. A cell says what a step does.
///
/// Rows are independent of each other and a product's bits of how its rows are cut, so slices may follow the
/// threads. A row that a mask leaves out of a step keeps its states, whatever rows share its slice: a step
/// writes nothing of it.
class SequenceKernel : public GroupKernel {
 public:
  void run(const KernelMemory& memory, ThreadPool& pool) const override;

 protected:
  /// Rows of the batch that one thread walks through time, and its working memory. Row r of it is row begin +
  /// r of the batch.
  struct Slice {
    const KernelMemory* memory = nullptr;
    const float* packed = nullptr;
    std::int64_t begin = 0, rows = 0;
    std::int64_t next = 0;     // the step behind this one; this one if it is the last
    float* state = nullptr;    // rows x units: the states, or their gradients
    float* carry = nullptr;    // rows x units: an LSTM's carries, or their gradients
    float* sums = nullptr;     // rows x gates * units
    float* product = nullptr;  // rows x units
  };

  /// `products`: the products of a step, of which a cell asks by number.
  SequenceKernel(const RecurrentProblem& problem, const Target& target, int num_threads,
                 std::span<const KernelColumns> products);

  /// Forward: from `state` and `carry` to those behind step t, in place and stacked, with the gates, for each
  /// row that counts. At least one does.
  virtual void step(const Slice& s, std::int64_t t) const = 0;
  /// Backward: from the gradients behind step t, in place, to those ahead of it and that of the projected
  ///           input.
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
  /// Step t of row r of something stacked with so many features.
  std::int64_t at(const Slice& s, std::int64_t r, std::int64_t t, std::int64_t features) const {
    return ((s.begin + r) * problem_.time + t) * features;
  }

  bool counts(const Slice& s, std::int64_t r, std::int64_t t) const {
    if (!problem_.has(Role::kMask)) return true;
    return s.memory->operands[static_cast<std::size_t>(problem_.tensor(Role::kMask))]
                             [(s.begin + r) * problem_.time + t] != std::byte{0};
  }
  /// f(r) for each row of the slice that counts in step t.
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

  /// Asks the caches for what row r reads and writes in the next step: its rows lie far apart, which no
  /// prefetcher of the hardware sees.
  void fetch_ahead(const Slice& s, std::int64_t r) const;

  RecurrentProblem problem_;
  const GateFunctions& gates_;

 private:
  struct Product {
    KernelColumns columns;
    std::int64_t offset = 0;  // of its packed columns, in floats
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
