#include "cornu/io/digest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace cornu::inline v0::io {
namespace {

std::string digest_of(Digest::Algorithm algorithm, std::string_view text, std::size_t piece) {
  Digest digest(algorithm);
  const auto bytes = std::as_bytes(std::span(text));
  for (std::size_t i = 0; i < bytes.size(); i += piece)
    digest.add(bytes.subspan(i, std::min(piece, bytes.size() - i)));
  return digest.hex();
}

/// The numbers are those of the RFC 1321 and of FIPS 180-4.
TEST(DigestTest, TextsHaveTheirKnownDigests) {
  using enum Digest::Algorithm;
  EXPECT_EQ(digest_of(kMd5, "", 1), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(digest_of(kMd5, "message digest", 3), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(
      digest_of(kMd5, "12345678901234567890123456789012345678901234567890123456789012345678901234567890", 7),
      "57edf4a22be3c955ac49da2e2107b67a");
  EXPECT_EQ(digest_of(kSha256, "", 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digest_of(kSha256, "abc", 2), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest_of(kSha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  const std::string million(1'000'000, 'a');
  EXPECT_EQ(digest_of(kSha256, million, 1000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(digest_of(kMd5, million, 64), "7707d6ae4e027c70eea2a935c2296f21");
}

}  // namespace
}  // namespace cornu::inline v0::io
