#pragma once

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

/// For tests only: archives in memory.
namespace cornu::inline v0::io {

/// A member of a tar archive of the type `kind`: its header, and its content filled up to whole blocks.
inline std::string tar_member(std::string_view path, std::string_view content, char kind = '0') {
  constexpr std::size_t kBlock = 512;
  std::string header(kBlock, '\0');
  std::memcpy(header.data(), path.data(), path.size());
  char number[16];
  std::snprintf(number, sizeof number, "%011zo", content.size());
  std::memcpy(header.data() + 124, number, 11);
  header[156] = kind;
  std::memcpy(header.data() + 257,
              "ustar\0"
              "00",
              8);
  std::memset(header.data() + 148, ' ', 8);
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  std::snprintf(number, sizeof number, "%06o", sum);
  std::memcpy(header.data() + 148, number, 7);
  std::string body(content);
  body.resize((body.size() + kBlock - 1) / kBlock * kBlock);
  return header + body;
}

}  // namespace cornu::inline v0::io
