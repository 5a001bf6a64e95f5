#include "cornu/io/images/image.h"
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {
namespace {

void image_once(Bytes bytes) {
  const io::Image image = io::decode_image(bytes, "input", {.limits = {.max_size_bytes = 1 << 22}});
  require(static_cast<std::int64_t>(image.pixels.size()) == image.height * image.width * image.channels,
          "pixels of another number than the shape says");
}

}  // namespace

void image(Bytes bytes) { parse(image_once, bytes); }

}  // namespace cornu::inline v0::fuzz
