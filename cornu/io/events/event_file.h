#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cornu/base/string_argument.h"
#include "cornu/io/images/image.h"

namespace cornu::inline v0::io {

/// Writes an event file, which TensorBoard reads: TensorFlow's record file of tf.Event messages.
///
/// Each event is handed to the system when it is written, so that TensorBoard shows it while the program
/// runs. After a crash the file ends with a whole event, or one that readers see is cut off.
/// Owns:    the file.
/// Errors:  NotFound when the folder cannot be made or written; ResourceExhausted when there is no room;
///          DataLoss, with what the system says.
/// Threads: one at a time.
class EventFile {
 public:
  /// Makes "events.out.tfevents.SECONDS.HOST.PROCESS.NUMBER.v2" in a folder, which is made if it is not
  /// there.
  explicit EventFile(const StringArgument& folder);
  ~EventFile();
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  const std::string& path() const { return path_; }

  void scalar(StringViewArgument tag, std::int64_t step, float value);
  /// The values' range in `num_buckets` buckets of one width; one bucket of width 1 when all are equal, none
  /// without values. Values that are not finite are left out.
  void histogram(StringViewArgument tag, std::int64_t step, std::span<const float> values,
                 std::int64_t num_buckets = 30);
  /// Markdown.
  void text(StringViewArgument tag, std::int64_t step, StringViewArgument value);
  /// Pictures of one size, as PNGs.
  /// Errors: also InvalidArgument for none, for sizes that differ, and encode_png's.
  void images(StringViewArgument tag, std::int64_t step, std::span<const Image> pictures);
  /// A Keras model as JSON, which the graph plug-in draws.
  void keras_model(StringViewArgument tag, std::int64_t step, StringViewArgument json);

 private:
  struct Summary;
  void write_summary(const Summary& summary, std::int64_t step);
  void write_record(std::string_view event);

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace cornu::inline v0::io
