#include "cornu/base/log.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/log_test_support.h"

namespace cornu::inline v0 {
namespace {

// What `f` makes stderr say.
template <typename F>
std::string stderr_of(F&& f) {
  testing::internal::CaptureStderr();
  f();
  return testing::internal::GetCapturedStderr();
}

// The sink at first is back when the test is over.
class LogTest : public testing::Test {
 protected:
  ~LogTest() override { set_log_sink({}); }
};

TEST_F(LogTest, AtFirstAMessageIsALineOnStderr) {
  const std::string said = stderr_of([] {
    log_warning("[fit] the data ran out after {} of {} steps", 3, 5);
    log_error("nobody says this");
    log_message({.component = "prices", .text = "read"});
  });
  EXPECT_EQ(said,
            "warning: [fit] the data ran out after 3 of 5 steps\n"
            "error: nobody says this\n"
            "info: [prices] read\n");
}

TEST_F(LogTest, ASinkGetsSeverityComponentAndTextInPlaceOfStderr) {
  std::vector<LogMessage> messages;
  set_log_sink([&](const LogMessage& message) { messages.push_back(message); });
  EXPECT_EQ(stderr_of([] {
              log_warning("[{}] no log \"{}\"", "EarlyStopping", "loss");
              log_message({.text = "of the program's own"});
            }),
            "");
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].severity, LogSeverity::kWarning);
  EXPECT_EQ(messages[0].component, "EarlyStopping");
  EXPECT_EQ(messages[0].text, "no log \"loss\"");
  EXPECT_EQ(messages[1].severity, LogSeverity::kInfo);
  EXPECT_EQ(messages[1].component, "");
  EXPECT_EQ(messages[1].str(), "info: of the program's own");
}

TEST_F(LogTest, TheSinkBeforeIsReturnedAndCanBePutBack) {
  std::string first, second;
  EXPECT_FALSE(set_log_sink([&](const LogMessage& message) { first += message.text; }));
  const LogSink before = set_log_sink([&](const LogMessage& message) { second += message.text; });
  log_warning("a");
  EXPECT_TRUE(set_log_sink(before));
  log_warning("b");
  EXPECT_EQ(first, "b");
  EXPECT_EQ(second, "a");
  set_log_sink({});
  EXPECT_EQ(stderr_of([] { log_warning("c"); }), "warning: c\n");
}

TEST_F(LogTest, TheSinkForStderrShowsFromItsSeverityOn) {
  set_log_sink(stderr_log_sink(LogSeverity::kWarning));
  EXPECT_EQ(stderr_of([] {
              log_message({.text = "a"});
              log_warning("b");
              log_error("c");
            }),
            "warning: b\nerror: c\n");
}

// The variable is read once, so each value has a process.
TEST_F(LogTest, TheVariableSaysFromWhichSeverityOnStderrShowsAtFirst) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto say_all = [](const char* level) {
    setenv("CORNU_LOG_LEVEL", level, /*overwrite=*/1);
    log_message({.component = "a", .text = "one"});
    log_warning("[a] two");
    log_error("[a] three");
    std::_Exit(EXIT_SUCCESS);
  };
  const auto succeeds = testing::ExitedWithCode(EXIT_SUCCESS);
  EXPECT_EXIT(say_all("error"), succeeds, "^error: .a. three\n$");
  EXPECT_EXIT(say_all("warning"), succeeds, "^warning: .a. two\nerror: .a. three\n$");
  EXPECT_EXIT(say_all("info"), succeeds, "^info: .a. one\nwarning: .a. two\n");
  EXPECT_EXIT(say_all("loud"), succeeds,
              "^warning: .environment. CORNU_LOG_LEVEL must be info, warning or error; got \"loud\"\n"
              "info: .a. one\nwarning: .a. two\nerror: .a. three\n$");
}

TEST_F(LogTest, ControlCharactersOfNamesReachNoTerminal) {
  CapturedLog log;
  log_warning("[{}] model \"{}\"\n\tsecond line", "fit\x1b[2J", std::string("\x1b]0;title\x07\0", 11));
  EXPECT_EQ(log.take(), "warning: [fit\\x1b[2J] model \"\\x1b]0;title\\x07\\x00\"\n\tsecond line\n");
}

TEST_F(LogTest, CallsFromSeveralThreadsComeOneAtATime) {
  constexpr int kThreads = 8, kMessages = 500;
  std::vector<std::string> texts;  // without a lock
  std::atomic<int> inside = 0, most = 0;
  set_log_sink([&](const LogMessage& message) {
    if (++inside > 1) ++most;
    texts.push_back(message.text);
    --inside;
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < kMessages; ++i) log_warning("[test] {} {}", t, i);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 0);
  ASSERT_EQ(texts.size(), static_cast<std::size_t>(kThreads * kMessages));
  int next[kThreads] = {};  // each thread's messages in its order
  for (const std::string& text : texts) {
    const int thread = text[0] - '0';
    EXPECT_EQ(text, fmt::format("{} {}", thread, next[thread]++));
  }
}

TEST_F(LogTest, ASinkRunsNoMoreWhenItsReplacementHasReturned) {
  std::promise<void> entered, leave;
  set_log_sink([&](const LogMessage&) {
    entered.set_value();
    leave.get_future().wait();
  });
  std::thread says([] { log_warning("a"); });
  entered.get_future().wait();
  std::future<void> replaced = std::async(std::launch::async, [] { set_log_sink({}); });
  EXPECT_EQ(replaced.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  leave.set_value();
  replaced.get();
  says.join();
}

TEST_F(LogTest, WhatASinkThatThrowsDidNotTakeGoesToStderr) {
  int calls = 0;
  set_log_sink([&](const LogMessage&) {
    if (++calls == 1) throw std::runtime_error("the disk\x07 is full");
    if (calls == 2) throw 7;
  });
  EXPECT_EQ(stderr_of([] { log_warning("[fit] a"); }),
            "warning: [fit] a\nerror: [log] the sink threw: the disk\\x07 is full\n");
  EXPECT_EQ(stderr_of([] { log_warning("[fit] b"); }),
            "warning: [fit] b\nerror: [log] the sink threw: no std::exception\n");
  EXPECT_EQ(stderr_of([] { log_warning("[fit] c"); }), "");
  EXPECT_EQ(calls, 3);
}

TEST_F(LogTest, WhatASinkMakesTheLibrarySayGoesToStderr) {
  int calls = 0;
  set_log_sink([&](const LogMessage& message) {
    ++calls;
    log_warning("[sink] got \"{}\"", message.text);
  });
  EXPECT_EQ(stderr_of([] { log_warning("[fit] a"); }), "warning: [sink] got \"a\"\n");
  EXPECT_EQ(calls, 1);
}

TEST_F(LogTest, ASinkCannotReplaceItself) {
  ErrorCode code = ErrorCode::kInternal;
  set_log_sink([&](const LogMessage&) {
    try {
      set_log_sink({});
    } catch (const Error& error) {
      code = error.code();
    }
  });
  log_warning("a");
  EXPECT_EQ(code, ErrorCode::kFailedPrecondition);
}

TEST_F(LogTest, MessagesGoOutWhileAnExceptionIsOnItsWay) {
  struct AtTheEnd {
    ~AtTheEnd() { log_warning("[end] of a scope"); }
  };
  CapturedLog log;
  EXPECT_THROW(
      {
        const AtTheEnd says;
        throw std::runtime_error("x");
      },
      std::runtime_error);
  EXPECT_EQ(log.take(), "warning: [end] of a scope\n");
}

}  // namespace
}  // namespace cornu::inline v0
