// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "common/part_options.hpp"
#include "forecast/guard.hpp"
#include "scale/baseline_folder.hpp"

#include <map>
#include <string>

namespace tracefold {

/// What passes.
struct GuardRules {
    double least_effect = 0.02;
    std::map<StructureKind, NameFilter> allowed;  ///< places where the structure may differ
    bool strict = false;                          ///< undecided times do not pass

    /// "counts:*/MPI_Allreduce", "order". Throws Error(usage).
    void allow(const std::string& text);
};

/// A result with its consequences.
struct GuardView {
    GuardResult result;
    bool strict = false;  ///< undecided times do not pass
    bool passed = true;
    BaselineUpdate update;
};

/// The verdict on the runs of a guard.
GuardView judged(const Guard& guard, const GuardRules& rules);

/// "solver/step 5.3 % slower (2.1 to 8.5 %), 5 against 3 runs; 3.1 % could have been seen".
std::string guard_sentence(const GuardedTime& time);
/// "counts of solver/step: visits 400 -> 420 on ranks 0-3 (new.tfold)".
std::string guard_sentence(const StructureDifference& difference);
/// The verdict, and the change that decided it.
std::string guard_summary(const GuardView& view);

void print_guard_text(const GuardView& view, Console& console);
void print_guard_json(const GuardView& view, Console& console);
/// The members of the document.
void write_guard(const GuardView& view, JsonWriter& json);

/// JUnit XML: a test case for the structure and for each call path.
std::string guard_junit(const GuardView& view);
/// GitLab's code quality report: an issue for each failure. Source files become relative to the
/// current folder; issues without one are at the first line of .gitlab-ci.yml.
std::string guard_code_quality(const GuardView& view);
/// A summary in Markdown, as GitHub shows it for a job.
std::string guard_markdown(const GuardView& view);

}  // namespace tracefold
