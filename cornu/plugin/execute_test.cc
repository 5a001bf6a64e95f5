#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "cornu/plugin/plugin_test_support.h"
#include "cornu/plugin/shardings.h"

namespace cornu::inline v0::plugin {
namespace {

using ExecuteTest = PluginTest;
using Values = std::vector<float>;

constexpr const char* kAddOne = R"(module @jit_add_one {
  func.func public @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    %one = stablehlo.constant dense<1.0> : tensor<3xf32>
    %0 = stablehlo.add %x, %one : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
})";

/// The sum of 64 products of matrices: long enough to run on the queue's thread.
constexpr const char* kLong = R"(module @jit_long {
  func.func public @main(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.constant dense<64> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<256x256xf32>
      cond {
        %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %next = stablehlo.add %i, %one : tensor<i32>
        %p = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
        stablehlo.return %next, %p : tensor<i32>, tensor<256x256xf32>
      }
    return %0#1 : tensor<256x256xf32>
  }
})";

std::string sgd(const char* attribute) {
  return std::string("module @jit_sgd {\n  func.func public @main(%w: tensor<3xf32> {") + attribute +
         R"(}, %g: tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>) {
    %loss = stablehlo.constant dense<7.0> : tensor<f32>
    %0 = stablehlo.subtract %w, %g : tensor<3xf32>
    return %loss, %0 : tensor<f32>, tensor<3xf32>
  }
})";
}

TEST_F(ExecuteTest, AddsOne) {
  PJRT_LoadedExecutable* const program = compile(client_, kAddOne);
  PJRT_Buffer* const x = upload(client_, {1, 2, 3});
  for (int i = 0; i < 3; ++i) {  // the first on the queue's thread, later ones on this thread
    PJRT_Buffer* const y = execute(program, {x});
    EXPECT_EQ(download(y, 3), (Values{2, 3, 4}));
    destroy(y);
  }
  EXPECT_FALSE(is_deleted(x));
  destroy(x);
  destroy(program);
}

TEST_F(ExecuteTest, ReturnsAnArgumentAsItIs) {
  PJRT_LoadedExecutable* const program =
      compile(client_, "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }");
  PJRT_Buffer* const x = upload(client_, {5, 6});
  PJRT_Buffer* const y = execute(program, {x});
  EXPECT_EQ(download(y, 2), (Values{5, 6}));
  destroy(x);
  destroy(y);
  destroy(program);
}

TEST_F(ExecuteTest, UpdatesADonatedArgumentInPlace) {
  for (const char* const attribute : {"tf.aliasing_output = 1 : i32", "jax.buffer_donor = true"}) {
    PJRT_LoadedExecutable* const program = compile(client_, sgd(attribute));
    PJRT_Buffer* weights = upload(client_, {5, 5, 5});
    PJRT_Buffer* const gradient = upload(client_, {1, 2, 3});
    const std::uintptr_t address = address_of(weights);
    for (int i = 1; i <= 4; ++i) {
      std::vector<PJRT_Buffer*> results(2);
      EXPECT_EQ(try_execute(program, {{weights, gradient}}, results).message, "");
      EXPECT_TRUE(is_deleted(weights));
      destroy(weights);
      destroy(results[0]);
      weights = results[1];
      EXPECT_EQ(address_of(weights), address);
    }
    EXPECT_EQ(download(weights, 3), (Values{1, -3, -7}));
    destroy(weights);
    destroy(gradient);
    destroy(program);
  }
}

TEST_F(ExecuteTest, CopiesADonatedArgumentThatOthersRead) {
  PJRT_LoadedExecutable* const program = compile(client_, sgd("tf.aliasing_output = 1 : i32"));
  PJRT_Buffer* const gradient = upload(client_, {1, 2, 3});
  PJRT_Buffer* const weights = upload(client_, {5, 5, 5});
  const auto* const seen = reinterpret_cast<const float*>(address_of(weights));
  auto reference = make_args<PJRT_Buffer_IncreaseExternalReferenceCount_Args>();
  reference.buffer = weights;
  call(&PJRT_Api::PJRT_Buffer_IncreaseExternalReferenceCount, reference);
  std::vector<PJRT_Buffer*> results(2);
  EXPECT_EQ(try_execute(program, {{weights, gradient}}, results).message, "");
  EXPECT_EQ(download(results[1], 3), (Values{4, 3, 2}));
  EXPECT_TRUE(is_deleted(weights));
  EXPECT_EQ(seen[0], 5);  // the view of the old value
  auto drop = make_args<PJRT_Buffer_DecreaseExternalReferenceCount_Args>();
  drop.buffer = weights;
  call(&PJRT_Api::PJRT_Buffer_DecreaseExternalReferenceCount, drop);
  destroy(weights);
  destroy(results[0]);
  // The caller may forbid the donation.
  PJRT_Buffer* const kept = results[1];
  EXPECT_EQ(try_execute(program, {{kept, gradient}}, results, {0}).message, "");
  EXPECT_FALSE(is_deleted(kept));
  EXPECT_EQ(download(kept, 3), (Values{4, 3, 2}));
  EXPECT_EQ(download(results[1], 3), (Values{3, 1, -1}));
  for (PJRT_Buffer* const buffer : {kept, gradient, results[0], results[1]}) destroy(buffer);
  destroy(program);
}

TEST_F(ExecuteTest, RejectsADonatedBufferThatIsUsedAgain) {
  PJRT_LoadedExecutable* const program = compile(client_, sgd("tf.aliasing_output = 1 : i32"));
  PJRT_Buffer* const weights = upload(client_, {5, 5, 5});
  std::vector<PJRT_Buffer*> results(2);
  // As another argument of the same execution; it stays usable.
  const Outcome twice = try_execute(program, {{weights, weights}}, results);
  EXPECT_EQ(twice.code, PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_NE(twice.message.find("deleted or donated"), std::string::npos) << twice.message;
  EXPECT_EQ(download(weights, 3), (Values{5, 5, 5}));
  PJRT_Buffer* const gradient = upload(client_, {1, 2, 3});
  EXPECT_EQ(try_execute(program, {{weights, gradient}}, results).message, "");
  std::vector<PJRT_Buffer*> more(2);
  EXPECT_EQ(try_execute(program, {{weights, gradient}}, more).code, PJRT_Error_Code_INVALID_ARGUMENT);
  Values values(3);
  EXPECT_EQ(try_download(weights, values).code, PJRT_Error_Code_INVALID_ARGUMENT);
  for (PJRT_Buffer* const buffer : {weights, gradient, results[0], results[1]}) destroy(buffer);
  destroy(program);
}

TEST_F(ExecuteTest, RejectsArgumentsThatDoNotFit) {
  PJRT_LoadedExecutable* const program = compile(client_, kAddOne);
  PJRT_Buffer* const x = upload(client_, {1, 2});
  std::vector<PJRT_Buffer*> results(1);
  const Outcome other = try_execute(program, {{x}}, results);
  EXPECT_EQ(other.code, PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_NE(other.message.find("jit_add_one"), std::string::npos) << other.message;
  EXPECT_EQ(try_execute(program, {{x, x}}, results).code, PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_EQ(try_execute(program, {{x}, {x}}, results).code, PJRT_Error_Code_INVALID_ARGUMENT);
  destroy(x);
  destroy(program);
}

TEST_F(ExecuteTest, ReturnsBeforeTheProgramEndsAndKeepsTheOrder) {
  PJRT_LoadedExecutable* const program = compile(client_, kLong);
  std::vector<float> identity(256 * 256);
  for (std::size_t i = 0; i < 256; ++i) identity[i * 257] = 1;
  const std::vector<std::int64_t> dims = {256, 256};
  auto args = host_args(client_, identity.data(), dims);
  call(&PJRT_Api::PJRT_Client_BufferFromHostBuffer, args);
  finish(args.done_with_host_buffer);
  PJRT_Buffer* x = args.buffer;
  bool was_pending = false;
  std::atomic<int> num_called{0};
  for (int i = 0; i < 20; ++i) {
    PJRT_Buffer* const y = execute(program, {x});
    destroy(x);  // the work that is submitted keeps its memory
    x = y;
    auto ready = make_args<PJRT_Buffer_ReadyEvent_Args>();
    ready.buffer = x;
    call(&PJRT_Api::PJRT_Buffer_ReadyEvent, ready);
    auto is_ready = make_args<PJRT_Event_IsReady_Args>();
    is_ready.event = ready.event;
    call(&PJRT_Api::PJRT_Event_IsReady, is_ready);
    was_pending |= !is_ready.is_ready;
    auto on_ready = make_args<PJRT_Event_OnReady_Args>();
    on_ready.event = ready.event;
    on_ready.user_arg = &num_called;
    on_ready.callback = [](PJRT_Error* error, void* count) {
      EXPECT_EQ(error, nullptr);
      ++*static_cast<std::atomic<int>*>(count);
    };
    call(&PJRT_Api::PJRT_Event_OnReady, on_ready);
    auto destroy_event = make_args<PJRT_Event_Destroy_Args>();
    destroy_event.event = ready.event;
    call(&PJRT_Api::PJRT_Event_Destroy, destroy_event);
  }
  EXPECT_TRUE(was_pending);
  EXPECT_EQ(download(x, 256 * 256), identity);
  EXPECT_EQ(num_called, 20);
  destroy(x);
  destroy(program);
}

TEST_F(ExecuteTest, ResultsOfWaitingProgramsTakeNoMemory) {
  // 40 results of 64 MiB that are not kept: each program takes the memory of the one before.
  PJRT_LoadedExecutable* const program = compile(client_, R"(
    func.func public @main(%x: tensor<3xf32>) -> tensor<5592405x3xf32> {
      %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<5592405x3xf32>
      return %0 : tensor<5592405x3xf32>
    })");
  PJRT_Buffer* const x = upload(client_, {1, 2, 3});
  auto device = make_args<PJRT_Buffer_Device_Args>();
  device.buffer = x;
  call(&PJRT_Api::PJRT_Buffer_Device, device);
  for (int i = 0; i < 40; ++i) destroy(execute(program, {x}));
  auto stats = make_args<PJRT_Device_MemoryStats_Args>();
  stats.device = device.device;
  call(&PJRT_Api::PJRT_Device_MemoryStats, stats);
  EXPECT_LT(stats.peak_bytes_in_use, std::int64_t{3} << 26);  // 192 MiB
  EXPECT_TRUE(stats.bytes_limit_is_set);                      // PyTorch/XLA reads it without a check
  EXPECT_GT(stats.bytes_limit, stats.peak_bytes_in_use);
  destroy(x);
  destroy(program);
}

TEST_F(ExecuteTest, ProgramsOfSeveralThreadsAreIndependent) {
  PJRT_LoadedExecutable* const program = compile(client_, kAddOne);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([this, program, t] {
      const auto start = static_cast<float>(100 * t);
      PJRT_Buffer* x = upload(client_, {start, start, start});
      for (int i = 0; i < 100; ++i) {
        PJRT_Buffer* const y = execute(program, {x});
        destroy(x);
        x = y;
      }
      EXPECT_EQ(download(x, 3), Values(3, start + 100));
      destroy(x);
    });
  for (std::thread& thread : threads) thread.join();
  destroy(program);
}

TEST(SeveralDevicesTest, ReplicasExchangeSums) {
  const PJRT_NamedValue options[] = {option("num_devices", 2), option("threads", 1)};
  PJRT_Client* const client = make_client(options);
  PJRT_LoadedExecutable* const program = compile(client, R"(
  func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  })",
                                                 compile_options(2));
  std::vector<std::vector<PJRT_Buffer*>> arguments = {{upload(client, {1, 2}, 0)},
                                                      {upload(client, {10, 20}, 1)}};
  std::vector<PJRT_Buffer*> results(2);
  EXPECT_EQ(try_execute(program, arguments, results).message, "");
  for (PJRT_Buffer* const result : results) EXPECT_EQ(download(result, 2), (Values{11, 22}));
  auto device = make_args<PJRT_Buffer_Device_Args>();
  device.buffer = results[1];
  call(&PJRT_Api::PJRT_Buffer_Device, device);
  auto lookup = make_args<PJRT_Client_LookupDevice_Args>();
  lookup.client = client;
  lookup.id = 1;
  call(&PJRT_Api::PJRT_Client_LookupDevice, lookup);
  EXPECT_EQ(device.device, lookup.device);
  for (PJRT_Buffer* const buffer : {arguments[0][0], arguments[1][0], results[0], results[1]})
    destroy(buffer);
  destroy(program);
  destroy_client(client);
}

/// Sums of the parts of an argument that is cut among two devices, and twice the argument, with a donation.
constexpr const char* kPartitions = R"(module @jit_parts attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, tf.aliasing_output = 1 : i32})
      -> (tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<4xf32>) {
    %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>,
        manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}]>]>}> ({
    ^bb0(%part: tensor<2xf32>):
      %1 = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
          replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      "sdy.return"(%1) : (tensor<2xf32>) -> ()
    }) : (tensor<4xf32>) -> tensor<2xf32>
    %2 = stablehlo.add %x, %x : tensor<4xf32>
    return %0, %2 : tensor<2xf32>, tensor<4xf32>
  }
})";

std::vector<std::string> result_shardings(PJRT_LoadedExecutable* program) {
  const PJRT_Extension_Base* extension = api().extension_start;
  while (static_cast<int>(extension->type) != kShardingsExtension) extension = extension->next;
  auto get = make_args<PJRT_LoadedExecutable_GetExecutable_Args>();
  get.loaded_executable = program;
  call(&PJRT_Api::PJRT_LoadedExecutable_GetExecutable, get);
  auto args = make_args<PJRT_Shardings_PJRT_Executable_OutputShardings_Args>();
  args.executable = get.executable;
  const auto& shardings = *reinterpret_cast<const PJRT_Shardings_Extension*>(extension);
  EXPECT_EQ(shardings.PJRT_Shardings_PJRT_Executable_OutputShardings(&args), nullptr);
  std::vector<std::string> found;
  for (std::size_t i = 0; args.shardings != nullptr && i < args.num_outputs; ++i)
    found.emplace_back(args.shardings[i], args.sharding_sizes[i]);
  auto destroy_executable = make_args<PJRT_Executable_Destroy_Args>();
  destroy_executable.executable = get.executable;
  call(&PJRT_Api::PJRT_Executable_Destroy, destroy_executable);
  return found;
}

std::string memory_kind_of(PJRT_Buffer* buffer) {
  auto memory = make_args<PJRT_Buffer_Memory_Args>();
  memory.buffer = buffer;
  call(&PJRT_Api::PJRT_Buffer_Memory, memory);
  auto kind = make_args<PJRT_Memory_Kind_Args>();
  kind.memory = memory.memory;
  call(&PJRT_Api::PJRT_Memory_Kind, kind);
  return {kind.kind, kind.kind_size};
}

TEST_F(ExecuteTest, ResultsAreInTheMemoryThatTheProgramNames) {
  PJRT_LoadedExecutable* const program = compile(client_, R"(
    func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32> {mhlo.memory_kind = "pinned_host"}) {
      %0 = stablehlo.add %x, %x : tensor<2xf32>
      %1 = stablehlo.custom_call @annotate_device_placement(%0) {backend_config = "", has_side_effect = true,
        mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<2xf32>) -> tensor<2xf32>
      return %0, %1 : tensor<2xf32>, tensor<2xf32>
    })");
  PJRT_Buffer* const x = upload(client_, {1, 2});
  std::vector<PJRT_Buffer*> results(2);
  EXPECT_EQ(try_execute(program, {{x}}, results).message, "");
  EXPECT_EQ(memory_kind_of(results[0]), "device");
  EXPECT_EQ(memory_kind_of(results[1]), "pinned_host");
  auto memory = make_args<PJRT_Buffer_Memory_Args>();
  memory.buffer = results[1];
  call(&PJRT_Api::PJRT_Buffer_Memory, memory);
  auto copy = make_args<PJRT_Buffer_CopyToMemory_Args>();
  copy.buffer = x;
  copy.dst_memory = memory.memory;
  call(&PJRT_Api::PJRT_Buffer_CopyToMemory, copy);
  EXPECT_EQ(memory_kind_of(copy.dst_buffer), "pinned_host");
  for (PJRT_Buffer* const buffer : {results[0], results[1]}) EXPECT_EQ(download(buffer, 2), (Values{2, 4}));
  for (PJRT_Buffer* const buffer : {x, copy.dst_buffer, results[0], results[1]}) destroy(buffer);
  destroy(program);
  const Outcome unknown = try_compile(client_, R"(
    func.func @main(%x: tensor<f32>) -> (tensor<f32> {mhlo.memory_kind = "tape"}) { return %x : tensor<f32> })",
                                      nullptr);
  EXPECT_NE(unknown.message.find("no memory of kind \"tape\""), std::string::npos) << unknown.message;
}

/// The outcome of asking for the program's text.
PJRT_Error_Code text_outcome(PJRT_LoadedExecutable* program) {
  auto get = make_args<PJRT_LoadedExecutable_GetExecutable_Args>();
  get.loaded_executable = program;
  call(&PJRT_Api::PJRT_LoadedExecutable_GetExecutable, get);
  PJRT_Program text = {};
  text.struct_size = PJRT_Program_STRUCT_SIZE;
  auto args = make_args<PJRT_Executable_OptimizedProgram_Args>();
  args.executable = get.executable;
  args.program = &text;
  const PJRT_Error_Code code = outcome(api().PJRT_Executable_OptimizedProgram(&args)).code;
  auto destroy_executable = make_args<PJRT_Executable_Destroy_Args>();
  destroy_executable.executable = get.executable;
  call(&PJRT_Api::PJRT_Executable_Destroy, destroy_executable);
  return code;
}

TEST(SeveralDevicesTest, PartitionsExchangePartsOfTensors) {
  const PJRT_NamedValue options[] = {option("num_devices", 2), option("threads", 1)};
  PJRT_Client* const client = make_client(options);
  PJRT_LoadedExecutable* const program = compile(client, kPartitions, compile_options(1, 2));
  // The second result follows its operand: type OTHER, two tiles, devices 0 and 1.
  EXPECT_EQ(result_shardings(program),
            (std::vector<std::string>{"", std::string("\x08\x03\x1a\x01\x02\x22\x02\x00\x01", 9)}));
  // MLIR cannot translate operations of Shardy to XLA's text.
  EXPECT_EQ(text_outcome(program), PJRT_Error_Code_UNIMPLEMENTED);
  std::vector<std::vector<PJRT_Buffer*>> arguments = {{upload(client, {1, 2}, 0)},
                                                      {upload(client, {10, 20}, 1)}};
  const std::uintptr_t address = address_of(arguments[1][0]);
  std::vector<PJRT_Buffer*> results(4);
  EXPECT_EQ(try_execute(program, arguments, results).message, "");
  EXPECT_EQ(download(results[0], 2), (Values{11, 22}));
  EXPECT_EQ(download(results[2], 2), (Values{11, 22}));
  EXPECT_EQ(download(results[1], 2), (Values{2, 4}));
  EXPECT_EQ(download(results[3], 2), (Values{20, 40}));
  EXPECT_TRUE(is_deleted(arguments[0][0]));
  EXPECT_EQ(address_of(results[3]), address);
  auto assignment = make_args<PJRT_LoadedExecutable_GetDeviceAssignment_Args>();
  assignment.executable = program;
  call(&PJRT_Api::PJRT_LoadedExecutable_GetDeviceAssignment, assignment);
  // One replica, two partitions, the device of each.
  EXPECT_EQ(std::string(assignment.serialized_bytes, assignment.serialized_bytes_size),
            std::string("\x08\x01\x10\x02\x1a\x03\x0a\x01\x00\x1a\x03\x0a\x01\x01", 14));
  assignment.serialized_device_assignment_deleter(assignment.serialized_device_assignment);
  for (PJRT_Buffer* const buffer : {arguments[0][0], arguments[1][0]}) destroy(buffer);
  for (PJRT_Buffer* const buffer : results) destroy(buffer);
  destroy(program);
  destroy_client(client);
}

TEST_F(ExecuteTest, AForkedChildGetsAnError) {
  PJRT_LoadedExecutable* const program = compile(client_, kAddOne);
  PJRT_Buffer* const x = upload(client_, {1, 2, 3});
  const pid_t child = fork();
  if (child == 0) {
    std::vector<PJRT_Buffer*> results(1);
    const Outcome result = try_execute(program, {{x}}, results);
    destroy(x);
    destroy_client(client_);
    _exit(result.code == PJRT_Error_Code_FAILED_PRECONDITION &&
                  result.message.find("forked") != std::string::npos
              ? 0
              : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  destroy(x);
  destroy(program);
}

TEST(ClientTest, EndsWithWorkInFlight) {
  PJRT_Client* const client = make_client();
  PJRT_LoadedExecutable* const program = compile(client, kLong);
  const std::vector<float> values(256 * 256);
  const std::vector<std::int64_t> dims = {256, 256};
  auto args = host_args(client, values.data(), dims);
  call(&PJRT_Api::PJRT_Client_BufferFromHostBuffer, args);
  finish(args.done_with_host_buffer);
  PJRT_Buffer* const y = execute(program, {args.buffer});
  destroy(args.buffer);
  destroy(y);
  destroy(program);
  destroy_client(client);
}

}  // namespace
}  // namespace cornu::inline v0::plugin
