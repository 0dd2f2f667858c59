# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the extension module with CMake; everything else stands in pyproject.toml."""

import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


def version():
    """That of the project, which CMakeLists.txt says."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(\s*\w+\s+VERSION\s+([0-9.]+)", text).group(1)


class CMakeBuild(build_ext):
    """Lets CMake build the target _tracefold for the Python that runs this."""

    def build_extension(self, ext):
        build = pathlib.Path(self.build_temp).resolve()
        build.mkdir(parents=True, exist_ok=True)
        settings = [
            "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_UNITY_BUILD=ON",
            "-DTRACEFOLD_PYTHON=ON",
            "-DTRACEFOLD_SHARED=OFF",
            "-DTRACEFOLD_TESTS=OFF",
            "-DTRACEFOLD_WERROR=OFF",
            f"-DPython_EXECUTABLE={sys.executable}",
        ]
        subprocess.run(["cmake", "-S", ROOT, "-B", build, *settings], check=True)
        subprocess.run(["cmake", "--build", build, "--parallel", "--target", ext.name.split(".")[-1]],
                       check=True)
        target = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        built = next((build / "python/tracefold").glob("_tracefold*.so"))
        self.copy_file(str(built), str(target))


setup(
    version=version(),
    packages=["tracefold"],
    package_dir={"tracefold": "python/tracefold"},
    package_data={"tracefold": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("tracefold._tracefold", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
