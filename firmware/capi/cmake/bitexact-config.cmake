# find_package(bitexact): the target bitexact::bitexact. The folder may be moved.
if(NOT TARGET bitexact::bitexact)
    include("${CMAKE_CURRENT_LIST_DIR}/bitexact-target.cmake")
    if(_bitexact_target)
        get_filename_component(_bitexact "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
        add_library(bitexact::bitexact STATIC IMPORTED)
        set_target_properties(bitexact::bitexact PROPERTIES
            IMPORTED_LOCATION "${_bitexact}/lib/${_bitexact_target}/libbitexact.a"
            INTERFACE_INCLUDE_DIRECTORIES "${_bitexact}/include")
        unset(_bitexact)
    else()
        set(bitexact_FOUND FALSE)
        set(bitexact_NOT_FOUND_MESSAGE "${_bitexact_said}")
    endif()
endif()
