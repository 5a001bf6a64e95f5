#include "tests/fuzz/target.h"

#include "cornu/data/position.h"

namespace cornu::inline v0::fuzz {
namespace {

void element_once(Bytes bytes) {
  const data::Element element = data::parse_element(bytes, "input");
  // What was read can be written, and is read as the same.
  const std::vector<std::byte> written = data::element_bytes(element);
  require(data::element_bytes(data::parse_element(written, "written")) == written,
          "another element came back");
}

}  // namespace

void element(Bytes bytes) { parse(element_once, bytes); }

}  // namespace cornu::inline v0::fuzz
