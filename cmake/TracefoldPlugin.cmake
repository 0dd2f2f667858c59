# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# Plugins are parts of the programs that are loaded where they are used (base/plugin.hpp). They are installed in
# LIBDIR/tracefold. The build tree has them in the same place seen from its programs. Their names have the version, so
# that no program takes those of another one.
include_guard(GLOBAL)
file(RELATIVE_PATH TRACEFOLD_PLUGINS_FROM_PROGRAM ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/tracefold)
set(TRACEFOLD_PLUGIN_SUFFIX -${CMAKE_PROJECT_VERSION}${CMAKE_SHARED_MODULE_SUFFIX})

# tracefold_plugin(name SOURCES ... LIBS ...): the plugin NAME, of which only functions that are marked with
# TRACEFOLD_API are seen outside.
function(tracefold_plugin name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
    add_library(${name} MODULE ${ARG_SOURCES})
    set_target_properties(
        ${name}
        PROPERTIES PREFIX ""
                   SUFFIX ${TRACEFOLD_PLUGIN_SUFFIX}
                   LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${TRACEFOLD_PLUGINS_FROM_PROGRAM}
                   CXX_VISIBILITY_PRESET hidden
                   VISIBILITY_INLINES_HIDDEN ON)
    target_link_libraries(${name} PRIVATE ${ARG_LIBS} tracefold_warnings)
    target_link_options(${name} PRIVATE LINKER:--exclude-libs,ALL LINKER:--as-needed)
    install(TARGETS ${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tracefold)
endfunction()
