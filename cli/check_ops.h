#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/ir/literal.h"

/// Checks in programs: the ops of StableHLO's dialect `check` and the custom calls @check.* of its test data.
namespace cornu::inline v0::cli {

enum class CheckKind : std::uint8_t {
  kEqual,        // IEEE equality: NaN equals nothing, -0 equals 0
  kAlmostEqual,  // an absolute tolerance
  kClose,        // a distance in units of the last place, of the operand's type
};

struct CheckRule {
  CheckKind kind = CheckKind::kEqual;
  double tolerance = 1e-4;                  // kAlmostEqual
  std::int64_t min_ulps = 0, max_ulps = 1;  // kClose
};

/// One check of a function: two values to compare.
struct Check {
  std::string name;  // "check.expect_close"
  CheckRule rule;
  std::size_t actual = 0;               // a result of the checked function
  std::optional<std::size_t> expected;  // another one, or
  std::optional<ir::Literal> constant;
};

/// A function that returns what its checks compare, without the checks.
struct CheckedFunction {
  std::unique_ptr<ir::Function> function;
  std::vector<Check> checks;
};

/// The registry's ops and those of checks, for the readers of programs.
const ir::OpDef* find_op_or_check(std::string_view full_name);

/// Errors: Unimplemented for a check inside of a region.
CheckedFunction without_checks(const ir::Function& function);

/// The first difference that a check's rule does not allow; empty if there is none.
std::string difference(const ir::Literal& actual, const ir::Literal& expected, const CheckRule& rule);

}  // namespace cornu::inline v0::cli
