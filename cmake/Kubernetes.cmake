# What asks the API of Kubernetes: libcurl and libyaml are in libcornu_kubernetes, which is loaded on first use.
find_package(CURL REQUIRED)
find_library(CORNU_LIBYAML yaml REQUIRED)
file(GLOB kubernetes_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cornu/distribute/kubernetes/*_module.cc)
add_library(cornu_kubernetes_module MODULE ${kubernetes_sources})
set_target_properties(cornu_kubernetes_module PROPERTIES OUTPUT_NAME cornu_kubernetes PREFIX lib
                      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin INSTALL_RPATH "$ORIGIN")
target_compile_options(cornu_kubernetes_module PRIVATE -O1 -fvisibility=hidden -fvisibility-inlines-hidden)
target_link_libraries(cornu_kubernetes_module PRIVATE cornu_flags cornu_shared CURL::libcurl ${CORNU_LIBYAML} nlohmann_json::nlohmann_json
                      fmt::fmt)
install(TARGETS cornu_kubernetes_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
