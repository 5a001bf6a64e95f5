#include "cornu/io/byte_reader.h"

#include <algorithm>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"

namespace cornu::inline v0::io {

std::string shown(std::string_view text) { return printable(text); }

void corrupt(std::string_view name, std::uint64_t offset, std::string_view what) {
  fail(ErrorCode::kDataLoss, "[io] {}: {}; at byte {}", shown(name), shown(what), offset);
}

std::string_view ByteReader::take_line(std::string_view what) {
  const auto rest = bytes_.subspan(offset_);
  const auto end = std::find(rest.begin(), rest.end(), std::byte{'\n'});
  if (end == rest.end()) corrupt_here(fmt::format("{} has no end; the file is cut off", what));
  const std::string_view line = take_text(static_cast<std::uint64_t>(end - rest.begin()), what);
  ++offset_;
  return line;
}

void ByteReader::expect_end() const {
  if (remaining() > 0)
    corrupt_here(fmt::format(
        "{} bytes follow the end of the data; the file is damaged or of another kind: get it again",
        remaining()));
}

void ByteReader::truncated(std::uint64_t count, std::string_view what) const {
  corrupt_here(fmt::format("the file is cut off: {} needs {} bytes, {} are left; get the file again", what,
                           count, remaining()));
}

}  // namespace cornu::inline v0::io
