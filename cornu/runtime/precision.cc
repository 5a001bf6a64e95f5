#include "cornu/runtime/precision.h"

#include <string>
#include <utility>
#include <vector>

#include "cornu/base/check.h"

namespace cornu::inline v0::runtime {
namespace {

constexpr std::pair<Precision, const char*> kNames[] = {
    {Precision::kAuto, "auto"},       {Precision::kHighest, "highest"}, {Precision::kHigh, "high"},
    {Precision::kDefault, "default"}, {Precision::kBf16, "bf16"},       {Precision::kTf32, "tf32"}};

}  // namespace

Precision parse_precision(std::string_view word, std::string_view caller) {
  std::vector<std::string> names;
  for (const auto& [precision, name] : kNames) {
    if (word == name) return precision;
    names.push_back(fmt::format("\"{}\"", name));
  }
  invalid_argument({.argument = "precision"}, "{}precision must be one of {}; got precision = \"{}\"", caller,
                   fmt::join(names, ", "), word);
}

const char* precision_name(Precision precision) {
  for (const auto& [value, name] : kNames)
    if (value == precision) return name;
  return "";
}

}  // namespace cornu::inline v0::runtime
