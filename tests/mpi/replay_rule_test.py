#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes archives as recorders before Score-P 8 wrote them: of small programs that make communicators,
and of samples. What check says of each must be what the replay does, and where the newer archive
replays, the older one does too, with the same traffic.

usage: replay_rule_test.py BIN CAMPAIGN MAKER OLDER MPIEXEC -n -- CASE_OR_ARCHIVE...
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import limits  # noqa: E402

TIMEOUT_SECONDS = limits.seconds(50)
# Of old recorders, these are inferred or left out.
NOT_COMPARED = ("MPI_Comm_free", "MPI_Comm_idup")


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=TIMEOUT_SECONDS, check=False)


class Rule:
    def __init__(self, tools, campaign, maker, older, launcher, work):
        self.tools = pathlib.Path(tools)
        self.rule = [sys.executable, campaign, "check", "--bin", tools, "--launcher", " ".join(launcher), "--archives"]
        self.maker = maker
        self.older = older
        self.launcher = launcher
        self.work = work
        self.found = []

    def archive(self, name):
        if pathlib.Path(name).is_dir():
            return pathlib.Path(name)
        folder = self.work / name
        made = run(self.maker, name, folder)
        if made.returncode != 0:
            self.found.append(f"{name}: not written:\n{made.stderr}")
        return folder

    def replay(self, archive):
        """Exit code and what was issued: bytes by function, and messages by size."""
        trace = self.work / (archive.name + ".tfold")
        run(self.tools / "trace_compress", "-q", "--force", archive, "-o", trace)
        check = json.loads(run(self.tools / "trace_inspect", "check", "--json", trace,
                               "--unsupported", "skip").stdout)
        result = run(*self.launcher, check["ranks"], self.tools / "trace_replay", trace, "--json",
                     "--verify", "--unsupported", "skip", "--allow-left-out", "--timeout", f"{limits.seconds(30)}s")
        if result.returncode != 0:
            return None, check, result.stderr
        report = json.loads(result.stdout)
        functions = {call["function"]: (call["calls"], call["sent_bytes"], call["received_bytes"])
                     for call in report["calls_by_function"]
                     if call["function"] not in NOT_COMPARED}
        return (functions, report["message_sizes"]), check, report

    def check(self, name):
        archive = self.archive(name)
        plain = self.work / (archive.name + ".older")
        inter = self.work / (archive.name + ".inter")
        for folder, kind in ((plain, []), (inter, ["inter"])):
            if run(self.older, archive, folder, *kind).returncode != 0:
                self.found.append(f"{name}: no older archive")
        agreed = run(*self.rule, archive, plain, inter)
        if agreed.returncode != 0:
            self.found.append(f"{name}: check and replay disagree:\n{agreed.stdout}{agreed.stderr}")
        traffic, _, said = self.replay(archive)
        if traffic is None:
            self.found.append(f"{name}: does not replay: {said}")
            return
        older, check, said = self.replay(inter)
        if older != traffic:
            self.found.append(f"{name}: older {older or said}\nnewer {traffic}")
        if older is not None:
            self.check_counts(name, check["findings"], said)
            trace = self.work / (inter.name + ".tfold")
            dry = json.loads(run(self.tools / "trace_replay", "--dry-run", "--json", trace).stdout)
            self.check_counts(name, dry["inferred"], said)

    def check_counts(self, name, findings, report):
        """What check and dry run say about communicators is what the replay counts."""
        found = {one["kind"]: one["count"] for one in findings}
        made = {one["what"]: one["times"] for one in report["inferences"]}
        for kind, text in (("inferred_communicator", "that create communicators: communicator inferred"),
                           ("inferred_free", "MPI_Comm_free without a record: communicator"),
                           ("early_communicator", "created before the first call")):
            times = sum(count for what, count in made.items() if text in what)
            if times != found.get(kind, 0):
                self.found.append(f"{name}: {kind} {found.get(kind, 0)} times, replayed {times}")


def main(tools, campaign, maker, older, *rest):
    launcher, names = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    with tempfile.TemporaryDirectory(prefix="tracefold-rule-") as work:
        it = Rule(tools, campaign, maker, older, launcher, pathlib.Path(work))
        for name in names:
            it.check(name)
    for problem in it.found:
        print(problem)
    return 1 if it.found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
