#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cornu/tensor/gradient_tape.h"

namespace cornu::inline v0::detail {

/// The recorder of a GradientTape: for eager operations or for a trace.
class Tape {
 public:
  explicit Tape(bool watches_accessed) : watches_accessed_(watches_accessed) {}
  virtual ~Tape() = default;

  bool is_recording() const { return recording_; }
  virtual void set_recording(bool recording) { recording_ = recording; }
  /// Stops recording for good, when the GradientTape is destroyed. Threads: any, at any time.
  virtual void close() {}
  virtual void watch(const Tensor& x) = 0;
  /// Watches reads of the variable from now on, even if it is not trainable.
  void watch(const Variable& variable);
  /// Throws FailedPrecondition if the tape cannot be used here.
  virtual void check_usable() const = 0;
  /// The gradient of each source; undefined if none flows. An undefined output gradient means ones.
  virtual std::vector<Tensor> gradient(std::span<const Tensor> targets,
                                       std::span<const Tensor> output_gradients,
                                       std::span<const Tensor> sources) = 0;
  virtual std::vector<Tensor> gradient(std::span<const Tensor> targets,
                                       std::span<const Tensor> output_gradients,
                                       std::span<const Variable> sources);
  /// Discards the record and the watched values and variables.
  void clear();
  /// Stops recording, and releases everything except the list of watched variables.
  void finish();
  std::vector<Variable> watched_variables() const;

 protected:
  /// Discards the record and the watched values.
  virtual void clear_record() = 0;
  /// A variable and the values that were read from it.
  struct Reads {
    Variable variable;
    std::vector<Tensor> values;
  };
  /// True if a read of the variable counts now.
  bool counts_read(const Variable& variable) const;
  /// True if a read of the variable with this value has counted.
  bool has_read(const Variable& variable, const Tensor& value) const;
  /// Records a read. True if the read counts and is new: the value must be watched.
  bool note_read(const Variable& variable, const Tensor& value);
  virtual bool is_same(const Tensor& a, const Tensor& b) const = 0;

 private:
  /// The index in reads_; its size for a variable that is not watched.
  std::size_t index_of(const Variable& variable) const;
  bool knows(const Reads& reads, const Tensor& value) const;

  bool watches_accessed_;
  bool recording_ = true;
  std::vector<Reads> reads_;
};

/// Makes a tape that records this thread's eager operations.
std::shared_ptr<Tape> make_eager_tape(bool watches_accessed);
/// Makes a tape that records the ops of the current trace's top block.
std::shared_ptr<Tape> make_trace_tape(bool watches_accessed);

/// A concrete tensor with a new identity for tapes; shares the memory.
Tensor with_new_identity(const Tensor& x);

}  // namespace cornu::inline v0::detail
