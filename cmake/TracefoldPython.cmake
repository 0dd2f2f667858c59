# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# Finds the Python that the package `tracefold` is built for: the system's, to which Debian's pybind11
# and NumPy belong, or the one that Python_EXECUTABLE names. The package is built where there are its
# headers and pybind11.
if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.9 QUIET CONFIG)
set(_can_build OFF)
if(Python_Development.Module_FOUND AND pybind11_FOUND)
    set(_can_build ON)
endif()
option(TRACEFOLD_PYTHON "Build the Python package" ${_can_build})
if(TRACEFOLD_PYTHON AND NOT _can_build)
    message(FATAL_ERROR "TRACEFOLD_PYTHON needs Python's headers and pybind11 (python3-dev, pybind11-dev)")
endif()
