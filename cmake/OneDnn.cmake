# oneDNN 2.6 or later, in a module that the CPU backend loads on first use: linked in, it would cost every start 1 to 7 ms and 5 MB.
# Only cornu/backends/cpu/onednn/*_module.cc includes its headers.
find_path(CORNU_DNNL_INCLUDE oneapi/dnnl/dnnl.h REQUIRED)
find_library(CORNU_DNNL_LIBRARY dnnl REQUIRED)
# Our code compiles without -fopenmp: only its runtime is called, the one that oneDNN uses.
file(GLOB gomp_folders /usr/lib/gcc/x86_64-linux-gnu/*)
find_library(CORNU_GOMP_LIBRARY NAMES gomp libgomp.so.1 HINTS ${gomp_folders} REQUIRED)
file(GLOB onednn_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cornu/backends/cpu/onednn/*_module.cc)
add_library(cornu_onednn_module MODULE ${onednn_sources})
set_target_properties(cornu_onednn_module PROPERTIES OUTPUT_NAME cornu_onednn PREFIX lib LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
target_include_directories(cornu_onednn_module SYSTEM PRIVATE ${CORNU_DNNL_INCLUDE})
target_link_libraries(cornu_onednn_module PRIVATE cornu_flags ${CORNU_DNNL_LIBRARY} ${CORNU_GOMP_LIBRARY})
add_library(cornu_onednn INTERFACE)
target_link_libraries(cornu_onednn INTERFACE ${CMAKE_DL_LIBS})
add_dependencies(cornu_onednn cornu_onednn_module)
