#pragma once

#include <string>
#include <vector>

#include "cornu/runtime/client.h"

namespace cornu::inline v0::runtime {

/// Types of a step program's arguments and results, checked once, and the check that an execution fits them.
/// Every backend uses it, so that all reject the same mistakes with the same messages.
class ProgramSignature {
 public:
  ProgramSignature() = default;
  /// Without a client only the program is checked.
  /// Errors: InvalidArgument if there is no step, kinds and arguments differ in number, a state argument has
  ///         no result of its type, row arguments (without any: outputs of a program that counts valid rows)
  ///         do not share one batch, the number of valid rows is not an i32 scalar, or a device does not
  ///         exist or is listed twice.
  explicit ProgramSignature(const StepProgram& program, const Client* client = nullptr);

  /// Errors: InvalidArgument if replicas, buffers, rows or outputs are too few, too many, null, of other
  ///         types, on another device or of another client, if indices are missing, or if num_steps is
  ///         negative.
  void check(const Execution& execution) const;

  std::size_t num_state() const { return state_.types.size(); }
  std::size_t num_fixed() const { return fixed_.types.size(); }
  std::size_t num_rows() const { return rows_.size(); }
  std::size_t num_replicas() const { return devices_.size(); }
  std::int64_t batch() const { return batch_; }  // 0: the step does not work on rows
  const std::vector<ir::TensorType>& outputs() const { return outputs_; }

 private:
  /// The expected types of an execution's buffers, and the fingerprint of each.
  struct Types {
    std::vector<ir::TensorType> types;
    std::vector<std::uint64_t> words;

    void add(const ir::TensorType& type);
  };

  void agree_on_batch(const ir::TensorType& type, const std::string& what);
  void check(const Replica& replica, int device, std::int64_t num_steps) const;
  void check_rows(const Replica& replica, int device) const;
  void check_outputs(const Replica& replica, int device, std::int64_t num_steps) const;
  void check_buffer(const char* what, std::size_t i, const Buffer* buffer, const ir::TensorType& type) const;
  void check_buffers(const char* what, std::span<Buffer* const> buffers, const Types& expected,
                     int device) const;
  void check_place(const char* what, std::size_t i, const Buffer& buffer, int device) const;

  const Client* client_ = nullptr;
  std::vector<int> devices_ = {0};
  bool reaches_all_devices_ = false;
  Types state_, fixed_;
  std::vector<ir::TensorType> rows_, outputs_;
  std::int64_t batch_ = 0;
};

}  // namespace cornu::inline v0::runtime
