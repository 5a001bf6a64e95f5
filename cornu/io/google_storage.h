#pragma once

#include <string>
#include <vector>

#include "cornu/io/random_access.h"

/// Objects of Google Cloud Storage, "gs://bucket/object", read by http.
/// Public ones need nothing; for others there must be an access token in CLOUDSDK_AUTH_ACCESS_TOKEN, or in
/// the file that CLOUDSDK_AUTH_ACCESS_TOKEN_FILE names (it is read each time: tokens last an hour).
/// STORAGE_EMULATOR_HOST says where another server of the same interface is. Nothing is written.
namespace cornu::inline v0::io {

/// Errors: those of open_http; InvalidArgument for a path without bucket and object.
RandomAccessPointer open_google_storage(const std::string& path);

/// Sorted.
/// Errors: those of open_http; InvalidArgument for a pattern without a bucket or with wildcards in it;
///         DataLoss for an answer that is no list.
std::vector<std::string> list_google_storage(const std::string& pattern);

}  // namespace cornu::inline v0::io
