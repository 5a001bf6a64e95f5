#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cornu/tensor/gradient_tape.h"

namespace cornu::inline v0::detail {

/// What a GradientTape records to: an eager one or a trace's.
class Tape {
 public:
  explicit Tape(bool watches_accessed) : watches_accessed_(watches_accessed) {}
  virtual ~Tape() = default;

  bool is_recording() const { return recording_; }
  virtual void set_recording(bool recording) { recording_ = recording; }
  /// The GradientTape ends: nothing is recorded any more. Threads: any, whatever the tape's own thread does
  /// meanwhile.
  virtual void close() {}
  virtual void watch(const Tensor& x) = 0;
  /// From now on reads of the variable are watched, also where it is not trainable.
  void watch(const Variable& variable);
  /// Throws FailedPrecondition where the tape cannot be used.
  virtual void check_usable() const = 0;
  /// The gradient of each source; undefined where none flows. An undefined output gradient stands for ones.
  virtual std::vector<Tensor> gradient(std::span<const Tensor> targets,
                                       std::span<const Tensor> output_gradients,
                                       std::span<const Tensor> sources) = 0;
  virtual std::vector<Tensor> gradient(std::span<const Tensor> targets,
                                       std::span<const Tensor> output_gradients,
                                       std::span<const Variable> sources);
  /// Forgets what was recorded and watched.
  void clear();
  /// Records nothing more, and lets go of everything but the list of watched variables.
  void finish();
  std::vector<Variable> watched_variables() const;

 protected:
  /// Forgets what was recorded and which values were watched.
  virtual void clear_record() = 0;
  /// A variable and the values it was read as.
  struct Reads {
    Variable variable;
    std::vector<Tensor> values;
  };
  /// Whether a read of the variable now counts.
  bool counts_read(const Variable& variable) const;
  /// Whether a read of the variable as this value has counted.
  bool has_read(const Variable& variable, const Tensor& value) const;
  /// True when the read counts and is new: the value has to be watched.
  bool note_read(const Variable& variable, const Tensor& value);
  virtual bool is_same(const Tensor& a, const Tensor& b) const = 0;

 private:
  /// The place in reads_; its size for a variable that is not watched.
  std::size_t index_of(const Variable& variable) const;
  bool knows(const Reads& reads, const Tensor& value) const;

  bool watches_accessed_;
  bool recording_ = true;
  std::vector<Reads> reads_;
};

/// Records this thread's eager operations.
std::shared_ptr<Tape> make_eager_tape(bool watches_accessed);
/// Records what the current trace's top block gets.
std::shared_ptr<Tape> make_trace_tape(bool watches_accessed);

/// A concrete tensor's value as another value for tapes; shares the memory.
Tensor with_new_identity(const Tensor& x);

}  // namespace cornu::inline v0::detail
