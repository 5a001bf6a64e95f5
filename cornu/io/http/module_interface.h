#pragma once

#include <cstddef>
#include <cstdint>

/// Interface between Cornu and libcornu_http.so, the only code of network files that includes headers of
/// libcurl. A C interface: no exceptions cross it.
namespace cornu::inline v0::io {

inline constexpr const char* kHttpModuleName = "libcornu_http.so";
inline constexpr const char* kHttpModuleSymbol = "cornu_http";

/// Bytes [offset, offset + size) of an address, or the whole file if it is at most `size` bytes; or the answer
/// to a body that is sent, of at most `size` bytes.
struct HttpRequest {
  const char* url;
  std::uint64_t offset;
  std::uint64_t size;
  long stall_timeout_ms;     // without a byte for this long the transfer ends
  const char* bearer_token;  // null: none
  bool is_whole;
  const char* body = nullptr;            // null: nothing is sent
  std::size_t body_size = 0;             // bytes
  const char* const* headers = nullptr;  // "Name: value" each, ended by null; null: none
};

struct HttpAnswer {
  long status = 0;                // 0: no response
  std::uint64_t received = 0;     // bytes of the range from its start, also of a truncated transfer
  bool has_range = false;         // true if the response declares a range
  std::uint64_t range_begin = 0;  // start of the range
  std::uint64_t total = 0;        // size of the whole file
  bool is_complete = false;       // true if the transfer ended normally
  char version[256] = {};         // ETag or Last-Modified: identifies the content
  char message[256] = {};         // reason for an incomplete transfer
};

struct HttpModule {
  /// Makes a reusable connection. Null: out of memory.
  void* (*open)();
  void (*close)(void* connection);
  /// Errors are reported in the answer.
  void (*fetch)(void* connection, const HttpRequest* request, unsigned char* to, HttpAnswer* answer);
};
using HttpModuleFunction = const HttpModule* (*)();

}  // namespace cornu::inline v0::io
