#include "cli/study/deadline.h"

#include <gtest/gtest.h>

#include <string>

#include "cornu/base/error.h"

namespace cornu::inline v0::study {
namespace {

TEST(DeadlineTest, ATimeOfTheDayIsTodayOrTomorrowAndADurationHasAUnit) {
  std::tm morning{};
  morning.tm_year = 126;
  morning.tm_mon = 10;
  morning.tm_mday = 28;
  morning.tm_hour = 6;
  morning.tm_min = 30;
  morning.tm_isdst = -1;
  const std::time_t now = std::mktime(&morning);
  EXPECT_EQ(parse_deadline("8:00", now).seconds, 5400);
  EXPECT_EQ(parse_deadline("6:30", now).seconds, 86400) << "it is 6:30: tomorrow's";
  EXPECT_EQ(parse_deadline("06:29", now).seconds, 86400 - 60);
  EXPECT_EQ(parse_deadline("90m", now).seconds, 5400);
  EXPECT_EQ(parse_deadline("2.5h", now).seconds, 9000);
  EXPECT_EQ(parse_deadline("1d", now).seconds, 86400);
  EXPECT_EQ(parse_deadline("45s", now).seconds, 45);
  EXPECT_EQ(parse_deadline("3600", now).text, "3600");
  for (const char* const text : {"", "x", "8:0", "24:00", "8:60", "-1", "0", "1w", "inf", "8:00:00", "h"}) {
    try {
      parse_deadline(text, now);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("as in 8:00"), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::study
