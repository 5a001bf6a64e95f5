#include "tests/fuzz/target.h"

#include "cornu/io/word_index.h"

namespace cornu::inline v0::fuzz {
namespace {

void word_index_once(Bytes bytes) {
  for (const auto& [word, number] : io::parse_word_index(bytes, "input")) require(number >= 0, word.c_str());
}

}  // namespace

void word_index(Bytes bytes) { parse(word_index_once, bytes); }

}  // namespace cornu::inline v0::fuzz
