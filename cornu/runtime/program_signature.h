#pragma once

#include <string>
#include <vector>

#include "cornu/runtime/executable.h"

namespace cornu::inline v0::runtime {

/// What a step program's arguments and results are, checked once; and whether an execution fits them. Every backend asks it, so all refuse
/// the same mistakes in the same words.
class ProgramSignature {
 public:
  ProgramSignature() = default;
  /// Errors: InvalidArgument when there is no step, kinds and arguments differ in number, a state argument has no result of its type, row
  /// arguments (without any: outputs of a program that counts valid rows) do not share one batch, or the number of valid rows is not an i32
  /// scalar.
  explicit ProgramSignature(const StepProgram& program);

  /// Errors: InvalidArgument when buffers, rows or outputs are too few, too many, null or of other types, indices are missing, or num_steps
  /// is negative.
  void check(const Execution& execution) const;

  std::size_t num_state() const { return state_.size(); }
  std::size_t num_fixed() const { return fixed_.size(); }
  std::size_t num_rows() const { return rows_.size(); }
  std::int64_t batch() const { return batch_; }  // 0: the step does not work on rows
  const std::vector<ir::TensorType>& outputs() const { return outputs_; }

 private:
  void agree_on_batch(const ir::TensorType& type, const std::string& what);

  std::vector<ir::TensorType> state_, fixed_, rows_, outputs_;
  std::int64_t batch_ = 0;
};

}  // namespace cornu::inline v0::runtime
