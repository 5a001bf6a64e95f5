#include <cstdlib>

namespace {

/// Linked into test programs: they compile anew, and leave the user's cache alone, unless the environment
/// says where to keep code.
[[gnu::constructor]] void keep_no_code() { setenv("CORNU_CACHE_DIR", "off", /*overwrite=*/0); }

}  // namespace
