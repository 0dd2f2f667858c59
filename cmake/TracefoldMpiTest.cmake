# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# Tests that run a program under mpiexec. Include this file from the folder of the tests; it needs
# TRACEFOLD_WITH_MPI.
include_guard(GLOBAL)

# Ranks that wait for each other sleep. Leaks inside the MPI library are not ours.
add_library(tracefold_mpi_yield MODULE ${PROJECT_SOURCE_DIR}/tests/support/mpi_yield.c)
target_compile_options(tracefold_mpi_yield PRIVATE -Wall -Wextra)
target_link_libraries(tracefold_mpi_yield PRIVATE ${CMAKE_DL_LIBS})
set(_preloaded ${TRACEFOLD_SANITIZER_PRELOAD} $<TARGET_FILE:tracefold_mpi_yield>)
list(JOIN _preloaded ":" _preloaded)
set(TRACEFOLD_MPI_TEST_ENVIRONMENT LD_PRELOAD=${_preloaded})
if(TRACEFOLD_SANITIZER_PRELOAD)
    list(APPEND TRACEFOLD_MPI_TEST_ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
endif()
# Open MPI refuses to run as root, and more processes than cores, unless told otherwise.
list(APPEND TRACEFOLD_MPI_TEST_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1
     OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1)
# MPICH takes each process for a node: processes of one node spin until all of them have begun MPI. All messages go
# through UCX then.
list(APPEND TRACEFOLD_MPI_TEST_ENVIRONMENT MPIR_CVAR_NOLOCAL=1)
set(TRACEFOLD_MPI_TEST_ENVIRONMENT
    "${TRACEFOLD_MPI_TEST_ENVIRONMENT}"
    CACHE INTERNAL "Environment of tests under mpiexec")

# What all tests under mpiexec have in common, for one that runs so many ranks at a time:
# tracefold_mpi_properties(test RANKS n TIMEOUT seconds [LABELS ...]).
# Ranks that wait for each other sleep, so that four of them keep one core busy.
function(tracefold_mpi_properties test)
    cmake_parse_arguments(ARG "" "RANKS;TIMEOUT" "LABELS" ${ARGN})
    math(EXPR processors "(${ARG_RANKS} + 3) / 4")
    tracefold_test_properties(
        ${test}
        PROPERTIES LABELS "mpi;${ARG_LABELS}"
                   TIMEOUT ${ARG_TIMEOUT}
                   PROCESSORS ${processors}
                   ENVIRONMENT "${TRACEFOLD_MPI_TEST_ENVIRONMENT}")
endfunction()

# Lets MPICH spread the processes of these tests over so many nodes, which share their file systems.
function(tracefold_mpi_nodes nodes)
    foreach(test ${ARGN})
        set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT MPIR_CVAR_NOLOCAL=0 MPIR_CVAR_NUM_CLIQUES=${nodes})
    endforeach()
endfunction()

# One test NAME.ranks_N for every number N of processes:
# tracefold_mpi_test(name TARGET executable RANKS 1 2 ... [ARGS ...] [LABELS ...] [TIMEOUT seconds]).
# The short timeout is there because a hang is the usual failure.
function(tracefold_mpi_test name)
    cmake_parse_arguments(ARG "" "TARGET;TIMEOUT" "RANKS;ARGS;LABELS" ${ARGN})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 60)
    endif()
    foreach(ranks ${ARG_RANKS})
        add_test(NAME ${name}.ranks_${ranks}
                 COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS}
                         $<TARGET_FILE:${ARG_TARGET}> ${MPIEXEC_POSTFLAGS} ${ARG_ARGS})
        tracefold_mpi_properties(
            ${name}.ranks_${ranks}
            RANKS
            ${ranks}
            TIMEOUT
            ${ARG_TIMEOUT}
            LABELS
            ${ARG_LABELS})
    endforeach()
endfunction()
