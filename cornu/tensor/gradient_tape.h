#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

namespace detail {
class Tape;
}

struct GradientTapeOptions {
  /// Whether gradient() may be called more than once.
  bool persistent = false;
  /// Whether trainable variables are watched when they are read; else only what watch() is given is.
  bool watch_accessed_variables = true;
};

/// What stands for the gradient of a source that the target does not depend on.
enum class UnconnectedGradients { kNone, kZero };  // an undefined tensor; zeros

struct GradientOptions {
  /// Factors of the targets' elements, each of its target's type. Without them all factors are 1, so that a
  /// target's elements are summed.
  std::vector<Tensor> output_gradients = {};
  UnconnectedGradients unconnected_gradients = UnconnectedGradients::kNone;
};

/// What is differentiated: one target, or several whose gradients are added.
class Targets {
 public:
  Targets(const Tensor& target) : tensors_{target} {}
  Targets(std::vector<Tensor> targets) : tensors_(std::move(targets)) {}
  std::span<const Tensor> tensors() const { return tensors_; }

 private:
  std::vector<Tensor> tensors_;
};

/// Records operations from its construction on, for the gradients of what they computed.
///
///     GradientTape tape;
///     const Tensor loss = loss_of(model(x, {.training = true}), y);
///     const std::vector<Tensor> gradients = tape.gradient(loss, model.trainable_variables());
///
/// Works at once (eager) and inside a trace; it belongs to the mode, and to the loop body or branch, in which
/// it was made. It watches trainable variables that are read while it records, and the tensors that watch()
/// is given; values that do not come from these are constants. A variable's gradient is that with respect to
/// the values it was read as while the tape recorded: an assignment is not differentiated through, and a
/// value that was read before, or that another variable was read as, is another one. Operations count for a
/// tensor when they run after it is watched. (In a trace, reads of one variable that no tape, pause or
/// assignment tells apart are one tensor.)
/// Tapes nest: an outer one records what an inner one's gradient() computes, which gives second derivatives.
/// Errors:   FailedPrecondition when a tape that is not persistent is used twice, or one is used outside the
///           function, loop body or branch that it was made in, and for undefined targets and sources;
///           InvalidArgument for targets or watched tensors that are not floating-point, and output gradients
///           of other types; Unimplemented, naming op and layer, for an operation without a gradient.
/// Threads:  one thread: it records what the thread that made it runs. It may be destroyed on any other.
class GradientTape {
 public:
  explicit GradientTape(GradientTapeOptions options = {});
  ~GradientTape();
  GradientTape(const GradientTape&) = delete;
  GradientTape& operator=(const GradientTape&) = delete;

  /// Makes a tensor a source. One that was made from a C++ number becomes a tensor of its own dtype (numbers
  /// are constants).
  void watch(Tensor& x);
  /// Errors: InvalidArgument for a plain C++ number.
  void watch(const Tensor& x);
  void watch(std::vector<Tensor>& xs);
  void watch(const Variable& variable);

  /// d(sum of targets) / d(source), of the source's type; undefined where the targets do not depend on it.
  Tensor gradient(const Targets& targets, const Tensor& source, const GradientOptions& options = {});
  Tensor gradient(const Targets& targets, const Variable& source, const GradientOptions& options = {});
  std::vector<Tensor> gradient(const Targets& targets, std::span<const Tensor> sources,
                               const GradientOptions& options = {});
  std::vector<Tensor> gradient(const Targets& targets, std::span<const Variable> sources,
                               const GradientOptions& options = {});

  /// d target[i...] / d source[j...] as [i..., j...].
  Tensor jacobian(const Tensor& target, const Tensor& source, const GradientOptions& options = {});
  Tensor jacobian(const Tensor& target, const Variable& source, const GradientOptions& options = {});
  /// The Jacobian of each row: target [batch, i...], source [batch, j...] -> [batch, i..., j...]. Row b of
  /// the target must depend on row b of the source only.
  /// Errors: InvalidArgument unless both have the same first extent.
  Tensor batch_jacobian(const Tensor& target, const Tensor& source, const GradientOptions& options = {});

  /// While it lives, the tape records nothing.
  class Pause {
   public:
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    friend class GradientTape;
    explicit Pause(std::shared_ptr<detail::Tape> tape);

    std::shared_ptr<detail::Tape> tape_;
    bool before_;
  };
  [[nodiscard]] Pause stop_recording() { return Pause(tape_); }
  /// Forgets what was recorded, and goes on recording.
  void reset();
  /// The variables watched so far, in the order of their first use; also of a tape that was used.
  std::vector<Variable> watched_variables() const;

 private:
  template <typename Sources>
  std::vector<Tensor> gradients(const Targets& targets, const Sources& sources,
                                const GradientOptions& options);
  template <typename Source>
  Tensor jacobian_of(const Tensor& target, const Source& source, const GradientOptions& options);
  void use(const char* method);
  void finish();

  GradientTapeOptions options_;
  std::shared_ptr<detail::Tape> tape_;
  bool used_ = false;
};

namespace detail {

/// While it lives, gradient() (gradient.h) takes what `tape` recorded where this thread does not trace: in a
/// step that runs op by op.
class StepTapeScope {
 public:
  explicit StepTapeScope(GradientTape* tape);
  ~StepTapeScope();
  StepTapeScope(const StepTapeScope&) = delete;
  StepTapeScope& operator=(const StepTapeScope&) = delete;

 private:
  GradientTape* before_;
};
/// The tape of the innermost StepTapeScope; null outside of any.
GradientTape* step_tape();

}  // namespace detail

namespace ops {

/// x as a constant: no gradient passes.
Tensor stop_gradient(const Tensor& x);

}  // namespace ops

}  // namespace cornu::inline v0
