#include "cornu/keras/base/name_patterns_support.h"

#include <algorithm>
#include <regex>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras {

struct NamePatterns::Expressions {
  std::vector<std::regex> all;
};

NamePatterns::NamePatterns(std::string_view where, std::string_view argument,
                           const std::vector<std::string>& expressions) {
  if (expressions.empty()) return;
  auto made = std::make_shared<Expressions>();
  for (const std::string& expression : expressions) {
    try {
      made->all.emplace_back(expression);
    } catch (const std::regex_error& error) {
      invalid_argument({.argument = std::string(argument)},
                       "[{}] {} must be regular expressions: {}; got {} = \"{}\"", where, argument,
                       error.what(), argument, expression);
    }
  }
  expressions_ = std::move(made);
}

bool NamePatterns::match_in(const std::string& name) const {
  return expressions_ != nullptr && std::ranges::any_of(expressions_->all, [&](const std::regex& each) {
           return std::regex_search(name, each);
         });
}

bool NamePatterns::match_at_start(const std::string& name) const {
  return expressions_ != nullptr && std::ranges::any_of(expressions_->all, [&](const std::regex& each) {
           return std::regex_search(name, each, std::regex_constants::match_continuous);
         });
}

}  // namespace cornu::inline v0::keras
