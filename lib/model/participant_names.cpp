// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/participant_names.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

/// A start, and distance and repetition count per dimension, outermost first.
struct Rsd {
    struct Dimension {
        u32 stride;
        u32 count;
        bool operator==(const Dimension&) const = default;
    };
    u32 start;
    std::vector<Dimension> dimensions;
};

/// Fewer equal parts are more readable one by one.
constexpr std::size_t kLeastParts = 3;

/// Counts the items from `first` on with the same shape and equal distances.
std::size_t equal_parts(const std::vector<Rsd>& items, std::size_t first) {
    std::size_t end = first + 1;
    while (end < items.size() && items[end].dimensions == items[first].dimensions &&
           items[end].start - items[end - 1].start == items[first + 1].start - items[first].start) {
        ++end;
    }
    return end - first;
}

/// Adds a dimension around equal items; false if there are none.
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
    : definitions_(definitions), has_mpi_(definitions.world_size() != 0) {
    const std::vector<LocationDefinition>& locations = definitions.locations();
    rank_count_ = has_mpi_ ? definitions.world_size() : locations.size();
    std::vector<std::pair<u32, u32>> owned;  // rank, location of another group
    places_.reserve(locations.size());
    for (u32 i = 0; i < locations.size(); ++i) {
        places_.push_back({kNone, i});
        if (definitions.world_rank(locations[i])) continue;
        if (const std::optional<u32> owner = definitions.owner_rank(locations[i])) {
            owned.emplace_back(*owner, i);
        }
    }
    std::ranges::sort(owned);
    std::vector<u32> all;
    auto others = owned.begin();
    for (u32 rank = 0; rank < definitions.world_size(); ++rank) {
        const std::span<const u32> own = definitions.locations_of_rank(rank);
        all.assign(own.begin(), own.end());
        for (; others != owned.end() && others->first == rank; ++others) {
            all.push_back(others->second);
        }
        place_locations_of(rank, all);
    }
    name_locations();
}

void ParticipantNames::place_locations_of(u32 rank, std::vector<u32>& locations) {
    const auto order = [this](u32 location) {
        const LocationDefinition& it = definitions_.locations()[location];
        return it.is_thread() ? 0 : it.is_stream() ? 1 : 2;
    };
    // The location that represents the rank stays first.
    if (locations.size() > 1) {
        std::stable_sort(locations.begin() + 1, locations.end(),
                         [&order](u32 a, u32 b) { return order(a) < order(b); });
    }
    for (u32 thread = 0; thread < locations.size(); ++thread) {
        places_[locations[thread]] = {rank, thread};
    }
}

/// Returns "" if the definitions have no name.
std::string ParticipantNames::own_name(u32 location) const {
    const std::string& name = definitions_.string(definitions_.locations()[location].name);
    return name == "?" ? "" : name;
}

/// Names shared by several locations get a number.
void ParticipantNames::name_locations() {
    std::unordered_map<std::string, u32> count;
    for (u32 location = 0; location < places_.size(); ++location) {
        const LocationDefinition& it = definitions_.locations()[location];
        const Place& place = places_[location];
        const bool has_rank = place.rank != kNone;
        if (has_rank && (it.is_thread() || place.thread == 0)) continue;
        std::string name = own_name(location);
        if (!name.empty() && has_rank) name.insert(0, std::to_string(place.rank) + " ");
        if (!name.empty()) ++count[name];
        labels_.emplace(location, std::move(name));
    }
    for (auto& [location, label] : labels_) {
        const Place& place = places_[location];
        const bool is_unique = !label.empty() && count[label] == 1;
        if (is_unique) continue;
        label.append(label.empty() ? "" : " ");
        if (place.rank == kNone) {
            label += "@" + std::to_string(place.thread);
        } else {
            label += std::to_string(place.rank) + "." + std::to_string(place.thread);
        }
    }
}

std::vector<ParticipantNames::Place> ParticipantNames::numbered_places() const {
    std::vector<Place> numbered = places_;
    std::unordered_map<u64, u32> others;  // location groups that are not processes
    std::unordered_map<u32, u32> used;    // number of threads by process
    for (u32 i = 0; i < numbered.size(); ++i) {
        if (numbered[i].rank != kNone) continue;
        u32 number = process(i);
        if (number == kNone) {
            const u64 group = definitions_.process_group(definitions_.locations()[i]);
            const auto next = static_cast<u32>(definitions_.process_count() + others.size());
            number = others.try_emplace(group, next).first->second;
        }
        numbered[i] = {number, used[number]++};
    }
    return numbered;
}

std::string ParticipantNames::label(u32 location) const {
    const auto named = labels_.find(location);
    if (named != labels_.end()) return named->second;
    const Place& place = places_[location];
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
    std::map<std::string, std::vector<u32>> ranks_of_name;
    std::vector<u32> others;
    for (const u32 location : participants.members()) {
        const Place& place = places_[location];
        const LocationDefinition& it = definitions_.locations()[location];
        if (place.rank == kNone) {
            others.push_back(place.thread);
        } else if (it.is_thread() || place.thread == 0) {
            ranks_of_thread[place.thread].push_back(place.rank);
        } else {
            ranks_of_name[own_name(location)].push_back(place.rank);
        }
    }
    // Groups threads that exist on the same ranks.
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
    for (auto& [name, members] : ranks_of_name) {
        text.append(text.empty() ? "" : ", ").append(name.empty() ? "other locations" : name);
        text.append(" of ").append(counted("rank", ParticipantList(std::move(members))));
    }
    if (!others.empty()) {
        text.append(text.empty() ? "" : ", ");
        text += counted("location", ParticipantList(std::move(others)));
    }
    return text;
}

}  // namespace tracefold
