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

# Of several folders in CMAKE_PREFIX_PATH, find_package takes one with a library that the compiler can link.
include("${CMAKE_CURRENT_LIST_DIR}/bitexact-target.cmake")
if(NOT _bitexact_target)
    set(PACKAGE_VERSION "@VERSION@, ${_bitexact_said}")
    set(PACKAGE_VERSION_UNSUITABLE TRUE)
endif()
