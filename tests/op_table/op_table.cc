// op_table [FILE]: prints docs/ops.md from the registry and the conformance table; with a file, fails unless
// the file is that text.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/registry.h"
#include "tests/conformance/gradient_function.h"

namespace {

using cornu::ir::DType;

/// What the conformance rows say of an op.
struct Row {
  std::set<DType> dtypes;
  bool has_gradient = false;
};

/// The dtype that tells the variants of an op apart: its first operand's, or what it makes of none.
DType dtype_of(const cornu::ir::Op& op) {
  const std::string_view name = op.name();
  // Their first operand is a predicate, an index or a bound's counter.
  const bool by_result =
      name == "select" || name == "if" || name == "case" || name == "while" || op.operands().empty();
  return by_result ? op.results().back().dtype() : op.operand(0).dtype();
}

/// Whether anything flows: a rule may be there and pass nothing.
bool has_gradient(const cornu::ops::ConformanceCase& row) {
  if (!row.differentiable) return false;
  const auto num_floats = std::count_if(
      row.inputs.begin(), row.inputs.end(),
      [](const cornu::ops::ConformanceInput& input) { return cornu::ir::is_float(input.type.dtype); });
  return cornu::ops::inputs_without_gradient(row).size() < static_cast<std::size_t>(num_floats);
}

void read(const cornu::ir::Block& block, bool differentiable, std::map<std::string_view, Row>& rows) {
  for (const auto& op : block.ops()) {
    Row& row = rows[op->name()];
    const DType dtype = dtype_of(*op);
    row.dtypes.insert(dtype);
    row.has_gradient = row.has_gradient || (differentiable && cornu::ir::is_differentiable(dtype));
  }
}

std::string names(const std::set<DType>& dtypes) {
  constexpr std::size_t kNumReal = 13;
  const auto is_complex = [](DType dtype) { return cornu::ir::is_complex(dtype); };
  const auto num_complex = std::count_if(dtypes.begin(), dtypes.end(), is_complex);
  const bool has_all = dtypes.size() - static_cast<std::size_t>(num_complex) == kNumReal;
  std::string text = !has_all ? "" : num_complex > 0 ? "all and" : "all";
  for (DType dtype : dtypes)
    if (!has_all || is_complex(dtype))
      text += fmt::format("{}{}", text.empty() ? "" : " ", cornu::ir::stablehlo_name(dtype));
  return text;
}

std::string cpu_engine(std::string_view op) {
  for (const cornu::backends::cpu::CpuOp& row : cornu::backends::cpu::all_cpu_ops())
    if (row.name == op && !row.falls_back.empty())
      return fmt::format("native; reference kernel: {}", row.falls_back);
  return "native";
}

/// An op whose gradient rule passes nothing, or that has none: rows that are marked differentiable decide.
std::string gradient(const cornu::ir::OpDef& def, const Row& row) {
  if (!row.has_gradient) return "none";
  return def.gradient != nullptr ? "yes" : "by its decomposition";
}

/// The functions whose results are not always the nearest numbers.
std::string accuracy() {
  std::string text =
      "\n## Accuracy on the CPU\n\n"
      "Largest errors in units in the last place, at every instruction set level, compiled or eager (which "
      "are "
      "equal to the bit);\n"
      "f16 and bf16 are computed as f32 and rounded. Sums and products differ: their order depends on the "
      "program. All other ops give\n"
      "the nearest number.\n\n"
      "| op | f32 | f64 |\n| --- | --- | --- |\n";
  for (const cornu::backends::cpu::CpuOp& row : cornu::backends::cpu::all_cpu_ops())
    if (row.error_bound.f32 > 0)
      text += fmt::format("| {} | {} | {} |\n", row.name, row.error_bound.f32, row.error_bound.f64);
  return text;
}

std::string table() {
  std::map<std::string_view, Row> rows;
  for (const cornu::ops::ConformanceCase& row : cornu::ops::conformance_cases()) {
    // An op that a row is about begins the row's name; constants and the like are everywhere.
    std::map<std::string_view, Row> found;
    read(cornu::ops::make_function(row)->body, has_gradient(row), found);
    for (const auto& [name, part] : found) {
      Row& whole = rows[name];
      whole.dtypes.insert(part.dtypes.begin(), part.dtypes.end());
      const std::string_view plain = name.substr(name.rfind('.') + 1);
      whole.has_gradient =
          whole.has_gradient || (part.has_gradient && std::string_view(row.name).starts_with(plain));
    }
  }
  std::vector<const cornu::ir::OpDef*> defs(cornu::ops::all_op_defs().begin(),
                                            cornu::ops::all_op_defs().end());
  std::sort(defs.begin(), defs.end(), [](auto* a, auto* b) { return a->name < b->name; });
  std::string text =
      "# Ops\n\n"
      "Made by `build/release/bin/op_table > docs/ops.md` from the registry and the conformance table; a "
      "test compares.\n\n"
      "An op is StableHLO's of that name, a name that begins with `cornu.` or `chlo.` a composite. Every op "
      "has a "
      "kernel, or for a composite a\n"
      "definition, on the reference backend in each of its dtypes. On the CPU engine an op is native "
      "(compiled) or runs by that reference\n"
      "kernel.\n\n"
      "| op | dtypes | gradient | CPU engine |\n| --- | --- | --- | --- |\n";
  for (const cornu::ir::OpDef* def : defs) {
    const Row& row = rows[def->name];
    text += fmt::format("| {} | {} | {} | {} |\n", def->name, names(row.dtypes), gradient(*def, row),
                        cpu_engine(def->name));
  }
  return text + accuracy();
}

int check(const char* path) {
  std::stringstream file;
  file << std::ifstream(path).rdbuf();
  if (file.str() == table()) return 0;
  fmt::print(stderr, "{} is not up to date: run op_table > docs/ops.md\n", path);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 1) return check(argv[1]);
    std::cout << table();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "op_table: {}\n", error.what());
    return 1;
  }
}
