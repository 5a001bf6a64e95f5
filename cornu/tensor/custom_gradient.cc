#include "cornu/tensor/custom_gradient.h"

#include "cornu/base/check.h"
#include "cornu/ops/custom_gradient/custom_gradient.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/tape.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0::detail {
namespace {

/// Checks the results of the user's gradient function, and returns them.
std::vector<Tensor> checked_gradients(std::span<const Tensor> inputs, std::vector<Tensor> gradients) {
  if (gradients.size() != inputs.size())
    invalid_argument(
        "[custom_gradient] the gradient function must return {} gradients, one an argument; got {}",
        inputs.size(), gradients.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!gradients[i].defined()) continue;
    if (gradients[i].is_weak() && inputs[i].rank() == 0)
      gradients[i] = gradients[i].strong_scalar(inputs[i].dtype());
    if (gradients[i].type() != inputs[i].type())
      invalid_argument("[custom_gradient] gradient {} is {}; its argument is {}", i,
                       type_str(gradients[i].type()), type_str(inputs[i].type()));
  }
  return gradients;
}

std::vector<Tensor> zeros_for_undefined(std::span<const Tensor> results, std::span<const Tensor> gradients) {
  std::vector<Tensor> all(gradients.begin(), gradients.end());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!all[i].defined()) all[i] = Tensor::zeros(results[i].shape(), results[i].dtype());
  return all;
}

std::vector<Tensor> traced(Trace& trace, std::span<const Tensor> inputs, std::span<const Tensor> results,
                           const BackwardFn& backward) {
  Trace::Region region(trace, "the gradient function of custom_gradient");
  std::vector<Tensor> result_gradients;
  for (const Tensor& result : results) result_gradients.push_back(region.add_argument(result.type()));
  std::vector<Tensor> gradients = checked_gradients(inputs, backward(result_gradients));
  std::vector<Tensor> reached;  // the inputs that have a gradient; only these are operands of the op
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (gradients[i].defined()) reached.push_back(inputs[i]);
  std::erase_if(gradients, [](const Tensor& gradient) { return !gradient.defined(); });
  region.close(gradients);
  Trace::ClosedBlock closed = trace.closed_block(region);

  std::vector<ir::Value> result_values, input_values;
  for (const Tensor& result : results) result_values.push_back(trace.value_of(result));
  for (const Tensor& input : reached) input_values.push_back(trace.value_of(input));
  std::vector<Tensor> made;
  for (const ir::Value& value : ops::custom_gradient(trace.builder(), result_values, input_values,
                                                     closed.captured, std::move(closed.block)))
    made.push_back(trace.tensor(value));
  return made;
}

}  // namespace

std::vector<Tensor> with_gradient(std::span<const Tensor> inputs, std::span<const Tensor> results,
                                  const BackwardFn& backward) {
  if (Trace* trace = Trace::current()) return traced(*trace, inputs, results, backward);
  std::vector<Tensor> made;
  for (const Tensor& result : results) made.push_back(with_new_identity(result));
  if (op_recorders().empty()) return made;
  const CallBackwardFn checked = [kept_inputs = std::vector<Tensor>(inputs.begin(), inputs.end()),
                                  kept_results = made, backward](std::span<const Tensor> result_gradients,
                                                                 const std::vector<bool>&) {
    return checked_gradients(kept_inputs, backward(zeros_for_undefined(kept_results, result_gradients)));
  };
  for (const auto& recorder : op_recorders()) recorder->record_call(inputs, made, checked);
  return made;
}

}  // namespace cornu::inline v0::detail
