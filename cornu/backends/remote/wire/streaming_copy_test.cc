#include "cornu/backends/remote/wire/streaming_copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace cornu::inline v0::backends::remote {
namespace {

TEST(StreamingCopyTest, CopiesWhatIsThereAndNothingElse) {
  std::vector<std::byte> from(400);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(1 + i % 251);
  for (std::size_t begin = 0; begin < 17; ++begin)
    for (const std::size_t size : {0, 1, 15, 16, 63, 64, 65, 79, 80, 128, 300}) {
      std::vector<std::byte> to(400);
      streaming_copy(std::span(from).subspan(3, size), to.data() + begin);
      std::vector<std::byte> wanted(400);
      std::copy_n(from.begin() + 3, size, wanted.begin() + static_cast<std::ptrdiff_t>(begin));
      EXPECT_EQ(to, wanted) << begin << ", " << size;
    }
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
