# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
set(prefix ${WORK_FOLDER}/prefix)
set(consumer_build ${WORK_FOLDER}/build)
file(REMOVE_RECURSE ${WORK_FOLDER})
file(MAKE_DIRECTORY ${WORK_FOLDER})

function(must_run)
    execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The first program in C++ of a document.
function(extract_example document source)
    file(READ ${document} text)
    string(REGEX MATCH "\n```cpp\n(.*\n})\n```\n" found "${text}")
    if(NOT found)
        message(FATAL_ERROR "${document} has no example")
    endif()
    file(WRITE ${source} "${CMAKE_MATCH_1}\n")
endfunction()

# The example folds an archive, restores it, and tells the visits of its regions.
function(run_example program)
    set(out ${WORK_FOLDER}/out)
    file(REMOVE_RECURSE ${out})
    file(MAKE_DIRECTORY ${out})
    execute_process(COMMAND ${program} ${ARCHIVE} ${out}/example.tfold ${out}/back OUTPUT_VARIABLE visits
                    COMMAND_ERROR_IS_FATAL ANY)
    if(NOT visits MATCHES "[0-9]+ MPI_Init\n")
        message(FATAL_ERROR "${program} prints\n${visits}")
    endif()
    must_run(diff -r ${ARCHIVE} ${out}/back)
endfunction()

must_run(${CMAKE_COMMAND} --install ${BUILD_FOLDER} --prefix ${prefix})

# The tools find their plugins where they are installed, even if that place moves.
if(MPIEXEC)
    file(RENAME ${prefix} ${prefix}-moved)
    set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)
    set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
    must_run(${MPIEXEC} -n 1 ${prefix}-moved/bin/trace_inspect ${ARCHIVE})
    file(RENAME ${prefix}-moved ${prefix})
endif()

set(example ${WORK_FOLDER}/example.cpp)
extract_example(${DOCUMENT} ${example})

# 1. Through the CMake package.
must_run(
    ${CMAKE_COMMAND} -S ${CONSUMER} -B ${consumer_build} -G ${GENERATOR}
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_C_COMPILER=${CC}
    -D CMAKE_CXX_FLAGS=${CXX_FLAGS} -D WANTED_VERSION=${VERSION} -D EXAMPLE=${example})
must_run(${CMAKE_COMMAND} --build ${consumer_build})
must_run(${consumer_build}/consumer)
run_example(${consumer_build}/example_static)
if(EXISTS ${consumer_build}/example_shared)
    run_example(${consumer_build}/example_shared)
endif()

# Every symbol that the shared library shows belongs to a public class or function, or is the C++ runtime's.
file(GLOB_RECURSE shared ${prefix}/*/libtracefold.so)
if(shared)
    execute_process(COMMAND nm --demangle --dynamic --defined-only ${shared} OUTPUT_VARIABLE symbols
                    COMMAND_ERROR_IS_FATAL ANY)
    if(NOT symbols MATCHES "tracefold::TraceFile::TraceFile" OR
       symbols MATCHES "tracefold::(Folder|ByteModel|AtomicFile)::")
        message(FATAL_ERROR "the shared library shows other symbols than it should:\n${symbols}")
    endif()
endif()

# 2. Through pkg-config, without CMake.
file(GLOB_RECURSE package_file ${prefix}/*/tracefold.pc)
get_filename_component(package_folder ${package_file} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${package_folder}:$ENV{PKG_CONFIG_PATH})
separate_arguments(compiler_flags UNIX_COMMAND "${CXX_FLAGS}")
function(build_by_pkg_config package source program)
    execute_process(
        COMMAND pkg-config --cflags --libs "${package} = ${VERSION}"
        OUTPUT_VARIABLE flags
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    must_run(${CXX} -std=c++20 ${compiler_flags} ${source} -o ${program} ${flags})
endfunction()

build_by_pkg_config(tracefold ${CONSUMER}/main.cpp ${WORK_FOLDER}/consumer_by_pkg_config)
must_run(${WORK_FOLDER}/consumer_by_pkg_config)
if(shared)
    build_by_pkg_config(tracefold-shared ${example} ${WORK_FOLDER}/example_by_pkg_config)
    get_filename_component(folder ${shared} DIRECTORY)
    set(ENV{LD_LIBRARY_PATH} ${folder}:$ENV{LD_LIBRARY_PATH})
    run_example(${WORK_FOLDER}/example_by_pkg_config)
endif()

file(REMOVE_RECURSE ${WORK_FOLDER})
