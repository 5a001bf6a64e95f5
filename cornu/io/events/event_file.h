#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cornu/base/string_argument.h"
#include "cornu/io/images/image.h"

namespace cornu::inline v0::io {

/// Writes an event file for TensorBoard: TensorFlow's record file of tf.Event messages.
///
/// Each event is passed to the system at once, so that TensorBoard shows it while the program runs. After a
/// crash the file ends with a complete event, or with one that readers recognize as truncated.
/// Owns:    the file.
/// Errors:  NotFound if the folder cannot be made or written; ResourceExhausted if the disk is full;
///          DataLoss, with the system's message.
/// Threads: one at a time.
class EventFile {
 public:
  /// Makes "events.out.tfevents.SECONDS.HOST.PROCESS.NUMBER.v2" in a folder, which is created if missing.
  explicit EventFile(const StringArgument& folder);
  ~EventFile();
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  const std::string& path() const { return path_; }

  void scalar(StringViewArgument tag, std::int64_t step, float value);
  /// Writes a histogram: the values' range in `num_buckets` buckets of equal width; one bucket of width 1 if
  /// all are equal, none without values. Values that are not finite are ignored.
  void histogram(StringViewArgument tag, std::int64_t step, std::span<const float> values,
                 std::int64_t num_buckets = 30);
  /// Writes a text in Markdown.
  void text(StringViewArgument tag, std::int64_t step, StringViewArgument value);
  /// Writes pictures of one size, as PNGs.
  /// Errors: also InvalidArgument for none, for sizes that differ, and encode_png's.
  void images(StringViewArgument tag, std::int64_t step, std::span<const Image> pictures);
  /// Writes a Keras model as JSON, for the graph plug-in.
  void keras_model(StringViewArgument tag, std::int64_t step, StringViewArgument json);

 private:
  struct Summary;
  void write_summary(const Summary& summary, std::int64_t step);
  void write_record(std::string_view event);

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace cornu::inline v0::io
