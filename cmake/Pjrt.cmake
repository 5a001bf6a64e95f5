# The backend for PJRT plug-ins needs one C header, pjrt_c_api.h, and nothing to link: plug-ins are loaded when they are used. The header
# comes from CORNU_PJRT_INCLUDE or, downloaded once by its hash, from the wheel that also holds the plug-in for CPUs, which the tests
# fetch. A project that has Cornu as a subdirectory downloads nothing unless it asks to. Where the header cannot be had,
# cornu/backends/pjrt is left out.
option(CORNU_PJRT "Build the backend for PJRT plug-ins (GPUs, TPUs)" ON)
option(CORNU_PJRT_DOWNLOAD "Let pip download the header pjrt_c_api.h where CORNU_PJRT_INCLUDE does not say where it is" ${PROJECT_IS_TOP_LEVEL})
set(CORNU_PJRT_INCLUDE "" CACHE PATH "Folder of pjrt_c_api.h; empty: it is downloaded (see tools/fetch_pjrt_cpu.sh)")
set(CORNU_BACKENDS_LEFT_OUT "")
set(CORNU_PJRT_PLUGIN_FOLDER ${PROJECT_BINARY_DIR}/pjrt)
set(include "${CORNU_PJRT_INCLUDE}")
if(CORNU_PJRT AND NOT include)
  set(include ${CORNU_PJRT_PLUGIN_FOLDER})
  if(NOT EXISTS ${include}/pjrt_c_api.h AND CORNU_PJRT_DOWNLOAD)
    message(STATUS "Downloading the wheel xla-cpu-pjrt for the header of PJRT")
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/fetch_pjrt_cpu.sh header ${include} ERROR_VARIABLE why TIMEOUT 300)
  endif()
endif()
if(CORNU_PJRT AND EXISTS ${include}/pjrt_c_api.h)
  cornu_module(backends/pjrt LINK cornu_backends_stacked cornu_transform UNITY 8)
  target_include_directories(cornu_backends_pjrt SYSTEM PUBLIC ${include})
  target_link_libraries(cornu_backends_pjrt PUBLIC ${CMAKE_DL_LIBS})
else()
  list(APPEND CORNU_BACKENDS_LEFT_OUT pjrt)
  if(CORNU_PJRT AND NOT CORNU_PJRT_DOWNLOAD AND NOT CORNU_PJRT_INCLUDE)
    message(STATUS "cornu/backends/pjrt is left out, so programs cannot use GPUs or TPUs: set CORNU_PJRT_INCLUDE to the folder of "
                   "pjrt_c_api.h, or CORNU_PJRT_DOWNLOAD=ON to have pip fetch it")
  elseif(CORNU_PJRT)
    message(WARNING "cornu/backends/pjrt is left out, so programs cannot use GPUs or TPUs: there is no pjrt_c_api.h in \"${include}\". "
                    "Set CORNU_PJRT_INCLUDE to its folder, or CORNU_PJRT=OFF. ${why}")
  endif()
endif()

# cornu_test_with_pjrt(TEST...): these tests run on the plug-in for CPUs, which is fetched before the first of them. Without it they say
# that they skip.
function(cornu_test_with_pjrt)
  set_property(TEST ${ARGN} APPEND PROPERTY FIXTURES_REQUIRED pjrt_cpu)
  set_property(TEST ${ARGN} APPEND PROPERTY ENVIRONMENT CORNU_PJRT_PLUGINS=cpu=${CORNU_PJRT_PLUGIN_FOLDER}/xla_cpu_pjrt.so)
  cornu_test_with_code_from_elsewhere(${ARGN})
  set_property(TEST ${ARGN} PROPERTY SKIP_REGULAR_EXPRESSION "the plug-in for CPUs is not there")
endfunction()
if(CORNU_BUILD_TESTS AND TARGET cornu_backends_pjrt)
  add_test(NAME pjrt_cpu_plugin COMMAND ${PROJECT_SOURCE_DIR}/tools/fetch_pjrt_cpu.sh plugin ${CORNU_PJRT_PLUGIN_FOLDER})
  set_tests_properties(pjrt_cpu_plugin PROPERTIES LABELS unit TIMEOUT 300 FIXTURES_SETUP pjrt_cpu SKIP_RETURN_CODE 77)
  cornu_test_with_pjrt(backends_pjrt)
endif()
