# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# What every replay kit holds (trace_replay --kit): share/tracefold/replay-kit.tar.gz, seen from the folder of the program.
if(NOT TRACEFOLD_WITH_MPI)
    return()
endif()
find_path(TRACEFOLD_KIT_CLI11 CLI/CLI.hpp HINTS ${CLI11_DIR}/../../../include REQUIRED)
find_path(TRACEFOLD_KIT_FMT fmt/core.h HINTS ${FMT_INCLUDEDIR} REQUIRED)
find_path(TRACEFOLD_KIT_JSON nlohmann/json.hpp HINTS ${nlohmann_json_DIR}/../../../include REQUIRED)
find_path(TRACEFOLD_KIT_XXHASH xxhash.h HINTS ${XXHASH_INCLUDEDIR} REQUIRED)
mark_as_advanced(TRACEFOLD_KIT_CLI11 TRACEFOLD_KIT_FMT TRACEFOLD_KIT_JSON TRACEFOLD_KIT_XXHASH)
set(_kit ${PROJECT_BINARY_DIR}/share/tracefold/replay-kit.tar.gz)
file(GLOB_RECURSE _sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/packaging/kit/* ${PROJECT_SOURCE_DIR}/lib/*.[ch]pp
     ${PROJECT_SOURCE_DIR}/tools/common/*.[ch]pp ${PROJECT_SOURCE_DIR}/tools/replay/*.[ch]pp)
add_custom_command(
    OUTPUT ${_kit}
    COMMAND ${PROJECT_SOURCE_DIR}/packaging/kit/collect ${_kit} ${PROJECT_BINARY_DIR} ${PROJECT_VERSION}
            ${TRACEFOLD_KIT_CLI11} ${TRACEFOLD_KIT_FMT} ${TRACEFOLD_KIT_JSON} ${TRACEFOLD_KIT_XXHASH}
    DEPENDS ${_sources} tracefold_file tracefold_model
    COMMENT "Collecting the sources of replay kits"
    VERBATIM)
add_custom_target(tracefold_kit ALL DEPENDS ${_kit})
install(FILES ${_kit} DESTINATION ${CMAKE_INSTALL_DATADIR}/tracefold)
