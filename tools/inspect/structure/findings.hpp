// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "model/participant_names.hpp"
#include "questions/structure/findings.hpp"

namespace tracefold {

/// What was found out about the program, a line each; nothing about what was not found.
void print_findings(const Findings& findings, const ParticipantNames& names, Console& console);

/// The same as the value of a key that was just written.
void write_findings(const Findings& findings, const ParticipantNames& names, JsonWriter& json);

}  // namespace tracefold
