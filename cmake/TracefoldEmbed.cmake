# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# Makes text files part of a program: tracefold_embed(target name FILES ...) adds a source to the target that
# defines `extern const std::string_view tracefold::NAME`: the files one after the other.
function(tracefold_embed target name)
    cmake_parse_arguments(ARG "" "" "FILES" ${ARGN})
    set(_text "")
    foreach(_file ${ARG_FILES})
        file(READ ${_file} _content)
        string(APPEND _text "${_content}")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_file})
    endforeach()
    set(_source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded.cpp.in ${_source} @ONLY)
    target_sources(${target} PRIVATE ${_source})
endfunction()
