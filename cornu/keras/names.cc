#include "cornu/keras/names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/per_thread.h"

namespace cornu::inline v0::keras {
namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// Insertions, deletions, replacements and swaps of neighbours (Damerau-Levenshtein, optimal string alignment).
std::size_t edit_distance(std::string_view x, std::string_view y) {
  std::vector<std::size_t> before_last(y.size() + 1), last(y.size() + 1), row(y.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= x.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= y.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (x[i - 1] == y[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1]) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

std::mutex names_mutex;
std::map<std::string, int, std::less<>>& name_counts() {
  static auto& counts = *new std::map<std::string, int, std::less<>>;
  return counts;
}

struct ScopePrefix {
  std::string text;  // "sequential/" inside a scope
};
std::string& scope_prefix() { return PerThread<ScopePrefix>::get().text; }

}  // namespace

std::string canonical_name(std::string_view name) {
  std::string result = lower_case(name);
  std::erase_if(result, [](char c) { return c == '_' || c == '-' || c == ' '; });
  return result;
}

std::vector<std::string> nearest_names(std::string_view wanted, std::span<const std::string> known) {
  const std::string canonical = canonical_name(wanted);
  const std::size_t largest_distance = std::max<std::size_t>(1, canonical.size() / 3);
  // Distance, another first letter, difference of lengths: smaller is nearer.
  using Rank = std::tuple<std::size_t, bool, std::size_t>;
  std::vector<std::pair<Rank, std::string>> near;
  std::set<std::string> seen;
  for (const std::string& name : known) {
    const std::string candidate = canonical_name(name);
    const std::size_t distance = edit_distance(canonical, candidate);
    if (distance > largest_distance || !seen.insert(candidate).second) continue;
    const std::size_t difference = std::max(candidate.size(), canonical.size()) - std::min(candidate.size(), canonical.size());
    near.push_back({{distance, candidate.substr(0, 1) != canonical.substr(0, 1), difference}, name});
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<std::string> nearest;
  for (const auto& [rank, name] : near)
    if (std::get<0>(rank) == std::get<0>(near.front().first)) nearest.push_back(name);
  return nearest;
}

std::string nearest_name(std::string_view wanted, std::span<const std::string> known) {
  const std::vector<std::string> nearest = nearest_names(wanted, known);
  return nearest.empty() ? "" : nearest.front();
}

std::string name_proposal(std::string_view wanted, std::span<const std::string> known) {
  const std::vector<std::string> nearest = nearest_names(wanted, known);
  if (nearest.empty()) return fmt::format("known: {}", fmt::join(known, ", "));
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < nearest.size(); ++i)
    text += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 == nearest.size() ? " or " : ", ", nearest[i]);
  return text + "?";
}

void unknown_name(const ArgumentName& argument, std::string_view wanted, std::span<const std::string> known) {
  invalid_argument("[{}] unknown {}; got {} = \"{}\"; {}", argument.caller, argument.argument, argument.argument, wanted,
                   name_proposal(wanted, known));
}

void check_name(std::string_view caller, std::string_view name) {
  if (name.find('/') != std::string_view::npos)
    invalid_argument("[{}] name must not contain \"/\", which separates the parts of a path; got name = \"{}\"", caller, name);
}

std::string snake_case(std::string_view class_name) {
  std::string result;
  for (std::size_t i = 0; i < class_name.size(); ++i) {
    const auto is_lower = [&](std::size_t k) {
      return k < class_name.size() && (std::islower(static_cast<unsigned char>(class_name[k])) != 0);
    };
    const bool is_upper = std::isupper(static_cast<unsigned char>(class_name[i])) != 0;
    if (i > 0 && is_upper && (is_lower(i - 1) || is_lower(i + 1))) result += '_';
    result += class_name[i];
  }
  return lower_case(result);
}

std::string unique_name(std::string_view base) {
  const std::lock_guard lock(names_mutex);
  const int count = name_counts()[std::string(base)]++;
  return count == 0 ? std::string(base) : fmt::format("{}_{}", base, count);
}

void clear_session() {
  const std::lock_guard lock(names_mutex);
  name_counts().clear();
}

NameScope::NameScope(std::string_view name) : before_(scope_prefix()) { scope_prefix().append(name) += '/'; }
NameScope::NameScope(std::string_view path, int) : before_(std::exchange(scope_prefix(), std::string(path))) { scope_prefix() += '/'; }
NameScope::~NameScope() { scope_prefix() = std::move(before_); }

std::string NameScope::path(std::string_view name) { return scope_prefix() + std::string(name); }
std::string NameScope::current() { return scope_prefix().substr(0, scope_prefix().empty() ? 0 : scope_prefix().size() - 1); }

}  // namespace cornu::inline v0::keras
