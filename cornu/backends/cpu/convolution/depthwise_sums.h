#pragma once

#include <cstdint>

#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu::depthwise {

/// Copies `count` pixels of channels, `from_step` floats apart, to one plane for each register of channels:
/// plane v holds lanes [v * lanes, ...) of each pixel, one register a pixel, with zeros after the last channel.
struct Spread {
  const float* from = nullptr;
  std::int64_t from_step = 0, channels = 0, count = 0;
  float* to = nullptr;
  std::int64_t plane = 0;  // floats from a plane to the next
};

/// Offset of a tap's element for the first result of a line, and the tap's weights, in registers.
struct Tap {
  std::int64_t element = 0, weights = 0;
};

/// result[i * result_step ...] = sum over taps of elements[(i * advance + tap.element) registers] *
/// weights[tap.weights registers], for the channels of one register.
struct Line {
  const Tap* taps = nullptr;
  std::int64_t num_taps = 0;
  const float* elements = nullptr;
  std::int64_t advance = 0;  // registers
  const float* weights = nullptr;
  float* result = nullptr;
  std::int64_t result_step = 0, channels = 0, count = 0;
};

/// Adds to sums[row, column, register] the products of elements and gradients over an image or a part of it.
struct WeightSums {
  const float* elements = nullptr;                   // of a plane
  std::int64_t kernel_rows = 0, kernel_columns = 0;  // taps
  std::int64_t tap_row = 0, tap_column = 0;          // registers from a tap to the next
  std::int64_t row_advance = 0, advance = 0;         // registers, from a gradient to the next
  const float* gradients = nullptr;
  std::int64_t gradients_row = 0, gradients_step = 0;  // floats
  std::int64_t channels = 0, rows = 0, columns = 0;
  float* sums = nullptr;
};

/// Floats in a register.
std::int64_t num_lanes(IsaLevel level);
/// Threads: these functions are safe and allocate nothing.
void spread(IsaLevel level, const Spread& s);
void add_line(IsaLevel level, const Line& l);
void add_weights(IsaLevel level, const WeightSums& w);

}  // namespace cornu::inline v0::backends::cpu::depthwise
