#include "cornu/tensor/trace/variable_fill.h"

#include <utility>

#include "cornu/base/checked_size.h"
#include "cornu/tensor/trace/variable_state.h"
#include "cornu/tensor/value/placement.h"

namespace cornu::inline v0::detail {

Variable zero_variable(const TensorType& type, VariableOptions options) {
  ir::check_type(type);
  check_memory(type.size_bytes(), [&] { return type.str(); });
  Variable variable(ir::Literal(TensorType{type.dtype, {0}}), std::move(options));
  Variable::State& state = variable.state();
  const std::lock_guard lock(Variable::State::mutex());
  state.type = type;
  state.host_value.reset();
  return variable;
}

void fill_variable(const Variable& variable, const std::function<void(std::span<std::byte>)>& fill) {
  const std::size_t size_bytes = variable.type().size_bytes();
  const Placement here = current_placement();
  if (!here.client()->is_addressable()) {
    ir::Literal value(variable.type());
    fill(value.mutable_bytes());
    variable.load(value);
    return;
  }
  auto copy = std::make_unique<Variable::State::Copy>();
  copy->client = here.client();
  copy->buffer = copy->client->allocate(variable.type(), here.device());
  fill({copy->buffer->writable_host_data(), size_bytes});
  Variable::State& state = variable.state();
  const std::lock_guard lock(Variable::State::mutex());
  state.copies.push_back(std::move(copy));
  state.settle(state.copies.back().get(), true);
}

Tensor host_value(const Variable& variable) {
  const Variable::State& state = variable.state();
  const Variable::State::Copy* const now = state.authority.load(std::memory_order_acquire);
  const std::shared_ptr<const std::byte> bytes =
      now == nullptr || !now->client->is_addressable() ? nullptr : now->buffer->share();
  if (bytes == nullptr) return Tensor(variable.read());
  return Tensor::from_bytes(state.type, bytes.get(), state.type.size_bytes(), bytes);
}

}  // namespace cornu::inline v0::detail
