#include "cornu/backends/reference/interpreter.h"

#include "cornu/base/check.h"
#include "cornu/base/float_environment.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::reference {
namespace {

using ir::Literal;

void check_arguments(const ir::Function& function, std::span<const Literal> arguments) {
  const std::span<const ir::Value> parameters = function.body.arguments();
  if (arguments.size() != parameters.size())
    invalid_argument("function \"{}\" takes {} arguments; got {}", function.name, parameters.size(),
                     arguments.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (arguments[i].type() != parameters[i].type()) {
      invalid_argument("argument {} of function \"{}\" is {}; got {}", i, function.name,
                       parameters[i].type().str(), arguments[i].type().str());
    }
  }
}

}  // namespace

std::vector<Literal> evaluate(const ir::Function& function, std::span<const Literal> arguments) {
  check_arguments(function, arguments);
  const FloatEnvironment environment;
  return transform::evaluate(function, arguments);
}

}  // namespace cornu::inline v0::backends::reference
