# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# What other projects need to use the installed library: a CMake package and pkg-config files, for the static
# libraries of the modules and for the shared library. Include it after all modules are defined.
include(CMakePackageConfigHelpers)
get_property(_modules GLOBAL PROPERTY TRACEFOLD_MODULES)

# The shared library: all modules that do not issue MPI calls themselves. What docs/reference/library.md names is seen outside.
if(TRACEFOLD_SHARED)
    set(_objects ${_modules})
    list(REMOVE_ITEM _objects base_mpi replay)
    list(TRANSFORM _objects REPLACE "(.+)" "$<TARGET_OBJECTS:tracefold_\\1>")
    add_library(tracefold_shared SHARED ${_objects})
    add_library(tracefold::shared ALIAS tracefold_shared)
    set_target_properties(
        tracefold_shared
        PROPERTIES OUTPUT_NAME tracefold
                   EXPORT_NAME shared
                   VERSION ${PROJECT_VERSION}
                   SOVERSION ${PROJECT_VERSION_MAJOR}
                   UNITY_BUILD OFF)
    target_compile_features(tracefold_shared PUBLIC cxx_std_20)
    target_include_directories(
        tracefold_shared PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib>
                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tracefold>)
    target_link_libraries(
        tracefold_shared
        PUBLIC PkgConfig::FMT
        PRIVATE PkgConfig::OTF2 PkgConfig::EXPAT PkgConfig::ZLIB PkgConfig::ZSTD PkgConfig::XXHASH Threads::Threads ${CMAKE_DL_LIBS})
    # What leads to nothing that is seen is left out.
    target_link_options(tracefold_shared PRIVATE LINKER:--gc-sections LINKER:--no-undefined)
    install(TARGETS tracefold_shared EXPORT tracefold-targets)
endif()

# tracefold::tracefold stands for all modules.
add_library(tracefold INTERFACE)
add_library(tracefold::tracefold ALIAS tracefold)
foreach(_module ${_modules})
    target_link_libraries(tracefold INTERFACE tracefold_${_module})
endforeach()
install(TARGETS tracefold EXPORT tracefold-targets)

set(_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tracefold)
install(
    EXPORT tracefold-targets
    NAMESPACE tracefold::
    DESTINATION ${_package_folder})
configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/tracefold-config.cmake.in
    ${PROJECT_BINARY_DIR}/tracefold-config.cmake INSTALL_DESTINATION ${_package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tracefold-config-version.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tracefold-config.cmake
              ${PROJECT_BINARY_DIR}/tracefold-config-version.cmake
        DESTINATION ${_package_folder})

# A linker reads static libraries once, from left to right: users stand before what they use.
set(_reversed ${_modules})
list(REVERSE _reversed)
list(TRANSFORM _reversed PREPEND "-ltracefold_" OUTPUT_VARIABLE _library_flags)
if(TRACEFOLD_WITH_MPI)
    list(APPEND _library_flags ${MPI_C_LIBRARIES})
endif()
list(JOIN _library_flags " " TRACEFOLD_PC_LIBRARIES)
# Relative to the .pc file itself, so that the installed tree may move.
file(RELATIVE_PATH TRACEFOLD_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/tracefold.pc.in ${PROJECT_BINARY_DIR}/tracefold.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tracefold.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TRACEFOLD_SHARED)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/tracefold-shared.pc.in ${PROJECT_BINARY_DIR}/tracefold-shared.pc
                   @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/tracefold-shared.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

# Documents, with the README that leads to them.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
