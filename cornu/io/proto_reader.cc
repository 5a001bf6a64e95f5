#include "cornu/io/proto_reader.h"

namespace cornu::inline v0::io {

void ProtoReader::damaged(std::string_view what) const {
  corrupt(name_, static_cast<std::uint64_t>(at_ - begin_), what);
}

std::uint64_t ProtoReader::take_long_varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (at_ == end_) damaged("a number that is cut off");
    const auto byte = static_cast<unsigned char>(*at_++);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << (shift < 64 ? shift : 63);
    if ((byte & 0x80) == 0) return value;
  }
  damaged("a number of more than ten bytes");
}

}  // namespace cornu::inline v0::io
