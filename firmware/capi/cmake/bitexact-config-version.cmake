# While the version is 0.x, a minor version may change the ABI.
set(PACKAGE_VERSION "@VERSION@")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _bitexact_here "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _bitexact_wanted "${PACKAGE_FIND_VERSION}")
if(_bitexact_here STREQUAL _bitexact_wanted AND NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
    if(PACKAGE_VERSION STREQUAL PACKAGE_FIND_VERSION)
        set(PACKAGE_VERSION_EXACT TRUE)
    endif()
endif()
unset(_bitexact_here)
unset(_bitexact_wanted)

# The library is for a processor and a float ABI whose compiler defines one macro and lacks another. Of several libraries in
# CMAKE_PREFIX_PATH, find_package takes one that the compiler can link.
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    separate_arguments(_bitexact_flags UNIX_COMMAND "${CMAKE_C_FLAGS}")
    execute_process(
        COMMAND "${CMAKE_C_COMPILER}" ${_bitexact_flags} -dM -E "${CMAKE_CURRENT_LIST_DIR}/../../../include/bitexact_rne.h"
        OUTPUT_VARIABLE _bitexact_macros ERROR_QUIET RESULT_VARIABLE _bitexact_failed)
    if(NOT _bitexact_failed AND (NOT _bitexact_macros MATCHES "#define @DEFINED@ " OR _bitexact_macros MATCHES "#define @LACKING@ "))
        set(PACKAGE_VERSION "@VERSION@ for @TRIPLE@, not for ${CMAKE_C_COMPILER} ${CMAKE_C_FLAGS}")
        set(PACKAGE_VERSION_UNSUITABLE TRUE)
    endif()
    unset(_bitexact_flags)
    unset(_bitexact_macros)
    unset(_bitexact_failed)
endif()
