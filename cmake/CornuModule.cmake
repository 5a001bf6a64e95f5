# cornu_module(FOLDER LINK targets... [REGISTRY] [WITH_OPS_CPU] [UNITY sources] [WITHOUT file])
#
# One static library a folder under cornu/ (cornu_<folder with underscores>) from all its sources at any depth, and one test binary
# from its *_test.cc. Nobody lists files. Sources *_cpu.cc below ops/ belong to the CPU backend (WITH_OPS_CPU), *_cases.cc to
# tests/conformance.
# REGISTRY: generates all_op_defs() from the folders below.
# UNITY: compiles up to that many sources of a folder at a time, so file-local names must differ; tests are always compiled so (LLVM's
# headers are slow to compile and pollute their neighbours: units that include them stay apart).

add_library(cornu_flags INTERFACE)
# What leaves the shared library is decided by cmake/cornu.map; calls inside it are direct.
target_compile_options(cornu_flags INTERFACE -Wall -Wextra -Wshadow -Wno-missing-field-initializers
                       $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
# With Clang, libstdc++ 12 warns of its own std::get_temporary_buffer inside std::stable_sort.
target_compile_options(cornu_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
target_include_directories(cornu_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
if(CORNU_SANITIZE)
  target_compile_options(cornu_flags INTERFACE -fsanitize=${CORNU_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(cornu_flags INTERFACE -fsanitize=${CORNU_SANITIZE})
endif()

# The code of tests is compiled for quick builds: at -O3 it takes 1.7 times as long, and what it calls is optimised all the same.
set(CORNU_TEST_OPTIMIZATION -O1)

if(CORNU_CHECKED)
  target_compile_definitions(cornu_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()

# Takes the sources that include LLVM out of unity builds.
function(cornu_keep_llvm_apart)
  foreach(source ${ARGN})
    file(STRINGS ${source} includes REGEX "^#include [<\"]llvm/" LIMIT_COUNT 1)
    if(includes)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
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
  cmake_parse_arguments(ARG "REGISTRY;WITH_OPS_CPU" "UNITY;WITHOUT" "LINK" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cornu/${folder}/*.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "(_test|_test_support)\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|_test_support|_cpu|_cases|_module)\\.cc$")
  if(ARG_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "/${folder}/${ARG_WITHOUT}$")
  endif()
  if(ARG_WITH_OPS_CPU)
    file(GLOB_RECURSE ops_cpu CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cornu/ops/*_cpu.cc)
    list(APPEND sources ${ops_cpu})
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
  if(CORNU_UNITY AND ARG_UNITY)
    cornu_unity(cornu_${name} ${ARG_UNITY} ${sources})
  endif()
  if(CORNU_BUILD_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE cornu_${name} ${CORNU_TEST_LINK_${name}} GTest::gtest GTest::gtest_main)
    target_compile_options(${name}_test PRIVATE ${CORNU_TEST_OPTIMIZATION})
    if(CORNU_UNITY)
      cornu_unity(${name}_test 6 ${tests})
      cornu_keep_llvm_apart(${tests})
    endif()
    add_test(NAME ${name} COMMAND ${name}_test --gtest_brief=1 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 300)
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
  static const std::vector<const ir::OpDef*> all = collect();
  return all;
}
}  // namespace cornu::inline v0::ops
")
  set(${out} ${PROJECT_BINARY_DIR}/generated/cornu/ops/registry.cc PARENT_SCOPE)
endfunction()

# cornu/keras/layers/layers.h includes every header below cornu/keras/layers, except those that layers share among themselves.
file(GLOB_RECURSE layer_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/cornu/keras/layers/*.h)
list(FILTER layer_headers EXCLUDE REGEX "_support\\.h$")
list(TRANSFORM layer_headers REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE layer_includes)
list(JOIN layer_includes "" layer_includes)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/cornu/keras/layers/layers.h
     CONTENT "// Generated by cmake/CornuModule.cmake from the folder: all layers.\n#pragma once\n${layer_includes}")
