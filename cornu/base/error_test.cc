#include "cornu/base/error.h"

#include <gtest/gtest.h>

#include "cornu/base/check.h"
#include "cornu/base/error_test_support.h"

namespace cornu {
namespace {

TEST(ErrorTest, TextIsComposedOfMessageAndFields) {
  const Error error(ErrorCode::kInvalidArgument, "units must be positive",
                    {.op = "dense",
                     .argument = "units",
                     .layer = "hidden",
                     .model = "net",
                     .metric = "accuracy",
                     .inputs = "x has shape (3,)",
                     .notes = "in batch 2"});
  EXPECT_STREQ(error.what(),
               "[dense] units must be positive; in batch 2; in layer \"hidden\" of model \"net\"; in metric "
               "\"accuracy\"; x has shape (3,)");
  EXPECT_EQ(error.message(), "units must be positive");
  EXPECT_EQ(error.argument(), "units");
  EXPECT_STREQ(Error(ErrorCode::kNotFound, "[x] as it is").what(), "[x] as it is");
}

TEST(ErrorTest, FieldsThatAreSetStayAndNotesAreAdded) {
  const Error inner(ErrorCode::kOutOfRange, "no", {.layer = "inner", .notes = "a"});
  const Error outer =
      inner.with({.op = "fit", .layer = "outer", .notes = "b", .reason = ErrorReason::kSymbolicValue});
  EXPECT_STREQ(outer.what(), "[fit] no; a; b; in layer \"inner\"");
  EXPECT_EQ(outer.code(), ErrorCode::kOutOfRange);
  EXPECT_EQ(outer.reason(), ErrorReason::kSymbolicValue);
  EXPECT_EQ(outer.with({.reason = ErrorReason::kOther}).reason(), ErrorReason::kSymbolicValue);
  EXPECT_STREQ(inner.what(), "no; a; in layer \"inner\"");
}

TEST(ErrorTest, AnotherSpeakerKeepsTheFirstInTheMessage) {
  const Error error(ErrorCode::kInvalidArgument, "shapes differ", {.op = "add"});
  EXPECT_STREQ(error.said_by("mean_squared_error").what(), "[mean_squared_error] [add] shapes differ");
  EXPECT_EQ(error.said_by("mean_squared_error").op(), "mean_squared_error");
  EXPECT_STREQ(error.said_by("add").what(), "[add] shapes differ");
  EXPECT_STREQ(Error(ErrorCode::kInvalidArgument, "shapes differ").said_by("add").what(),
               "[add] shapes differ");
}

TEST(ErrorTest, TagInFrontOfAFormatIsTheOp) {
  const Error literal = error_of([] { invalid_argument("[reshape] {} elements", 3); });
  EXPECT_EQ(literal.op(), "reshape");
  EXPECT_EQ(literal.message(), "3 elements");
  EXPECT_STREQ(literal.what(), "[reshape] 3 elements");
  const Error formatted = error_of([] { fail(ErrorCode::kNotFound, "[{}] no {}", "load [x]", "file"); });
  EXPECT_EQ(formatted.op(), "load [x]");
  EXPECT_STREQ(formatted.what(), "[load [x]] no file");
  const Error with_fields = error_of([] { invalid_argument({.layer = "a"}, "[track] {}", "[no] tag"); });
  EXPECT_STREQ(with_fields.what(), "[track] [no] tag; in layer \"a\"");
}

TEST(ErrorTest, BracketsThatAreNoTagStayInTheMessage) {
  EXPECT_EQ(error_of([] { invalid_argument("[0, {}) is the range", 3); }).op(), "");
  EXPECT_EQ(error_of([] { invalid_argument("[] is empty"); }).message(), "[] is empty");
  EXPECT_EQ(error_of([] { invalid_argument("{}", "[a] b"); }).op(), "");
  EXPECT_EQ(error_of([] { invalid_argument("[a]b"); }).message(), "[a]b");
}

}  // namespace
}  // namespace cornu
