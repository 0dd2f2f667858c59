# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# tracefold_module_names(variable): the modules of lib/modules.txt, lowest first.
function(tracefold_module_names variable)
    set(_list ${PROJECT_SOURCE_DIR}/lib/modules.txt)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_list})
    file(STRINGS ${_list} _names REGEX "^[a-z]")
    list(TRANSFORM _names REPLACE ":.*" "")
    set(${variable} ${_names} PARENT_SCOPE)
endfunction()

# A unity build compiles the sources of a folder together, so names of file scope are unique in a folder.
function(tracefold_unite_by_folder target)
    get_target_property(_sources ${target} SOURCES)
    foreach(_source ${_sources})
        get_filename_component(_folder ${_source} DIRECTORY)
        string(MAKE_C_IDENTIFIER "top_${_folder}" _group)
        set_source_files_properties(${_source} PROPERTIES UNITY_GROUP ${_group})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# One library target per folder of lib/: tracefold_module(name DEPENDS ... [PRIVATE ...] [SOURCES ...]). Its sources are
# all in the folder and below, or those that are listed where a folder has several targets. ONE_UNIT: a unity build
# compiles all of them together, which pays where folders are small.
# DEPENDS names other modules or imported targets that the public headers need.
function(tracefold_module name)
    cmake_parse_arguments(ARG "ONE_UNIT" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
    if(NOT ARG_SOURCES)
        file(GLOB_RECURSE ARG_SOURCES CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
    endif()
    add_library(tracefold_${name} STATIC ${ARG_SOURCES})
    add_library(tracefold::${name} ALIAS tracefold_${name})
    if(NOT ARG_ONE_UNIT)
        tracefold_unite_by_folder(tracefold_${name})
    endif()
    set_target_properties(tracefold_${name} PROPERTIES EXPORT_NAME ${name}
                                                       POSITION_INDEPENDENT_CODE ON
                                                       CXX_VISIBILITY_PRESET hidden
                                                       VISIBILITY_INLINES_HIDDEN ON)
    target_include_directories(
        tracefold_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib>
                                 $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tracefold>)
    target_compile_features(tracefold_${name} PUBLIC cxx_std_20)
    target_link_libraries(
        tracefold_${name}
        PUBLIC ${ARG_DEPENDS}
        PRIVATE ${ARG_PRIVATE} $<BUILD_INTERFACE:tracefold_warnings>)
    set_property(GLOBAL APPEND PROPERTY TRACEFOLD_MODULES ${name})
    install(TARGETS tracefold_${name} EXPORT tracefold-targets)
endfunction()

# A GoogleTest executable: tracefold_test(name SOURCES ... LIBS ... [LABELS label] [TIMEOUT seconds] [WHOLE]).
# WHOLE: one test of all, where a process for each takes longer than the tests.
# The label is "unit" by default.
function(tracefold_test name)
    cmake_parse_arguments(ARG "WHOLE" "LABELS;TIMEOUT" "SOURCES;LIBS" ${ARGN})
    if(NOT ARG_LABELS)
        set(ARG_LABELS unit)
    endif()
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 120)
    endif()
    math(EXPR _timeout "${ARG_TIMEOUT} * ${TRACEFOLD_TEST_PATIENCE}")
    add_executable(${name} ${ARG_SOURCES})
    tracefold_unite_by_folder(${name})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest_main tracefold_warnings)
    if(ARG_WHOLE)
        add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
        set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABELS} TIMEOUT ${_timeout})
        return()
    endif()
    gtest_discover_tests(
        ${name}
        PROPERTIES LABELS ${ARG_LABELS} TIMEOUT ${_timeout}
        DISCOVERY_TIMEOUT 60)
endfunction()
