# libcornu_pjrt: the CPU engine as a plug-in for PJRT's C interface, for JAX and for programs that load plug-ins. It is linked with
# the shared libcornu and exports GetPjrtApi alone.
if(TARGET cornu_backends_pjrt)
  file(GLOB plugin_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cornu/plugin/*.cc)
  set(plugin_tests ${plugin_sources})
  list(FILTER plugin_sources EXCLUDE REGEX "(_test|_test_support)\\.cc$")
  list(FILTER plugin_tests INCLUDE REGEX "(_test|_test_support)\\.cc$")
  add_library(cornu_pjrt MODULE ${plugin_sources})
  set_target_properties(cornu_pjrt PROPERTIES PREFIX lib LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin INSTALL_RPATH "$ORIGIN")
  target_compile_options(cornu_pjrt PRIVATE -fvisibility=hidden -fvisibility-inlines-hidden)
  target_include_directories(cornu_pjrt SYSTEM PRIVATE ${include})
  target_link_libraries(cornu_pjrt PRIVATE cornu_flags cornu_shared fmt::fmt Threads::Threads)
  # Its threads run until the process ends.
  target_link_options(cornu_pjrt PRIVATE -Wl,-z,nodelete)
  install(TARGETS cornu_pjrt LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  if(CORNU_UNITY)
    cornu_unity(cornu_pjrt 16 ${plugin_sources})
  endif()
  if(CORNU_BUILD_TESTS)
    # The tests use the plug-in by the C interface alone.
    add_executable(plugin_test ${plugin_tests})
    target_include_directories(plugin_test SYSTEM PRIVATE ${include})
    target_link_libraries(plugin_test PRIVATE cornu_flags cornu_without_cache GTest::gtest GTest::gtest_main ${CMAKE_DL_LIBS})
    target_compile_options(plugin_test PRIVATE ${CORNU_TEST_OPTIMIZATION})
    target_compile_definitions(plugin_test PRIVATE CORNU_PLUGIN="$<TARGET_FILE:cornu_pjrt>")
    add_dependencies(plugin_test cornu_pjrt)
    if(CORNU_UNITY)
      cornu_unity(plugin_test ${CORNU_SOURCES_AT_A_TIME} ${plugin_tests})
    endif()
    add_test(NAME plugin COMMAND plugin_test --gtest_brief=1 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    # Cornu's own client of plug-ins as a user of the plug-in, which accepts the program that the one test wants refused.
    add_test(NAME plugin_and_client
             COMMAND backends_pjrt_test --gtest_brief=1 --gtest_filter=-PluginDeviceTest.AProgramThatIsRefusedNamesTheLayer
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(plugin plugin_and_client PROPERTIES LABELS unit TIMEOUT ${CORNU_TEST_SECONDS})
    set_property(TEST plugin_and_client PROPERTY ENVIRONMENT
                 CORNU_PJRT_PLUGINS=cornu=$<TARGET_FILE:cornu_pjrt> CORNU_TEST_PJRT_DEVICE=pjrt:cornu)
  endif()
endif()
