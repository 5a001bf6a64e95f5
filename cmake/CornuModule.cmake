# cornu_module(FOLDER LINK targets... [REGISTRY] [WITH_OPS_CPU] [WITH_OP_RULES] [UNITY sources] [APART folders...] [DESCRIBES] [TESTS_SHARED] [WITHOUT files...])
#
# One static library a folder under cornu/ (cornu_<folder with underscores>) from all its sources at any depth, and one test binary
# from its *_test.cc. Nobody lists files. Sources *_cpu.cc below ops/ belong to the CPU backend (WITH_OPS_CPU: its registry comes from
# them), *_rule.cc to transform (WITH_OP_RULES, likewise), *_cases.cc to tests/conformance.
# REGISTRY: generates all_op_defs() from the folders below.
# UNITY: compiles up to that many sources of a folder at a time, so file-local names must differ; tests are always compiled so (LLVM's
# headers are slow to compile and pollute their neighbours: units that include them stay with each other). APART: folders of which each
# source is compiled by itself, since its own code takes the time and not what it includes.
# DESCRIBES: its code says what is to be computed and computes nothing itself; see cornu_compile_quickly.
# TESTS_SHARED: its tests use libcornu.so, since linking all modules into another program takes seconds. Only for a module whose tests
# may see keras.h, which is precompiled for programs of the library (PrecompiledHeaders.cmake).

add_library(cornu_flags INTERFACE)
# What leaves the shared library is decided by cmake/cornu.map; calls inside it are direct.
target_compile_options(cornu_flags INTERFACE -Wall -Wextra -Wshadow -Wno-missing-field-initializers
                       $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
# GCC takes sources that are compiled together for headers, whose types should have no file-local members.
target_compile_options(cornu_flags INTERFACE $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${CORNU_UNITY}>>:-Wno-subobject-linkage>)
# With Clang, libstdc++ 12 warns of its own std::get_temporary_buffer inside std::stable_sort.
target_compile_options(cornu_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
target_include_directories(cornu_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
# GCC looks for memory to reuse again and again, a tenth of its time; where there are two gigabytes for each of its processes it need not.
cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR memory_per_core "${memory} / ${cores}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND memory_per_core GREATER_EQUAL 2048)
  target_compile_options(cornu_flags INTERFACE "SHELL:--param ggc-min-heapsize=2000000")
endif()
# Hardening: programs at random addresses, tables of addresses that are read-only once loaded, canaries in stack frames, checked calls of
# the C library. The last needs optimization, and sanitizers bring checks of their own. No step and no operation was measured slower.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
target_compile_options(cornu_flags INTERFACE -fstack-protector-strong)
target_link_options(cornu_flags INTERFACE -Wl,-z,relro -Wl,-z,now)
if(NOT CORNU_SANITIZE)
  target_compile_options(cornu_flags INTERFACE $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>)
endif()
if(CORNU_SANITIZE)
  target_compile_options(cornu_flags INTERFACE -fsanitize=${CORNU_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(cornu_flags INTERFACE -fsanitize=${CORNU_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Emitted code has no word in front of a function that says its type; and Clang's own runtime would be hidden with the other static libraries.
    target_compile_options(cornu_flags INTERFACE -fno-sanitize=function)
    # At the little optimization of these builds loops that ask for vectors get none.
    target_compile_options(cornu_flags INTERFACE -Wno-pass-failed)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.asan-x86_64.so
                    OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(runtime_folder "${runtime}" DIRECTORY)
    target_link_options(cornu_flags INTERFACE -shared-libsan -Wl,-rpath,${runtime_folder})
  endif()
endif()

# The code of tests is compiled for quick builds (docs/adr/0112); what it calls is optimised all the same.
set(CORNU_TEST_OPTIMIZATION -Og)
# How many sources of a folder are compiled at a time where nothing else is said.
set(CORNU_SOURCES_AT_A_TIME 12)

if(CORNU_CHECKED)
  target_compile_definitions(cornu_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()

# Test programs leave the user's cache alone. Under CTest they share one in the build folder, so that what two tests compile alike
# is compiled once (docs/adr/0105); they use no plug-in that happens to be installed and show all messages.
if(CORNU_BUILD_TESTS)
  add_library(cornu_without_cache OBJECT ${PROJECT_SOURCE_DIR}/tests/without_cache.cc)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_environment.cmake
       CONTENT "# Generated by cmake/CornuModule.cmake.\nset(ENV{CORNU_CACHE_DIR} \"${PROJECT_BINARY_DIR}/test_code\")\nset(ENV{CORNU_PJRT_PLUGINS} off)\nset(ENV{CORNU_LOG_LEVEL} \"\")\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${PROJECT_BINARY_DIR}/test_environment.cmake)
endif()

# cornu_test_with_code_from_elsewhere(TEST...): sanitizers do not report what plug-ins and libraries do in these tests.
function(cornu_test_with_code_from_elsewhere)
  if(CORNU_SANITIZE MATCHES address)
    set_property(TEST ${ARGN} APPEND PROPERTY ENVIRONMENT LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/leaks_elsewhere.txt)
  elseif(CORNU_SANITIZE MATCHES thread)
    set_property(TEST ${ARGN} APPEND PROPERTY ENVIRONMENT
                 TSAN_OPTIONS=halt_on_error=1:suppressions=${PROJECT_SOURCE_DIR}/tests/races_elsewhere.txt)
  endif()
endfunction()

# Code that runs once a program, a file or a command: optimization at -O3 is three quarters of its compilation, and nobody waits for it.
function(cornu_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Puts the sources that include LLVM into unity builds of their own.
function(cornu_keep_llvm_apart)
  set(apart "")
  foreach(source ${ARGN})
    if(EXISTS ${source})
      file(STRINGS ${source} includes REGEX "^#include [<\"]llvm/" LIMIT_COUNT 1)
      if(includes)
        list(APPEND apart ${source})
      endif()
    endif()
  endforeach()
  cornu_unity_groups(llvm 3 ${apart})
endfunction()

# Compiles the sources of `target` several at a time: those of one folder together, up to `size` (a new file moves no others than its
# folder's), those of folders with one or two together.
function(cornu_unity target size)
  set(small "")
  set(folders "")
  foreach(source ${ARGN})
    get_filename_component(folder ${source} DIRECTORY)
    list(APPEND folders ${folder})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    set(inside ${ARGN})
    list(FILTER inside INCLUDE REGEX "^${folder}/[^/]+$")
    list(LENGTH inside count)
    if(count LESS 3)
      list(APPEND small ${inside})
    else()
      file(RELATIVE_PATH group ${PROJECT_SOURCE_DIR} ${folder})
      string(MAKE_C_IDENTIFIER ${group} group)
      cornu_unity_groups(${group} ${size} ${inside})
    endif()
  endforeach()
  cornu_unity_groups(small ${size} ${small})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

function(cornu_unity_groups group size)
  set(position 0)
  foreach(source ${ARGN})
    math(EXPR part "${position} / ${size}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
    math(EXPR position "${position} + 1")
  endforeach()
endfunction()

function(cornu_module folder)
  cmake_parse_arguments(ARG "REGISTRY;WITH_OPS_CPU;WITH_OP_RULES;DESCRIBES;TESTS_SHARED" "UNITY" "LINK;WITHOUT;APART" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cornu/${folder}/*.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "(_test|_test_support)\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|_test_support|_cpu|_rule|_cases|_module)\\.cc$")
  foreach(file ${ARG_WITHOUT})
    list(FILTER sources EXCLUDE REGEX "/${folder}/${file}$")
  endforeach()
  if(ARG_WITH_OPS_CPU)
    file(GLOB ops_cpu CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cornu/ops/*/*_cpu.cc)
    list(APPEND sources ${ops_cpu})
    cornu_rows_registry(registry cornu/backends/cpu/op/cpu_op.h backends::cpu CpuOp cpu_ops ${ops_cpu})
    list(APPEND sources ${registry})
    if(CORNU_UNITY)
      cornu_unity_groups(ops_cpu 8 ${ops_cpu})
    endif()
  endif()
  if(ARG_WITH_OP_RULES)
    file(GLOB op_rules CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cornu/ops/*/*_rule.cc)
    list(APPEND sources ${op_rules})
    cornu_rows_registry(registry cornu/transform/op_rules.h transform OpRule op_rules ${op_rules})
    list(APPEND sources ${registry})
    if(CORNU_UNITY)
      cornu_unity_groups(op_rules 8 ${op_rules})
    endif()
  endif()
  if(ARG_REGISTRY)
    cornu_ops_registry(registry)
    list(APPEND sources ${registry})
  endif()
  if(NOT sources)
    message(STATUS "cornu/${folder} is empty")
    add_library(cornu_${name} INTERFACE)
    target_link_libraries(cornu_${name} INTERFACE cornu_flags ${ARG_LINK})
    return()
  endif()
  add_library(cornu_${name} STATIC ${sources})
  set_property(GLOBAL APPEND PROPERTY CORNU_MODULES cornu_${name})
  target_link_libraries(cornu_${name} PUBLIC cornu_flags ${ARG_LINK})
  if(folder MATCHES "^backends/")
    target_compile_options(cornu_${name} PRIVATE -fvisibility=hidden)
  endif()
  if(ARG_DESCRIBES)
    cornu_compile_quickly(cornu_${name})
  endif()
  if(CORNU_UNITY AND ARG_UNITY)
    set(own ${sources})
    list(FILTER own INCLUDE REGEX "/cornu/${folder}/")
    foreach(room ${ARG_APART})
      list(FILTER own EXCLUDE REGEX "/cornu/${folder}/${room}/")
    endforeach()
    cornu_unity(cornu_${name} ${ARG_UNITY} ${own})
    cornu_keep_llvm_apart(${own})
  elseif(CORNU_UNITY AND (ARG_WITH_OPS_CPU OR ARG_WITH_OP_RULES OR ARG_REGISTRY))
    set_target_properties(cornu_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
  if(CORNU_BUILD_TESTS AND tests)
    add_executable(${name}_test ${tests})
    set(library cornu_${name})
    if(ARG_TESTS_SHARED)
      set(library cornu_flags cornu_shared fmt::fmt)
    endif()
    target_link_libraries(${name}_test PRIVATE ${library} ${CORNU_TEST_LINK_${name}} cornu_without_cache GTest::gtest GTest::gtest_main)
    target_compile_options(${name}_test PRIVATE ${CORNU_TEST_OPTIMIZATION})
    if(CORNU_UNITY)
      cornu_unity(${name}_test ${CORNU_SOURCES_AT_A_TIME} ${tests})
      cornu_keep_llvm_apart(${tests})
    endif()
    add_test(NAME ${name} COMMAND ${name}_test --gtest_brief=1 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT ${CORNU_TEST_SECONDS})
  endif()
endfunction()

# Every folder below cornu/ops has a header of the folder's name that declares
#   std::span<const ir::OpDef* const> op_defs();   in namespace cornu::inline v0::ops::<folder>_folder
# From them come all_op_defs() and the header cornu/ops/all.h, which includes every folder's header.
function(cornu_ops_registry out)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/cornu/ops/*/*.h)
  set(includes "")
  set(rows "")
  foreach(header ${headers})
    get_filename_component(folder ${header} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    get_filename_component(stem ${header} NAME_WE)
    if(stem STREQUAL folder)
      string(APPEND includes "#include \"${header}\"\n")
      string(APPEND rows "  append(${folder}_folder::op_defs());\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/cornu/ops/all.h
       CONTENT "// Generated by cmake/CornuModule.cmake from the folders.\n#pragma once\n${includes}")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/cornu/ops/registry.cc
       CONTENT "// Generated by cmake/CornuModule.cmake from the folders.
#include \"cornu/ops/registry.h\"
#include \"cornu/ops/all.h\"
namespace cornu::inline v0::ops {
static std::vector<const ir::OpDef*> collect() {
  std::vector<const ir::OpDef*> all;
  auto append = [&](std::span<const ir::OpDef* const> defs) { all.insert(all.end(), defs.begin(), defs.end()); };
${rows}  return all;
}
std::span<const ir::OpDef* const> all_op_defs() {
  static const auto& all = *new std::vector<const ir::OpDef*>(collect());
  return all;
}
}  // namespace cornu::inline v0::ops
")
  set(${out} ${PROJECT_BINARY_DIR}/generated/cornu/ops/registry.cc PARENT_SCOPE)
endfunction()

# cornu_rows_registry(OUT HEADER NAMESPACE TYPE FUNCTION sources...): rows that stand in the ops' folders. Each source, in cornu/ops/x, defines
#   std::span<const TYPE> FUNCTION();   in namespace cornu::inline v0::NAMESPACE::x_folder
# From them comes all_FUNCTION(), declared in HEADER.
function(cornu_rows_registry out header namespace type function)
  set(declarations "")
  set(rows "")
  set(folders "")
  foreach(source ${ARGN})
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    list(APPEND folders ${folder})
  endforeach()
  list(REMOVE_DUPLICATES folders)  # a folder's other files have no rows of their own
  foreach(folder ${folders})
    string(APPEND declarations "namespace ${folder}_folder {\nstd::span<const ${type}> ${function}();\n}\n")
    string(APPEND rows "  append(${folder}_folder::${function}());\n")
  endforeach()
  set(registry ${PROJECT_BINARY_DIR}/generated/${function}_registry.cc)
  file(CONFIGURE OUTPUT ${registry} CONTENT "// Generated by cmake/CornuModule.cmake from the folders.
#include <vector>
#include \"${header}\"
namespace cornu::inline v0::${namespace} {
${declarations}static std::vector<${type}> collect() {
  std::vector<${type}> all;
  auto append = [&](std::span<const ${type}> rows) { all.insert(all.end(), rows.begin(), rows.end()); };
${rows}  return all;
}
std::span<const ${type}> all_${function}() {
  static const auto& all = *new std::vector<${type}>(collect());
  return all;
}
}  // namespace cornu::inline v0::${namespace}
")
  set(${out} ${registry} PARENT_SCOPE)
endfunction()

# cornu/keras/layers/layers.h includes every header below cornu/keras/layers, except those that layers share among themselves.
file(GLOB_RECURSE layer_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/cornu/keras/layers/*.h)
list(FILTER layer_headers EXCLUDE REGEX "_support\\.h$")
list(TRANSFORM layer_headers REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE layer_includes)
list(JOIN layer_includes "" layer_includes)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/cornu/keras/layers/layers.h
     CONTENT "// Generated by cmake/CornuModule.cmake from the folder: all layers.\n#pragma once\n${layer_includes}")

# cornu/keras/saving/classes.inc: the table of the classes that a configuration can name, from their headers. Written when one changed.
function(cornu_keras_classes)
  set(folder ${PROJECT_SOURCE_DIR}/cornu/keras)
  set(output ${PROJECT_BINARY_DIR}/generated/cornu/keras/saving/classes.inc)
  set(headers "")
  foreach(family layers losses metrics optimizers initializers regularizers constraints)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${folder}/${family}/*.h)
    list(APPEND headers ${found})
  endforeach()
  add_custom_command(OUTPUT ${output} COMMAND ${CMAKE_COMMAND} -DSOURCE=${folder} -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/KerasClasses.cmake
                     DEPENDS ${headers} ${PROJECT_SOURCE_DIR}/cmake/KerasClasses.cmake VERBATIM)
  target_sources(cornu_keras PRIVATE ${output})
endfunction()
