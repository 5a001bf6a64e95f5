#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cornu/keras/base/tensors.h"
#include "cornu/keras/trainer/output_memory.h"

namespace cornu::inline v0::keras {

/// The memory for a prediction of known length: an array for each output, allocated here or the caller's, and
/// space for one step of each output for a last batch that is not full.
class Predictions {
 public:
  /// Errors: InvalidArgument if the first extent of an output is not the batch, or if the caller's memory
  ///         does not fit an output; ResourceExhausted, naming the bytes.
  Predictions(const std::vector<TensorType>& step_types, std::int64_t batch_size, std::int64_t num_rows,
              std::span<const OutputMemory> into = {});

  /// Checks the output types of the last batch, of `num_rows` rows, if it runs by a step of its own.
  /// Errors: InvalidArgument unless they equal those of a full step with as many rows.
  void check_tail(const std::vector<TensorType>& tail_types, std::int64_t num_rows) const;
  /// The addresses for the outputs of steps from `step` on.
  std::span<std::byte* const> at_step(std::int64_t step);
  /// The outputs; none if they are in the caller's memory.
  std::vector<Tensor> take();

 private:
  std::span<std::byte> memory(std::size_t i) {
    return into_.empty() ? results_[i].mutable_bytes() : into_[i].bytes();
  }

  std::int64_t batch_size_;
  std::int64_t num_rows_;
  std::vector<TensorType> step_types_;
  std::vector<std::size_t> step_bytes_;
  std::span<const OutputMemory> into_;
  std::vector<ir::Literal> results_;           // empty if the caller provides the memory
  std::vector<std::vector<std::byte>> tails_;  // a partial batch writes its padding too
  std::vector<std::byte*> places_;
};

/// Copies outputs into the caller's memory. Errors: InvalidArgument, before anything is copied, if one does
/// not fit.
void copy_into(const std::vector<Tensor>& outputs, std::span<const OutputMemory> into);

/// Checks that the outputs of the batches from `step` (counted from 1) on can be joined with the first
/// outputs.
/// Errors: InvalidArgument, with a remedy, if rows of an output differ in shape.
void check_joins(const Tensors& first, const Tensors& now, std::int64_t step);

/// Joins the outputs of successive executions. Errors: InvalidArgument if the first extent of one is not the
/// number of its rows.
std::vector<Tensor> joined(const std::vector<Tensors>& pieces,
                           const std::vector<std::int64_t>& rows_of_pieces);

}  // namespace cornu::inline v0::keras
