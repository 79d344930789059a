# find_package(bitexact): the target bitexact::bitexact. The folder may be moved.
if(NOT TARGET bitexact::bitexact)
    get_filename_component(_bitexact "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
    add_library(bitexact::bitexact STATIC IMPORTED)
    set_target_properties(bitexact::bitexact PROPERTIES
        IMPORTED_LOCATION "${_bitexact}/lib/libbitexact.a"
        INTERFACE_INCLUDE_DIRECTORIES "${_bitexact}/include")
    unset(_bitexact)
endif()
