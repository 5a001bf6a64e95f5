# FarmHash and SipHash, with which TensorFlow hashes texts. FarmHash is linked in statically and SipHash is a header, so nothing more is
# loaded at run time.
find_path(CORNU_FARMHASH_INCLUDE farmhash.h REQUIRED)
find_library(CORNU_FARMHASH_LIBRARY libfarmhash.a REQUIRED)
find_path(CORNU_HIGHWAYHASH_INCLUDE highwayhash/sip_hash.h REQUIRED)
add_library(cornu_hashes INTERFACE)
target_include_directories(cornu_hashes SYSTEM INTERFACE ${CORNU_FARMHASH_INCLUDE} ${CORNU_HIGHWAYHASH_INCLUDE})
target_link_libraries(cornu_hashes INTERFACE ${CORNU_FARMHASH_LIBRARY})
