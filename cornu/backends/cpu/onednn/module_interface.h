#pragma once

#include <cstddef>
#include <cstdint>

/// What the module libcornu_onednn.so gives to the program that loads it.
namespace cornu::inline v0::backends::cpu::onednn {

inline constexpr const char* kModuleName = "libcornu_onednn.so";
inline constexpr const char* kConvolutionsSymbol = "cornu_onednn_convolutions";
inline constexpr const char* kLimitSymbol = "cornu_onednn_limit";

/// oneDNN uses no instructions above AVX2 (level 1) or AVX-512 F, BW, DQ and VL (level 2) from now on.
/// Returns 0, or oneDNN's status: it is too late once it was used.
using LimitFunction = int (*)(int level);

/// oneDNN's status for it.
inline constexpr int kOutOfMemory = 1;
/// oneDNN's status when its code generator fails: among others, when memory cannot be made executable.
inline constexpr int kRuntimeError = 5;
/// exit() has begun, and with it the end of oneDNN: new convolutions are refused from then on.
inline constexpr int kEnded = -1;

/// A convolution of float32 or bf16, or one of its gradients; see ConvolutionProblem for the meaning of the
/// extents. The gradient of weights of bf16 is float32 until finish_weights.
struct ConvolutionDescription {
  int direction = 0;  // 0 forward, 1 backward data, 2 backward weights
  int is_bf16 = 0;
  int num_axes = 2;  // 1 to 3
  std::int64_t batch = 1, groups = 1, inputs = 1, outputs = 1;
  std::int64_t input[3] = {}, output[3] = {}, kernel[3] = {}, stride[3] = {}, dilation[3] = {},
               padding_low[3] = {}, padding_high[3] = {};
  // Of plain memory, in elements: batch, channel, axes; group, output, input, axes.
  std::int64_t source_strides[5] = {}, destination_strides[5] = {}, weights_strides[6] = {};
};

struct ConvolutionInfo {
  std::size_t scratch_bytes = 0;  // of one call
  std::size_t weights_bytes = 0;  // of weights in the layout that runs use
  int weights_are_plain = 0;      // 1: that layout, and its type, are the plain one's
  const char* implementation = "";
};

/// Functions return 0, or oneDNN's status. They start no thread, and leave the calling thread's OpenMP
/// settings as they were.
/// Threads: all but build and destroy are safe on one handle.
struct ConvolutionFunctions {
  /// Decides how; makes no code. `like`, if not null, is a convolution whose layout of weights the new one
  /// must share. Fails where only oneDNN's reference implementation would do.
  int (*create)(const ConvolutionDescription*, const void* like, void** handle, ConvolutionInfo*);
  /// Makes the code, before what follows; a second call does nothing.
  int (*build)(void* handle);
  void (*destroy)(void* handle);
  /// From plain weights to the layout that runs use.
  int (*prepare_weights)(const void* handle, const std::byte* plain, std::byte* weights, std::byte* scratch);
  /// And back.
  int (*finish_weights)(const void* handle, const std::byte* weights, std::byte* plain, std::byte* scratch);
  /// Computes the tensor that the direction says from the other two; source and destination are plain.
  int (*run)(const void* handle, std::byte* source, std::byte* weights, std::byte* destination,
             std::byte* scratch);
};
using ConvolutionsFunction = const ConvolutionFunctions* (*)();

}  // namespace cornu::inline v0::backends::cpu::onednn
