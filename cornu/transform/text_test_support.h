#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/ir/builder.h"
#include "cornu/ir/print.h"
#include "cornu/ir/verify.h"

/// Shared by the tests of passes: graph in, graph out.
namespace cornu::inline v0::transform {

/// Makes a function with arguments of these types.
template <typename Build>
std::unique_ptr<ir::Function> make_function(const std::vector<ir::TensorType>& types, Build&& build) {
  auto function = std::make_unique<ir::Function>();
  function->name = "main";
  for (const ir::TensorType& type : types) function->body.add_argument(type);
  ir::Builder builder(function->body);
  function->body.set_results(build(builder, function->body.arguments()));
  ir::verify(*function);
  return function;
}

/// The lines of the function's body, without indentation.
inline std::string body_text(const ir::Function& function) {
  std::string text = ir::to_stablehlo(function), result;
  text = text.substr(text.find("{\n", text.find("func.func")) + 2);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t first = text.find_first_not_of(' ', at);
    if (first < end && text[first] == '}' && end - first == 1 && text.substr(at, first - at).size() <= 2)
      break;
    if (first < end) result += text.substr(first, end - first) + "\n";
    at = end + 1;
  }
  return result;
}

}  // namespace cornu::inline v0::transform
