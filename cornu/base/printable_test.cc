#include "cornu/base/printable.h"

#include <gtest/gtest.h>

namespace cornu::inline v0 {
namespace {

TEST(PrintableTest, WhatATerminalWouldObeyIsShownAsBytes) {
  EXPECT_EQ(printable("a\x1b[31m\n\x7f"), "a\\x1b[31m\\x0a\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"), "\\xc2\\x9b") << "the one byte form of ESC [";
  EXPECT_EQ(printable("\xC3\xA9\xC2\xA0"), "\xC3\xA9\xC2\xA0");
  EXPECT_EQ(printable("\xC2"), "\xC2");
}

TEST(PrintableTest, OfALongTextTheBeginningAndTheEndStay) {
  EXPECT_EQ(printable("abcdefghij", 8), "abcdef [2 bytes] ij");
  EXPECT_EQ(printable(std::string(1000, 'a')).size(), 400 + std::string(" [600 bytes] ").size());
}

}  // namespace
}  // namespace cornu::inline v0
