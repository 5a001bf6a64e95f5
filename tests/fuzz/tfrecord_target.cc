#include "tests/fuzz/target.h"

#include "cornu/io/tfrecord.h"

namespace cornu::inline v0::fuzz {
namespace {

void tfrecord_once(Bytes bytes) {
  // The first byte says how the rest is compressed.
  if (bytes.empty()) return;
  const auto kind = static_cast<io::Compression>(std::to_integer<int>(bytes[0]) % 3);
  std::unique_ptr<io::ByteStream> stream = io::memory_stream(bytes.subspan(1), "input");
  if (kind != io::Compression::kNone) stream = io::inflated(std::move(stream), kind);
  io::RecordReader reader(std::move(stream), {.max_record_bytes = 1 << 20});
  std::uint64_t before = 0;
  for (int count = 0; count < 10'000; ++count) {
    const auto record = reader.next();
    if (!record.has_value()) break;
    require(reader.offset() - before == record->view.size() + 16,
            "a record of another length than its bytes");
    before = reader.offset();
  }
}

}  // namespace

void tfrecord(Bytes bytes) { parse(tfrecord_once, bytes); }

}  // namespace cornu::inline v0::fuzz
