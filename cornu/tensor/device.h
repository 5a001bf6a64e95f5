#pragma once

#include "cornu/tensor/value/device.h"  // IWYU pragma: export
