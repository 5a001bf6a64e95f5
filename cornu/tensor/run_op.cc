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
std::vector<Tensor> run_now(std::span<const Tensor> inputs, BuildManyFn build) {
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
  const std::vector<ir::Value> built = build(builder, values);
  std::vector<std::unique_ptr<runtime::Buffer>> outputs;
  std::vector<runtime::Buffer*> state;
  for (const ir::Value& result : built) {
    function.body.add_argument(result.type());
    kinds.push_back(runtime::ArgumentKind::kState);
    outputs.push_back(client.allocate(result.type()));
    state.push_back(outputs.back().get());
  }
  function.body.set_results(built);
  const std::unique_ptr<runtime::Executable> executable = client.compile({&function, kinds, function.name});
  runtime::Execution execution;
  execution.state = state;
  execution.fixed = fixed;
  executable->execute(execution);
  std::vector<Tensor> results;
  for (const std::unique_ptr<runtime::Buffer>& output : outputs) {
    ir::Literal literal(output->type());
    output->copy_to_host(literal.mutable_bytes().data());
    results.emplace_back(literal);
  }
  return results;
}

thread_local std::vector<OpRecorder*> recorders;

}  // namespace

std::vector<Tensor> run_op_many(const OpKey& key, std::span<const Tensor> inputs, BuildManyFn build) {
  Trace* trace = Trace::current();
  if (trace == nullptr) {
    std::vector<Tensor> results = run_now(inputs, build);
    for (OpRecorder* recorder : recorders) recorder->record(key, inputs, results, build);
    return results;
  }
  std::vector<ir::Value> values;
  for (const Tensor& input : inputs) values.push_back(trace->value_of(input));
  std::vector<Tensor> results;
  for (const ir::Value& value : build(trace->builder(), values)) results.push_back(trace->tensor(value));
  return results;
}

Tensor run_op(const OpKey& key, std::span<const Tensor> inputs, BuildFn build) {
  return run_op_many(key, inputs, [&](ir::Builder& b, std::span<const ir::Value> v) { return std::vector<ir::Value>{build(b, v)}; })[0];
}

void push_op_recorder(OpRecorder* recorder) { recorders.push_back(recorder); }
void pop_op_recorder(OpRecorder* recorder) { std::erase(recorders, recorder); }
std::span<OpRecorder* const> op_recorders() { return recorders; }

}  // namespace cornu::detail
