#include "cornu/tensor/run_op.h"

#include "cornu/base/check.h"
#include "cornu/runtime/client.h"
#include "cornu/tensor/trace.h"

namespace cornu::detail {
namespace {

const std::shared_ptr<runtime::Client>& eager_client() {
  static const std::shared_ptr<runtime::Client> client = runtime::make_client("reference");
  return client;
}

// The result is a state argument, because outputs of a step program must have a batch dimension.
Tensor run_now(std::span<const Tensor> inputs, const BuildFn& build) {
  runtime::Client& client = *eager_client();
  ir::Function function;
  function.name = "eager";
  ir::Builder builder(function.body);
  std::vector<ir::Value> values;
  std::vector<runtime::ArgumentKind> kinds;
  std::vector<std::unique_ptr<runtime::Buffer>> buffers;
  std::vector<runtime::Buffer*> fixed;
  for (const Tensor& input : inputs) {
    if (input.is_symbolic())
      fail(ErrorCode::kFailedPrecondition, "a symbolic tensor ({}) is used outside the program that it was traced for",
           type_str(input.type()));
    const std::byte* data = input.bytes();
    values.push_back(function.body.add_argument(input.type()));
    kinds.push_back(runtime::ArgumentKind::kFixed);
    buffers.push_back(client.allocate(input.type()));
    buffers.back()->copy_from_host(data);
    fixed.push_back(buffers.back().get());
  }
  const ir::Value result = build(builder, values);
  function.body.add_argument(result.type());
  kinds.push_back(runtime::ArgumentKind::kState);
  function.body.set_results({result});
  const std::unique_ptr<runtime::Buffer> out = client.allocate(result.type());
  runtime::Buffer* const state = out.get();
  const std::unique_ptr<runtime::Executable> executable = client.compile({&function, kinds, function.name});
  runtime::Execution execution;
  execution.state = {&state, 1};
  execution.fixed = fixed;
  executable->execute(execution);
  ir::Literal literal(result.type());
  out->copy_to_host(literal.mutable_bytes().data());
  return Tensor(literal);
}

}  // namespace

Tensor run_op(std::span<const Tensor> inputs, const BuildFn& build) {
  Trace* trace = Trace::current();
  if (trace == nullptr) return run_now(inputs, build);
  std::vector<ir::Value> values;
  for (const Tensor& input : inputs) values.push_back(trace->value_of(input));
  return trace->tensor(build(trace->builder(), values));
}

}  // namespace cornu::detail
