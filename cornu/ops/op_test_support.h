#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/error.h"
#include "cornu/ir/builder.h"

/// Small helpers for the tests of ops (they link the reference backend).
namespace cornu::inline v0::ops {

/// Builds a function of arguments shaped like `inputs` and runs it; the results.
template <typename Build>
std::vector<ir::Literal> run_op(const std::vector<ir::Literal>& inputs, Build&& build) {
  ir::Function function;
  function.name = "main";
  for (const ir::Literal& input : inputs) function.body.add_argument(input.type());
  ir::Builder builder(function.body);
  function.body.set_results({build(builder, function.body.arguments())});
  return backends::reference::evaluate(function, inputs);
}

/// The message of the Error that building with arguments of these types throws; empty when nothing is thrown.
template <typename Build>
std::string build_error(const std::vector<ir::TensorType>& types, Build&& build) {
  ir::Block block;
  for (const ir::TensorType& type : types) block.add_argument(type);
  ir::Builder builder(block);
  try {
    build(builder, block.arguments());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

template <typename T>
std::vector<T> elements(const ir::Literal& literal) {
  return {literal.data<T>().begin(), literal.data<T>().end()};
}

}  // namespace cornu::inline v0::ops
