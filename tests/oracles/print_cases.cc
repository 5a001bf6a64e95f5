// print_cases DIRECTORY: writes every conformance case (and the gradient of each differentiable one) for
// tools/oracles/stablehlo_oracle.py:
//   index.txt         a line a case: number, tab, name, tab, tolerance relative to the norm of each result
//   <number>.mlir     the module
//   <number>.mlirbc   the same as a portable artifact
//   <number>.inputs   a line an argument of main: dense<...> : tensor<...>
//   <number>.expected a line a result, from the reference backend
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/check.h"
#include "cornu/ir/bytecode/write.h"
#include "cornu/ir/print.h"
#include "cornu/ops/conformance_test_support.h"
#include "tests/conformance/gradient_function.h"

namespace {

using cornu::ir::Literal;

class Writer {
 public:
  explicit Writer(std::filesystem::path directory)
      : directory_(std::move(directory)), index_(directory_ / "index.txt") {}

  void write(const std::string& name, double tolerance_factor, const cornu::ir::Function& function,
             const std::vector<Literal>& inputs) {
    const std::vector<Literal> expected = cornu::backends::reference::evaluate(function, inputs);
    std::ofstream(directory_ / fmt::format("{}.mlir", next_)) << cornu::ir::to_stablehlo(function);
    std::ofstream(directory_ / fmt::format("{}.mlirbc", next_), std::ios::binary)
        << cornu::ir::to_bytecode(function);
    write_literals(".inputs", inputs);
    write_literals(".expected", expected);
    index_ << fmt::format("{}\t{}\t{}\n", next_, name, tolerance_factor);
    ++next_;
  }

  int count() const { return next_; }

 private:
  void write_literals(const char* extension, const std::vector<Literal>& literals) {
    std::ofstream file(directory_ / fmt::format("{}{}", next_, extension));
    for (const Literal& literal : literals)
      file << cornu::ir::dense_str(literal) << " : " << literal.type().str() << "\n";
  }

  std::filesystem::path directory_;
  std::ofstream index_;
  int next_ = 0;
};

int run(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  Writer writer(directory);
  for (const cornu::ops::ConformanceCase& row : cornu::ops::conformance_cases()) {
    const std::vector<Literal> inputs = cornu::ops::make_inputs(row);
    writer.write(row.name, row.tolerance_factor, *cornu::ops::make_function(row), inputs);
    if (row.differentiable)
      writer.write(row.name + "/gradient", row.tolerance_factor, *cornu::ops::make_gradient_function(row),
                   inputs);
  }
  fmt::print("{} modules\n", writer.count());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: print_cases DIRECTORY\n");
    return 2;
  }
  try {
    return run(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "print_cases: {}\n", error.what());
    return 1;
  }
}
