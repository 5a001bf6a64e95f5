#pragma once

#include <cstdint>
#include <string>

#include "cornu/io/random_access.h"

namespace cornu::inline v0::io {

struct HttpOptions {
  /// How often one part is asked for, at most, when a server cuts it off, refuses it for now (408, 429, 500,
  /// 502, 503, 504) or does not answer. Each request goes on where the one before ended.
  int max_attempts = 6;
  /// Between the first two; it doubles from one to the next.
  std::int64_t first_wait_ms = 200;
  /// A connection without a byte for so long is given up.
  std::int64_t stall_timeout_ms = 20'000;
  /// Bytes of a request; smaller reads are answered from the last ones.
  std::int64_t block_bytes = std::int64_t{1} << 20;
  /// Goes with each request to the address's own host. Empty: none.
  std::string bearer_token = {};
};

/// A file at an http:// or https:// address, by range requests. It must stay the same while it is read:
/// its size and its version (ETag, Last-Modified) are compared with those of the first answer.
///
/// Errors:  NotFound for 404 and 410; InvalidArgument for another address and other options than positive
///          ones; FailedPrecondition for other refusals, and for a server that does not answer with ranges,
///          or without libcornu_http.so beside Cornu; DataLoss for a file that changed; Unavailable when the
///          attempts are used up. All name address and offset.
/// Threads: safe; one request at a time.
RandomAccessPointer open_http(const std::string& url, const HttpOptions& options = {});

/// All of what an address answers with, at most `most_bytes`.
/// Errors: as open_http, Unavailable also for more.
std::string read_http(const std::string& url, std::size_t most_bytes, const HttpOptions& options = {});

}  // namespace cornu::inline v0::io
