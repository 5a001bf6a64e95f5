#pragma once

#include "cornu/backends/cpu/target/target.h"
