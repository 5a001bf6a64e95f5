#include "cornu/tensor/run/program_call.h"

#include <utility>

#include "cornu/runtime/host_view.h"
#include "cornu/tensor/value/device.h"
#include "cornu/tensor/value/device_value.h"

namespace cornu::inline v0::detail {

std::vector<Tensor> execute(runtime::Executable& executable, std::span<runtime::Buffer* const> state,
                            std::span<runtime::Buffer* const> fixed, std::span<const TensorType> outputs) {
  constexpr std::size_t kOnStack = 16;
  std::byte* on_stack[kOnStack];
  std::vector<std::byte*> on_heap(outputs.size() > kOnStack ? outputs.size() : 0);
  std::byte** addresses = on_heap.empty() ? on_stack : on_heap.data();
  std::vector<Tensor> results;
  results.reserve(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::size_t size_bytes = outputs[i].size_bytes();
    auto memory = std::make_shared_for_overwrite<std::byte[]>(size_bytes == 0 ? 1 : size_bytes);
    addresses[i] = memory.get();
    results.push_back(Tensor::from_bytes(outputs[i], addresses[i], size_bytes, std::move(memory)));
  }
  executable.run({.state = state, .fixed = fixed, .outputs = {addresses, outputs.size()}});
  return results;
}

std::vector<Tensor> execute_there(std::shared_ptr<runtime::Executable> executable, const Placement& placement,
                                  CallOperands operands, std::span<const TensorType> outputs) {
  for (const TensorType& type : outputs) {
    operands.outputs.push_back(placement.client()->allocate(type, placement.device()));
    operands.num_bytes += type.size_bytes();
  }
  const std::vector<std::shared_ptr<runtime::Buffer>> buffers = operands.outputs;
  const std::shared_ptr<SubmittedCall> call =
      submit_call(std::move(executable), placement, std::move(operands));
  const int index = index_of_device(placement.client().get(), placement.device());
  std::vector<Tensor> results;
  results.reserve(buffers.size());
  for (const std::shared_ptr<runtime::Buffer>& buffer : buffers)
    results.push_back(Tensor::on_buffer(std::make_shared<const DeviceValue>(placement.client(), buffer, call),
                                        index < 0 ? current_device_index() : index));
  return results;
}

std::vector<Tensor> call_program(std::shared_ptr<runtime::Executable> executable, const Placement& placement,
                                 std::span<const Tensor* const> inputs, std::span<const TensorType> outputs) {
  if (!placement.client()->is_addressable()) {
    const DeviceInputs uploaded(placement, inputs);
    return execute_there(std::move(executable), placement, uploaded.operands(), outputs);
  }
  std::vector<runtime::HostView> views;
  std::vector<runtime::Buffer*> fixed;
  views.reserve(inputs.size());
  fixed.reserve(inputs.size());
  for (const Tensor* input : inputs) {
    views.emplace_back(input->type()).look_at(input->bytes());
    fixed.push_back(&views.back());
  }
  return execute(*executable, {}, fixed, outputs);
}

}  // namespace cornu::inline v0::detail
