#include "cornu/tensor/gradient_tape.h"

#include <array>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/all.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/tape.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0 {
namespace {

void check_float(const char* what, const Tensor& x) {
  if (!ir::is_float(x.dtype()))
    invalid_argument("[gradient_tape] {} must be floating-point; got {}", what, type_str(x.type()));
}

Tensor zeros_like(const Tensor& x) { return Tensor::zeros(x.shape(), x.dtype()); }
Tensor zeros_like(const Variable& x) { return Tensor::zeros(x.shape(), x.dtype()); }

/// Checks the output gradients, one for each target, and returns them.
std::vector<Tensor> checked_output_gradients(std::span<const Tensor> targets,
                                             const std::vector<Tensor>& given) {
  for (const Tensor& target : targets) check_float("a target", target);
  std::vector<Tensor> gradients(targets.size());
  if (given.empty()) return gradients;
  if (given.size() != targets.size())
    invalid_argument("[gradient_tape] there are {} targets and {} output_gradients", targets.size(),
                     given.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    gradients[i] = given[i].is_weak() ? given[i].strong_scalar(targets[i].dtype()) : given[i];
    if (gradients[i].defined() && gradients[i].type() != targets[i].type())
      invalid_argument("[gradient_tape] output gradient {} is {}; its target is {}", i,
                       type_str(gradients[i].type()), type_str(targets[i].type()));
  }
  return gradients;
}

}  // namespace

GradientTape::GradientTape(GradientTapeOptions options)
    : options_(options),
      tape_(Trace::current() != nullptr ? detail::make_trace_tape(options.watch_accessed_variables)
                                        : detail::make_eager_tape(options.watch_accessed_variables)) {}
GradientTape::~GradientTape() { tape_->close(); }

void GradientTape::watch(Tensor& x) {
  if (x.is_weak()) x = x.strong_scalar(x.dtype());
  watch(static_cast<const Tensor&>(x));
}

void GradientTape::watch(const Tensor& x) {
  check_float("a watched tensor", x);
  if (x.is_weak())
    invalid_argument(
        "[gradient_tape] a C++ number is a constant; watch a variable of type Tensor that holds it");
  tape_->check_usable();
  tape_->watch(x);
}

void GradientTape::watch(std::vector<Tensor>& xs) {
  for (Tensor& x : xs) watch(x);
}

void GradientTape::watch(const Variable& variable) {
  if (!ir::is_float(variable.dtype()))
    invalid_argument("[gradient_tape] variable \"{}\" must be floating-point; got {}", variable.path(),
                     type_str(variable.type()));
  tape_->watch(variable);
}

void GradientTape::use(const char* method) {
  if (used_ && !options_.persistent)
    fail(ErrorCode::kFailedPrecondition,
         "[gradient_tape] {}() is called on a tape that was used already; make it with {{.persistent = "
         "true}} to use it more than once",
         method);
  tape_->check_usable();
}

/// Frees the record of a tape that cannot be used again.
void GradientTape::finish() {
  used_ = true;
  if (!options_.persistent) tape_->finish();
}

template <typename Sources>
std::vector<Tensor> GradientTape::gradients(const Targets& targets, const Sources& sources,
                                            const GradientOptions& options) {
  use("gradient");
  for (const auto& source : sources) source.type();  // throws when undefined
  const std::vector<Tensor> seeds = checked_output_gradients(targets.tensors(), options.output_gradients);
  std::vector<Tensor> result;
  {
    const Pause pause(tape_);
    result = tape_->gradient(targets.tensors(), seeds, sources);
    if (options.unconnected_gradients == UnconnectedGradients::kZero)
      for (std::size_t i = 0; i < result.size(); ++i)
        if (!result[i].defined()) result[i] = zeros_like(sources[i]);
  }
  finish();
  return result;
}

Tensor GradientTape::gradient(const Targets& targets, const Tensor& source, const GradientOptions& options) {
  return gradients(targets, std::span<const Tensor>(&source, 1), options)[0];
}
Tensor GradientTape::gradient(const Targets& targets, const Variable& source,
                              const GradientOptions& options) {
  return gradients(targets, std::span<const Variable>(&source, 1), options)[0];
}
std::vector<Tensor> GradientTape::gradient(const Targets& targets, std::span<const Tensor> sources,
                                           const GradientOptions& options) {
  return gradients(targets, sources, options);
}
std::vector<Tensor> GradientTape::gradient(const Targets& targets, std::span<const Variable> sources,
                                           const GradientOptions& options) {
  return gradients(targets, sources, options);
}

namespace {

/// The gradients for `count` seeds, stacked; undefined where none flows. `seed_of` makes a target gradient of
/// a one-hot vector.
template <typename Source, typename SeedOf>
Tensor stacked_gradients(detail::Tape& tape, const Tensor& target, const Source& source, std::int64_t count,
                         SeedOf seed_of) {
  bool connected = false;
  const Tensor rows = map(
      [&](const Tensor& i) {
        const Tensor seed = seed_of(ops::one_hot(i, count, target.dtype()));
        const Tensor gradient =
            tape.gradient({&target, 1}, {&seed, 1}, std::span<const Source>(&source, 1))[0];
        connected = gradient.defined();
        return connected ? gradient : zeros_like(source);
      },
      ops::arange(count));
  return connected ? rows : Tensor();
}

Dims concatenated(const Dims& a, std::span<const std::int64_t> b) {
  Dims all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

}  // namespace

template <typename Source>
Tensor GradientTape::jacobian_of(const Tensor& target, const Source& source, const GradientOptions& options) {
  use("jacobian");
  check_float("the target", target);
  source.type();  // throws when undefined
  Tensor result;
  {
    const Pause pause(tape_);
    const Tensor rows =
        stacked_gradients(*tape_, target, source, ops::size(target),
                          [&](const Tensor& one_hot) { return ops::reshape(one_hot, target.shape()); });
    const Dims shape = concatenated(target.shape(), source.shape());
    if (rows.defined()) {
      result = ops::reshape(rows, shape);
    } else if (options.unconnected_gradients == UnconnectedGradients::kZero) {
      result = Tensor::zeros(shape, source.dtype());
    }
  }
  finish();
  return result;
}

Tensor GradientTape::jacobian(const Tensor& target, const Tensor& source, const GradientOptions& options) {
  return jacobian_of(target, source, options);
}
Tensor GradientTape::jacobian(const Tensor& target, const Variable& source, const GradientOptions& options) {
  return jacobian_of(target, source, options);
}

Tensor GradientTape::batch_jacobian(const Tensor& target, const Tensor& source,
                                    const GradientOptions& options) {
  use("batch_jacobian");
  check_float("the target", target);
  if (target.rank() < 1 || source.rank() < 1 || target.shape()[0] != source.shape()[0])
    invalid_argument(
        "[gradient_tape] batch_jacobian needs a target and a source of one first extent; got {} and {}",
        ir::shape_str(target.shape()), ir::shape_str(source.shape()));
  const std::int64_t batch = target.shape()[0], columns = batch == 0 ? 0 : target.num_elements() / batch;
  const Dims shape = concatenated(target.shape(), std::span(source.shape()).subspan(1));
  Tensor result;
  {
    const Pause pause(tape_);
    const Tensor rows = stacked_gradients(*tape_, target, source, columns, [&](const Tensor& one_hot) {
      const Tensor seed = ops::reshape(ops::broadcast_to(one_hot, {batch, columns}), target.shape());
      Trace::note_shaped_like(seed, target, false);
      return seed;
    });
    if (rows.defined()) {  // [columns, batch, j...]
      Dims permutation = {1, 0};
      for (std::int64_t d = 2; d < rows.rank(); ++d) permutation.push_back(d);
      result = ops::reshape(ops::transpose(rows, permutation), shape);
    } else if (options.unconnected_gradients == UnconnectedGradients::kZero) {
      result = Tensor::zeros(shape, source.dtype());
    }
    if (result.defined()) Trace::note_shaped_like(result, target, false);
  }
  finish();
  return result;
}

GradientTape::Pause::Pause(std::shared_ptr<detail::Tape> tape)
    : tape_(std::move(tape)), before_(tape_->is_recording()) {
  tape_->set_recording(false);
}
GradientTape::Pause::~Pause() { tape_->set_recording(before_); }

void GradientTape::reset() {
  tape_->check_usable();
  tape_->clear();
  tape_->set_recording(true);
  used_ = false;
}

std::vector<Variable> GradientTape::watched_variables() const { return tape_->watched_variables(); }

namespace detail {
namespace {

thread_local GradientTape* current_step_tape = nullptr;

}  // namespace

StepTapeScope::StepTapeScope(GradientTape* tape) : before_(std::exchange(current_step_tape, tape)) {}
StepTapeScope::~StepTapeScope() { current_step_tape = before_; }
GradientTape* step_tape() { return current_step_tape; }

}  // namespace detail

namespace ops {

Tensor stop_gradient(const Tensor& x) {
  Trace* trace = Trace::current();
  if (trace != nullptr)
    return ir::is_differentiable(x.dtype())
               ? trace->tensor(stop_gradient(trace->builder(), trace->value_of(x)))
               : x;
  return detail::with_new_identity(x);
}

}  // namespace ops

}  // namespace cornu::inline v0
