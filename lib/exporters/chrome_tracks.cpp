// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/chrome_tracks.hpp"

namespace tracefold {

ChromeTracks::ChromeTracks(const DefinitionIndex& definitions)
    : definitions_(definitions), names_(definitions) {
    for (const ParticipantNames::Place& place : names_.numbered_places()) {
        tracks_.push_back({place.rank, place.thread});
    }
}

std::string ChromeTracks::place(u32 location) const {
    const auto [process, number] = tracks_[location];
    return "\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(number);
}

std::string ChromeTracks::counter_id(u32 location) const {
    const u32 number = tracks_[location].number;
    return number == 0 ? "" : ",\"id\":" + std::to_string(number);
}

std::string ChromeTracks::process_name(u32 location) const {
    const u32 rank = names_.place(location).rank;
    if (rank != kNone) return "MPI rank " + std::to_string(rank);
    return definitions_.location_group_name(
        definitions_.process_group(definitions_.locations()[location]));
}

void ChromeTracks::write_names(ChromeEvents& events) const {
    for (u32 location = 0; location < tracks_.size(); ++location) {
        const std::string at = place(location);
        if (tracks_[location].number == 0) {
            events.begin("M", at) << ",\"name\":\"process_name\",\"args\":{\"name\":";
            events.close_with_name(process_name(location));
            events.begin("M", at) << ",\"name\":\"process_sort_index\",\"args\":{"
                                     "\"sort_index\":"
                                  << tracks_[location].process << "}}";
        }
        events.begin("M", at) << ",\"name\":\"thread_name\",\"args\":{\"name\":";
        events.close_with_name(definitions_.string(definitions_.locations()[location].name));
    }
}

}  // namespace tracefold
