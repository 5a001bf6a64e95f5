// Every class whose constructor takes options can be made from options, from `{}`, and, where its options may
// be left out, from nothing. What is tested happens in the compiler; the program says which class fails.
#include <concepts>
#include <cstdio>

#include "tests/options/options_classes.inc"

namespace {

template <typename T>
concept TakesBraces = requires { T({}); };

template <typename T, typename Options>
bool works(const char* name, bool may_be_left_out) {
  bool good = true;
  const auto expect = [&](bool condition, const char* what) {
    if (!condition) std::printf("%s: %s\n", name, what);
    good = good && condition;
  };
  expect(std::constructible_from<T, Options>, "cannot be made from its options");
  expect(TakesBraces<T>, "({}) is ambiguous; give it a constructor of NoOptions (cornu/keras/base/handle.h)");
  expect(std::default_initializable<T> || !may_be_left_out, "cannot be made from nothing");
  return good;
}

}  // namespace

int main() {
  bool good = true;
  int count = 0;
#define ROW(type, options, may_be_left_out)                    \
  good = works<type, options>(#type, may_be_left_out) && good; \
  ++count;
#include "tests/options/options_classes.inc"
#undef ROW
  std::printf("%d classes\n", count);
  return good ? 0 : 1;
}
