#include "cornu/keras/export/export_model.h"

#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/io/file.h"
#include "cornu/ir/bytecode/write.h"
#include "cornu/ir/clone.h"
#include "cornu/keras/export/onnx_export_support.h"
#include "cornu/keras/files/model_files_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/tensor/trace.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::int64_t kOldestOpset = 18, kNewestOpset = 22;

std::vector<KerasTensor> inputs_of(const Model& model) {
  if (!model.built() || model.inputs().empty())
    fail(ErrorCode::kFailedPrecondition, {.model = model.name()},
         "[export_model] the model \"{}\" has no graph: build it, or give it an Input", model.name());
  return model.inputs();
}

/// The program of a prediction of `batch_size` rows: arguments are the inputs, then the weights.
TracedProgram prediction_program(const Model& model, std::int64_t batch_size) {
  Trace trace("main");
  const Trace::Scope scope(trace);
  std::vector<Tensor> inputs;
  for (const KerasTensor& input : inputs_of(model)) {
    TensorType type = input.type();
    if (type.dims.empty()) invalid_argument("[export_model] the input \"{}\" has no batch", input.name());
    type.dims[0] = batch_size;
    for (const std::int64_t extent : type.dims)
      if (extent == kUnknown)
        invalid_argument(
            "[export_model] a StableHLO program has fixed extents; the input \"{}\" has open ones: make "
            "the model with a fixed input shape, or export it as ONNX",
            input.name());
    inputs.push_back(trace.add_parameter(type));
  }
  const std::vector<Tensor> outputs = model.call_many(TensorList(inputs), {.training = false});
  TracedProgram program = trace.finish(outputs);
  if (!program.state.empty())
    fail(ErrorCode::kUnimplemented, {.model = model.name()},
         "[export_model] predictions of the model \"{}\" change its state \"{}\", which an exported program "
         "cannot hold",
         model.name(), program.state[0].path());
  return program;
}

/// The program with the weights as constants.
std::unique_ptr<ir::Function> with_constants(const TracedProgram& program) {
  auto function = std::make_unique<ir::Function>();
  function->name = program.function->name;
  ir::Builder builder(function->body);
  ir::ValueMap map;
  const std::span<const ir::Value> arguments = program.function->body.arguments();
  const std::size_t num_inputs = arguments.size() - program.fixed.size();
  for (std::size_t i = 0; i < num_inputs; ++i)
    map[arguments[i]] = function->body.add_argument(arguments[i].type());
  for (std::size_t i = 0; i < program.fixed.size(); ++i)
    map[arguments[num_inputs + i]] = ops::constant(builder, program.fixed[i].read());
  function->body.set_results(ir::clone_ops(builder, program.function->body, map));
  return function;
}

std::string stablehlo(const Model& model, const ExportOptions& options) {
  const TracedProgram program = prediction_program(model, options.batch_size.value_or(1));
  if (options.weights_as_arguments) return ir::to_bytecode(*program.function);
  return ir::to_bytecode(*with_constants(program));
}

std::vector<OnnxGraph::Extent> extents_of(const KerasTensor& tensor, std::optional<std::int64_t> batch_size) {
  std::vector<OnnxGraph::Extent> extents;
  for (std::size_t i = 0; i < tensor.shape().size(); ++i) {
    const std::int64_t extent = i == 0 && batch_size.has_value() ? *batch_size : tensor.shape()[i];
    OnnxGraph::Extent& made = extents.emplace_back();
    if (extent == kUnknown) {
      made.name = i == 0 ? "batch" : fmt::format("{}_{}", tensor.name(), i);
    } else {
      made.value = extent;
    }
  }
  return extents;
}

std::string onnx(const Model& model, const ExportOptions& options) {
  OnnxGraph graph(model.name());
  OnnxExport exported(graph);
  const std::vector<KerasTensor> inputs = inputs_of(model), outputs = model.outputs();
  std::vector<OnnxValue> values;
  for (const KerasTensor& input : inputs) {
    const std::string& name = input.node().layer->name();
    graph.add_input(name, input.dtype(), extents_of(input, options.batch_size));
    values.push_back(exported.made_last(input.rank(), name));
  }
  std::vector<OnnxValue> results = exported.run(inputs, std::move(values), outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string name = fmt::format("output_{}", i);
    graph.rename(exported.last(results[i]), name);
    graph.add_output(name, outputs[i].dtype(), extents_of(outputs[i], options.batch_size));
  }
  return graph.model(static_cast<int>(options.opset));
}

}  // namespace

void export_model(const Model& model, const StringArgument& path, const ExportOptions& options) {
  const std::string file = path;
  const std::string format = !options.format.empty()   ? options.format
                             : file.ends_with(".onnx") ? "onnx"
                                                       : "stablehlo";
  if (format != "onnx" && format != "stablehlo")
    invalid_argument({.argument = "format"},
                     "[export_model] format must be \"onnx\" or \"stablehlo\"; got \"{}\"", format);
  if (options.batch_size.has_value() && *options.batch_size < 1)
    invalid_argument({.argument = "batch_size"}, "[export_model] batch_size must be positive; got {}",
                     *options.batch_size);
  if (options.opset < kOldestOpset || options.opset > kNewestOpset)
    invalid_argument({.argument = "opset"}, "[export_model] opset must be from {} to {}; got {}",
                     kOldestOpset, kNewestOpset, options.opset);
  if (options.format.empty() && files::format_of(file).has_value())
    invalid_argument({.argument = "path"},
                     "[export_model] {} is named like a file of a model or of weights, which save() and "
                     "save_weights() write; name the program .onnx or .mlirbc",
                     file);
  const std::string content = format == "onnx" ? onnx(model, options) : stablehlo(model, options);
  io::WholeFile whole(file);
  whole.write(std::as_bytes(std::span(content)));
  whole.commit();
}

}  // namespace cornu::inline v0::keras
