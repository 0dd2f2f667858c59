# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# What cpack makes of a build: one .deb (or .rpm, .tar.gz: cpack -G) with all that is installed, for clusters that
# take one file. packaging/debian is Debian's own way, with a package for each purpose.
set(CPACK_PACKAGE_NAME tracefold)
set(CPACK_PACKAGE_VENDOR "The tracefold authors")
set(CPACK_PACKAGE_CONTACT "The tracefold authors <tracefold@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "archive, study and replay MPI traces in folded form")
set(CPACK_PACKAGE_DESCRIPTION
    "tracefold folds an OTF2 archive over time, ranks and arguments into one small\nfile, answers questions from the folded form, and gives the archive back byte\nby byte.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(TRACEFOLD_WITH_MPI)
    set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mpich, graphviz")
endif()
include(CPack)
