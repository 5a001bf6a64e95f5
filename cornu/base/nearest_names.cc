#include "cornu/base/nearest_names.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0 {
namespace {

/// The number of insertions, deletions, replacements and swaps of neighbours (Damerau-Levenshtein, optimal
/// string alignment).
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
      if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string canonical_name(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
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
    const std::size_t difference =
        std::max(candidate.size(), canonical.size()) - std::min(candidate.size(), canonical.size());
    near.push_back({{distance, candidate.substr(0, 1) != canonical.substr(0, 1), difference}, name});
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<std::string> nearest;
  for (const auto& [rank, name] : near)
    if (std::get<0>(rank) == std::get<0>(near.front().first)) nearest.push_back(name);
  return nearest;
}

std::string name_proposal(std::string_view wanted, std::span<const std::string> known) {
  const std::vector<std::string> nearest = nearest_names(wanted, known);
  if (nearest.empty()) return fmt::format("known: {}", fmt::join(known, ", "));
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < nearest.size(); ++i)
    text += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 == nearest.size() ? " or " : ", ", nearest[i]);
  return text + "?";
}

}  // namespace cornu::inline v0
