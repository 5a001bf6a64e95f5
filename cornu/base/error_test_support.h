#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cornu/base/error.h"

/// What tests ask of the errors that something throws.
namespace cornu::inline v0 {

/// The Error that f() throws; fails the test if it throws none.
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

/// What the Error says that f() throws; "no error" if it throws none.
template <typename F>
std::string error_text_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// What the Error says that f() throws; fails the test if it throws none or one of another code.
template <typename F>
std::string error_text_of(ErrorCode code, F&& f) {
  const Error error = error_of(f);
  EXPECT_EQ(error.code(), code) << error.what();
  return error.what();
}

/// The text has each of the parts.
inline void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "missing: " << part << "\nin: " << text;
}

/// The error has this code, and its text each of the parts.
inline void expect_says(const Error& error, ErrorCode code, const std::vector<std::string>& parts) {
  EXPECT_EQ(error.code(), code) << error.what();
  expect_parts(error.what(), parts);
}

/// f() throws such an error.
template <typename F>
void expect_error(ErrorCode code, const std::vector<std::string>& parts, F&& f) {
  expect_says(error_of(f), code, parts);
}

/// f() throws an Error, whatever its code, whose text has each of the parts.
template <typename F>
void expect_error_text(const std::vector<std::string>& parts, F&& f) {
  expect_parts(error_of(f).what(), parts);
}

}  // namespace cornu::inline v0
