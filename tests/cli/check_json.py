#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares JSON documents with the tables of docs/reference/json.md.

Usage: check_json.py DOCS_JSON_MD FILE...
Prints the schema of every file. Exit code 1 if a member is missing, unknown or of another type.
A file may hold several documents, one a line.
"""

import json
import re
import sys

HEADING = re.compile(r"^## (tracefold\.\w+), version (\d+)$")
ROW = re.compile(r"^\| `([^`]+)` \| (\w+)( or null)? \|\s*(optional)?")
TYPES = {
    "any": lambda value: True,
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "any": lambda value: True,  # told in words
}


class Node:
    """What may stand at one place: a type, the members of an object, or the items of an array."""

    def __init__(self):
        self.type = None
        self.optional = False
        self.nullable = False
        self.members = {}
        self.items = None
        self.values = None


def add(root, path, kind, optional, nullable=False):
    node = root
    for part in path.split("."):
        name = re.match(r"\w+", part).group()
        node = node.members.setdefault(name, Node())
        node.optional = node.optional or (optional and part == path.split(".")[-1])
        for suffix in re.findall(r"\[\]|\{\}", part):
            attribute = "items" if suffix == "[]" else "values"
            if getattr(node, attribute) is None:
                setattr(node, attribute, Node())
            node = getattr(node, attribute)
    if kind in TYPES:
        node.type = kind
    node.nullable = nullable


def read_schemas(path):
    schemas = {}
    for line in open(path, encoding="utf-8"):
        heading = HEADING.match(line)
        if heading:
            root = schemas[heading.group(1), int(heading.group(2))] = Node()
            add(root, "schema.name", "string", False)
            add(root, "schema.version", "integer", False)
            add(root, "shortened.max_size", "integer", False)
            add(root, "shortened.longest_list", "integer", False)
            add(root, "shortened.missing{}", "integer", False)
            root.members["shortened"].optional = True
        row = ROW.match(line)
        if row and schemas:
            add(root, row.group(1), row.group(2), row.group(4) is not None, row.group(3) is not None)
    return schemas


def problems(node, value, place):
    if value is None and node.nullable:
        return
    if node.type is not None:
        if not TYPES[node.type](value):
            yield f"{place} is no {node.type}"
    elif node.items is not None:
        if not isinstance(value, list):
            yield f"{place} is no array"
            return
        for item in value:
            yield from problems(node.items, item, place + "[]")
    elif not isinstance(value, dict):
        yield f"{place} is no object"
    elif node.values is not None:
        for item in value.values():
            yield from problems(node.values, item, place + "{}")
    else:
        for name in value.keys() - node.members.keys():
            yield f"{place}.{name} is not described"
        for name, member in node.members.items():
            if name in value:
                yield from problems(member, value[name], f"{place}.{name}")
            elif not member.optional:
                yield f"{place}.{name} is missing"


def documents(path):
    text = open(path, encoding="utf-8").read()
    decoder = json.JSONDecoder()
    while text.strip():
        document, end = decoder.raw_decode(text.lstrip())
        text = text.lstrip()[end:]
        yield document


def main(arguments):
    schemas = read_schemas(arguments[0])
    failed = False
    for path in arguments[1:]:
        for document in documents(path):
            key = document["schema"]["name"], document["schema"]["version"]
            found = [f"{key} is not described"] if key not in schemas else sorted(
                set(problems(schemas[key], document, ""))
            )
            print(*key)
            for problem in found:
                print(" ", problem)
            failed = failed or bool(found)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
