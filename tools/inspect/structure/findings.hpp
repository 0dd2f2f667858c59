// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "model/participant_names.hpp"
#include "questions/structure/findings.hpp"

namespace tracefold {

/// Prints the findings about the program, one line each; omits missing ones.
void print_findings(const Findings& findings, const ParticipantNames& names, Console& console);

/// Writes the findings as the value of the preceding key.
void write_findings(const Findings& findings, const ParticipantNames& names, JsonWriter& json);

}  // namespace tracefold
