// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
// The processes of a program, whatever numbers them.
#include "model/definition_index.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Of a member whose location is not defined.
constexpr u64 kUnknownProcess = ~u64{0};

}  // namespace

bool DefinitionIndex::is_process_paradigm(u64 paradigm) const {
    constexpr u64 kGaspi = 11;
    constexpr u64 kUpc = 12;
    constexpr u64 kShmem = 13;
    return paradigm == kGaspi || paradigm == kUpc || paradigm == kShmem ||
           (paradigm != kParadigmMpi && process_paradigms_.contains(paradigm));
}

/// Members that share a location group, or have none, do not make it a process of its own.
void DefinitionIndex::number_members(const GroupDefinition& all) {
    for (const u64 member : all.members) {
        const u32 location = location_of_member(all, member);
        const u64 group = location == kNone ? kUnknownProcess : locations_[location].group;
        process_groups_.push_back(group);
        if (group == kUnknownProcess) continue;
        const auto number = static_cast<u32>(process_groups_.size() - 1);
        if (process_of_group_.emplace(group, number).second) continue;
        process_of_group_.clear();
        process_groups_.clear();
        return;
    }
}

void DefinitionIndex::find_processes() {
    if (!all_of_paradigm_.empty()) {
        for (u32 i = 0; i < locations_.size(); ++i) {
            location_numbers_.emplace(locations_[i].id, i);
            group_locations_.emplace(locations_[i].group, i);
        }
    }
    process_count_ = world_size();
    if (process_count_ != 0) return;
    for (const auto& [paradigm, all] : all_of_paradigm_) {
        if (!is_process_paradigm(paradigm)) continue;
        number_members(groups_[all]);
        process_kind_ = ProcessKind::pe;
        if (!process_groups_.empty()) break;
    }
    if (process_groups_.empty()) {
        process_kind_ = ProcessKind::group;
        for (const LocationDefinition& location : locations_) {
            const auto next = static_cast<u32>(process_groups_.size());
            if (!location.is_thread()) continue;
            if (process_of_group_.emplace(location.group, next).second) {
                process_groups_.push_back(location.group);
            }
        }
    }
    process_count_ = static_cast<u32>(process_groups_.size());
    name_processes();
}

void DefinitionIndex::name_processes() {
    std::unordered_map<std::string, u32> uses;
    for (const u64 group : process_groups_) ++uses[location_group_name(group)];
    for (u32 i = 0; i < process_groups_.size(); ++i) {
        const std::string& name = location_group_name(process_groups_[i]);
        const std::string number = std::to_string(i);
        const bool is_named = process_kind_ == ProcessKind::group && !name.empty() && name != "?";
        process_names_.push_back(!is_named         ? number
                                 : uses[name] == 1 ? name
                                                   : name + " @" + number);
    }
}

u32 DefinitionIndex::location_of_member(const GroupDefinition& group, u64 member) const {
    const bool is_group = group.type == kGroupCommLocationGroups;
    const auto& numbers = is_group ? group_locations_ : location_numbers_;
    const auto found = numbers.find(member);
    return found == numbers.end() ? kNone : found->second;
}

u32 DefinitionIndex::member_location(u64 comm, u32 me, u64 peer) const {
    const CommunicatorDefinition* const found = communicator(comm);
    const GroupDefinition* members = found == nullptr ? nullptr : group(found->group);
    if (members == nullptr) return kNone;
    if (members->type == kGroupCommSelf) return peer == 0 ? me : kNone;
    if (peer >= members->members.size()) return kNone;
    u64 member = members->members[peer];
    if (members->type == kGroupCommGroup) {
        const auto all = all_of_paradigm_.find(members->paradigm);
        members = all == all_of_paradigm_.end() ? nullptr : group(all->second);
        if (members == nullptr || member >= members->members.size()) return kNone;
        member = members->members[member];
    }
    if (members->type != kGroupLocations && !is_group_of_all_ranks(members->type)) return kNone;
    return location_of_member(*members, member);
}

std::optional<u32> DefinitionIndex::process(const LocationDefinition& location) const {
    if (!world_.empty()) return owner_rank(location);
    auto found = process_of_group_.find(location.group);
    if (found == process_of_group_.end()) {
        found = process_of_group_.find(process_group(location));
    }
    if (found == process_of_group_.end()) return std::nullopt;
    return found->second;
}

std::string DefinitionIndex::process_name(u32 process) const {
    return process_names_.empty() ? std::to_string(process) : process_names_[process];
}

bool DefinitionIndex::is_other_communication(u64 region) const {
    const auto found = region_kinds_.find(region);
    if (found == region_kinds_.end() || is_mpi_region(region)) return false;
    return is_process_paradigm(found->second.paradigm) || is_communication(found->second.role);
}

}  // namespace tracefold
