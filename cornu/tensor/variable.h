#pragma once

#include "cornu/tensor/trace/variable.h"  // IWYU pragma: export
