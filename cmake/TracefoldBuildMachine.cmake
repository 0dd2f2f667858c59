# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
include(ExternalProject)

# For cross builds: tracefold_build_machine_program(name) makes NAME an imported program that the project in
# build_machine/ builds for the machine that builds. It takes the first C++ compiler that CMake finds, or
# TRACEFOLD_BUILD_MACHINE_CXX. Programs that exist already are taken from TRACEFOLD_BUILD_MACHINE_PROGRAMS.
function(tracefold_build_machine_program name)
    set(TRACEFOLD_BUILD_MACHINE_PROGRAMS "" CACHE PATH "Folder of programs for the machine that builds (cross builds)")
    set(TRACEFOLD_BUILD_MACHINE_CXX "" CACHE FILEPATH "C++ compiler for the machine that builds (cross builds)")
    add_executable(${name} IMPORTED GLOBAL)
    if(TRACEFOLD_BUILD_MACHINE_PROGRAMS)
        set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${TRACEFOLD_BUILD_MACHINE_PROGRAMS}/${name})
        return()
    endif()
    set(compiler)
    if(TRACEFOLD_BUILD_MACHINE_CXX)
        set(compiler -DCMAKE_CXX_COMPILER=${TRACEFOLD_BUILD_MACHINE_CXX})
    endif()
    # What the environment says is meant for the other machine.
    set(plain ${CMAKE_COMMAND} -E env --unset=CXX --unset=CXXFLAGS --unset=LDFLAGS --unset=PKG_CONFIG
              --unset=PKG_CONFIG_PATH --unset=PKG_CONFIG_LIBDIR --unset=PKG_CONFIG_SYSROOT_DIR)
    set(build ${CMAKE_BINARY_DIR}/build_machine)
    set(program ${build}/${name})
    ExternalProject_Add(
        build_machine_${name}
        SOURCE_DIR ${PROJECT_SOURCE_DIR}/cmake/build_machine
        BINARY_DIR ${build}
        CONFIGURE_COMMAND ${plain} ${CMAKE_COMMAND} -S <SOURCE_DIR> -B <BINARY_DIR> -G ${CMAKE_GENERATOR}
                          -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON
                          ${compiler}
        BUILD_COMMAND ${CMAKE_COMMAND} --build <BINARY_DIR> --target ${name}
        BUILD_ALWAYS ON
        BUILD_BYPRODUCTS ${program}
        INSTALL_COMMAND "")
    set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${program})
    add_dependencies(${name} build_machine_${name})
endfunction()
