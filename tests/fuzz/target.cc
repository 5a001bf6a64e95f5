#include "tests/fuzz/target.h"

#include <cstdio>
#include <cstdlib>

#include "cornu/base/error.h"

namespace cornu::inline v0::fuzz {

void parse(void (*f)(Bytes bytes), Bytes bytes) {
  try {
    f(bytes);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::kDataLoss || error.code() == ErrorCode::kResourceExhausted,
            error.what());
    require(std::string_view(error.what()).starts_with("[io] input"), error.what());
  }
}

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

}  // namespace cornu::inline v0::fuzz
