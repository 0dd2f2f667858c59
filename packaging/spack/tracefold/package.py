# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""For Spack: copy the folder above, packages/tracefold, into a repository of your own (spack repo create)."""

from spack.package import *


class Tracefold(CMakePackage):
    """Archive, study and replay MPI traces in folded form: OTF2 archives become one small file, without loss."""

    # Set both to where the source tarball of the release lies (scripts/package source makes it).
    homepage = "https://example.org/tracefold"
    url = "https://example.org/tracefold/tracefold-1.0.0.tar.gz"

    license("BSD-3-Clause", checked_by="The tracefold authors")

    version("1.0.0")

    variant("mpi", default=True, description="Compress in parallel, and replay")
    variant("python", default=True, description="Build the Python package")
    variant("shared", default=True, description="Build the shared library, too")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("pandoc", type="build")
    depends_on("cli11@2.1:", type="build")
    depends_on("nlohmann-json@3.10:", type="build")
    depends_on("boost@1.74:", type=("build", "link"))
    depends_on("otf2@3:")
    depends_on("expat@2.4:")
    depends_on("zlib@1.2:")
    depends_on("zstd@1.4:")
    depends_on("xxhash@0.8:")
    depends_on("fmt@9:")
    depends_on("re2")
    depends_on("mpi", when="+mpi")
    depends_on("python@3.9:", when="+python", type=("build", "link", "run"))
    depends_on("py-pybind11@2.9:", when="+python", type="build")
    depends_on("py-numpy", when="+python", type=("build", "run"))
    extends("python", when="+python")

    conflicts("%gcc@:11", msg="C++20 as GCC 12 has it is needed")
    conflicts("%clang@:13", msg="C++20 as Clang 14 has it is needed")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("TRACEFOLD_WITH_MPI", "mpi"),
            self.define_from_variant("TRACEFOLD_PYTHON", "python"),
            self.define_from_variant("TRACEFOLD_SHARED", "shared"),
            self.define("TRACEFOLD_TESTS", False),
            self.define("TRACEFOLD_WERROR", False),
            self.define("CMAKE_UNITY_BUILD", True),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_tools(self):
        for tool in ("trace_compress", "trace_inspect", "trace_convert", "trace_scale"):
            Executable(join_path(self.prefix.bin, tool))("--version")
