// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "names/participant_names.hpp"

#include <map>
#include <utility>

namespace tracefold {

namespace {

/// start, and from the outermost dimension inwards how far and how often it goes on.
struct Rsd {
    struct Dimension {
        u32 stride;
        u32 count;
        bool operator==(const Dimension&) const = default;
    };
    u32 start;
    std::vector<Dimension> dimensions;
};

/// Fewer equal parts than this are easier to read one by one.
constexpr std::size_t kLeastParts = 3;

/// How many items from `first` on have the same shape and lie at equal distances.
std::size_t equal_parts(const std::vector<Rsd>& items, std::size_t first) {
    std::size_t end = first + 1;
    while (end < items.size() && items[end].dimensions == items[first].dimensions &&
           items[end].start - items[end - 1].start == items[first + 1].start - items[first].start) {
        ++end;
    }
    return end - first;
}

/// One more dimension around equal items; false if there are none.
bool nest(std::vector<Rsd>& items) {
    std::vector<Rsd> nested;
    for (std::size_t i = 0; i < items.size();) {
        const std::size_t parts = items[i].dimensions.empty() ? 1 : equal_parts(items, i);
        Rsd item = items[i];
        if (parts >= kLeastParts) {
            const u32 stride = items[i + 1].start - items[i].start;
            item.dimensions.insert(item.dimensions.begin(), {stride, static_cast<u32>(parts)});
        }
        i += parts >= kLeastParts ? parts : 1;
        nested.push_back(std::move(item));
    }
    const bool changed = nested.size() < items.size();
    items = std::move(nested);
    return changed;
}

std::string text_of(const Rsd& rsd) {
    const bool nested = rsd.dimensions.size() > 1;
    std::string text = nested ? "<" : "";
    text += std::to_string(rsd.start);
    if (nested) {
        for (const Rsd::Dimension& dimension : rsd.dimensions) {
            text.append(",(").append(std::to_string(dimension.stride)).append(",");
            text.append(std::to_string(dimension.count)).append(")");
        }
        return text.append(">");
    }
    if (rsd.dimensions.empty()) return text;
    const auto [stride, count] = rsd.dimensions.front();
    const bool pair = count == 2 && stride != 1;
    text.append(pair ? "," : "-").append(std::to_string(rsd.start + stride * (count - 1)));
    if (stride != 1 && !pair) text.append(":").append(std::to_string(stride));
    return text;
}

std::string counted(const char* word, const ParticipantList& numbers) {
    return std::string(word) + (numbers.size() == 1 ? " " : "s ") + set_text(numbers);
}

}  // namespace

std::string set_text(const ParticipantList& numbers) {
    std::vector<Rsd> items;
    for (const ParticipantList::Run& run : numbers.runs()) {
        items.push_back({run.start, {}});
        if (run.count > 1) items.back().dimensions.push_back({run.stride, run.count});
    }
    while (nest(items)) {
    }
    std::string text;
    for (const Rsd& item : items) text.append(text.empty() ? "" : ",").append(text_of(item));
    return text;
}

ParticipantNames::ParticipantNames(const DefinitionIndex& definitions)
    : has_mpi_(definitions.world_size() != 0) {
    const std::vector<LocationDefinition>& locations = definitions.locations();
    rank_count_ = has_mpi_ ? definitions.world_size() : locations.size();
    for (u32 i = 0; i < locations.size(); ++i) places_.push_back({kNone, i});
    for (u32 rank = 0; rank < definitions.world_size(); ++rank) {
        u32 thread = 0;
        for (const u32 location : definitions.locations_of_rank(rank)) {
            places_[location] = {rank, thread++};
        }
    }
}

std::string ParticipantNames::label(u32 location) const {
    const Place& place = places_[location];
    if (place.rank == kNone) return std::string("@").append(std::to_string(place.thread));
    const std::string rank = std::to_string(place.rank);
    return place.thread == 0 ? rank : rank + "." + std::to_string(place.thread);
}

std::vector<bool> ParticipantNames::locations_of(const std::vector<u64>& ranks) const {
    std::vector<bool> wanted(rank_count_, false);
    for (const u64 rank : ranks) wanted[rank] = true;
    std::vector<bool> selected;
    for (const Place& place : places_) {
        const u32 rank = has_mpi_ ? place.rank : place.thread;
        selected.push_back(rank < wanted.size() && wanted[rank]);
    }
    return selected;
}

std::string ParticipantNames::text(const ParticipantList& participants) const {
    std::map<u32, std::vector<u32>> ranks_of_thread;
    std::vector<u32> others;
    for (const u32 location : participants.members()) {
        const Place& place = places_[location];
        if (place.rank == kNone) {
            others.push_back(place.thread);
        } else {
            ranks_of_thread[place.thread].push_back(place.rank);
        }
    }
    // Threads that the same ranks have go together.
    std::vector<std::pair<ParticipantList, ParticipantList>> parts;
    for (auto& [thread, members] : ranks_of_thread) {
        ParticipantList ranks(std::move(members));
        const bool joins =
            !parts.empty() && parts.back().second.first() != 0 && parts.back().first == ranks;
        if (!joins) parts.emplace_back(std::move(ranks), ParticipantList());
        parts.back().second.add(thread);
    }
    std::string text;
    for (const auto& [ranks, threads] : parts) {
        text.append(text.empty() ? "" : ", ").append(counted("rank", ranks));
        if (threads.first() != 0) text.append(" ").append(counted("thread", threads));
    }
    if (!others.empty()) {
        text.append(text.empty() ? "" : ", ");
        text += counted("location", ParticipantList(std::move(others)));
    }
    return text;
}

}  // namespace tracefold
