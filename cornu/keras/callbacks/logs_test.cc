#include "cornu/keras/callbacks/logs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "cornu/base/error.h"
#include "cornu/keras/callbacks/callback_list.h"
#include "cornu/keras/callbacks/history.h"
#include "cornu/keras/callbacks/log_reader_test_support.h"

namespace cornu::inline v0::keras {
namespace {

TEST(LogsTest, ArePrintedAsTheProgressBarPrintsThem) {
  std::ostringstream out;
  out << Logs{{"accuracy", 0.9}, {"loss", 0.25}};
  EXPECT_EQ(out.str(), "accuracy: 0.9000 - loss: 0.2500");
  const double negative_nan =
      std::copysign(std::numeric_limits<double>::quiet_NaN(), -1.0);  // of 0 / 0 on x86
  EXPECT_EQ((Logs{{"loss", negative_nan}}).str(), "loss: nan");
}

TEST(LogsTest, KeepsOrderAndReplacesValues) {
  Logs logs = {{"loss", 1.0}};
  logs.set("accuracy", 0.5);
  logs.set("loss", 2.0);
  EXPECT_EQ(logs.str(), "loss: 2.0000 - accuracy: 0.5000");
  logs.sort_by_name();
  EXPECT_EQ(logs.str(), "accuracy: 0.5000 - loss: 2.0000");
  EXPECT_EQ(logs["accuracy"], 0.5);
}

TEST(LogsTest, AValueMayBeAnArray) {
  Logs logs = {{"loss", 1.0}};
  logs.set("f1_score", Tensor::of<float>({2}, {0.5F, 1}));
  EXPECT_EQ(logs.str(), "loss: 1.0000 - f1_score: 0.7500");
  EXPECT_EQ(logs.array("f1_score").shape(), (Dims{2}));
  EXPECT_EQ(logs.array("loss").item<double>(), 1);
  EXPECT_EQ(logs.find("f1_score")->str(), "[0.5, 1.0]");
  EXPECT_EQ(LogValue(Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, 4})).str(), "[[1, 2], [3, 4]]");
  EXPECT_TRUE(logs == logs);
  EXPECT_FALSE((logs == Logs{{"loss", 1.0}, {"f1_score", 0.75}}));
  try {
    (void)logs["f1_score"];
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "[logs] \"f1_score\" is an array of shape (2,): use array(\"f1_score\")");
  }
  callbacks::History history;
  history.on_epoch_end(0, logs);
  EXPECT_EQ(history.array("f1_score").at(0).at(1), 1);
  EXPECT_TRUE(history.contains("f1_score"));
  EXPECT_THROW((void)history["f1_score"], Error);
  EXPECT_THROW((void)history.array("loss"), Error);
  EXPECT_EQ(history["loss"], std::vector<double>{1});
}

TEST(LogsTest, AnUnknownNameListsTheKnownOnes) {
  const Logs logs = {{"loss", 1.0}, {"accuracy", 0.5}};
  try {
    (void)logs["acc"];
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "[logs] there is no \"acc\"; there are: loss, accuracy");
  }
}

TEST(LazyLogsTest, ReadsOnceUntilInvalidated) {
  int reads = 0;
  const callbacks::LogReaderOf reader([&](Logs& logs) { logs.set("loss", ++reads); });
  LazyLogs lazy(reader);
  EXPECT_EQ(lazy.get()["loss"], 1);
  EXPECT_EQ(lazy.get()["loss"], 1);
  lazy.invalidate();
  EXPECT_EQ(lazy.get()["loss"], 2);
}

TEST(HistoryTest, HoldsOneEntryAnEpoch) {
  callbacks::History history;
  history.on_train_begin();
  for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
    Logs logs = {{"loss", 1.0 / static_cast<double>(epoch + 1)}};
    if (epoch == 2) logs.set("val_loss", 5);
    history.on_epoch_end(epoch, logs);
  }
  EXPECT_EQ(history.epoch, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(history["loss"], (std::vector<double>{1.0, 0.5, 1.0 / 3}));
  EXPECT_EQ(history["val_loss"], std::vector<double>{5});
  EXPECT_FALSE(history.contains("accuracy"));
  EXPECT_EQ(history.history.at("loss").size(), 3u);
  EXPECT_EQ(history.history.keys(), (std::vector<std::string>{"loss", "val_loss"}));
  try {
    (void)history.history.at("los");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "[history] there is no \"los\"; did you mean \"loss\"? there are: loss, val_loss");
  }
}

TEST(HistoryTest, KeepsTheLogsOfSeveralRuns) {
  callbacks::History history;
  for (const double loss : {3.0, 1.0}) {
    history.on_train_begin();
    Logs logs = {{"loss", loss}, {"norms", Tensor::of<float>({2}, {1, 2})}};
    history.on_epoch_end(0, logs);
  }
  EXPECT_EQ(history.epoch, std::vector<std::int64_t>{0});
  EXPECT_EQ(history["loss"], (std::vector<double>{3, 1}));
  EXPECT_EQ(history.array("norms").size(), 2u);
}

class FineCallback : public callbacks::Callback {
 public:
  std::int64_t max_batches_per_call() const override { return 3; }
};

TEST(CallbackListTest, TakesValuesPointersAndSharedPointers) {
  FineCallback mine;
  auto history = std::make_shared<callbacks::History>();
  const callbacks::CallbackList list({&mine, history, FineCallback()}, {.add_history = true});
  EXPECT_EQ(list.history(), history.get());
  EXPECT_EQ(list.max_batches_per_call(), 3);
}

}  // namespace
}  // namespace cornu::inline v0::keras
