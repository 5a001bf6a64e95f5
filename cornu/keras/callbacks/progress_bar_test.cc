#include "cornu/keras/callbacks/progress_bar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "cornu/keras/callbacks/log_reader_test_support.h"
#include "cornu/keras/callbacks/progbar_logger.h"

namespace cornu::inline v0::keras::callbacks {
namespace {

struct Screen {
  std::string text;
  double time = 100;
  ProgressBarOptions options(std::int64_t target, int verbose, bool redraw) {
    ProgressBarOptions all;
    all.target = target;
    all.verbose = verbose;
    all.redraw = redraw;
    all.write = [this](std::string_view piece) { text += piece; };
    all.now = [this] { return time; };
    return all;
  }
};

TEST(ProgressBarTest, AFinishedBarInAPipeIsOneLine) {
  Screen screen;
  ProgressBar bar(screen.options(6, 1, false));
  for (int step = 1; step <= 6; ++step) {
    screen.time += 0.002;
    bar.update(step, {{"loss", 0.5}});
  }
  bar.finish({{"accuracy", 0.9048}, {"loss", 0.03214}, {"val_accuracy", 1.0}, {"val_loss", 0.0009}});
  EXPECT_EQ(screen.text,
            "6/6 ━━━━━━━━━━━━━━━━━━━━ 0s 2ms/step - accuracy: 0.9048 - loss: 0.0321 - val_accuracy: 1.0000 - "
            "val_loss: 9.0000e-04\n");
}

TEST(ProgressBarTest, ATerminalIsRedrawnWithColoursAndTheTimeLeft) {
  Screen screen;
  ProgressBar bar(screen.options(100, 1, true));
  screen.time += 1;
  bar.update(10, {{"loss", 0.25}});
  EXPECT_EQ(screen.text,
            "\r\x1b[1m 10/100\x1b[0m \x1b[32m━━\x1b[0m\x1b[37m━━━━━━━━━━━━━━━━━━\x1b[0m \x1b[1m9s\x1b[0m "
            "100ms/step - loss: 0.2500");
}

TEST(ProgressBarTest, WithoutColoursTheRestOfTheBarIsDashed) {
  Screen screen;
  ProgressBarOptions options = screen.options(100, 1, true);
  options.color = false;
  ProgressBar bar(options);
  screen.time += 1;
  bar.update(10, {{"loss", 0.25}});
  EXPECT_EQ(screen.text, "\r 10/100 ━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 9s 100ms/step - loss: 0.2500");
}

/// The widest line of a text, which may have escape sequences.
std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0, width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else if (text[i] == '\n' || text[i] == '\r') {
      width = 0;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      widest = std::max(widest, ++width);
    }
  }
  return widest;
}

ProgressBarOptions options_at(Screen& screen, std::size_t columns) {
  ProgressBarOptions options = screen.options(100, 1, true);
  options.color = false;
  options.columns = [columns] { return columns; };
  return options;
}

const Logs kMetrics = {{"accuracy", 0.7619}, {"loss", 0.0535}, {"val_accuracy", 0.8}, {"val_loss", 0.0379}};

TEST(ProgressBarTest, ANarrowTerminalHasAShorterBar) {
  Screen screen;
  ProgressBar bar(options_at(screen, 62));
  screen.time += 1;
  EXPECT_EQ(bar.render(50, {{"accuracy", 0.5}, {"loss", 0.25}}, false),
            " 50/100 ━━━╌╌╌ 1s 20ms/step - accuracy: 0.5000 - loss: 0.2500")
      << "61 columns: the last one stays free";
}

TEST(ProgressBarTest, MetricsWithoutRoomAreLeftOutUntilTheEpochEnds) {
  Screen screen;
  ProgressBar bar(options_at(screen, 40));
  screen.time += 1;
  EXPECT_EQ(bar.render(50, kMetrics, false), " 50/100 ━━━━━━━━━╌╌╌╌╌╌╌╌╌ 1s 20ms/step");
  EXPECT_EQ(bar.render(100, kMetrics, true),
            "100/100 ━━━━━━━━━━━━━━━━━━ 1s 10ms/step\n"
            "  accuracy: 0.7619 - loss: 0.0535\n"
            "  val_accuracy: 0.8000\n"
            "  val_loss: 0.0379");
}

TEST(ProgressBarTest, AClockThatRunsOnWhileALineIsMadeDoesNotWidenIt) {
  Screen screen;
  ProgressBarOptions options = options_at(screen, 30);
  double tick = 1e-7;
  options.now = [&] { return screen.time += tick *= 3; };  // more digits at each reading
  ProgressBar bar(options);
  for (int step = 10; step <= 100; step += 10) bar.finish(step, kMetrics);
  EXPECT_LT(widest_line(screen.text), 30U) << screen.text;
}

TEST(ProgressBarTest, NoLineIsWiderThanTheTerminal) {
  for (const std::size_t columns : {30, 40, 60, 80, 120}) {
    Screen screen;
    ProgressBar bar(options_at(screen, columns));
    for (int step = 10; step <= 100; step += 10) {
      screen.time += 1;
      bar.update(step, kMetrics);
    }
    bar.finish(kMetrics);
    EXPECT_LT(widest_line(screen.text), columns) << screen.text;
    for (const char* const name : {"accuracy: ", "loss: ", "val_accuracy: ", "val_loss: "})
      EXPECT_NE(screen.text.rfind(name), std::string::npos) << "the end of an epoch shows all";
  }
}

TEST(ProgressBarTest, ALineThatIsBrokenCoversTheOneBefore) {
  Screen screen;
  ProgressBar bar(options_at(screen, 40));
  screen.time += 1;
  bar.update(50, {});
  screen.text.clear();
  screen.time += 100;
  bar.finish(kMetrics);
  const std::string first = screen.text.substr(0, screen.text.find('\n'));
  EXPECT_GE(first.size(), 30U) << screen.text;
  EXPECT_EQ(screen.text.back(), '\n');
}

TEST(ProgressBarTest, RedrawsAtMostEveryFiftyMilliseconds) {
  Screen screen;
  ProgressBar bar(screen.options(1000, 1, true));
  bar.update(1, {});
  const std::size_t drawn = screen.text.size();
  screen.time += 0.049;
  EXPECT_FALSE(bar.due());
  bar.update(2, {});
  EXPECT_EQ(screen.text.size(), drawn);
  screen.time += 0.002;
  EXPECT_TRUE(bar.due());
  bar.update(3, {});
  EXPECT_GT(screen.text.size(), drawn);
}

TEST(ProgressBarTest, AShorterLineCoversALongerOne) {
  Screen screen;
  ProgressBar bar(screen.options(10, 1, true));
  bar.update(1, {{"a_long_name", 1.0}});
  screen.time += 1;
  screen.text.clear();
  bar.update(2, {});
  EXPECT_EQ(screen.text.substr(screen.text.size() - 10), std::string(10, ' '));
}

TEST(ProgressBarTest, VerboseTwoHasNoBar) {
  Screen screen;
  ProgressBar bar(screen.options(6, 2, true));
  screen.time += 3;
  bar.finish({{"loss", 2.0}});
  EXPECT_EQ(screen.text, "6/6 - 3s - 500ms/step - loss: 2.0000\n");
}

TEST(ProgressBarTest, AnEpochThatEndsEarlyShowsTheStepsThatRan) {
  Screen screen;
  ProgressBar bar(screen.options(12, 1, false));
  screen.time += 1;
  bar.finish(9, {{"loss", 2.0}});
  EXPECT_EQ(screen.text, " 9/12 ━━━━━━━━━━━━━━━╌╌╌╌╌ 1s 111ms/step - loss: 2.0000\n");
  screen.text.clear();
  ProgressBar line(screen.options(12, 2, true));
  screen.time += 1;
  line.finish(10, {{"loss", 2.0}});
  EXPECT_EQ(screen.text, "10/12 - 1s - 100ms/step - loss: 2.0000\n");
}

TEST(ProgressBarTest, SilentWhenAsked) {
  Screen screen;
  ProgressBar bar(screen.options(6, 0, true));
  bar.update(1, {});
  bar.finish({});
  EXPECT_EQ(screen.text, "");
}

TEST(ProgressBarTest, DurationsAreRoundedAsKerasDoes) {
  EXPECT_EQ(format_step_time(0.0000021, "step"), " 2us/step");
  EXPECT_EQ(format_step_time(0.0021, "step"), " 2ms/step");
  EXPECT_EQ(format_step_time(2.1, "step"), " 2s/step");
  EXPECT_EQ(format_step_time(0, "step"), " 0s/step");
}

TEST(ProgressBarTest, LongTimesLeft) {
  Screen screen;
  ProgressBar bar(screen.options(10000, 1, true));
  screen.time += 2;
  EXPECT_NE(bar.render(1, {}, false).find("5:33:18"), std::string::npos);
  EXPECT_NE(bar.render(100, {}, false).find("3:18"), std::string::npos);
}

TEST(ProgbarLoggerTest, PrintsEpochsAndKeepsValidationSilent) {
  Screen screen;
  ProgbarLogger logger(screen.options(0, 1, false));
  logger.set_params({.verbose = 1, .epochs = 2, .steps = 2});
  const LogReaderOf reader([](Logs&) { FAIL() << "nobody needs the metrics in a pipe"; });
  LazyLogs lazy(reader);
  Logs logs = {{"loss", 1.0}};
  logger.on_train_begin();
  for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
    logger.on_epoch_begin(epoch);
    for (std::int64_t step = 0; step < 2; ++step) {
      screen.time += 0.001;
      logger.on_train_batch_begin({step, step, 1});
      logger.on_train_batch_end({step, step, 1}, lazy);
    }
    logger.on_test_begin();
    logger.on_test_batch_end({0, 0, 1}, lazy);
    logger.on_test_end(logs);
    logger.on_epoch_end(epoch, logs);
  }
  logger.on_train_end(logs);
  const std::string line = "2/2 ━━━━━━━━━━━━━━━━━━━━ 0s 1ms/step - loss: 1.0000\n";
  EXPECT_EQ(screen.text, "Epoch 1/2\n" + line + "Epoch 2/2\n" + line);
}

TEST(ProgbarLoggerTest, ShowsTheStepsThatAnEpochHad) {
  Screen screen;
  ProgbarLogger logger(screen.options(0, 2, false));
  const LogReaderOf reader([](Logs&) {});
  LazyLogs lazy(reader);
  Logs logs = {{"loss", 1.0}};
  const auto run_epochs = [&](std::int64_t known, const std::vector<std::int64_t>& lengths) {
    screen.text.clear();
    logger.set_params({.verbose = 2, .epochs = 1, .steps = known});
    logger.on_train_begin();
    for (std::size_t epoch = 0; epoch < lengths.size(); ++epoch) {
      logger.on_epoch_begin(static_cast<std::int64_t>(epoch));
      logger.on_train_batch_end({0, lengths[epoch] - 1, lengths[epoch]}, lazy);
      logger.on_epoch_end(static_cast<std::int64_t>(epoch), logs);
    }
    logger.on_train_end(logs);
    std::vector<std::string> counters;
    for (std::size_t at = 0; at < screen.text.size(); at = screen.text.find('\n', at) + 1)
      counters.push_back(screen.text.substr(at, screen.text.find(" - ", at) - at));
    return counters;
  };
  using Counters = std::vector<std::string>;
  EXPECT_EQ(run_epochs(12, {12, 10}), (Counters{"12/12", "10/12"})) << "stopped, or out of data";
  EXPECT_EQ(run_epochs(0, {12, 13, 10}), (Counters{"12/12", "13/13", "10/13"}))
      << "passes of several lengths";
}

TEST(ProgbarLoggerTest, MovesWhileALongExecutionRuns) {
  std::string text;
  ProgbarLogger logger({.redraw = true, .write = [&](std::string_view piece) { text += piece; }});
  runtime::Progress progress;
  logger.set_params({.verbose = 1, .epochs = 1, .steps = 100, .progress = &progress});
  const LogReaderOf reader([](Logs& logs) { logs.set("loss", 0.5); });
  LazyLogs lazy(reader);
  Logs logs = {{"loss", 0.5}};
  logger.on_train_begin();
  logger.on_epoch_begin(0);
  for (std::int64_t first = 0; first < 100; first += 50) {
    progress.steps_done = 0;
    logger.on_train_batch_begin({first, first + 49, 50});
    for (int step = 1; step <= 50; ++step) {
      std::this_thread::sleep_for(std::chrono::milliseconds(6));
      progress.steps_done = step;
    }
    logger.on_train_batch_end({first, first + 49, 50}, lazy);
  }
  logger.on_epoch_end(0, logs);
  logger.on_train_end(logs);
  // Drawn at the ends of the two executions, at the end of the epoch, and at least twice in between.
  EXPECT_GE(std::count(text.begin(), text.end(), '\r'), 5) << text;
  std::int64_t last = 0;
  for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1)) {
    const std::int64_t step = std::stoll(text.substr(at + 5, 3));
    EXPECT_GE(step, last) << "never back";
    last = step;
  }
}

TEST(ProgbarLoggerTest, ReadsMetricsOnlyWhenItDraws) {
  Screen screen;
  ProgbarLogger logger(screen.options(0, 1, true));
  logger.set_params({.verbose = 1, .epochs = 1, .steps = 1000});
  int reads = 0;
  const LogReaderOf reader([&](Logs& logs) {
    ++reads;
    logs.set("loss", 1.0);
  });
  LazyLogs lazy(reader);
  logger.on_epoch_begin(0);
  for (std::int64_t step = 0; step < 1000; ++step) {
    screen.time += 0.001;
    lazy.invalidate();
    logger.on_train_batch_end({step, step, 1}, lazy);
  }
  EXPECT_GE(reads, 15);
  EXPECT_LE(reads, 21);
}

}  // namespace
}  // namespace cornu::inline v0::keras::callbacks
