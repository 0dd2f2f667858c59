# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# What tests need to know of a sanitizer that the compiler's flags ask for (presets asan and tsan).

# Libraries to preload into programs that load code with a sanitizer, or other libraries, later: the
# sanitizer's run time must be the first one, and it looks for exceptions in that of C++. Else empty.
set(TRACEFOLD_SANITIZER_PRELOAD "")
# How many times as long as usual a test may take. Time limits are there for what hangs.
set(TRACEFOLD_TEST_PATIENCE 1)
# The thread sanitizer can do less than the others: tests/cli/limits.py.
set(TRACEFOLD_THREAD_SANITIZER 0)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=(address|thread)")
    set(_runtime libasan.so)
    set(TRACEFOLD_TEST_PATIENCE 10)
    if(CMAKE_MATCH_1 STREQUAL "thread")
        set(_runtime libtsan.so)
        set(TRACEFOLD_TEST_PATIENCE 20)
        set(TRACEFOLD_THREAD_SANITIZER 1)
    endif()
    foreach(_file ${_runtime} libstdc++.so)
        execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${_file}
                        OUTPUT_VARIABLE _path OUTPUT_STRIP_TRAILING_WHITESPACE)
        list(APPEND TRACEFOLD_SANITIZER_PRELOAD ${_path})
    endforeach()
endif()

# set_tests_properties, with a TIMEOUT in usual seconds.
function(tracefold_test_properties)
    cmake_parse_arguments(PARSE_ARGV 0 ARG "" "TIMEOUT" "")
    math(EXPR _timeout "${ARG_TIMEOUT} * ${TRACEFOLD_TEST_PATIENCE}")
    set_tests_properties(${ARG_UNPARSED_ARGUMENTS} TIMEOUT ${_timeout})
    # Tests that look into text find whole lines in it, except those that set a width themselves.
    list(FIND ARG_UNPARSED_ARGUMENTS PROPERTIES _end)
    list(SUBLIST ARG_UNPARSED_ARGUMENTS 0 ${_end} _tests)
    set_property(TEST ${_tests} APPEND PROPERTY ENVIRONMENT COLUMNS=1000)
endfunction()
