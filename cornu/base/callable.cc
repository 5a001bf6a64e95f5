#include "cornu/base/callable.h"

#include "cornu/base/check.h"

namespace cornu::inline v0 {

void fail_empty_function(std::string_view caller, std::string_view argument) {
  invalid_argument({.argument = std::string(argument)},
                   "[{}] {} must be a function to call; got {} = an empty one", caller, argument, argument);
}

}  // namespace cornu::inline v0
