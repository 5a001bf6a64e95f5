// Event files: their records and messages, by the readers of record files and of protobuf.
#include "cornu/io/events/event_file.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/io/proto_reader.h"
#include "cornu/io/tfrecord.h"

namespace cornu::inline v0::io {
namespace {

using Wire = ProtoReader::Wire;

/// The fields of a message as texts: bytes as they are, numbers in decimal.
std::map<std::uint32_t, std::string> fields_of(std::string_view message) {
  std::map<std::uint32_t, std::string> fields;
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): where the message begins, for places in errors
  ProtoReader reader(message, "event", message.data());
  while (reader.has_more()) {
    const ProtoReader::Field field = reader.take_field();
    if (field.wire == Wire::kBytes)
      fields[field.number] = std::string(reader.take_bytes());
    else if (field.wire == Wire::kVarint)
      fields[field.number] = std::to_string(reader.take_varint());
    else
      reader.skip(field.wire);
  }
  return fields;
}

std::vector<std::map<std::uint32_t, std::string>> events_in(const std::string& path) {
  std::vector<std::map<std::uint32_t, std::string>> events;
  RecordReader records(path);
  while (const auto record = records.next()) events.push_back(fields_of(record->view));
  return events;
}

template <typename T>
std::vector<T> numbers_in(const std::string& bytes) {
  std::vector<T> numbers(bytes.size() / sizeof(T));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
  return numbers;
}

TEST(EventFileTest, HoldsWhatTensorBoardReads) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "cornu_event_file_test" / "train";
  std::filesystem::remove_all(folder);
  std::string path;
  {
    EventFile file(folder.string());
    path = file.path();
    file.scalar("epoch_loss", 3, 0.25F);
    file.histogram("w", 0, std::vector<float>{0, 1, 2, 3, 3, NAN, INFINITY}, 3);
    file.histogram("equal", 1, std::vector<float>{2, 2});
    file.histogram("none", 1, {});
    file.text("note", 1, "**bold**");
    file.keras_model("keras", 0, "{}");
    const Image picture{.height = 2, .width = 1, .channels = 3, .pixels = {255, 0, 0, 0, 0, 255}};
    file.images("picture", 2, std::span(&picture, 1));
    const Image pictures[] = {picture, {.height = 1, .width = 1, .channels = 1, .pixels = {7}}};
    EXPECT_THROW(file.images("picture", 2, pictures), Error);
    EXPECT_THROW(file.images("picture", 2, {}), Error);
  }
  EXPECT_TRUE(std::filesystem::path(path).filename().string().starts_with("events.out.tfevents."));
  const auto events = events_in(path);
  ASSERT_EQ(events.size(), 8U);
  EXPECT_EQ(events[0].at(3), "brain.Event:2");
  const auto value_of = [&](std::size_t i) { return fields_of(fields_of(events[i].at(5)).at(1)); };
  const auto plugin_of = [&](std::size_t i) { return fields_of(fields_of(value_of(i).at(9)).at(1)).at(1); };

  EXPECT_EQ(events[1].at(2), "3");
  EXPECT_EQ(value_of(1).at(1), "epoch_loss");
  EXPECT_EQ(plugin_of(1), "scalars");
  EXPECT_EQ(numbers_in<float>(fields_of(value_of(1).at(8)).at(4)), std::vector<float>{0.25F});

  EXPECT_FALSE(events[2].contains(2)) << "step 0 is left out";
  EXPECT_EQ(plugin_of(2), "histograms");
  EXPECT_EQ(numbers_in<double>(fields_of(value_of(2).at(8)).at(4)),
            (std::vector<double>{0, 1, 1, 1, 2, 1, 2, 3, 3}));
  EXPECT_EQ(numbers_in<double>(fields_of(value_of(3).at(8)).at(4)), (std::vector<double>{1.5, 2.5, 2}));
  EXPECT_EQ(fields_of(value_of(4).at(8)).at(4), "");
  EXPECT_EQ(plugin_of(5), "text");
  EXPECT_EQ(fields_of(value_of(5).at(8)).at(8), "**bold**");
  EXPECT_EQ(plugin_of(6), "graph_keras_model");
  EXPECT_EQ(plugin_of(7), "images");
  EXPECT_TRUE(fields_of(value_of(7).at(8)).at(8).starts_with("\x89PNG"));
  EXPECT_THROW(EventFile("/proc/nowhere"), Error);
}

}  // namespace
}  // namespace cornu::inline v0::io
