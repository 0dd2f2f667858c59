# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

import filecmp
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from .common import FAILED, ROOT, Campaign, Failure, UsageError, archives_in, need, path, print_head, print_row, run

# By Debian's name for GNU's processor: the name of the packages, and the emulator.
ARCHITECTURES = {"aarch64": ("arm64", "aarch64", "qemu-aarch64"), "ppc64el": ("ppc64el", "powerpc64le", "qemu-ppc64le"),
                 "s390x": ("s390x", "s390x", "qemu-s390x")}
BIG_ENDIAN = ("s390x",)
PACKAGES = ["libopen-trace-format2-10", "libopen-trace-format2-dev", "libzstd1", "libzstd-dev", "zlib1g", "zlib1g-dev", "libexpat1", "libexpat1-dev", "libxxhash0", "libxxhash-dev",
            "libfmt9", "libfmt-dev", "libcli11-dev", "nlohmann-json3-dev", "libboost1.74-dev"]
TOOLS = ["trace_compress", "trace_convert", "trace_inspect"]
QUESTIONS = ["check", "info", "structure", "stats", "profile", "matrix"]
JOBS = str(os.cpu_count())


def call(*command, **options):
    """Runs a command of a build, whose output is seen."""
    subprocess.run([str(word) for word in command], check=True, cwd=ROOT, **options)


class Platform:
    """Another processor: its libraries, its build of the tools, and how they are run."""

    def __init__(self, name):
        self.debian, self.processor, emulator = ARCHITECTURES[name]
        self.prefix = f"{self.processor}-linux-gnu"
        need(f"{self.prefix}-g++", emulator)
        self.build = ROOT / "build/architectures" / name
        self.root = self.build / "root"
        self.libraries = self.root / "usr/lib" / self.prefix
        self.under = [emulator, "-L", f"/usr/{self.prefix}", "-E", f"LD_LIBRARY_PATH={self.libraries}"]

    def download_libraries(self):
        """With lists and a state of its own, apt neither needs root nor changes this machine."""
        if (self.root / "complete").exists():
            return
        apt = self.build / "apt"
        for folder in (apt / "lists/partial", apt / "archives/partial", apt / "packages", self.root):
            folder.mkdir(parents=True, exist_ok=True)
        (apt / "status").touch()
        settings = {"APT::Architecture": self.debian, "APT::Architectures": self.debian, "Dir::State": apt,
                    "Dir::State::status": apt / "status", "Dir::Cache": apt}
        get = ["apt-get", "-qq", *(word for key, value in settings.items() for word in ("-o", f"{key}={value}"))]
        subprocess.run([*get, "update"], check=False)  # other lists may have the packages of those that fail
        subprocess.run([*get, "download", *PACKAGES], check=True, cwd=apt / "packages")
        for package in (apt / "packages").glob("*.deb"):
            call("dpkg-deb", "-x", package, self.root)
        (self.root / "complete").touch()

    def build_tools(self):
        environment = os.environ | {"PKG_CONFIG_LIBDIR": f"{self.libraries}/pkgconfig:{self.root}/usr/share/pkgconfig",
                                    "PKG_CONFIG_SYSROOT_DIR": str(self.root)}
        variables = {
            "CMAKE_BUILD_TYPE": os.environ.get("CMAKE_BUILD_TYPE", "Release"), "CMAKE_UNITY_BUILD": "ON",
            "CMAKE_SYSTEM_NAME": "Linux", "CMAKE_SYSTEM_PROCESSOR": self.processor,
            "CMAKE_C_COMPILER": f"{self.prefix}-gcc", "CMAKE_CXX_COMPILER": f"{self.prefix}-g++",
            "CMAKE_LIBRARY_ARCHITECTURE": self.prefix, "CMAKE_FIND_ROOT_PATH": self.root,
            "CMAKE_FIND_ROOT_PATH_MODE_PROGRAM": "NEVER",
            **{f"CMAKE_FIND_ROOT_PATH_MODE_{kind}": "ONLY" for kind in ("LIBRARY", "INCLUDE", "PACKAGE")},
            "CMAKE_EXE_LINKER_FLAGS": f"-Wl,-rpath-link,{self.libraries}", "CMAKE_CXX_FLAGS": os.environ.get("CXXFLAGS", ""),
            **{f"TRACEFOLD_{part}": "OFF" for part in ("TESTS", "WITH_MPI", "PYTHON", "WERROR")}}
        call("cmake", "-S", ".", "-B", self.build / "build", "-G", "Ninja",
             *(f"-D{name}={value}" for name, value in variables.items()), env=environment)
        call("cmake", "--build", self.build / "build", "--parallel", JOBS, "--target", *TOOLS)

    def tool(self, name):
        return [*self.under, self.build / "build/bin" / name]


class Architectures(Campaign):
    """Show that folded files do not depend on the processor.

Cross-builds for each processor, runs the tools there under qemu, and compares with build/release on this machine: samples
fold to the same bytes, restored archives fold to the same bytes, trace_inspect prints the same; golden files are read there,
too. s390x is big-endian. On Debian 12, with qemu-user, g++-aarch64-linux-gnu, g++-powerpc64le-linux-gnu and
g++-s390x-linux-gnu. Debian's libraries for the processor are downloaded to build/architectures/NAME; nothing is
installed. CMAKE_BUILD_TYPE and CXXFLAGS are used.
"""

    name = "architectures"
    archives = False

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("names", nargs="*", default=list(ARCHITECTURES), metavar="ARCHITECTURE",
                            help="of " + ", ".join(ARCHITECTURES))

    def run(self):
        if not set(self.options.names) <= set(ARCHITECTURES):
            raise UsageError(f"architectures are {', '.join(ARCHITECTURES)}")
        failed = 0
        print_head(["archive", "architecture", "result"])
        for name in self.options.names:
            platform = Platform(name)
            platform.download_libraries()
            platform.build_tools()
            for archive in archives_in(ROOT / "sample_traces") + archives_in(ROOT / "tests/data/archives"):
                failed += self.row(archive.name, name, self.compare, platform, archive)
            failed += self.row("golden files", name, self.read_golden_files, platform)
        return FAILED if failed else 0

    @staticmethod
    def row(title, name, function, *arguments):
        try:
            function(*arguments)
            print_row([title, name, "same"])
            return 0
        except Failure as failure:
            print_row([title, name, f"FAILED: {failure}"])
            return 1

    def compare(self, platform, archive):
        """libotf2 writes archives in the byte order of the processor, so they are compared by their records."""
        with tempfile.TemporaryDirectory() as name:
            work = pathlib.Path(name)
            here, there = work / "here.tfold", work / "there.tfold"
            for timing in ("none", "histogram", "quantized", "exact"):
                for command, output in (([self.options.bin / "trace_compress"], here), (platform.tool("trace_compress"), there)):
                    run([*command, archive, "--timing", timing, "--no-exact-bytes", "-q", "-f", "-o", output])
                if not filecmp.cmp(here, there, shallow=False):
                    raise Failure(f"folded with {timing} times")
            run([*platform.tool("trace_convert"), here, "--to", "otf2", "-o", work / "back", "-q"])
            run([self.options.bin / "trace_compress", work / "back", "--no-exact-bytes", "-q", "-f", "-o", there])
            if not filecmp.cmp(here, there, shallow=False):
                raise Failure("restored")
            for question in QUESTIONS:
                results = [run([*command, question, here], self.options.timeout, None)
                           for command in ([self.options.bin / "trace_inspect"], platform.tool("trace_inspect"))]
                if (results[0].stdout, results[0].stderr) != (results[1].stdout, results[1].stderr):
                    raise Failure(f"trace_inspect {question}")

    @staticmethod
    def read_golden_files(platform):
        call("cmake", "--build", platform.build / "build", "--parallel", JOBS, "--target", "list_records")
        run([sys.executable, ROOT / "tests/golden/golden_test.py", "--bin", platform.build / "build/bin", "--under",
             " ".join(platform.under), *(["--other-byte-order"] if platform.processor in BIG_ENDIAN else []), "GoldenFiles"])


class Otf2(Campaign):
    """Run the tests with another libotf2 than the installed one.

FOLDER is where its packages were unpacked: dpkg-deb -x libopen-trace-format2-10u_*.deb FOLDER, the same for
libopen-trace-format2-dev and otf2-tools. Builds in build/otf2-NAME, NAME being that of FOLDER, with its headers. --run-only
builds nothing: it runs the build of scripts/test with the library of FOLDER.
"""

    name = "otf2"
    archives = False

    @classmethod
    def add_options(cls, parser):
        parser.add_argument("--run-only", action="store_true")
        parser.add_argument("folder", type=path)
        parser.add_argument("ctest", nargs="*", metavar="ARGUMENT", help="of ctest, after --")

    def run(self):
        folder = self.options.folder
        library = next(folder.glob("usr/lib/**/libopen*trace*format2.so.10"), None)
        if not library or not (folder / "usr/bin/otf2-print").exists():
            raise UsageError(f"{folder} has no libotf2 (libopen_trace_format2.so.10) and otf2-print below usr")
        with tempfile.TemporaryDirectory() as names:
            # Debian 12 spells the name of the library with hyphens, OTF2 and later releases do not.
            for name in ("libopen-trace-format2.so.10", "libopen_trace_format2.so.10"):
                pathlib.Path(names, name).symlink_to(library)
            self.prepend("LD_LIBRARY_PATH", names)
            self.prepend("PATH", folder / "usr/bin")
            build = ROOT / "build/release" if self.options.run_only else self.build(folder, library.parent)
            tool = build / "bin/trace_compress"
            found = re.search(r"libopen.trace.format2\S* => (\S*)", run(["ldd", tool]).stdout)[1]
            if pathlib.Path(found).resolve() != library.resolve():
                raise UsageError(f"{tool} uses {found} instead of {library}")
            return subprocess.run(["ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error", "--parallel", "2",
                                   "--label-exclude", "^slow$", *self.options.ctest], check=False).returncode

    @staticmethod
    def prepend(variable, place):
        os.environ[variable] = ":".join(filter(None, (str(place), os.environ.get(variable))))

    def build(self, folder, libraries):
        build = ROOT / f"build/otf2-{folder.name}"
        (build / "pkgconfig").mkdir(parents=True, exist_ok=True)
        # The packages' own files have the prefix /usr.
        for file in (libraries / "pkgconfig").glob("otf2*.pc"):
            text = file.read_text(encoding="utf-8").replace("/usr", f"{folder}/usr")
            (build / "pkgconfig" / file.name).write_text(text, encoding="utf-8")
        self.prepend("PKG_CONFIG_PATH", build / "pkgconfig")
        call("cmake", "--preset", "release", "-B", build)
        call("cmake", "--build", build, "--parallel", JOBS)
        return build
