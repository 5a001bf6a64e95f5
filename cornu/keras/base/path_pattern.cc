#include "cornu/keras/base/path_pattern.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::keras {
namespace {

using Characters = std::bitset<256>;

std::size_t code(char c) { return static_cast<unsigned char>(c); }

void add_range(Characters& set, char first, char last) {
  for (std::size_t c = code(first); c <= code(last); ++c) set.set(c);
}

class ExpressionReader {
 public:
  explicit ExpressionReader(std::string_view text) : text_(text) {}
  bool at_end() const { return place_ == text_.size(); }
  bool take(char c) {
    const bool is_here = !at_end() && text_[place_] == c;
    place_ += is_here ? 1 : 0;
    return is_here;
  }
  Characters item() {
    const char c = next();
    Characters set;
    switch (c) {
      case '.': set.set(); return set.reset(code('\n'));
      case '\\': return escaped();
      case '[': return braced();
      case '(':
      case ')':
      case '|':
      case '{':
      case '}':
      case '^':
      case '$':
      case '*':
      case '+':
      case '?': refuse(fmt::format("\"{}\" is not understood here", c));
      default: return set.set(code(c));
    }
  }
  [[noreturn]] void refuse(std::string_view why) const {
    invalid_argument(
        {.argument = "key"},
        "[dtype_policy_map] \"{}\", character {}: {}; keys are paths, or expressions of characters, \".\", "
        "\"[...]\", \"\\d\", \"\\w\" and \"*\", \"+\", \"?\"",
        text_, place_, why);
  }

 private:
  char next() {
    if (at_end()) refuse("something is missing");
    return text_[place_++];
  }
  Characters escaped() {
    const char c = next();
    Characters set;
    if (c == 'd' || c == 'w') add_range(set, '0', '9');
    if (c == 'w') {
      add_range(set, 'a', 'z');
      add_range(set, 'A', 'Z');
      set.set(code('_'));
    }
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (set.none() && is_letter) refuse(fmt::format("\"\\{}\" is not understood", c));
    return set.none() ? set.set(code(c)) : set;
  }
  Characters braced() {
    const bool is_other = take('^');
    Characters set;
    for (bool is_first = true; is_first || !take(']'); is_first = false) {
      const char first = next();
      if (first == '\\') {
        set |= escaped();
        continue;
      }
      const bool is_range = place_ + 1 < text_.size() && text_[place_] == '-' && text_[place_ + 1] != ']';
      if (!is_range) {
        set.set(code(first));
        continue;
      }
      ++place_;
      const char last = next();
      if (last == '\\' || code(last) < code(first)) refuse("a range goes from one character up to another");
      add_range(set, first, last);
    }
    return is_other ? set.flip() : set;
  }

  std::string_view text_;
  std::size_t place_ = 0;
};

}  // namespace

PathPattern::PathPattern(std::string_view expression) {
  ExpressionReader reader(expression);
  while (!reader.at_end()) {
    Item item{.characters = reader.item()};
    if (reader.take('*'))
      item.may_be_missing = item.may_repeat = true;
    else if (reader.take('+'))
      item.may_repeat = true;
    else if (reader.take('?'))
      item.may_be_missing = true;
    items_.push_back(item);
  }
}

bool PathPattern::fits(std::string_view text) const {
  // is_at[i]: true if the text read so far matches the first i items.
  std::vector<char> is_at(items_.size() + 1, 0);
  const auto pass_over = [&] {
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (is_at[i] != 0 && items_[i].may_be_missing) is_at[i + 1] = 1;
  };
  is_at[0] = 1;
  pass_over();
  for (const char c : text) {
    std::vector<char> next(is_at.size(), 0);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!items_[i].characters.test(code(c))) continue;
      if (is_at[i] != 0) next[i + 1] = 1;
      if (is_at[i + 1] != 0 && items_[i].may_repeat) next[i + 1] = 1;
    }
    is_at = std::move(next);
    pass_over();
  }
  return is_at.back() != 0;
}

}  // namespace cornu::inline v0::keras
