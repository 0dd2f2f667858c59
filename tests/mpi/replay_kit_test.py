#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Unpacks a kit (trace_replay --kit) and checks what it holds; with a compiler, builds its replayer and runs it.

usage: replay_kit_test.py BIN SAMPLES [MPICXX MPIEXEC... -n]
"""

import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(500)


def run(command, expected=0, **settings):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                            timeout=TIMEOUT_SECONDS, check=False, **settings)
    if result.returncode != expected:
        sys.exit(f"{command}: exit code {result.returncode} instead of {expected}\n{result.stdout}{result.stderr}")
    return result


def expect(condition, what):
    if not condition:
        sys.exit(what)


def unpack(kit, folder):
    """The folder of a kit; the checksum of each member of the gzip file is right."""
    with gzip.open(kit) as stream, tarfile.open(fileobj=stream) as archive:
        archive.extractall(folder)
    return folder / "tracefold-kit"


def check_content(kit, trace, fingerprint):
    expect((kit / "run.tfold").read_bytes() == trace.read_bytes(), "the kit holds another trace")
    study = dict(line.split("=", 1) for line in (kit / "study").read_text().splitlines())
    expect(study == {"RANKS": "4", "OPTIONS": '"--seed 5 --wildcards none"', "FINGERPRINT": fingerprint},
           f"study: {study}")
    readme = (kit / "README.md").read_text()
    expect(fingerprint in readme and "on 4 ranks" in readme and "@" not in readme, "README.md is not filled in")
    for name in ("CLI11", "fmt", "nlohmann-json", "xxhash", "tracefold"):
        expect((kit / "licences" / name).stat().st_size > 0, f"no licence of {name}")


def check_includes(kit):
    """Whatever the sources include is in the kit, or belongs to the compiler, POSIX, MPI or zstd."""
    sources = kit / "src"
    others = {"mpi.h", "zstd.h", "zstd_errors.h"}
    for unit in (sources / "units").iterdir():
        for name in re.findall(r'#include "(.*)"', unit.read_text()):
            expect((sources / name).is_file(), f"{unit.name} includes {name}")
    for source in [*sources.glob("lib/**/*.?pp"), *sources.glob("tools/**/*.?pp")]:
        for mark, name in re.findall(r'^#include ([<"])([^>"]+)', source.read_text(), re.MULTILINE):
            found = [folder for folder in ("src/lib", "src/tools", "include") if (kit / folder / name).is_file()]
            system = mark == "<" and ("." not in name or name.startswith("sys/") or name.count("/") == 0)
            foreign = {"otf2", "boost", "gtest"} & set(name.split("/"))
            if not found and (foreign or not (system or name in others)):
                sys.exit(f"{source.relative_to(kit)} includes {name}, which is not in the kit")


def build(kit, compiler):
    """Without optimisation: that it builds and works does not depend on it."""
    run(["make", f"-j{os.cpu_count()}", f"MPICXX={compiler}", "CXXFLAGS=-O0"], cwd=kit)
    libraries = run(["ldd", kit / "trace_replay"]).stdout
    for library in ("open-trace-format", "fmt", "xxhash", "boost", "python"):
        expect(library not in libraries, f"the replayer needs {library}")


def run_study(kit, launcher, fingerprint):
    environment = dict(os.environ, MPIRUN=" ".join([*launcher, "4"]), LAUNCHES="2")
    result = run(["./run.sh", "--repeat", "2"], cwd=kit, env=environment)
    expect(f"the issued calls have the fingerprint of this study, {fingerprint}" in result.stdout, result.stdout)
    for name in ("1.json", "2.json"):
        report = json.loads((kit / "reports" / name).read_text())
        expect(report["repetitions"]["count"] == 2 and report["seed"] == 5, f"{name} is of another replay")
        expect(report["verified"]["fingerprint"] == fingerprint, f"{name} has another fingerprint")
    run(["./trace_replay", "--compare", "reports/1.json", "reports/2.json"], cwd=kit)
    (kit / "study").write_text((kit / "study").read_text().replace(fingerprint, "0" * 16))
    result = run(["./run.sh"], expected=3, cwd=kit, env=environment)
    expect("do not have the fingerprint of this study" in result.stderr, result.stderr)


def main(tools, samples, compiler=None, *launcher):
    tools, samples = pathlib.Path(tools), pathlib.Path(samples)
    replay = tools / "trace_replay"
    with tempfile.TemporaryDirectory(prefix="tracefold-kit-") as name:
        folder = pathlib.Path(name)
        trace, kit = folder / "rma.tfold", folder / "kit.tar.gz"
        run([tools / "trace_compress", "-q", samples / "micro-rma-4", "-o", trace])
        fingerprint = run([replay, "--fingerprint", trace]).stdout.strip()
        run([replay, trace, "--kit", kit, "--seed", "5", "--wildcards", "none"])
        unpacked = unpack(kit, folder)
        check_content(unpacked, trace, fingerprint)
        check_includes(unpacked)
        if compiler is None:
            return
        build(unpacked, compiler)
        run_study(unpacked, launcher, fingerprint)

        built = unpacked / "trace_replay"
        refused = run([built, samples / "micro-rma-4", "--check"], expected=1).stderr
        expect("built from a kit, without OTF2: it replays folded files only" in refused, refused)
        refused = run([*launcher, "4", built, trace, "--record", folder / "again.tfold"], expected=1).stderr
        expect("cannot record" in refused, refused)
        refused = run([built, trace, "--kit", folder / "second.tar.gz"], expected=1).stderr
        expect("replay-kit.tar.gz" in refused, refused)
        expect(not (folder / "second.tar.gz").exists() and not (folder / "again.tfold").exists(), "left-overs")


if __name__ == "__main__":
    main(*sys.argv[1:])
