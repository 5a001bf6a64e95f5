#include "cornu/tensor/tree.h"

#include <algorithm>

#include "cornu/base/check.h"

namespace cornu::inline v0::tree::detail {

void fail_count(StringViewArgument caller, std::size_t leaves, std::size_t count) {
  invalid_argument("[{}] the structure has {} tensors; got {}", caller, leaves, count);
}

void check_same_paths(StringViewArgument caller, const std::vector<std::string>& a,
                      const std::vector<std::string>& b) {
  const auto [first, second] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (first == a.end() && second == b.end()) return;
  const auto shown = [](auto at, const std::vector<std::string>& paths) {
    return at == paths.end() ? std::string("no further tensor") : fmt::format("the tensor \"{}\"", *at);
  };
  invalid_argument("[{}] the structures differ: the first has {} where the second has {}", caller,
                   shown(first, a), shown(second, b));
}

void fail_up_to(StringViewArgument path, StringViewArgument why) {
  invalid_argument("[map_structure_up_to] {}, at \"{}\"", why, path);
}

}  // namespace cornu::inline v0::tree::detail
