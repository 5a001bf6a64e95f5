#include "cornu/version.h"

namespace cornu::inline v0 {

int version() { return CORNU_VERSION; }

const char* version_string() { return CORNU_VERSION_STRING; }

}  // namespace cornu::inline v0
