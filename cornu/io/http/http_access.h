#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/io/random_access.h"

namespace cornu::inline v0::io {

struct HttpOptions {  // options/io.toml
  /// Largest number of requests for one part if a server interrupts it, answers 408, 429, 500, 502, 503 or
  /// 504, or does not answer; must be positive. Each request continues where the last one ended.
  int max_attempts = 6;
  /// Wait in milliseconds before the second request; it doubles for each further one. Must not be negative.
  std::int64_t first_wait_ms = 200;
  /// Time in milliseconds without a byte after which a connection is closed; must be positive.
  std::int64_t stall_timeout_ms = 20'000;
  /// Bytes of a request; must be positive. Smaller reads are answered from the last block.
  std::int64_t block_bytes = std::int64_t{1} << 20;
  /// Token that is sent with each request to the address's own host; empty: none.
  std::string bearer_token = {};
};

/// Opens a file at an http:// or https:// address, read by range requests. It must not change during reading:
/// its size and its version (ETag, Last-Modified) are compared with those of the first response.
///
/// Errors:  NotFound for 404 and 410; InvalidArgument for other addresses and for options that are not
///          positive; FailedPrecondition for other refusals, for a server without range requests, and without
///          libcornu_http.so beside Cornu; DataLoss for a file that changed; Unavailable after the last
///          attempt. All contain address and offset.
/// Threads: safe; one request at a time.
RandomAccessPointer open_http(const std::string& url, const HttpOptions& options = {});

/// Reads the whole response of an address, at most `most_bytes`.
/// Errors: those of open_http; Unavailable also for a longer one.
std::string read_http(const std::string& url, std::size_t most_bytes, const HttpOptions& options = {});

/// A header of a request: its name and its value.
using HttpHeader = std::pair<std::string, std::string>;

/// Sends `body` to an address by POST, once, and returns the status of the answer, whose text is ignored.
/// Errors: InvalidArgument for other addresses, and for headers with line ends; FailedPrecondition without
///         libcornu_http.so beside Cornu; Unavailable if the server cannot be reached or does not answer.
long post_http(const std::string& url, std::string_view body, const std::vector<HttpHeader>& headers = {},
               const HttpOptions& options = {});

}  // namespace cornu::inline v0::io
