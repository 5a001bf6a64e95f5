#pragma once

#include <cstddef>
#include <cstdint>

/// Interface of the module libcornu_onednn.so.
namespace cornu::inline v0::backends::cpu::onednn {

inline constexpr const char* kModuleName = "libcornu_onednn.so";
inline constexpr const char* kConvolutionsSymbol = "cornu_onednn_convolutions";
inline constexpr const char* kLimitSymbol = "cornu_onednn_limit";

/// Limits oneDNN's instructions to AVX2 (level 1) or AVX-512 F, BW, DQ and VL (level 2). Returns 0, or
/// oneDNN's status if it has been used already.
using LimitFunction = int (*)(int level);

/// oneDNN's status for lack of memory.
inline constexpr int kOutOfMemory = 1;
/// oneDNN's status when its code generator fails, for example when memory cannot be made executable.
inline constexpr int kRuntimeError = 5;
/// Status after exit() has begun to destroy oneDNN: new convolutions are rejected.
inline constexpr int kEnded = -1;

/// A convolution of float32 or bf16, or one of its gradients; ConvolutionProblem defines the extents. The
/// gradient of bf16 weights is float32 until finish_weights.
struct ConvolutionDescription {
  int direction = 0;  // 0 forward, 1 backward data, 2 backward weights
  int is_bf16 = 0;
  int num_axes = 2;  // 1 to 3
  std::int64_t batch = 1, groups = 1, inputs = 1, outputs = 1;
  std::int64_t input[3] = {}, output[3] = {}, kernel[3] = {}, stride[3] = {}, dilation[3] = {},
               padding_low[3] = {}, padding_high[3] = {};
  // Strides of plain memory, in elements: batch, channel, axes; group, output, input, axes.
  std::int64_t source_strides[5] = {}, destination_strides[5] = {}, weights_strides[6] = {};
};

struct ConvolutionInfo {
  std::size_t scratch_bytes = 0;  // for one call
  std::size_t weights_bytes = 0;  // of weights in the layout for runs
  int weights_are_plain = 0;      // 1: that layout and type equal the plain ones
  const char* implementation = "";
};

/// Functions return 0, or oneDNN's status. They start no thread, and do not change the calling thread's
/// OpenMP settings.
/// Threads: all except build and destroy are safe on one handle.
struct ConvolutionFunctions {
  /// Chooses an implementation without generating code. `like`, if not null, is a convolution whose layout of
  /// weights the new one must share. Fails if only oneDNN's reference implementation is available.
  int (*create)(const ConvolutionDescription*, const void* like, void** handle, ConvolutionInfo*);
  /// Generates the code; must precede the functions below. A second call does nothing.
  int (*build)(void* handle);
  void (*destroy)(void* handle);
  /// Converts plain weights to the layout for runs.
  int (*prepare_weights)(const void* handle, const std::byte* plain, std::byte* weights, std::byte* scratch);
  /// Converts weights back to the plain layout.
  int (*finish_weights)(const void* handle, const std::byte* weights, std::byte* plain, std::byte* scratch);
  /// Computes the direction's tensor from the other two; source and destination are plain.
  int (*run)(const void* handle, std::byte* source, std::byte* weights, std::byte* destination,
             std::byte* scratch);
};
using ConvolutionsFunction = const ConvolutionFunctions* (*)();

}  // namespace cornu::inline v0::backends::cpu::onednn
