# libcornu: all modules in one shared library, cornu::cornu, and its installation for find_package(Cornu).
#
# Only names of namespace cornu leave it (cornu.map); LLVM, linked in statically, stays hidden, so that it cannot clash with a host
# program's. Installed are the headers of the API: no header of LLVM, oneDNN or another library stands among them.
include(CMakePackageConfigHelpers)

set(objects "")
get_property(modules GLOBAL PROPERTY CORNU_MODULES)
foreach(module ${modules})
  list(APPEND objects $<TARGET_OBJECTS:${module}>)
endforeach()
add_library(cornu_shared SHARED ${objects} ${CORNU_EAGER_KERNELS})
add_dependencies(cornu_shared cornu_eager_kernels)
set_target_properties(cornu_shared PROPERTIES
  OUTPUT_NAME cornu EXPORT_NAME cornu VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin LINKER_LANGUAGE CXX LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/cornu.map)
target_link_libraries(cornu_shared PRIVATE cornu_flags fmt::fmt Threads::Threads cornu_zip cornu_images cornu_http cornu_hashes nlohmann_json::nlohmann_json cornu_llvm cornu_onednn)
target_link_options(cornu_shared PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/cornu.map -Wl,-Bsymbolic-functions
                    $<$<CONFIG:Release>:-Wl,--strip-debug>)
# Nothing in it is destroyed by exit() (see cornu/base/kept_statics.cc), and it stays loaded: threads of its own run in it.
target_link_options(cornu_shared PRIVATE -Wl,--wrap=__cxa_atexit -Wl,-z,nodelete)
target_include_directories(cornu_shared PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(cornu_shared PUBLIC cxx_std_20)
add_library(cornu::cornu ALIAS cornu_shared)

install(TARGETS cornu_shared EXPORT CornuTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_COMPONENT development)
install(TARGETS cornu_onednn_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# A header that includes cornu/base/check.h is for sources of ours only: it pulls in fmt. So are those that sources share (_support.h).
foreach(root ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${root} ${root}/cornu/*.h)
  list(FILTER headers EXCLUDE REGEX "^cornu/(backends|plugin)/|_support\\.h$|^cornu/base/check\\.h$")
  foreach(header ${headers})
    file(STRINGS ${root}/${header} internal REGEX "^#include \"cornu/base/check.h\"" LIMIT_COUNT 1)
    get_filename_component(folder ${header} DIRECTORY)
    if(NOT internal)
      install(FILES ${root}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT development)
    endif()
  endforeach()
endforeach()
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Cornu)
install(EXPORT CornuTargets NAMESPACE cornu:: DESTINATION ${package} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/CornuConfig.cmake.in ${PROJECT_BINARY_DIR}/CornuConfig.cmake
                              INSTALL_DESTINATION ${package})
# Before 1.0 a new minor version may break what was built against the last: see docs/versioning.md.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/CornuConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/CornuConfig.cmake ${PROJECT_BINARY_DIR}/CornuConfigVersion.cmake DESTINATION ${package}
        COMPONENT development)
