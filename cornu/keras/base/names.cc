#include "cornu/keras/base/names.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/nearest_names.h"
#include "cornu/base/per_thread.h"
#include "cornu/base/printable.h"

namespace cornu::inline v0::keras {
namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
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

std::string canonical_name(StringViewArgument name) { return cornu::canonical_name(name); }
std::vector<std::string> nearest_names(StringViewArgument wanted, std::span<const std::string> known) {
  return cornu::nearest_names(wanted, known);
}
std::string nearest_name(StringViewArgument wanted, std::span<const std::string> known) {
  const std::vector<std::string> nearest = cornu::nearest_names(wanted, known);
  return nearest.empty() ? "" : nearest.front();
}
std::string name_proposal(StringViewArgument wanted, std::span<const std::string> known) {
  return cornu::name_proposal(wanted, known);
}

void unknown_name(const ArgumentName& argument, std::string_view wanted, std::span<const std::string> known) {
  invalid_argument({.argument = std::string(argument.argument)}, "[{}] unknown {}; got {} = \"{}\"; {}",
                   argument.caller, argument.argument, argument.argument, printable(wanted),
                   name_proposal(wanted, known));
}

void check_name(StringViewArgument caller, StringViewArgument name) {
  if (name.find('/') != std::string_view::npos)
    invalid_argument(
        {.argument = "name"},
        "[{}] name must not contain \"/\", which separates the parts of a path; got name = \"{}\"", caller,
        printable(name));
}

std::string snake_case(StringViewArgument class_name) {
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

std::string unique_name(StringViewArgument base) {
  const std::lock_guard lock(names_mutex);
  const int count = name_counts()[std::string(base)]++;
  return count == 0 ? std::string(base) : fmt::format("{}_{}", base, count);
}

void clear_session() {
  const std::lock_guard lock(names_mutex);
  name_counts().clear();
}

NameScope::NameScope(StringViewArgument name) : before_(scope_prefix()) {
  scope_prefix().append(name) += '/';
}
NameScope::NameScope(std::string_view path, int) : before_(std::exchange(scope_prefix(), std::string(path))) {
  scope_prefix() += '/';
}
NameScope::~NameScope() { scope_prefix() = std::move(before_); }

std::string NameScope::path(StringViewArgument name) { return scope_prefix() + std::string(name); }
std::string NameScope::current() {
  return scope_prefix().substr(0, scope_prefix().empty() ? 0 : scope_prefix().size() - 1);
}

}  // namespace cornu::inline v0::keras
