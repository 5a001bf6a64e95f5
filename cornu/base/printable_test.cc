#include "cornu/base/printable.h"

#include <gtest/gtest.h>

#include "cornu/base/check.h"

namespace cornu::inline v0 {
namespace {

using namespace std::string_view_literals;

TEST(PrintableTest, ShowsControlCharactersAsNumbers) {
  EXPECT_EQ(printable("a\x1b]0;b\x07\r\n\0\x7f"sv), "a\\x1b]0;b\\x07\\x0d\\x0a\\x00\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\\xc2\\x9b31m")
      << "the one character that means ESC [";
  EXPECT_EQ(printable_lines("a\n\tb\r"), "a\n\tb\\x0d");
}

TEST(PrintableTest, KeepsAllOtherText) {
  EXPECT_EQ(printable("Größe \xc2\xa0 \xe2\x80\xa6 \xc2"), "Größe \xc2\xa0 \xe2\x80\xa6 \xc2");
}

TEST(PrintableTest, OfALongTextTheBeginningAndTheEndStay) {
  EXPECT_EQ(printable("abcdefghij", 8), "abcdef [2 bytes] ij");
  EXPECT_EQ(printable(std::string(1000, 'a'), 400).size(), 400 + std::string(" [600 bytes] ").size());
}

TEST(ErrorTest, ItsTextHoldsNoControlCharactersAndIsNotCutByANul) {
  const std::string name("re\0g\x1b[2J", 8);
  try {
    invalid_argument({.layer = name + "\n"}, "[dense] unknown \"{}\";\nsee there", name);
  } catch (const Error& error) {
    EXPECT_EQ(std::string_view(error.what()),
              "[dense] unknown \"re\\x00g\\x1b[2J\";\nsee there; in layer \"re\\x00g\\x1b[2J\\x0a\"");
  }
}

}  // namespace
}  // namespace cornu::inline v0
