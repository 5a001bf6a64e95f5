#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "cornu/plugin/plugin_test_support.h"

namespace cornu::inline v0::plugin {
namespace {

using BufferTest = PluginTest;
using CompileTest = PluginTest;
using Values = std::vector<float>;

PJRT_Buffer* make_buffer(PJRT_Client_BufferFromHostBuffer_Args& args) {
  call(&PJRT_Api::PJRT_Client_BufferFromHostBuffer, args);
  return args.buffer;
}
bool is_ready(PJRT_Event* event) {
  auto args = make_args<PJRT_Event_IsReady_Args>();
  args.event = event;
  call(&PJRT_Api::PJRT_Event_IsReady, args);
  return args.is_ready;
}

TEST(InterfaceTest, EveryFunctionIsThere) {
  EXPECT_EQ(api().pjrt_api_version.major_version, 0);
  const auto* const begin = reinterpret_cast<void* const*>(&api().PJRT_Error_Destroy);
  const auto* const end =
      reinterpret_cast<void* const*>(reinterpret_cast<const char*>(&api()) + api().struct_size);
  for (const auto* entry = begin; entry != end; ++entry) EXPECT_NE(*entry, nullptr) << entry - begin;
}

TEST(InterfaceTest, RejectsAStructThatIsTooSmall) {
  auto args = make_args<PJRT_Client_Create_Args>();
  args.struct_size = 16;
  const Outcome result = outcome(api().PJRT_Client_Create(&args));
  EXPECT_EQ(result.code, PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_NE(result.message.find("PJRT 0.81 or later"), std::string::npos) << result.message;
}

TEST(InterfaceTest, RejectsUnknownOptionsAndValues) {
  for (const PJRT_NamedValue& bad : {option("treads", 2), option("threads", -1), option("num_devices", 0)}) {
    auto args = make_args<PJRT_Client_Create_Args>();
    args.create_options = &bad;
    args.num_options = 1;
    EXPECT_EQ(outcome(api().PJRT_Client_Create(&args)).code, PJRT_Error_Code_INVALID_ARGUMENT) << bad.name;
  }
}

TEST(InterfaceTest, AClientHasTheDevicesOfOneProcess) {
  const PJRT_NamedValue alone[] = {option("num_nodes", 1), option("node_id", 0)};
  destroy_client(make_client(alone));
  const PJRT_NamedValue of_two[] = {option("num_nodes", 2), option("node_id", 1)};
  auto args = make_args<PJRT_Client_Create_Args>();
  args.create_options = of_two;
  args.num_options = 2;
  const Outcome result = outcome(api().PJRT_Client_Create(&args));
  EXPECT_EQ(result.code, PJRT_Error_Code_UNIMPLEMENTED);
  EXPECT_NE(result.message.find("2 processes of jax.distributed"), std::string::npos) << result.message;
}

TEST(InterfaceTest, TwoClientsLiveSideBySide) {
  PJRT_Client* const one = make_client();
  PJRT_Client* const two = make_client();
  PJRT_Buffer* const x = upload(one, {1, 2});
  PJRT_LoadedExecutable* const program =
      compile(two, "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }");
  std::vector<PJRT_Buffer*> results(1);
  const Outcome foreign = try_execute(program, {{x}}, results);
  EXPECT_EQ(foreign.code, PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_NE(foreign.message.find("another client"), std::string::npos) << foreign.message;
  auto lookup = make_args<PJRT_Client_LookupDevice_Args>();
  lookup.client = two;
  call(&PJRT_Api::PJRT_Client_LookupDevice, lookup);
  auto copy = make_args<PJRT_Buffer_CopyToDevice_Args>();
  copy.buffer = x;
  copy.dst_device = lookup.device;
  call(&PJRT_Api::PJRT_Buffer_CopyToDevice, copy);
  PJRT_Buffer* const y = execute(program, {copy.dst_buffer});
  EXPECT_EQ(download(y, 2), (Values{1, 2}));
  destroy(x);
  destroy_client(one);
  destroy(y);
  destroy(copy.dst_buffer);
  destroy(program);
  destroy_client(two);
}

TEST_F(BufferTest, ViewsAlignedHostMemoryUntilItIsDestroyed) {
  alignas(64) const float values[6] = {1, 2, 3, 4, 5, 6};
  const std::vector<std::int64_t> dims = {2, 3};
  auto args = host_args(client_, values, dims, PJRT_HostBufferSemantics_kImmutableZeroCopy);
  PJRT_Buffer* const view = make_buffer(args);
  EXPECT_EQ(address_of(view), reinterpret_cast<std::uintptr_t>(values));
  EXPECT_FALSE(is_ready(args.done_with_host_buffer));
  destroy(view);
  EXPECT_TRUE(is_ready(args.done_with_host_buffer));
  finish(args.done_with_host_buffer);
}

TEST_F(BufferTest, CopiesHostMemoryForAllOtherSemantics) {
  alignas(64) float values[3] = {1, 2, 3};
  const std::vector<std::int64_t> dims = {3};
  for (const auto semantics : {PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
                               PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes}) {
    values[0] = 1;
    auto args = host_args(client_, values, dims, semantics);
    PJRT_Buffer* const buffer = make_buffer(args);
    EXPECT_EQ(finish(args.done_with_host_buffer).code, PJRT_Error_Code_OK);
    values[0] = 100;
    EXPECT_EQ(download(buffer, 3), (Values{1, 2, 3}));
    destroy(buffer);
  }
}

TEST_F(BufferTest, ReadsAndWritesStrides) {
  const float columns[6] = {1, 4, 2, 5, 3, 6};  // [2, 3] column by column
  const std::vector<std::int64_t> dims = {2, 3}, strides = {4, 8};
  auto args = host_args(client_, columns, dims, PJRT_HostBufferSemantics_kImmutableZeroCopy);
  args.byte_strides = strides.data();
  args.num_byte_strides = strides.size();
  PJRT_Buffer* const buffer = make_buffer(args);
  EXPECT_TRUE(is_ready(args.done_with_host_buffer));  // a copy
  finish(args.done_with_host_buffer);
  EXPECT_EQ(download(buffer, 6), (Values{1, 2, 3, 4, 5, 6}));
  Values by_columns(6);
  const std::vector<std::int64_t> minor_to_major = {0, 1};
  PJRT_Buffer_MemoryLayout layout = {};
  layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  layout.tiled.minor_to_major = minor_to_major.data();
  layout.tiled.minor_to_major_size = 2;
  auto to_host = make_args<PJRT_Buffer_ToHostBuffer_Args>();
  to_host.src = buffer;
  to_host.host_layout = &layout;
  to_host.dst = by_columns.data();
  to_host.dst_size = sizeof columns;
  call(&PJRT_Api::PJRT_Buffer_ToHostBuffer, to_host);
  finish(to_host.event);
  EXPECT_EQ(by_columns, Values(columns, columns + 6));
  destroy(buffer);
}

TEST_F(BufferTest, KnowsItsSize) {
  PJRT_Buffer* const buffer = upload(client_, {1, 2, 3});
  auto args = make_args<PJRT_Buffer_ToHostBuffer_Args>();
  args.src = buffer;
  call(&PJRT_Api::PJRT_Buffer_ToHostBuffer, args);
  EXPECT_EQ(args.dst_size, 12U);
  Values small(2);
  EXPECT_EQ(try_download(buffer, small).code, PJRT_Error_Code_INVALID_ARGUMENT);
  destroy(buffer);
}

TEST_F(BufferTest, AViewOfMemoryCallsBackWhenItIsDestroyed) {
  alignas(64) float values[2] = {3, 4};
  bool is_released = false;
  const std::vector<std::int64_t> dims = {2};
  auto args = make_args<PJRT_Client_CreateViewOfDeviceBuffer_Args>();
  args.client = client_;
  args.device_buffer_ptr = values;
  args.dims = dims.data();
  args.num_dims = 1;
  args.element_type = PJRT_Buffer_Type_F32;
  args.on_delete_callback_arg = &is_released;
  args.on_delete_callback = [](void*, void* released) { *static_cast<bool*>(released) = true; };
  call(&PJRT_Api::PJRT_Client_CreateViewOfDeviceBuffer, args);
  EXPECT_EQ(download(args.buffer, 2), (Values{3, 4}));
  EXPECT_FALSE(is_released);
  destroy(args.buffer);
  EXPECT_TRUE(is_released);
}

TEST_F(BufferTest, RejectsTensorsBeyondTheMachinesMemory) {
  const std::vector<std::int64_t> dims = {std::int64_t{1} << 30, std::int64_t{1} << 20};
  auto args = make_args<PJRT_Client_CreateUninitializedBuffer_Args>();
  args.client = client_;
  args.shape_dims = dims.data();
  args.shape_num_dims = 2;
  args.shape_element_type = PJRT_Buffer_Type_F64;
  EXPECT_EQ(outcome(api().PJRT_Client_CreateUninitializedBuffer(&args)).code,
            PJRT_Error_Code_RESOURCE_EXHAUSTED);
}

TEST_F(CompileTest, AnUnknownOpIsAnErrorWithItsName) {
  const Outcome result = try_compile(client_, R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = "stablehlo.nonsense"(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    })",
                                     nullptr);
  EXPECT_EQ(result.code, PJRT_Error_Code_UNIMPLEMENTED);
  EXPECT_NE(result.message.find("stablehlo.nonsense"), std::string::npos) << result.message;
}

TEST_F(CompileTest, RejectsReplicasOfPartitionsAndDamagedOptions) {
  const char* const program = "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }";
  EXPECT_EQ(try_compile(client_, program, nullptr, compile_options(2, 2)).code,
            PJRT_Error_Code_UNIMPLEMENTED);
  EXPECT_EQ(try_compile(client_, program, nullptr, compile_options(1, 2)).code, PJRT_Error_Code_NOT_FOUND);
  EXPECT_EQ(try_compile(client_, program, nullptr, "\x1a\x40\x20").code, PJRT_Error_Code_DATA_LOSS);
  EXPECT_EQ(try_compile(client_, program, nullptr, compile_options(2)).code, PJRT_Error_Code_NOT_FOUND);
}

TEST_F(CompileTest, ACapturedArrayOfOneValueMayBeLarge) {
  PJRT_LoadedExecutable* const program = compile(client_, R"(
    func.func @main() -> tensor<1xf32> {
      %0 = stablehlo.constant dense<2.0> : tensor<70000000xf32>
      %1 = stablehlo.slice %0 [0:1] : (tensor<70000000xf32>) -> tensor<1xf32>
      return %1 : tensor<1xf32>
    })");
  PJRT_Buffer* const y = execute(program, {});
  EXPECT_EQ(download(y, 1), std::vector<float>{2});
  destroy(y);
  destroy(program);
}

TEST_F(CompileTest, OptionsOfXlaHaveNoEffectAndOthersAreErrors) {
  const std::string program = "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }";
  const auto options = [](const std::string& name) {  // an entry of the map env_option_overrides
    const std::string entry = std::string("\x0a") + static_cast<char>(name.size()) + name;
    return compile_options() + "\x3a" + static_cast<char>(entry.size()) + entry;
  };
  destroy(compile(client_, program, options("xla_gpu_autotune_level")));
  const Outcome result = try_compile(client_, program, nullptr, options("fast"));
  EXPECT_EQ(result.code, PJRT_Error_Code_INVALID_ARGUMENT);
  EXPECT_NE(result.message.find("there is no option \"fast\""), std::string::npos) << result.message;
}

TEST_F(CompileTest, ASerializedProgramIsLoadedAgain) {
  PJRT_LoadedExecutable* const program = compile(client_, R"(module @jit_double {
    func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.add %x, %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    }})");
  auto get = make_args<PJRT_LoadedExecutable_GetExecutable_Args>();
  get.loaded_executable = program;
  call(&PJRT_Api::PJRT_LoadedExecutable_GetExecutable, get);
  auto name = make_args<PJRT_Executable_Name_Args>();
  name.executable = get.executable;
  call(&PJRT_Api::PJRT_Executable_Name, name);
  EXPECT_EQ(std::string(name.executable_name, name.executable_name_size), "jit_double");
  auto serialize = make_args<PJRT_Executable_Serialize_Args>();
  serialize.executable = get.executable;
  call(&PJRT_Api::PJRT_Executable_Serialize, serialize);
  auto load = make_args<PJRT_Executable_DeserializeAndLoad_Args>();
  load.client = client_;
  load.serialized_executable = serialize.serialized_bytes;
  load.serialized_executable_size = serialize.serialized_bytes_size;
  call(&PJRT_Api::PJRT_Executable_DeserializeAndLoad, load);
  load.serialized_executable_size = 10;
  EXPECT_EQ(outcome(api().PJRT_Executable_DeserializeAndLoad(&load)).code, PJRT_Error_Code_INVALID_ARGUMENT);
  serialize.serialized_executable_deleter(serialize.serialized_executable);
  PJRT_Buffer* const x = upload(client_, {1, 2});
  PJRT_Buffer* const y = execute(load.loaded_executable, {x});
  EXPECT_EQ(download(y, 2), (Values{2, 4}));
  auto destroy_executable = make_args<PJRT_Executable_Destroy_Args>();
  destroy_executable.executable = get.executable;
  call(&PJRT_Api::PJRT_Executable_Destroy, destroy_executable);
  for (PJRT_Buffer* const buffer : {x, y}) destroy(buffer);
  for (PJRT_LoadedExecutable* const executable : {program, load.loaded_executable}) destroy(executable);
}

TEST(SerializeTest, AProgramCarriesItsMachineCode) {
  // Two clients with caches of their own, as on two machines.
  std::string folders[2];
  for (std::string& folder : folders) {
    folder = (std::filesystem::temp_directory_path() / "cornu_plugin_XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
  }
  const auto num_entries = [](const std::string& folder) {
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
  };
  const auto client_of = [](const std::string& folder) {
    PJRT_NamedValue cache = option("cache_folder", 0);
    cache.type = PJRT_NamedValue_kString;
    cache.string_value = folder.c_str();
    cache.value_size = folder.size();
    return make_client({&cache, 1});
  };
  PJRT_Client *const writer = client_of(folders[0]), *const reader = client_of(folders[1]);
  PJRT_LoadedExecutable* const program =
      compile(writer,
              "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
              "%0 = stablehlo.multiply %x, %x : tensor<2xf32>\n return %0 : tensor<2xf32> }");
  auto get = make_args<PJRT_LoadedExecutable_GetExecutable_Args>();
  get.loaded_executable = program;
  call(&PJRT_Api::PJRT_LoadedExecutable_GetExecutable, get);
  auto serialize = make_args<PJRT_Executable_Serialize_Args>();
  serialize.executable = get.executable;
  call(&PJRT_Api::PJRT_Executable_Serialize, serialize);
  EXPECT_EQ(num_entries(folders[1]), 0);
  auto load = make_args<PJRT_Executable_DeserializeAndLoad_Args>();
  load.client = reader;
  load.serialized_executable = serialize.serialized_bytes;
  load.serialized_executable_size = serialize.serialized_bytes_size;
  call(&PJRT_Api::PJRT_Executable_DeserializeAndLoad, load);
  EXPECT_EQ(num_entries(folders[0]), 1);
  EXPECT_EQ(num_entries(folders[1]), 1);  // the writer's entry, which the compilation found
  std::string names[2];
  for (int i = 0; i < 2; ++i)
    names[i] = std::filesystem::directory_iterator(folders[i])->path().filename().string();
  EXPECT_EQ(names[0], names[1]);
  for (std::size_t size = 0; size < serialize.serialized_bytes_size; size += 7) {
    load.serialized_executable_size = size;
    EXPECT_EQ(outcome(api().PJRT_Executable_DeserializeAndLoad(&load)).code,
              PJRT_Error_Code_INVALID_ARGUMENT);
  }
  PJRT_Buffer* const x = upload(reader, {3, 4});
  PJRT_Buffer* const y = execute(load.loaded_executable, {x});
  EXPECT_EQ(download(y, 2), (Values{9, 16}));
  serialize.serialized_executable_deleter(serialize.serialized_executable);
  auto destroy_executable = make_args<PJRT_Executable_Destroy_Args>();
  destroy_executable.executable = get.executable;
  call(&PJRT_Api::PJRT_Executable_Destroy, destroy_executable);
  for (PJRT_Buffer* const buffer : {x, y}) destroy(buffer);
  for (PJRT_LoadedExecutable* const executable : {program, load.loaded_executable}) destroy(executable);
  for (PJRT_Client* const client : {writer, reader}) destroy_client(client);
  for (const std::string& folder : folders) std::filesystem::remove_all(folder);
}

TEST_F(CompileTest, ReportsCostsAndMemory) {
  PJRT_LoadedExecutable* const program = compile(client_, R"(
    func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    })");
  auto get = make_args<PJRT_LoadedExecutable_GetExecutable_Args>();
  get.loaded_executable = program;
  call(&PJRT_Api::PJRT_LoadedExecutable_GetExecutable, get);
  auto costs = make_args<PJRT_Executable_GetCostAnalysis_Args>();
  costs.executable = get.executable;
  call(&PJRT_Api::PJRT_Executable_GetCostAnalysis, costs);
  ASSERT_EQ(costs.num_properties, 2U);
  EXPECT_EQ(costs.properties[0].float_value, 2 * 8 * 8 * 8);
  EXPECT_EQ(costs.properties[1].float_value, 2 * 8 * 8 * 4);
  auto memory = make_args<PJRT_Executable_GetCompiledMemoryStats_Args>();
  memory.executable = get.executable;
  call(&PJRT_Api::PJRT_Executable_GetCompiledMemoryStats, memory);
  EXPECT_EQ(memory.argument_size_in_bytes, 256);
  EXPECT_EQ(memory.output_size_in_bytes, 256);
  PJRT_Program text = {};
  text.struct_size = PJRT_Program_STRUCT_SIZE;
  auto get_program = make_args<PJRT_Executable_OptimizedProgram_Args>();
  get_program.executable = get.executable;
  get_program.program = &text;
  call(&PJRT_Api::PJRT_Executable_OptimizedProgram, get_program);
  EXPECT_EQ(std::string_view(text.format, text.format_size), "mlir");
  std::string code(text.code_size, ' ');
  text.code = code.data();
  call(&PJRT_Api::PJRT_Executable_OptimizedProgram, get_program);
  EXPECT_NE(code.find("stablehlo.dot_general %x, %x"), std::string::npos) << code;
  text.code_size = 1;
  EXPECT_EQ(outcome(api().PJRT_Executable_OptimizedProgram(&get_program)).code,
            PJRT_Error_Code_INVALID_ARGUMENT);
  auto destroy_executable = make_args<PJRT_Executable_Destroy_Args>();
  destroy_executable.executable = get.executable;
  call(&PJRT_Api::PJRT_Executable_Destroy, destroy_executable);
  destroy(program);
}

}  // namespace
}  // namespace cornu::inline v0::plugin
