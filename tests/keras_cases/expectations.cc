#include "tests/keras_cases/expectations.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace cornu::inline v0::tests {
namespace {

/// Whether the text fits a pattern in which "*" stands for any text.
bool fits(std::string_view text, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t i = star; i <= text.size(); ++i)
    if (fits(text.substr(i), rest)) return true;
  return false;
}

}  // namespace

const char* outcome_name(Outcome outcome) {
  return outcome == Outcome::kSame ? "same" : outcome == Outcome::kRefused ? "refused" : "different";
}

Expectations::Expectations(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  std::ostringstream text;
  text << file.rdbuf();
  const Config list = Config::parse(text.str());
  for (const Config& each : list.as_list())
    entries_.push_back(
        {.cases = each.at("cases").as_string(),
         .message = each.at("message").as_string(),
         .outcome = each.at("outcome").as_string() == "refused" ? Outcome::kRefused : Outcome::kDifferent,
         .count = each.at("count").as_integer(),
         .at_most = each.contains("at_most") && each.at("at_most").as_bool()});
}

std::vector<std::string> Expectations::problems(const std::vector<CaseResult>& results, bool whole) const {
  std::vector<std::string> problems;
  std::vector<std::int64_t> counts(entries_.size());
  for (const CaseResult& result : results) {
    const Replayed& replayed = result.replayed;
    if (replayed.outcome == Outcome::kSame) continue;
    std::size_t i = 0;
    while (i < entries_.size() &&
           !(entries_[i].outcome == replayed.outcome && fits(result.id, entries_[i].cases) &&
             replayed.message.find(entries_[i].message) != std::string::npos))
      ++i;
    if (i == entries_.size()) {
      problems.push_back(
          fmt::format("{} is {}: {}", result.id, outcome_name(replayed.outcome), replayed.message));
    } else {
      ++counts[i];
    }
  }
  for (std::size_t i = 0; whole && i < entries_.size(); ++i) {
    const bool is_right =
        entries_[i].at_most ? counts[i] <= entries_[i].count : counts[i] == entries_[i].count;
    if (!is_right)
      problems.push_back(fmt::format("{} cases of {} are {} with \"{}\"; the list of expectations has {}",
                                     counts[i], entries_[i].cases, outcome_name(entries_[i].outcome),
                                     entries_[i].message, entries_[i].count));
  }
  return problems;
}

}  // namespace cornu::inline v0::tests
