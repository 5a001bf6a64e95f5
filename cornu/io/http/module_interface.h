#pragma once

#include <cstddef>
#include <cstdint>

/// What passes between Cornu and libcornu_http.so, the only code of files over the network that includes
/// headers of libcurl. A C interface: nothing is thrown through it.
namespace cornu::inline v0::io {

inline constexpr const char* kHttpModuleName = "libcornu_http.so";
inline constexpr const char* kHttpModuleSymbol = "cornu_http";

/// Bytes [offset, offset + size) of an address, or all of it where that is no more than `size`.
struct HttpRequest {
  const char* url;
  std::uint64_t offset;
  std::uint64_t size;
  long stall_timeout_ms;     // without a byte for so long the transfer ends
  const char* bearer_token;  // null: none
  bool is_whole;
};

struct HttpAnswer {
  long status = 0;                // 0: there was none
  std::uint64_t received = 0;     // bytes of the range, from its front, also of a transfer that was cut
  bool has_range = false;         // the answer is a range, and says so
  std::uint64_t range_begin = 0;  // where it begins
  std::uint64_t total = 0;        // the size of the whole
  bool is_complete = false;       // the transfer ended as it should
  char version[256] = {};         // ETag or Last-Modified: what tells one content from another
  char message[256] = {};         // why it is not complete
};

struct HttpModule {
  /// A connection that is used again. Null: there is no memory.
  void* (*open)();
  void (*close)(void* connection);
  /// Errors stand in the answer.
  void (*fetch)(void* connection, const HttpRequest* request, unsigned char* to, HttpAnswer* answer);
};
using HttpModuleFunction = const HttpModule* (*)();

}  // namespace cornu::inline v0::io
