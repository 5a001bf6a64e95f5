#pragma once

#include <bitset>
#include <string_view>
#include <vector>

namespace cornu::inline v0::keras {

/// A regular expression without groups and alternatives, which fits all of a text or not, in time of
/// the product of both lengths.
class PathPattern {
 public:
  /// Errors: InvalidArgument, with the place, for what is not understood.
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
