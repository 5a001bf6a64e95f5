#include "cornu/base/undefined.h"

#include "cornu/base/check.h"

namespace cornu::inline v0 {

void throw_undefined(const char* what) {
  fail(ErrorCode::kFailedPrecondition,
       "[{0}] this {0} is undefined: it was default-constructed, made of a null pointer, or moved from; "
       "assign it one that is defined first",
       what);
}

}  // namespace cornu::inline v0
