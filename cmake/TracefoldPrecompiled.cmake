# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# Headers that nearly every source includes. Every source includes what it needs nevertheless: the presets debug and
# tidy compile each by itself, without precompiled headers.
set(TRACEFOLD_STANDARD_HEADERS
    <algorithm>
    <array>
    <filesystem>
    <functional>
    <map>
    <memory>
    <mutex>
    <optional>
    <set>
    <span>
    <string>
    <string_view>
    <unordered_map>
    <utility>
    <vector>
    <fmt/core.h>)

function(_tracefold_targets_below directory result)
    get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
    get_property(folders DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
    foreach(folder ${folders})
        _tracefold_targets_below(${folder} more)
        list(APPEND targets ${more})
    endforeach()
    set(${result} ${targets} PARENT_SCOPE)
endfunction()

# tracefold_precompile(directory header...): compiles the standard headers and these once for all programs and
# static libraries of a directory and those below, and once more for those with position-independent code. The first
# target compiles them, the others use the result. Preconditions: the targets exist already, and have the same options
# and macros.
function(tracefold_precompile directory)
    if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
        return()
    endif()
    _tracefold_targets_below(${directory} targets)
    foreach(target ${targets})
        get_target_property(type ${target} TYPE)
        get_target_property(independent ${target} POSITION_INDEPENDENT_CODE)
        if(type MATCHES "^(EXECUTABLE|STATIC_LIBRARY)$")
            # GCC does not keep the pragmas of precompiled headers by which its std::string avoids false warnings.
            target_compile_options(
                ${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow;-Wno-array-bounds>")
            if(independent)
                list(APPEND independents ${target})
            else()
                list(APPEND others ${target})
            endif()
        endif()
    endforeach()
    foreach(list independents others)
        set(alike ${${list}})
        list(POP_FRONT alike first)
        if(alike)
            target_precompile_headers(${first} PRIVATE ${TRACEFOLD_STANDARD_HEADERS} ${ARGN})
        endif()
        foreach(target ${alike})
            target_precompile_headers(${target} REUSE_FROM ${first})
        endforeach()
    endforeach()
endfunction()
