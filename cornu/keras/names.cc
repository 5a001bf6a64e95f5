#include "cornu/keras/names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "cornu/base/check.h"

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
  static std::map<std::string, int, std::less<>> counts;
  return counts;
}

thread_local std::string scope_prefix;  // "sequential/" inside a scope

}  // namespace

std::string canonical_name(std::string_view name) {
  std::string result = lower_case(name);
  std::erase_if(result, [](char c) { return c == '_' || c == '-' || c == ' '; });
  return result;
}

std::string nearest_name(std::string_view wanted, std::span<const std::string> known) {
  const std::string canonical = canonical_name(wanted);
  const std::size_t largest_distance = std::max<std::size_t>(1, canonical.size() / 3);
  using Rank = std::tuple<std::size_t, bool, std::size_t>;  // distance, another first letter, difference of lengths: smaller is nearer
  std::optional<Rank> smallest;
  std::string nearest;
  for (const std::string& name : known) {
    const std::string candidate = canonical_name(name);
    const std::size_t difference = std::max(candidate.size(), canonical.size()) - std::min(candidate.size(), canonical.size());
    const Rank rank = {edit_distance(canonical, candidate), candidate.substr(0, 1) != canonical.substr(0, 1), difference};
    if (std::get<0>(rank) > largest_distance || (smallest && rank >= *smallest)) continue;
    smallest = rank;
    nearest = name;
  }
  return nearest;
}

void unknown_name(std::string_view kind, std::string_view wanted, std::span<const std::string> known) {
  const std::string nearest = nearest_name(wanted, known);
  if (!nearest.empty()) invalid_argument("unknown {} \"{}\"; did you mean \"{}\"?", kind, wanted, nearest);
  invalid_argument("unknown {} \"{}\"; known: {}", kind, wanted, fmt::join(known, ", "));
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

NameScope::NameScope(std::string_view name) : before_(scope_prefix) {
  scope_prefix += name;
  scope_prefix += '/';
}
NameScope::NameScope(std::string_view path, int) : before_(std::exchange(scope_prefix, std::string(path))) { scope_prefix += '/'; }
NameScope::~NameScope() { scope_prefix = std::move(before_); }

std::string NameScope::path(std::string_view name) { return scope_prefix + std::string(name); }
std::string NameScope::current() { return scope_prefix.substr(0, scope_prefix.empty() ? 0 : scope_prefix.size() - 1); }

}  // namespace cornu::inline v0::keras
