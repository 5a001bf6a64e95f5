#include "cli/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/check_ops.h"
#include "cli/commands.h"
#include "cli/parallel_programs.h"
#include "cli/program_file.h"
#include "cornu/base/check.h"
#include "cornu/ir/bytecode/read.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::string archive;
  bool must_fail = false;
  MachineOptions machine;
};

/// The first check that a function fails; empty if it passes.
std::string failure_of(const ir::Module& module, const ir::Function& function, runtime::Client& client) {
  const CheckedFunction checked = without_checks(*with_replicas(module, function));
  const std::vector<ir::Literal> results = CompiledFunction(*checked.function, client).run({});
  for (const Check& check : checked.checks) {
    const ir::Literal& expected =
        check.expected.has_value() ? results[*check.expected] : check.constant.value();
    const std::string found = difference(results[check.actual], expected, check.rule);
    if (!found.empty()) return fmt::format("[{}] {}", check.name, found);
  }
  return "";
}

void print_failure(const std::string& what) { fmt::print("{}\n", what); }

/// Checks the functions of one part.
CheckCounts check_chunk(const std::string& path, const ProgramChunk& chunk, runtime::Client& client) {
  CheckCounts counts;
  ir::ParsedModule parsed;
  try {
    parsed = ops::parse_stablehlo(chunk.text, {.name = path}, &find_op_or_check);
  } catch (const Error& error) {
    print_failure(error.what());
    counts.failed = 1;
    return counts;
  }
  for (const auto& function : parsed.module.functions) {
    if (!function->body.arguments().empty()) {
      ++counts.skipped;
      continue;
    }
    std::string failure;
    try {
      failure = failure_of(parsed.module, *function, client);
    } catch (const Error& error) {
      failure = error.what();
    }
    ++(failure.empty() ? counts.passed : counts.failed);
    if (!failure.empty())
      print_failure(
          fmt::format("{}: part {}, function \"{}\": {}", path, chunk.number, function->name, failure));
  }
  return counts;
}

/// Checks a part that must not pass.
CheckCounts refute_chunk(const std::string& path, const ProgramChunk& chunk, runtime::Client& client) {
  CheckCounts counts;
  try {
    const ir::ParsedModule parsed = ops::parse_stablehlo(chunk.text, {.name = path}, &find_op_or_check);
    for (const auto& function : parsed.module.functions)
      if (function->body.arguments().empty() && !failure_of(parsed.module, *function, client).empty())
        counts.passed = 1;
  } catch (const Error&) {
    counts.passed = 1;
  }
  if (counts.passed > 0) return counts;
  print_failure(fmt::format("{}: part {} must fail, and passes", path, chunk.number));
  counts.failed = 1;
  return counts;
}

double tolerance_of(ir::DType dtype) {
  switch (dtype) {
    case ir::DType::kF64: return 1e-10;
    case ir::DType::kF32: return 1e-5;
    case ir::DType::kF16: return 1e-2;
    default: return 4e-2;
  }
}

/// The same bytes as a literal of another type.
ir::Literal with_type(const ir::Literal& literal, ir::TensorType type) {
  ir::Literal result(std::move(type));
  std::copy(literal.bytes().begin(), literal.bytes().end(), result.mutable_bytes().begin());
  return result;
}

/// The difference of two results beyond the tolerance; empty if there is none.
std::string difference_by_norm(const ir::Literal& actual, const ir::Literal& expected) {
  if (actual.type() == expected.type() && ir::is_complex(actual.type().dtype)) {
    // A part of no size may be off by the rounding of the other one.
    const ir::TensorType flat{ir::real_dtype(actual.type().dtype), {2 * actual.type().num_elements()}};
    return difference_by_norm(with_type(actual, flat), with_type(expected, flat));
  }
  if (!ir::is_float(actual.type().dtype)) return difference(actual, expected, {.kind = CheckKind::kEqual});
  double error = 0, norm = 0;
  for (std::int64_t i = 0; i < actual.type().num_elements(); ++i) {
    const double a = actual.at(i), e = expected.at(i);
    if (std::isfinite(a) && std::isfinite(e)) {
      error += (a - e) * (a - e);
      norm += e * e;
    } else if (a != e && !(std::isnan(a) && std::isnan(e))) {
      return fmt::format("element {} is {}, expected {}", i, a, e);
    }
  }
  const double allowed = tolerance_of(actual.type().dtype);
  if (std::sqrt(error) <= allowed * std::sqrt(norm)) return "";
  return fmt::format("the error relative to the norm is {:.3g}, more than {}", std::sqrt(error / norm),
                     allowed);
}

void add_counts(CheckCounts& counts, const CheckCounts& more) {
  counts.passed += more.passed;
  counts.failed += more.failed;
  counts.skipped += more.skipped;
}

std::string program_bytes(const std::string& path) {
  const std::vector<std::byte> bytes = io::read_file(path, kCommandLineLimits);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void check_files(const CheckOptions& options) {
  if (!options.archive.empty() && options.files.size() != 1)
    throw CLI::ValidationError("--case", "belongs to one program: name one file");
  const std::shared_ptr<runtime::Client> client = use_device(options.machine);
  CheckCounts counts;
  for (const std::string& file : options.files) {
    try {
      if (!options.archive.empty())
        add_counts(counts, check_case(file, options.archive, *client));
      else
        add_counts(counts, check_program(file, program_bytes(file), *client, options.must_fail));
    } catch (const Error& error) {
      print_failure(error.what());
      ++counts.failed;
    }
  }
  fmt::print("{} passed, {} failed, {} skipped\n", counts.passed, counts.failed, counts.skipped);
  if (counts.failed > 0) throw CLI::RuntimeError(1);
}

}  // namespace

std::vector<ProgramChunk> split_program(std::string_view program) {
  if (ir::is_bytecode(program)) return {{std::string(program), 1}};
  constexpr std::string_view kSeparator = "// -----";
  std::vector<ProgramChunk> chunks;
  std::size_t num_lines = 0, before = 0;
  int number = 1;
  std::string text;
  const auto finish = [&] {
    // A part may hold nothing but a comment.
    if (text.find("func.func") != std::string::npos)
      chunks.push_back({std::string(before, '\n').append(text), number});
    text.clear();
    before = num_lines;
    ++number;
  };
  for (std::size_t begin = 0; begin < program.size();) {
    const std::size_t end = std::min(program.find('\n', begin), program.size() - 1) + 1;
    const std::string_view line = program.substr(begin, end - begin);
    ++num_lines;
    if (line.starts_with(kSeparator))
      finish();
    else
      text += line;
    begin = end;
  }
  finish();
  if (chunks.empty()) chunks.push_back({std::string(program), 1});  // the reader's error says why
  return chunks;
}

CheckCounts check_program(const std::string& path, std::string_view program, runtime::Client& client,
                          bool must_fail) {
  CheckCounts counts;
  for (const ProgramChunk& chunk : split_program(program))
    add_counts(counts, must_fail ? refute_chunk(path, chunk, client) : check_chunk(path, chunk, client));
  return counts;
}

CheckCounts check_case(const std::string& path, const std::string& archive, runtime::Client& client) {
  const ProgramFile program(path, client);
  const std::vector<ir::Literal> results = program.run(read_arguments(archive, program.function()));
  const std::vector<ir::Literal> expected = read_expected(archive, program.function());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string found = difference_by_norm(results[i], expected[i]);
    if (found.empty()) continue;
    print_failure(fmt::format("{}: out{}: {}", path, i, found));
    return {.failed = 1};
  }
  return {.passed = 1};
}

void add_check(CLI::App& app) {
  CLI::App* command = app.add_subcommand("check", "Runs StableHLO programs that check themselves");
  const auto options = std::make_shared<CheckOptions>();
  command
      ->add_option(
          "files", options->files,
          "Programs, text or bytecode. Each function without arguments runs, in every part between "
          "lines \"// -----\", and its ops check.expect_eq and others, or custom calls of these names, "
          "must hold")
      ->required()
      ->type_name("FILE");
  auto* archive = command
                      ->add_option("--case", options->archive,
                                   "A NumPy archive: `main` runs with in0, in1, ..., and its results must be "
                                   "out0, out1, ...")
                      ->type_name("FILE");
  command
      ->add_flag("--must-fail", options->must_fail, "Each part must be rejected, or fail one of its checks")
      ->excludes(archive);
  add_machine_options(*command, options->machine);
  add_device_option(*command, options->machine);
  command->callback([options] { check_files(*options); });
}

}  // namespace cornu::inline v0::cli
