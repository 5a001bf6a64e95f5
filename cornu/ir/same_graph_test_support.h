#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"

/// Compares two graphs: ops, attributes, types and uses of values. Locations may differ.
namespace cornu::inline v0::ir {

class GraphComparison {
 public:
  /// The first difference; empty if the blocks are equal.
  static std::string difference(const Block& a, const Block& b) { return GraphComparison().blocks(a, b); }

 private:
  std::string values(std::span<const Value> a, std::span<const Value> b, std::string_view what) {
    if (a.size() != b.size()) return fmt::format("{}: {} and {}", what, a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      if (pairs_.at(a[i]) != b[i]) return fmt::format("{} {} is another value", what, i);
    return "";
  }

  void define(std::span<const Value> a, std::span<const Value> b) {
    for (std::size_t i = 0; i < a.size(); ++i) pairs_[a[i]] = b[i];
  }

  static bool same_types(std::span<const Value> a, std::span<const Value> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](Value x, Value y) { return x.type() == y.type(); });
  }

  std::string blocks(const Block& a, const Block& b) {
    if (!same_types(a.arguments(), b.arguments())) return "other arguments";
    define(a.arguments(), b.arguments());
    if (a.ops().size() != b.ops().size()) return fmt::format("{} ops and {}", a.ops().size(), b.ops().size());
    for (std::size_t i = 0; i < a.ops().size(); ++i) {
      const std::string found = ops(*a.ops()[i], *b.ops()[i]);
      if (!found.empty()) return fmt::format("op {} ({}): {}", i, a.ops()[i]->name(), found);
    }
    return values(a.results(), b.results(), "result");
  }

  std::string ops(const Op& a, const Op& b) {
    if (&a.def() != &b.def()) return fmt::format("is {}", b.name());
    if (a.attributes() != b.attributes()) return "other attributes";
    if (!same_types(a.results(), b.results())) return "other types of results";
    if (a.regions().size() != b.regions().size()) return "other regions";
    if (std::string found = values(a.operands(), b.operands(), "operand"); !found.empty()) return found;
    for (std::size_t i = 0; i < a.regions().size(); ++i)
      if (std::string found = blocks(a.region(i), b.region(i)); !found.empty()) return found;
    define(a.results(), b.results());
    return "";
  }

  std::unordered_map<Value, Value, ValueHash> pairs_;
};

}  // namespace cornu::inline v0::ir
