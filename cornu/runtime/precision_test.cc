#include "cornu/runtime/precision.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"

namespace cornu::inline v0::runtime {
namespace {

TEST(PrecisionTest, EveryNameIsReadAsItIsWritten) {
  for (const Precision precision : {Precision::kAuto, Precision::kHighest, Precision::kHigh,
                                    Precision::kDefault, Precision::kBf16, Precision::kTf32})
    EXPECT_EQ(parse_precision(precision_name(precision), ""), precision);
}

TEST(PrecisionTest, OtherWordsAreRefusedWithThoseThereAre) {
  for (const char* const word : {"", "HIGH", "float32"}) {
    try {
      parse_precision(word, "[compile] ");
      FAIL() << word;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_EQ(error.fields().argument, "precision");
      EXPECT_EQ(std::string(error.what()).find("[compile] precision must be one of \"auto\", \"highest\""),
                0U)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::runtime
