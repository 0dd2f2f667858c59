#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""ctags names every class and function of lib/ and tools/ that the compiler sees.

Compares `ctags -x --c++-kinds=cfsn` with the syntax tree of clang, for a few files. Needs universal-ctags and
clang++, and leaves with 77 without them.

Usage: check_tags.py COMPILE_COMMANDS [--count N] [--seed SEED] [FILE...]
COMPILE_COMMANDS: compile_commands.json of a build, for the folders of headers.
"""

import argparse
import json
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
RECORDS = ("CXXRecordDecl", "ClassTemplateSpecializationDecl", "ClassTemplatePartialSpecializationDecl")
FUNCTIONS = ("FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl")
TEMPLATES = ("ClassTemplateDecl", "FunctionTemplateDecl")


def preprocessor_options(compile_commands):
    """-I, -isystem and -D of all commands of the library and the tools."""
    options = {}
    for command in json.loads(pathlib.Path(compile_commands).read_text(encoding="utf-8")):
        if not re.search(r"/(lib|tools)/", command["file"]):
            continue
        words = iter(shlex.split(command["command"]))
        for word in words:
            if word == "-isystem":
                options[word, next(words)] = None
            elif re.match("-[ID].", word):
                options[word,] = None
    return [word for option in options for word in option]


def plain(name):
    """A name without blanks and template arguments: "operator()", "operator<"."""
    name = name.replace(" ", "")
    return name if name.startswith("operator") else re.sub("<.*", "", name)


def names_in(declaration):
    """The names of all classes and functions with a body in a declaration."""
    if declaration.get("isImplicit"):
        return
    kind = declaration["kind"]
    inner = declaration.get("inner", [])
    name = declaration.get("name")
    if kind in RECORDS and declaration.get("completeDefinition") and name:
        yield plain(name)
    if kind in FUNCTIONS:
        if any(part.get("kind") in ("CompoundStmt", "CXXTryStmt") for part in inner):
            if not declaration.get("explicitlyDefaulted"):
                yield plain(name)
        return
    if kind in TEMPLATES:
        # The template itself; what follows are its instances.
        inner = [part for part in inner if part["kind"] in RECORDS + FUNCTIONS][:1]
    for part in inner:
        if "kind" in part:
            yield from names_in(part)


def compiled_names(file, options):
    """What clang finds in a file itself, not in those that it includes."""
    command = ["clang++", "-std=c++20", "-fsyntax-only", "-w", "-x", "c++", *options]
    command += ["-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter=tracefold", str(file)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"clang++ cannot compile {file}:\n{done.stderr}")
    names = set()
    for tree in re.split(r"(?<=^\})\n(?=\{)", done.stdout, flags=re.MULTILINE):
        location = tree[: tree.find('"range"')]
        if tree.strip() and "includedFrom" not in location:
            names.update(names_in(json.loads(tree)))
    return names


def tagged_names(file):
    """The names that ctags finds, by the options of the tree."""
    command = ["ctags", "-x", "--c++-kinds=cfsn", str(file)]
    lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT).stdout
    names = set()
    for line in lines.splitlines():
        tag = re.match(r"(.*?) +(class|struct|function|namespace) +\d+ ", line)
        names.add(plain(tag[1]))
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("compile_commands")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="in place of a sample")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", default="ctags")
    arguments = parser.parse_args()
    for program in ("ctags", "clang++"):
        if shutil.which(program) is None:
            print(f"{program} is not installed")
            return SKIPPED
    version = subprocess.run(["ctags", "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout
    if "Universal" not in version:
        print("ctags is not universal-ctags")
        return SKIPPED
    files = [file.resolve() for file in arguments.files]
    if not files:
        sources = [f for area in ("lib", "tools") for f in (ROOT / area).rglob("*.[ch]pp")]
        files = random.Random(arguments.seed).sample(sorted(sources), min(arguments.count, len(sources)))
    options = preprocessor_options(arguments.compile_commands)
    missing = compared = 0
    for file in files:
        compiled = compiled_names(file, options)
        compared += len(compiled)
        for name in sorted(compiled - tagged_names(file)):
            print(f"{file}: ctags does not find {name}")
            missing += 1
    print(f"{compared} names in {len(files)} files, of which ctags misses {missing}")
    return 1 if missing or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
