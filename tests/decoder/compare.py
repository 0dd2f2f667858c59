#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what tests/decoder/decode.py reads in .tfold files with what libotf2 reads in the archives.

usage: compare.py --decoder decode.py --lister list_records
                  (--compress trace_compress --convert trace_convert ARCHIVE... | ARCHIVE --golden FILE...)

With --compress the files are made first, two of each archive: one with exact times, and one of the other
timing levels in turn, whose times are compared with those of the archive that --convert restores. They are
compressed by zstd alone, since Python takes a minute for the models; those are tested with --golden.
"""

import argparse
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile

EXIT_SKIPPED = 77
INEXACT = ("none", "histogram", "quantized")


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode().splitlines()


def without_time(line):
    location, _, rest = line.split(" ", 2)
    return f"{location} {rest}"


def first_difference(expected, actual):
    for number, (left, right) in enumerate(zip(expected, actual), start=1):
        if left != right:
            return f"line {number}:\n  archive: {left}\n  file:    {right}"
    if len(expected) != len(actual):
        return f"{len(expected)} lines in the archive, {len(actual)} in the file"
    return None


class Comparison:
    """What files say, and what the archive that they were made of says."""

    def __init__(self, arguments, archive):
        self.command = [sys.executable, arguments.decoder]
        self.lister = [arguments.lister, archive]
        self.convert = arguments.convert
        self.differences = 0

    def expect(self, what, expected, actual):
        difference = first_difference(expected, actual)
        if difference:
            self.differences += 1
            print(f"{what}: {difference}")
        elif not actual:
            self.differences += 1
            print(f"{what}: nothing to compare")

    def compare(self, file):
        import decode
        trace = decode.Trace(file)

        def decoded(*options):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                decode.show(trace, decode.command_line().parse_args([file, *options]))
            return out.getvalue().splitlines()

        summary = decoded()
        timing = next(line for line in summary if line.startswith("producer ")).split()[-1]
        expected = output_of(*self.lister, "records")
        actual = decoded("--records")
        if timing != "exact":
            self.compare_times(file, actual)
            expected = [without_time(line) for line in expected]
            actual = [without_time(line) for line in actual]
        self.expect(f"{file}: records", expected, actual)
        self.expect(f"{file}: definitions", output_of(*self.lister, "definitions"),
                    decoded("--definitions"))
        expected = output_of(*self.lister, "local-definitions", "1")
        if timing in ("none", "histogram"):
            expected = [line for line in expected if not line.startswith("ClockOffset ")]
        self.expect(f"{file}: local definitions", expected,
                    decoded("--local-definitions", "1"))

    def compare_times(self, file, actual):
        """With the archive that the tools make of the file."""
        if not self.convert:
            return
        back = file + ".back"
        output_of(self.convert, file, "--to", "otf2", "-o", back)
        self.expect(f"{file}: times", output_of(self.lister[0], back, "records"), actual)

    def refuses_damage(self, file, folder):
        content = bytearray(pathlib.Path(file).read_bytes())
        content[len(content) // 2] ^= 4
        damaged = folder / "damaged.tfold"
        damaged.write_bytes(content)
        result = subprocess.run([*self.command, damaged, "--records"], capture_output=True)
        message = result.stderr.decode()
        if result.returncode != 1 or "damaged" not in message or message.count("\n") != 1:
            self.differences += 1
            print(f"a damaged file gives {result.returncode}: {message}")


def folded(arguments, archive, folder):
    """The archive at two timing levels."""
    folder.mkdir()
    turn = arguments.archives.index(archive) % len(INEXACT)
    for timing in ("exact", INEXACT[turn]):
        file = str(folder / f"{timing}.tfold")
        output_of(arguments.compress, archive, "-o", file, "--timing", timing, "--portable")
        yield file


def differences(arguments, archive, folder):
    """Of one archive."""
    comparison = Comparison(arguments, archive)
    files = arguments.golden or list(folded(arguments, archive, folder / "folded"))
    for file in files:
        comparison.compare(file)
    comparison.refuses_damage(files[0], folder)
    return comparison.differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--decoder", required=True)
    parser.add_argument("--lister", required=True)
    parser.add_argument("--compress")
    parser.add_argument("--convert")
    parser.add_argument("--golden", nargs="+")
    arguments = parser.parse_args()
    try:
        import xxhash  # noqa: F401
        import zstandard  # noqa: F401
    except ImportError as error:
        print(f"{error}; install python3-zstandard and python3-xxhash")
        return EXIT_SKIPPED
    sys.path.insert(0, str(pathlib.Path(arguments.decoder).parent))
    found = 0
    for archive in arguments.archives:
        with tempfile.TemporaryDirectory() as name:
            found += differences(arguments, archive, pathlib.Path(name))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
