# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checksums of golden files: what scripts/make_golden writes and golden_test.py compares."""

import hashlib
import re
import struct
import subprocess

MANIFEST = "golden.json"
DICTIONARY = ("strings.txt", "tables.hex", "samples.hex", "sections.hex")


def file_checksum(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def tree_checksum(folder):
    """Of all files in a folder, by name."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{file_checksum(path)} {path.relative_to(folder)}\n" for path in files]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def content_checksum(lister, path, under=()):
    """Of all that a folded file holds, as list_records prints it."""
    result = subprocess.run([*under, lister, path, "all"], check=True, capture_output=True)
    return hashlib.sha256(result.stdout).hexdigest()


def dictionary_checksums(root):
    folder = root / "lib/model/dictionary"
    return {name: file_checksum(folder / name) for name in DICTIONARY}


def learnt_checksums(source):
    """Of the words that tracefold_train wrote, by kind of section."""
    tables = re.findall(r"kWords(\d+)\[\] = \{([^}]*)\}", source.read_text(encoding="ascii"))
    return {kind: hashlib.sha256(b"".join(struct.pack("<Q", int(word))
                                          for word in re.findall(r"\d+", words))).hexdigest()
            for kind, words in tables}
