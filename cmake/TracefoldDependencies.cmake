# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
# The least versions are those without a known fault that untrusted input reaches (SECURITY.md), or whose interface is
# used. RE2 does not tell its version everywhere.
find_package(PkgConfig REQUIRED)
pkg_check_modules(OTF2 REQUIRED IMPORTED_TARGET otf2>=3.0)
pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat>=2.4)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib>=1.2)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd>=1.4)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash>=0.8)
pkg_check_modules(FMT REQUIRED IMPORTED_TARGET fmt>=9)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
# Its -pthread, which is for code that starts threads, would part precompiled headers from their users.
set_property(TARGET PkgConfig::RE2 PROPERTY INTERFACE_COMPILE_OPTIONS "")
find_package(CLI11 2.1 REQUIRED)
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(Boost 1.74 REQUIRED)  # Boost.Graph, of which only headers are used
if(TRACEFOLD_WITH_MPI)
    # Where MPICH and Open MPI are both installed, Debian's plain mpicc may be either.
    find_program(MPI_C_COMPILER NAMES mpicc.mpich)
    find_program(MPIEXEC_EXECUTABLE NAMES mpiexec.mpich)
    find_package(MPI REQUIRED COMPONENTS C)
endif()
if(TRACEFOLD_TESTS)
    find_package(GTest REQUIRED)
endif()
if(TRACEFOLD_BENCH)
    find_package(benchmark REQUIRED)
endif()
