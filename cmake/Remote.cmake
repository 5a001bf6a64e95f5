# The remote backend: in libcornu only what loads the module; gRPC and protobuf are in libcornu_remote, which is loaded on first use.
# The module is linked with the shared libcornu, whose clients and errors it makes: programs with a static Cornu cannot use it.
find_package(Protobuf REQUIRED)
find_package(gRPC CONFIG REQUIRED)
find_package(OpenSSL REQUIRED)
set(remote ${PROJECT_SOURCE_DIR}/cornu/backends/remote)
set(generated ${PROJECT_BINARY_DIR}/generated/remote)
set(remote_messages ${generated}/worker.pb.cc ${generated}/worker.pb.h ${generated}/worker.grpc.pb.cc ${generated}/worker.grpc.pb.h)
file(MAKE_DIRECTORY ${generated})
add_custom_command(
  OUTPUT ${remote_messages}
  COMMAND protobuf::protoc --proto_path=${remote} --cpp_out=${generated} --grpc_out=${generated}
          --plugin=protoc-gen-grpc=$<TARGET_FILE:gRPC::grpc_cpp_plugin> ${remote}/worker.proto
  DEPENDS ${remote}/worker.proto VERBATIM)
# The messages, for the module and for tests that speak the protocol themselves.
add_library(cornu_remote_messages STATIC EXCLUDE_FROM_ALL ${remote_messages})
target_include_directories(cornu_remote_messages SYSTEM PUBLIC ${generated})
target_compile_options(cornu_remote_messages PRIVATE -O1 -fvisibility=hidden -fvisibility-inlines-hidden)
target_link_libraries(cornu_remote_messages PUBLIC gRPC::grpc++ protobuf::libprotobuf)
file(GLOB_RECURSE remote_sources CONFIGURE_DEPENDS ${remote}/*_module.cc)
add_library(cornu_remote_module MODULE ${remote_sources} ${remote}/worker/session.cc ${remote}/worker/session_files.cc ${remote}/worker/session_profile.cc
            ${remote}/worker/session_table.cc ${remote}/worker/data_root.cc ${remote}/worker/array_files.cc ${remote}/worker/message_size.cc
            ${remote}/worker/origins.cc ${remote}/worker/listening_sockets.cc ${remote}/wire/address.cc ${remote}/wire/socket.cc ${remote}/wire/last_field.cc ${remote}/wire/streaming_copy.cc
            ${remote}/worker/peer_links.cc ${PROJECT_SOURCE_DIR}/cornu/distribute/processes/process_group.cc
            ${PROJECT_SOURCE_DIR}/cornu/backends/stacked/gather.cc ${PROJECT_SOURCE_DIR}/cornu/backends/stacked/host_memory_block.cc)
set_target_properties(cornu_remote_module PROPERTIES OUTPUT_NAME cornu_remote PREFIX lib LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
target_compile_options(cornu_remote_module PRIVATE -O1 -fvisibility=hidden -fvisibility-inlines-hidden)
target_link_libraries(cornu_remote_module PRIVATE cornu_flags cornu_shared cornu_remote_messages OpenSSL::SSL fmt::fmt)
# gRPC names sixty libraries of which the module calls ten.
target_link_options(cornu_remote_module PRIVATE -Wl,--as-needed)
set_target_properties(cornu_remote_module PROPERTIES INSTALL_RPATH "$ORIGIN")
if(CORNU_UNITY)
  cornu_unity(cornu_remote_module 12 ${remote_sources})
endif()
install(TARGETS cornu_remote_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
