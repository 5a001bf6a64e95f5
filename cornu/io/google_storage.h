#pragma once

#include <string>
#include <vector>

#include "cornu/io/random_access.h"

/// Objects of Google Cloud Storage, "gs://bucket/object", read by HTTP. Public objects need no token; for
/// others set an access token in CLOUDSDK_AUTH_ACCESS_TOKEN, or a file in CLOUDSDK_AUTH_ACCESS_TOKEN_FILE (it
/// is read each time: tokens last an hour). STORAGE_EMULATOR_HOST selects another server with the same
/// interface. Read-only.
namespace cornu::inline v0::io {

/// Errors: those of open_http; InvalidArgument for a path without bucket and object.
RandomAccessPointer open_google_storage(const std::string& path);

/// Returns a sorted list.
/// Errors: those of open_http; InvalidArgument for a pattern without a bucket or with wildcards in it;
///         DataLoss if the response is not a list.
std::vector<std::string> list_google_storage(const std::string& pattern);

}  // namespace cornu::inline v0::io
