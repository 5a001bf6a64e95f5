#pragma once

#include "cornu/tensor/value/tensor.h"  // IWYU pragma: export
