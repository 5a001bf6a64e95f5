// The source of libcornu_onednn.so, the only file that includes oneDNN: convolutions by its C interface. One
// handle is one primitive with the reorders that it needs.
#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

#include "cornu/backends/cpu/onednn/module_interface.h"
#include "cornu/backends/cpu/onednn/use_module.h"
#include "cornu/base/per_thread.h"

// The OpenMP runtime that oneDNN is linked to. Cornu uses no OpenMP, so its header and compiler flag are not
// used.
extern "C" void omp_set_num_threads(int num_threads);
extern "C" int omp_get_max_threads();

namespace {

using cornu::backends::cpu::onednn::ConvolutionDescription;
using cornu::backends::cpu::onednn::ConvolutionFunctions;
using cornu::backends::cpu::onednn::ConvolutionInfo;

/// Sets one OpenMP thread while it lives. The setting belongs to the calling thread and costs 3 ns; it is
/// restored for a caller with OpenMP code of its own.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

struct Failed {
  dnnl_status_t status;
};
void check(dnnl_status_t status) {
  if (status != dnnl_success) throw Failed{status};
}

dnnl_engine_t engine() {
  static dnnl_engine_t const made = [] {
    dnnl_engine_t e = nullptr;
    return dnnl_engine_create(&e, dnnl_cpu, 0) == dnnl_success ? e : nullptr;
  }();
  return made;
}

struct Stream {
  Stream() { dnnl_stream_create(&stream, engine(), dnnl_stream_default_flags); }
  ~Stream() { dnnl_stream_destroy(stream); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  dnnl_stream_t stream = nullptr;
};

dnnl_stream_t stream() { return cornu::PerThread<Stream>::get().stream; }

using Primitive = std::unique_ptr<dnnl_primitive, dnnl_status_t (*)(dnnl_primitive_t)>;
using PrimitiveDesc = std::unique_ptr<dnnl_primitive_desc, dnnl_status_t (*)(dnnl_primitive_desc_t)>;
using Attributes = std::unique_ptr<dnnl_primitive_attr, dnnl_status_t (*)(dnnl_primitive_attr_t)>;

Attributes user_scratchpad() {
  dnnl_primitive_attr_t raw = nullptr;
  check(dnnl_primitive_attr_create(&raw));
  Attributes attributes(raw, dnnl_primitive_attr_destroy);
  check(dnnl_primitive_attr_set_scratchpad_mode(raw, dnnl_scratchpad_mode_user));
  return attributes;
}

class Memory {
 public:
  Memory(const dnnl_memory_desc_t& desc, void* data) {
    check(dnnl_memory_create(&memory_, &desc, engine(), data));
  }
  ~Memory() { dnnl_memory_destroy(memory_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  dnnl_memory_t get() const { return memory_; }

 private:
  dnnl_memory_t memory_ = nullptr;
};

void execute(const Primitive& primitive, const dnnl_exec_arg_t* arguments, int count) {
  check(dnnl_primitive_execute(primitive.get(), stream(), count, arguments));
  check(dnnl_stream_wait(stream()));
}

std::size_t whole_lines(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

/// Generates the code for the description, which is freed; a second call does nothing.
void build_primitive(PrimitiveDesc& desc, Primitive& primitive) {
  if (!desc) return;
  dnnl_primitive_t made = nullptr;
  check(dnnl_primitive_create(&made, desc.get()));
  primitive.reset(made);
  desc.reset();
}

/// A copy from one layout to another. The caller provides its scratch memory: oneDNN's own belongs to the
/// thread that made the primitive, but threads run it concurrently.
struct Reorder {
  PrimitiveDesc decided{nullptr, dnnl_primitive_desc_destroy};  // until it is built
  Primitive primitive{nullptr, dnnl_primitive_destroy};
  dnnl_memory_desc_t from{}, to{}, scratchpad{};

  void create(const dnnl_memory_desc_t& from_desc, const dnnl_memory_desc_t& to_desc) {
    from = from_desc;
    to = to_desc;
    dnnl_primitive_desc_t raw = nullptr;
    check(dnnl_reorder_primitive_desc_create(&raw, &from, engine(), &to, engine(), user_scratchpad().get()));
    decided.reset(raw);
    scratchpad = *dnnl_primitive_desc_query_md(raw, dnnl_query_scratchpad_md, 0);
  }
  /// Does nothing if no copy is needed.
  void build() { build_primitive(decided, primitive); }
  std::size_t scratch_bytes() const {
    return decided || primitive ? whole_lines(dnnl_memory_desc_get_size(&scratchpad)) : 0;
  }
  void run(const std::byte* source, std::byte* target, std::byte* scratch) const {
    const Memory a(from, const_cast<std::byte*>(source)), b(to, target), own(scratchpad, scratch);
    const dnnl_exec_arg_t arguments[] = {
        {DNNL_ARG_FROM, a.get()}, {DNNL_ARG_TO, b.get()}, {DNNL_ARG_SCRATCHPAD, own.get()}};
    execute(primitive, arguments, 3);
  }
};

/// A tensor of the primitive: the caller's plain memory, and the layout that the primitive needs.
struct Tensor {
  dnnl_memory_desc_t plain{}, wanted{};
  bool same = true;
  std::size_t offset = 0;  // of its copy in scratch memory
  Reorder reorder;

  std::size_t bytes() const { return dnnl_memory_desc_get_size(&wanted); }
};

struct Convolution {
  int direction = 0;
  Tensor source, weights, destination;
  dnnl_memory_desc_t scratchpad{};
  std::size_t scratchpad_offset = 0, scratch_bytes = 0;
  Reorder prepare, finish;
  PrimitiveDesc decided{nullptr, dnnl_primitive_desc_destroy};  // until it is built
  Primitive primitive{nullptr, dnnl_primitive_destroy};
  const char* implementation = "";

  void create(const ConvolutionDescription& d, const Convolution* like);
  void build();
  void run(std::byte* source_data, std::byte* weights_data, std::byte* destination_data,
           std::byte* scratch) const;

 private:
  bool try_create(const ConvolutionDescription& d, dnnl_memory_desc_t source_desc,
                  dnnl_memory_desc_t weights_desc, dnnl_memory_desc_t destination_desc, bool accept_gemm);
  void add_reorders();
};

dnnl_memory_desc_t strided(dnnl_data_type_t type, int rank, const dnnl_dims_t dims,
                           const std::int64_t* strides) {
  dnnl_dims_t s;
  std::copy_n(strides, rank, s);
  dnnl_memory_desc_t desc;
  check(dnnl_memory_desc_init_by_strides(&desc, rank, dims, type, s));
  return desc;
}

/// Channels innermost.
dnnl_memory_desc_t channels_last(dnnl_data_type_t type, int rank, const dnnl_dims_t dims) {
  std::int64_t strides[5], stride = dims[1];
  strides[1] = 1;
  for (int axis = rank; --axis >= 2;) {
    strides[axis] = stride;
    stride *= dims[axis];
  }
  strides[0] = stride;
  return strided(type, rank, dims, strides);
}

dnnl_memory_desc_t any_layout(dnnl_data_type_t type, int rank, const dnnl_dims_t dims) {
  dnnl_memory_desc_t desc;
  check(dnnl_memory_desc_init_by_tag(&desc, rank, dims, type, dnnl_format_tag_any));
  return desc;
}

/// A stride along one element has no meaning; it is set to the dense layout's, so that layouts can be
/// compared.
void settle_strides(int rank, const dnnl_dims_t dims, std::int64_t* strides,
                    std::int64_t channel_stride_of_one) {
  if (dims[1] == 1) strides[1] = channel_stride_of_one;
  for (int axis = rank; --axis >= 2;)
    if (dims[axis] == 1) strides[axis] = axis + 1 < rank ? strides[axis + 1] * dims[axis + 1] : dims[1];
  if (dims[0] == 1) strides[0] = rank > 2 ? strides[2] * dims[2] : dims[1];
}

void Convolution::create(const ConvolutionDescription& d, const Convolution* like) {
  direction = d.direction;
  const int rank = d.num_axes + 2;
  dnnl_dims_t source_dims = {d.batch, d.inputs}, destination_dims = {d.batch, d.outputs};
  dnnl_dims_t weights_dims = {d.outputs / d.groups, d.inputs / d.groups};
  const bool grouped = d.groups > 1;
  if (grouped) {
    weights_dims[0] = d.groups;
    weights_dims[1] = d.outputs / d.groups;
    weights_dims[2] = d.inputs / d.groups;
  }
  const int weights_rank = rank + (grouped ? 1 : 0);
  for (int axis = 0; axis < d.num_axes; ++axis) {
    source_dims[axis + 2] = d.input[axis];
    destination_dims[axis + 2] = d.output[axis];
    weights_dims[weights_rank - d.num_axes + axis] = d.kernel[axis];
  }
  std::int64_t source_strides[5], destination_strides[5];
  std::copy_n(d.source_strides, rank, source_strides);
  std::copy_n(d.destination_strides, rank, destination_strides);
  settle_strides(rank, source_dims, source_strides, 1);
  settle_strides(rank, destination_dims, destination_strides, 1);
  const dnnl_data_type_t type = d.is_bf16 != 0 ? dnnl_bf16 : dnnl_f32;
  source.plain = strided(type, rank, source_dims, source_strides);
  destination.plain = strided(type, rank, destination_dims, destination_strides);
  weights.plain = strided(type, weights_rank, weights_dims, d.weights_strides + (grouped ? 0 : 1));
  const dnnl_memory_desc_t weights_desc =
      like != nullptr ? like->weights.wanted
                      : any_layout(d.direction == 2 ? dnnl_f32 : type, weights_rank, weights_dims);
  // Channels last is as fast as blocked layouts with their copies; if it has only slow kernels, any layout is
  // allowed.
  const auto last = [&](const dnnl_dims_t dims) { return channels_last(type, rank, dims); };
  const auto any = [&](const dnnl_dims_t dims) { return any_layout(type, rank, dims); };
  if (!try_create(d, last(source_dims), weights_desc, last(destination_dims), false) &&
      !try_create(d, any(source_dims), weights_desc, any(destination_dims), false) &&
      !try_create(d, last(source_dims), weights_desc, last(destination_dims), true))
    throw Failed{dnnl_unimplemented};
  add_reorders();
}

bool Convolution::try_create(const ConvolutionDescription& d, dnnl_memory_desc_t source_desc,
                             dnnl_memory_desc_t weights_desc, dnnl_memory_desc_t destination_desc,
                             bool accept_gemm) {
  dnnl_dims_t strides, dilations, low, high;
  for (int axis = 0; axis < d.num_axes; ++axis) {
    strides[axis] = d.stride[axis];
    dilations[axis] = d.dilation[axis] - 1;
    low[axis] = d.padding_low[axis];
    high[axis] = d.padding_high[axis];
  }
  // A hint for gradients: of weights that oneDNN chooses, where their gradient has another type.
  dnnl_memory_desc_t forward_weights = weights_desc;
  if (d.is_bf16 != 0 && d.direction == 2)
    forward_weights = any_layout(dnnl_bf16, weights.plain.ndims, weights.plain.dims);
  const auto init_forward = [&](dnnl_convolution_desc_t* desc) {
    return dnnl_dilated_convolution_forward_desc_init(desc, dnnl_forward_training, dnnl_convolution_direct,
                                                      &source_desc, &forward_weights, nullptr,
                                                      &destination_desc, strides, dilations, low, high);
  };
  const Attributes attributes = user_scratchpad();
  const auto make_desc = [&](const dnnl_convolution_desc_t& desc, dnnl_primitive_desc_t hint) {
    dnnl_primitive_desc_t raw = nullptr;
    if (dnnl_primitive_desc_create(&raw, &desc, attributes.get(), engine(), hint) != dnnl_success)
      raw = nullptr;
    return PrimitiveDesc(raw, dnnl_primitive_desc_destroy);
  };
  dnnl_convolution_desc_t convolution;
  if (init_forward(&convolution) != dnnl_success) return false;
  PrimitiveDesc chosen = make_desc(convolution, nullptr);
  if (!chosen) return false;
  if (d.direction != 0) {
    const dnnl_status_t status = d.direction == 1
                                     ? dnnl_dilated_convolution_backward_data_desc_init(
                                           &convolution, dnnl_convolution_direct, &source_desc, &weights_desc,
                                           &destination_desc, strides, dilations, low, high)
                                     : dnnl_dilated_convolution_backward_weights_desc_init(
                                           &convolution, dnnl_convolution_direct, &source_desc, &weights_desc,
                                           nullptr, &destination_desc, strides, dilations, low, high);
    if (status != dnnl_success) return false;
    chosen = make_desc(convolution, chosen.get());
    if (!chosen) return false;
  }
  const char* name = "";
  check(dnnl_primitive_desc_query(chosen.get(), dnnl_query_impl_info_str, 0, static_cast<void*>(&name)));
  const bool is_gemm = std::strncmp(name, "gemm", 4) == 0, is_reference = std::strncmp(name, "ref", 3) == 0;
  if (is_reference || (is_gemm && !accept_gemm)) return false;
  const auto query = [&](dnnl_query_t what) { return *dnnl_primitive_desc_query_md(chosen.get(), what, 0); };
  source.wanted = query(d.direction == 1 ? dnnl_query_diff_src_md : dnnl_query_src_md);
  weights.wanted = query(d.direction == 2 ? dnnl_query_diff_weights_md : dnnl_query_weights_md);
  destination.wanted = query(d.direction == 0 ? dnnl_query_dst_md : dnnl_query_diff_dst_md);
  scratchpad = query(dnnl_query_scratchpad_md);
  decided = std::move(chosen);
  implementation = name;
  return true;
}

void Convolution::build() {
  build_primitive(decided, primitive);
  for (Reorder* reorder : {&source.reorder, &destination.reorder, &prepare, &finish}) reorder->build();
}

void Convolution::add_reorders() {
  std::size_t offset = 0;
  const auto add = [&](Tensor& tensor, bool is_result) {
    tensor.same = dnnl_memory_desc_equal(&tensor.plain, &tensor.wanted) != 0;
    if (tensor.same) return;
    tensor.offset = offset;
    offset += whole_lines(tensor.bytes());
    if (is_result)
      tensor.reorder.create(tensor.wanted, tensor.plain);
    else
      tensor.reorder.create(tensor.plain, tensor.wanted);
  };
  add(source, direction == 1);
  add(destination, direction == 0);
  weights.same = dnnl_memory_desc_equal(&weights.plain, &weights.wanted) != 0;
  if (direction == 2)
    finish.create(weights.wanted, weights.plain);
  else
    prepare.create(weights.plain, weights.wanted);
  // They run one at a time, so they share it.
  scratchpad_offset = offset;
  const std::size_t reorders = std::max({source.reorder.scratch_bytes(), destination.reorder.scratch_bytes(),
                                         prepare.scratch_bytes(), finish.scratch_bytes()});
  scratch_bytes = offset + std::max(whole_lines(dnnl_memory_desc_get_size(&scratchpad)), reorders);
}

void Convolution::run(std::byte* source_data, std::byte* weights_data, std::byte* destination_data,
                      std::byte* scratch) const {
  const auto place = [&](const Tensor& tensor, std::byte* plain) {
    return tensor.same ? plain : scratch + tensor.offset;
  };
  std::byte* const s = place(source, source_data);
  std::byte* const d = place(destination, destination_data);
  if (!source.same && direction != 1) source.reorder.run(source_data, s, scratch + scratchpad_offset);
  if (!destination.same && direction != 0)
    destination.reorder.run(destination_data, d, scratch + scratchpad_offset);
  const Memory source_memory(source.wanted, s), weights_memory(weights.wanted, weights_data),
      destination_memory(destination.wanted, d);
  const Memory scratchpad_memory(scratchpad, scratch + scratchpad_offset);
  const dnnl_exec_arg_t arguments[] = {
      {direction == 1 ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC, source_memory.get()},
      {direction == 2 ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS, weights_memory.get()},
      {direction == 0 ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST, destination_memory.get()},
      {DNNL_ARG_SCRATCHPAD, scratchpad_memory.get()}};
  execute(primitive, arguments, 4);
  if (!source.same && direction == 1) source.reorder.run(s, source_data, scratch + scratchpad_offset);
  if (!destination.same && direction == 0)
    destination.reorder.run(d, destination_data, scratch + scratchpad_offset);
}

template <typename F>
int guarded(F&& f) noexcept {
  try {
    const OneThread one_thread;
    if (engine() == nullptr) return dnnl_runtime_error;
    f();
    return dnnl_success;
  } catch (const Failed& failed) {
    return failed.status;
  } catch (const std::bad_alloc&) {
    return dnnl_out_of_memory;
  }
}

int create_convolution(const ConvolutionDescription* description, const void* like, void** handle,
                       ConvolutionInfo* info) {
  namespace onednn = cornu::backends::cpu::onednn;
  const onednn::Use use;
  if (use.is_refused()) return onednn::kEnded;
  return guarded([&] {
    auto made = std::make_unique<Convolution>();
    made->create(*description, static_cast<const Convolution*>(like));
    *info = {made->scratch_bytes, whole_lines(made->weights.bytes()), made->weights.same ? 1 : 0,
             made->implementation};
    *handle = made.release();
  });
}

int build_convolution(void* handle) {
  namespace onednn = cornu::backends::cpu::onednn;
  const onednn::Use use;
  if (use.is_refused()) return onednn::kEnded;
  return guarded([&] { static_cast<Convolution*>(handle)->build(); });
}

void destroy_convolution(void* handle) { delete static_cast<Convolution*>(handle); }

int prepare_weights(const void* handle, const std::byte* plain, std::byte* weights, std::byte* scratch) {
  const auto& convolution = *static_cast<const Convolution*>(handle);
  return guarded([&] { convolution.prepare.run(plain, weights, scratch + convolution.scratchpad_offset); });
}

int finish_weights(const void* handle, const std::byte* weights, std::byte* plain, std::byte* scratch) {
  const auto& convolution = *static_cast<const Convolution*>(handle);
  return guarded([&] { convolution.finish.run(weights, plain, scratch + convolution.scratchpad_offset); });
}

int run_convolution(const void* handle, std::byte* source, std::byte* weights, std::byte* destination,
                    std::byte* scratch) {
  return guarded(
      [&] { static_cast<const Convolution*>(handle)->run(source, weights, destination, scratch); });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const ConvolutionFunctions* cornu_onednn_convolutions() {
  static const ConvolutionFunctions functions = {create_convolution, build_convolution, destroy_convolution,
                                                 prepare_weights,    finish_weights,    run_convolution};
  return &functions;
}

extern "C" __attribute__((visibility("default"))) int cornu_onednn_limit(int level) {
  return static_cast<int>(dnnl_set_max_cpu_isa(level == 1 ? dnnl_cpu_isa_avx2 : dnnl_cpu_isa_avx512_core));
}

static_assert(std::is_same_v<decltype(&cornu_onednn_limit), cornu::backends::cpu::onednn::LimitFunction>);
static_assert(
    std::is_same_v<decltype(&cornu_onednn_convolutions), cornu::backends::cpu::onednn::ConvolutionsFunction>);
