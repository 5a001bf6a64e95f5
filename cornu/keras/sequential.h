#pragma once

#include "cornu/keras/models/sequential.h"  // IWYU pragma: export
