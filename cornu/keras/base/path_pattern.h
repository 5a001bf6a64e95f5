#pragma once

#include <bitset>
#include <string_view>
#include <vector>

namespace cornu::inline v0::keras {

/// A regular expression without groups and alternatives. It matches a whole text or not, in time proportional
/// to the product of both lengths.
class PathPattern {
 public:
  /// Errors: InvalidArgument, with the position, for an invalid expression.
  explicit PathPattern(std::string_view expression);
  bool fits(std::string_view text) const;

 private:
  struct Item {
    std::bitset<256> characters;
    bool may_be_missing = false;
    bool may_repeat = false;
  };
  std::vector<Item> items_;
};

}  // namespace cornu::inline v0::keras
