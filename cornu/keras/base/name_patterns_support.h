#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0::keras {

/// Regular expressions for names of layers and variables, in ECMAScript's grammar, which for names is Python's.
class NamePatterns {
 public:
  /// Patterns that match nothing.
  NamePatterns() = default;
  /// `where` and `argument` are for the error. Errors: InvalidArgument for what is no regular expression.
  NamePatterns(std::string_view where, std::string_view argument,
               const std::vector<std::string>& expressions);

  bool empty() const { return expressions_ == nullptr; }
  /// True if one of the patterns matches a part of the name.
  bool match_in(const std::string& name) const;
  /// True if one of the patterns matches the beginning of the name.
  bool match_at_start(const std::string& name) const;

 private:
  struct Expressions;
  std::shared_ptr<const Expressions> expressions_;  // null: none
};

}  // namespace cornu::inline v0::keras
