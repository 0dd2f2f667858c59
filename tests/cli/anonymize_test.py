#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes archives anonymous and searches the output for their names, which it has from otf2-print and
the anchor file, not from tracefold.

usage: anonymize_test.py BIN DICTIONARY ARCHIVE...   (DICTIONARY: lib/model/dictionary/strings.txt)
"""

import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile

# What recorders make of numbers.
NUMBERED = re.compile(r"(MPI Rank|OMP thread|Pthread thread|CPU thread|Comm|node|group|process|Rank|dimension) [0-9:]+"
                      r"(, CPU Thread \d+)?")
MPI = re.compile(r"mpi_\w+?_*(\(\))?\s*", re.IGNORECASE)
# A shorter name may stand anywhere by chance.
SHORTEST = 4


def run(command):
    return subprocess.run([str(word) for word in command], capture_output=True, check=False)


def strings_of(archive):
    """The texts of all String definitions, as otf2-print escapes them."""
    anchor = next(pathlib.Path(archive).glob("*.otf2"))
    output = run(["otf2-print", "-G", anchor]).stdout.decode("utf-8", "replace")
    return set(re.findall(r'^STRING +\d+  "(.*)"$', output, re.MULTILINE))


def words_of(dictionary):
    with open(dictionary, encoding="utf-8") as lines:
        return {line.rstrip("\n").split("\t")[0] for line in lines}


def private_names(archive, known):
    return {name for name in strings_of(archive)
            if name not in known and not NUMBERED.fullmatch(name) and not MPI.fullmatch(name)}


def files_of(folder):
    return {path.relative_to(folder): path.read_bytes()
            for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()}


def mentions(name, content):
    return name.encode() in content


def problems(tool, archive, known, folder):
    private = private_names(archive, known)
    # "count" is a part of other words.
    rare = {name for name in private
            if len(name) >= SHORTEST and not any(name in word for word in known)}
    mapping = folder / "mapping"
    result = run([tool, archive, "--to", "otf2", "--anonymize", "-o", folder / "otf2", "--mapping",
                  mapping])
    if result.returncode != 0:
        yield result.stderr.decode()
        return
    left = private & strings_of(folder / "otf2")
    if left:
        yield f"names are left: {sorted(left)[:5]}"
    before, after = files_of(archive), files_of(folder / "otf2")
    for path, content in after.items():
        for name in rare:
            if mentions(name, content):
                yield f"{path} has the name {name}"
        if path.suffix in (".evt", ".def") and path.parent.name and before.get(path) != content:
            yield f"{path} is another one"
    if stat.S_IMODE(mapping.stat().st_mode) != 0o600:
        yield "others may read the mapping"
    replaced = dict(line.split("\t") for line in mapping.read_text().splitlines())
    if not private <= set(replaced.values()):
        yield f"the mapping lacks {sorted(private - set(replaced.values()))[:5]}"
    dry = run([tool, archive, "--to", "otf2", "--anonymize", "--dry-run"]).stdout.decode()
    if not dry.startswith(mapping.read_text()):
        yield "--dry-run lists other names"
    yield from folded_problems(tool, archive, rare, folder)


def folded_problems(tool, archive, rare, folder):
    """The same as a folded file, which holds the same archive."""
    anonymous = folder / "anonymous.tfold"
    run([tool, archive, "--to", "tfold", "--anonymize", "-o", anonymous])
    if not anonymous.exists():
        yield "there is no folded file"
        return
    for name in rare:
        if mentions(name, anonymous.read_bytes()):
            yield f"the folded file has the name {name}"
    run([tool, anonymous, "--to", "otf2", "-o", folder / "unfolded"])
    if files_of(folder / "unfolded") != files_of(folder / "otf2"):
        yield "the folded file holds another archive"


def kept_problems(tools, archive, folder):
    """Bytes that are kept of files which libotf2 writes otherwise stay behind."""
    secret = b"secret of a text tool"
    changed, named, anonymous = folder / "changed", folder / "named.tfold", folder / "anonymous.tfold"
    shutil.copytree(archive, changed)
    for path in changed.rglob("*.def"):
        path.write_bytes(path.read_bytes() + secret)
    run([tools / "trace_compress", changed, "-o", named])
    run([tools / "trace_convert", named, "--to", "otf2", "-o", folder / "named"])
    if not any(secret in content for content in files_of(folder / "named").values()):
        yield "nothing is kept"
    run([tools / "trace_convert", named, "--to", "tfold", "--anonymize", "-o", anonymous])
    for source, options in ((named, ["--anonymize"]), (anonymous, [])):
        back = folder / f"back of {source.stem}"
        result = run([tools / "trace_convert", source, "--to", "otf2", *options, "-o", back])
        if result.returncode != 0:
            yield result.stderr.decode()
        if any(secret in content for content in files_of(back).values()):
            yield f"{back.name} has kept bytes"
    if b"kept bytes" in run([tools / "trace_inspect", "info", "--all", anonymous]).stdout:
        yield "the folded file has kept bytes"


def main(arguments):
    bin_folder, dictionary, *archives = arguments
    failed = False
    known = words_of(dictionary)
    for archive in archives:
        with tempfile.TemporaryDirectory(prefix="tracefold-anonymous-") as folder:
            tools, work = pathlib.Path(bin_folder), pathlib.Path(folder)
            found = [*problems(tools / "trace_convert", archive, known, work),
                     *kept_problems(tools, archive, pathlib.Path(tempfile.mkdtemp(dir=work)))]
            for problem in found:
                print(f"{archive}: {problem}")
            failed = failed or found
    return 1 if failed or not archives else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
