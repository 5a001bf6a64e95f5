#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cornu/base/error.h"

/// Test helpers for errors.
namespace cornu::inline v0 {

/// The Error thrown by f(); fails the test if there is none.
template <typename F>
Error error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return Error(ErrorCode::kInternal, "none");
}

/// The text of the Error thrown by f(); "no error" if there is none.
template <typename F>
std::string error_text_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// The text of the Error thrown by f(); fails the test if there is none or its code differs.
template <typename F>
std::string error_text_of(ErrorCode code, F&& f) {
  const Error error = error_of(f);
  EXPECT_EQ(error.code(), code) << error.what();
  return error.what();
}

/// Expects the text to contain each of the parts.
inline void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "missing: " << part << "\nin: " << text;
}

/// Expects the error to have this code, and its text to contain each of the parts.
inline void expect_contains(const Error& error, ErrorCode code, const std::vector<std::string>& parts) {
  EXPECT_EQ(error.code(), code) << error.what();
  expect_parts(error.what(), parts);
}

/// Expects f() to throw an error with this code and these parts.
template <typename F>
void expect_error(ErrorCode code, const std::vector<std::string>& parts, F&& f) {
  expect_contains(error_of(f), code, parts);
}

/// Expects f() to throw an Error, of any code, whose text contains each of the parts.
template <typename F>
void expect_error_text(const std::vector<std::string>& parts, F&& f) {
  expect_parts(error_of(f).what(), parts);
}

}  // namespace cornu::inline v0
