# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
set(prefix ${WORK_FOLDER}/prefix)
set(consumer_build ${WORK_FOLDER}/build)
file(REMOVE_RECURSE ${WORK_FOLDER})
file(MAKE_DIRECTORY ${WORK_FOLDER})

function(must_run)
    execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

must_run(${CMAKE_COMMAND} --install ${BUILD_FOLDER} --prefix ${prefix})

# 1. Through the CMake package.
must_run(
    ${CMAKE_COMMAND} -S ${CONSUMER} -B ${consumer_build} -G ${GENERATOR}
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_C_COMPILER=${CC}
    -D CMAKE_CXX_FLAGS=${CXX_FLAGS} -D WANTED_VERSION=${VERSION})
must_run(${CMAKE_COMMAND} --build ${consumer_build})
must_run(${consumer_build}/consumer)

# 2. Through pkg-config, without CMake.
file(GLOB_RECURSE package_file ${prefix}/*/tracefold.pc)
get_filename_component(package_folder ${package_file} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${package_folder}:$ENV{PKG_CONFIG_PATH})
execute_process(
    COMMAND pkg-config --cflags --libs "tracefold = ${VERSION}"
    OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
separate_arguments(compiler_flags UNIX_COMMAND "${CXX_FLAGS}")
must_run(${CXX} -std=c++20 ${compiler_flags} ${CONSUMER}/main.cpp -o
         ${WORK_FOLDER}/consumer_by_pkg_config ${flags})
must_run(${WORK_FOLDER}/consumer_by_pkg_config)

file(REMOVE_RECURSE ${WORK_FOLDER})
