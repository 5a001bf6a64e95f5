#include "cornu/keras/names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>
#include <numeric>

#include "cornu/base/check.h"

namespace cornu::keras {
namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::size_t edit_distance(std::string_view x, std::string_view y) {
  std::vector<std::size_t> row(y.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= x.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= y.size(); ++j) {
      const std::size_t replaced = diagonal + (x[i - 1] == y[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
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
  std::string nearest;
  std::size_t smallest = std::string::npos;
  for (const std::string& name : known) {
    const std::size_t distance = edit_distance(canonical, canonical_name(name));
    if (distance < smallest) {
      smallest = distance;
      nearest = name;
    }
  }
  return nearest;
}

void unknown_name(std::string_view kind, std::string_view wanted, std::span<const std::string> known) {
  const std::string nearest = nearest_name(wanted, known);
  const std::string proposal = nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
  invalid_argument("unknown {} \"{}\"{} Known: {}", kind, wanted, proposal, fmt::join(known, ", "));
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

NameScope::NameScope(std::string_view name) : length_before_(scope_prefix.size()) {
  scope_prefix += name;
  scope_prefix += '/';
}
NameScope::~NameScope() { scope_prefix.resize(length_before_); }

std::string NameScope::path(std::string_view name) { return scope_prefix + std::string(name); }

}  // namespace cornu::keras
