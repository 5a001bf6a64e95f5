/// Compares Cornu with recorded cases of Keras's own tests.
///
///     keras_cases EXPECTATIONS CASES [--report FILE] [--only TEXT]
///
/// Prints the number of cases by folder, and each problem; FILE gets a line for each case that is not the
/// same. Exit code: 0 if all cases are the same or expected, else 1.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <string>

#include "tests/keras_cases/expectations.h"

namespace cornu::inline v0::tests {
namespace {

struct Arguments {
  std::string expectations, cases, report, only;
};

Arguments read_arguments(int argc, char** argv) {
  Arguments arguments{.expectations = argc > 1 ? argv[1] : "", .cases = argc > 2 ? argv[2] : ""};
  for (int i = 3; i + 1 < argc; i += 2)
    (std::string(argv[i]) == "--report" ? arguments.report : arguments.only) = argv[i + 1];
  return arguments;
}

/// "layers/core" for "layers/core/dense_test.py::...".
std::string folder_of(const std::string& id) { return id.substr(0, id.rfind('/', id.find("::"))); }

void print_table(const std::vector<CaseResult>& results) {
  std::map<std::string, std::map<Outcome, int>> counts;
  for (const CaseResult& each : results) {
    ++counts[folder_of(each.id)][each.replayed.outcome];
    ++counts["total"][each.replayed.outcome];
  }
  fmt::print("{:50} {:>6} {:>8} {:>10}\n", "", "same", "refused", "different");
  for (auto& [folder, count] : counts)
    fmt::print("{:50} {:6} {:8} {:10}\n", folder, count[Outcome::kSame], count[Outcome::kRefused],
               count[Outcome::kDifferent]);
}

int run(const Arguments& arguments) {
  std::vector<CaseResult> results;
  std::ofstream report;
  if (!arguments.report.empty()) report.open(arguments.report);
  std::ifstream file(arguments.cases);
  if (!file) throw std::runtime_error("cannot open " + arguments.cases);
  for (std::string line; std::getline(file, line);) {
    if (!arguments.only.empty() && line.find(arguments.only) == std::string::npos) continue;
    const Config recorded = Config::parse(line);
    results.push_back({recorded.at("id").as_string(), {}});
    report << results.back().id << std::flush;  // the last line names a case that ends the program
    results.back().replayed = replay(recorded);
    const Replayed& replayed = results.back().replayed;
    report << '\t' << outcome_name(replayed.outcome) << '\t' << replayed.message << '\n';
  }
  print_table(results);
  const std::vector<std::string> problems =
      Expectations(arguments.expectations).problems(results, arguments.only.empty());
  for (const std::string& problem : problems) fmt::print("{}\n", problem);
  return problems.empty() ? 0 : 1;
}

}  // namespace
}  // namespace cornu::inline v0::tests

int main(int argc, char** argv) {
  try {
    return cornu::tests::run(cornu::tests::read_arguments(argc, argv));
  } catch (const std::exception& error) {
    fmt::print(stderr, "keras_cases: {}\n", error.what());
    return 1;
  }
}
