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

struct GradientTapeOptions {  // options/tensor.toml
  /// True: gradient() may be called more than once.
  bool persistent = false;
  /// True: watches trainable variables when they are read; false: only arguments of watch().
  bool watch_accessed_variables = true;
};

/// The gradient of a source that the target does not depend on.
enum class UnconnectedGradients { kNone, kZero };  // an undefined tensor; zeros

struct GradientOptions {  // options/tensor.toml
  /// Factors of the targets' elements, with each target's type; empty: 1, so that a target's elements are
  /// summed.
  std::vector<Tensor> output_gradients = {};
  /// Result for a source that the targets do not depend on: kNone, an undefined tensor, or kZero, zeros.
  UnconnectedGradients unconnected_gradients = UnconnectedGradients::kNone;
};

/// Differentiated values: one target, or several whose gradients are added.
class Targets {
 public:
  Targets(const Tensor& target) : tensors_{target} {}
  Targets(std::vector<Tensor> targets) : tensors_(std::move(targets)) {}
  std::span<const Tensor> tensors() const { return {tensors_.data(), tensors_.size()}; }

 private:
  std::vector<Tensor> tensors_;
};

/// Records operations from its construction on, to compute gradients of their results.
///
///     GradientTape tape;
///     const Tensor loss = loss_of(model(x, {.training = true}), y);
///     const std::vector<Tensor> gradients = tape.gradient(loss, model.trainable_variables());
///
/// Works eagerly and inside a trace. A tape belongs to the mode, and to the loop body or branch, in which it
/// was made. It watches trainable variables that are read while it records, and tensors passed to watch();
/// values that do not depend on these are constants.
/// A variable's gradient is taken with respect to the values that were read from it while the tape recorded.
/// It does not pass through assignments, and excludes values read earlier or from another variable.
/// Operations count for a tensor if they run after it is watched. (In a trace, reads of one variable are one
/// tensor unless a tape, a pause or an assignment separates them.)
/// Tapes nest: an outer tape records the computations of an inner tape's gradient(), which gives second
/// derivatives.
/// Errors:   FailedPrecondition if a tape that is not persistent is used twice, or one is used outside the
///           function, loop body or branch that it was made in, and for undefined targets and sources;
///           InvalidArgument for targets or watched tensors that are not floating-point, and output gradients
///           of other types; Unimplemented, with op and layer, for an operation without a gradient.
/// Threads:  one thread: it records the operations of the thread that made it. It may be destroyed on any
///           other.
class GradientTape {
 public:
  explicit GradientTape(GradientTapeOptions options = {});
  ~GradientTape();
  GradientTape(const GradientTape&) = delete;
  GradientTape& operator=(const GradientTape&) = delete;

  /// Makes a tensor a source. A tensor made from a C++ number becomes a strong tensor of its dtype (numbers
  /// are constants).
  void watch(Tensor& x);
  /// Errors: InvalidArgument for a plain C++ number.
  void watch(const Tensor& x);
  void watch(std::vector<Tensor>& xs);
  void watch(const Variable& variable);

  /// d(sum of targets) / d(source), of the source's type; undefined if the targets do not depend on it.
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

  /// Pauses recording while it lives.
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
  /// Discards the record and continues recording.
  void reset();
  /// The variables watched so far, in the order of their first use; also after gradient().
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

/// Makes `tape` the tape that gradient() (gradient.h) uses on this thread outside traces, while it lives: for
/// a step that runs eagerly.
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
