#include "tests/fuzz/target.h"

#include "cornu/io/file.h"

namespace cornu::inline v0::fuzz {
namespace {

void text_once(Bytes bytes) {
  require(io::parse_text(bytes, "input").find('\r') == std::string::npos, "a carriage return is left");
}

}  // namespace

void text(Bytes bytes) { parse(text_once, bytes); }

}  // namespace cornu::inline v0::fuzz
