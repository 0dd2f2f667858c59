# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# What nearly every source includes takes longer to read than most sources to compile. Every source includes
# what it needs nevertheless: the presets debug and tidy take each by itself and without precompiled headers.
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
# static libraries of a directory and those below, and once more for those of position-independent code. The
# first of them does so, the others use what it has. Preconditions: the targets are there already, and have the
# same options and macros.
function(tracefold_precompile directory)
    _tracefold_targets_below(${directory} targets)
    foreach(target ${targets})
        get_target_property(type ${target} TYPE)
        get_target_property(independent ${target} POSITION_INDEPENDENT_CODE)
        if(type MATCHES "^(EXECUTABLE|STATIC_LIBRARY)$")
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
