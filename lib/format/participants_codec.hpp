// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/bytes.hpp"
#include "model/participants.hpp"

namespace tracefold {

/// A set of participants as processes send it to each other: three varints per progression.
void put_participants(ByteWriter& out, const ParticipantList& list);

/// Throws Error(corrupt). Cost: linear in the members.
ParticipantList get_participants(ByteReader& in);

}  // namespace tracefold
