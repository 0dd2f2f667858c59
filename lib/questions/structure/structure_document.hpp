// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "file/call_names.hpp"
#include "model/participant_names.hpp"
#include "questions/structure/structure_listing.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace tracefold {

/// Calls `sink` with every script of events and its selected participants.
void for_each_script(ListingSource& source, const std::vector<bool>& selected,
                     const std::function<void(u32 script, const ParticipantList&)>& sink);

/// Writes the members `participants`, a text, and `locations`, runs [start, stride, count].
void write_participants(const ParticipantList& list, const ParticipantNames& names,
                        JsonWriter& json);

/// The written part of a script.
struct DocumentPart {
    std::size_t depth = 0;  ///< levels of loops and regions; 0: all
    bool arguments = true;
};

void write_script(const ListedScript& script, const ParticipantNames& participants,
                  const std::optional<LineTimes>& times, TickRate rate, const DocumentPart& part,
                  JsonWriter& json);

}  // namespace tracefold
