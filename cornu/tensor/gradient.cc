#include "cornu/tensor/gradient.h"

#include "cornu/base/check.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/transform/gradient.h"

namespace cornu::inline v0 {
namespace {

std::vector<Tensor> gradient_of_values(const Tensor& loss, std::span<const ir::Value> wrt, Trace& trace) {
  std::vector<Tensor> gradients;
  const auto note = [&](ir::Value value, ir::Value gradient) { trace.note_gradient(value, gradient); };
  for (const ir::Value& value : transform::gradient(trace.builder(), trace.value_of(loss), wrt, {}, note))
    gradients.push_back(value ? trace.tensor(value) : Tensor());
  return gradients;
}

Trace& trace_for_gradient() {
  Trace* trace = Trace::current();
  if (trace == nullptr) fail(ErrorCode::kFailedPrecondition, "gradient() works inside a trace only");
  return *trace;
}

}  // namespace

std::vector<Tensor> gradient(const Tensor& loss, std::span<const Variable> variables) {
  if (Trace::current() == nullptr && detail::step_tape() != nullptr)
    return detail::step_tape()->gradient(loss, variables);
  Trace& trace = trace_for_gradient();
  std::vector<ir::Value> wrt;
  for (const Variable& variable : variables) wrt.push_back(trace.initial(variable).value());
  return gradient_of_values(loss, wrt, trace);
}

std::vector<Tensor> gradient(const Tensor& loss, std::span<const Tensor> tensors) {
  if (Trace::current() == nullptr && detail::step_tape() != nullptr) {
    std::vector<Tensor> gradients = detail::step_tape()->gradient(loss, tensors);
    for (std::size_t i = 0; i < tensors.size(); ++i)
      // A tape gives a tensor's gradient with respect to itself only if it watches the tensor.
      if (!gradients[i].defined() && !detail::step_tape()->gradient(tensors[i], tensors[i]).defined())
        fail(ErrorCode::kFailedPrecondition,
             "gradient() with respect to a tensor of shape {} that was not computed from variables: in a "
             "step that runs eagerly, use a GradientTape that watches it",
             ir::shape_str(tensors[i].shape()));
    return gradients;
  }
  Trace& trace = trace_for_gradient();
  std::vector<ir::Value> wrt;
  for (const Tensor& tensor : tensors) wrt.push_back(trace.value_of(tensor));
  return gradient_of_values(loss, wrt, trace);
}

}  // namespace cornu::inline v0
