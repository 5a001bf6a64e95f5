#pragma once

#include "cornu/keras/base/fault.h"  // IWYU pragma: export
