#include "cli/grad.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/emit.h"
#include "cli/program_file.h"
#include "cornu/base/check.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/parse.h"
#include "cornu/transform/gradient.h"
#include "cornu/transform/simplify.h"

namespace cornu::inline v0::cli {
namespace {

struct GradCommand {
  std::string file;
  std::string form = "text";
  GradientOptions gradient;
};

std::vector<ir::Value> float_arguments(const ir::Block& body) {
  std::vector<ir::Value> found;
  for (const ir::Value& argument : body.arguments())
    if (ir::is_float(argument.dtype())) found.push_back(argument);
  if (found.empty())
    invalid_argument(
        "[grad] the program has no floating-point argument: there is nothing to differentiate by");
  return found;
}

std::vector<ir::Value> chosen_arguments(const ir::Block& body, const std::vector<std::size_t>& wrt) {
  if (wrt.empty()) return float_arguments(body);
  std::vector<ir::Value> chosen;
  for (const std::size_t i : wrt) {
    if (i >= body.arguments().size())
      invalid_argument("[grad] the program has {} arguments, numbered from 0; there is no argument {}",
                       body.arguments().size(), i);
    const ir::Value argument = body.arguments()[i];
    if (!ir::is_float(argument.dtype()))
      invalid_argument("[grad] argument {} is {}: only floating-point arguments have a gradient", i,
                       argument.type().str());
    if (std::find(chosen.begin(), chosen.end(), argument) != chosen.end())
      invalid_argument("[grad] argument {} is given twice", i);
    chosen.push_back(argument);
  }
  return chosen;
}

/// The result to differentiate.
ir::Value first_result(const ir::Block& body, bool has_cotangent) {
  if (body.results().empty()) invalid_argument("[grad] the program has no result to differentiate");
  const ir::Value result = body.results()[0];
  if (!ir::is_float(result.dtype()))
    invalid_argument("[grad] the first result is {}; it must be floating-point", result.type().str());
  if (result.rank() != 0 && !has_cotangent)
    invalid_argument(
        "[grad] the first result is {}, and no scalar: return a loss first, or add --cotangent for the "
        "gradient "
        "of a loss with respect to this result as a last argument",
        result.type().str());
  return result;
}

void grad(const GradCommand& command) {
  const ir::ParsedModule parsed = ops::parse_stablehlo(read_program(command.file), {.name = command.file});
  emit_program(*gradient_program(parsed.entry(), command.gradient), command.form);
}

}  // namespace

std::unique_ptr<ir::Function> gradient_program(const ir::Function& program, const GradientOptions& options) {
  // Simplified first: rules look at constants, which JAX broadcasts to their own shape.
  const std::unique_ptr<ir::Function> whole = transform::simplify(program, {.inline_composites = false});
  ir::Block& body = whole->body;
  const ir::Value result = first_result(body, options.cotangent);
  const std::vector<ir::Value> wrt = chosen_arguments(body, options.wrt);
  std::vector<ir::Op*> ops;
  for (const auto& op : body.ops()) ops.push_back(op.get());
  const ir::Value cotangent = options.cotangent ? body.add_argument(result.type()) : ir::Value();
  ir::Builder builder(body);
  std::vector<ir::Value> gradients =
      transform::vector_jacobian_product(builder, {&result, 1}, {&cotangent, 1}, wrt, ops);
  for (std::size_t i = 0; i < wrt.size(); ++i)
    if (!gradients[i]) gradients[i] = ops::full(builder, wrt[i].type(), 0);
  body.set_results(std::move(gradients));
  return transform::simplify(*whole, {.inline_composites = false});  // drops what only the results need
}

void add_grad(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("grad", "Prints the gradient of a StableHLO program, as a StableHLO program");
  const auto options = std::make_shared<GradCommand>();
  command
      ->add_option(
          "file", options->file,
          "The program, text or bytecode. Its first result must be a floating-point scalar, the loss")
      ->required();
  command
      ->add_option("--wrt", options->gradient.wrt,
                   "Numbers of the arguments, from 0 on, by which the loss is differentiated; by default all "
                   "floating-point ones. The gradient's results are in this order")
      ->type_name("NUMBERS")
      ->delimiter(',')
      ->check(whole_number(0));
  command->add_flag("--cotangent", options->gradient.cotangent,
                    "Add a last argument, the gradient of a loss with respect to the first result, which may "
                    "then have any shape");
  add_emit_option(*command, options->form,
                  "The form of the printed program: text (the default), or bytecode, a portable artifact");
  command->callback([options] { grad(*options); });
}

}  // namespace cornu::inline v0::cli
