#include "cornu/keras/distribution/layout_map.h"

#include <algorithm>
#include <regex>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"

namespace cornu::inline v0::keras::distribution {
namespace {

// Longer texts are refused: std::regex recurses by their length.
constexpr std::size_t kLongestText = 4096;

std::regex expression_of(const std::string& key) {
  if (key.size() > kLongestText)
    invalid_argument({.argument = "key"}, "[LayoutMap] a key may have {} bytes; got {}", kLongestText,
                     key.size());
  try {
    return std::regex(key);
  } catch (const std::regex_error& error) {
    invalid_argument({.argument = "key"}, R"([LayoutMap] "{}" is no regular expression: {})", printable(key),
                     error.what());
  }
}

auto at_key(const std::vector<std::pair<std::string, TensorLayout>>& layouts, std::string_view key) {
  return std::find_if(layouts.begin(), layouts.end(), [&](const auto& each) { return each.first == key; });
}

}  // namespace

void LayoutMap::set(const StringArgument& key, LayoutAxes axes) { set(key, TensorLayout(std::move(axes))); }

void LayoutMap::set(const StringArgument& key, const TensorLayout& layout) {
  const std::string text(key);
  if (at_key(layouts_, text) != layouts_.end())
    invalid_argument({.argument = "key"}, R"([LayoutMap] "{}" has a layout already; erase() it first)",
                     printable(text));
  if (layout.device_mesh().has_value() && *layout.device_mesh() != mesh_)
    invalid_argument({.argument = "layout"}, R"([LayoutMap] the layout of "{}" is of another mesh)",
                     printable(text));
  expression_of(text);
  layouts_.emplace_back(text, TensorLayout(layout.axes(), mesh_));
}

std::optional<TensorLayout> LayoutMap::find(StringViewArgument path) const {
  const std::string text(path);
  if (const auto same = at_key(layouts_, text); same != layouts_.end()) return same->second;
  if (text.size() > kLongestText) return std::nullopt;
  std::vector<std::string> matching;
  std::optional<TensorLayout> found;
  for (const auto& [key, layout] : layouts_) {
    if (!std::regex_match(text, expression_of(key))) continue;
    matching.push_back(key);
    found = layout;
  }
  if (matching.size() > 1)
    invalid_argument({.argument = "path"},
                     R"([LayoutMap] "{}" matches the keys "{}": at most one key may match a path)",
                     printable(text), fmt::join(matching, R"(", ")"));
  return found;
}

bool LayoutMap::erase(StringViewArgument key) {
  const auto found = at_key(layouts_, key);
  if (found == layouts_.end()) return false;
  layouts_.erase(found);
  return true;
}

std::vector<std::string> LayoutMap::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, layout] : layouts_) keys.push_back(key);
  return keys;
}

}  // namespace cornu::inline v0::keras::distribution
