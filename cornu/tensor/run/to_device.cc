#include <span>
#include <vector>

#include "cornu/tensor/trace/op_recorder.h"
#include "cornu/tensor/value/device.h"
#include "cornu/tensor/value/device_value.h"

namespace cornu::inline v0 {

Tensor to_device(const Tensor& tensor, StringViewArgument name) {
  const DeviceScope scope(name);
  if (tensor.is_symbolic()) return tensor;
  const Tensor moved = detail::on_placement(tensor, current_placement(), detail::current_device_index());
  // If the elements were not moved, tapes treat the tensor as the same value.
  if (moved.id() == tensor.id() || detail::op_recorders().empty()) return moved;
  const detail::CallBackwardFn backward = [from = tensor.device()](std::span<const Tensor> result_gradients,
                                                                   const std::vector<bool>&) {
    return std::vector<Tensor>{to_device(result_gradients[0], from)};
  };
  for (const auto& recorder : detail::op_recorders())
    recorder->record_call({&tensor, 1}, {&moved, 1}, backward);
  return moved;
}

}  // namespace cornu::inline v0
