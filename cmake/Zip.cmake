# zlib and its minizip, for compressed data files and archives. Not libzip: Debian's is linked with OpenSSL's libcrypto, 4.5 MB that every
# start of every program would load; minizip is 47 KB.
find_package(ZLIB REQUIRED)
find_path(CORNU_MINIZIP_INCLUDE minizip/unzip.h REQUIRED)
find_library(CORNU_MINIZIP_LIBRARY minizip REQUIRED)
add_library(cornu_zip INTERFACE)
target_include_directories(cornu_zip SYSTEM INTERFACE ${CORNU_MINIZIP_INCLUDE})
target_link_libraries(cornu_zip INTERFACE ${CORNU_MINIZIP_LIBRARY} ZLIB::ZLIB)
