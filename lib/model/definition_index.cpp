// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/definition_index.hpp"

#include "base/error.hpp"
#include "model/definition_table.hpp"
#include "model/mpi_function.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

const std::string kUnknown = "?";

/// Some recorders do not set the paradigm of MPI functions.
constexpr u64 kParadigmUnknown = 0;

constexpr u64 kClassProcess = 0;      // OTF2_PARADIGM_CLASS_PROCESS
constexpr u64 kClassAccelerator = 3;  // OTF2_PARADIGM_CLASS_ACCELERATOR

/// The name prefix of TAU's metrics for collective sizes.
constexpr std::string_view kSizeMetric = "Message size for ";

std::optional<u32> number_in(const IdMap& numbers, u64 key) {
    const std::optional<u64> number = numbers.find(key);
    return number ? std::optional(static_cast<u32>(*number)) : std::nullopt;
}

/// Returns a reference or an enumeration value, which OTF2 stores in at most 32 bits.
u32 narrow(u64 value) {
    if (value > kNone)
        throw Error(ErrorKind::corrupt, "a location has a reference of over 32 bits");
    return static_cast<u32>(value);
}

}  // namespace

void DefinitionIndex::add(const RecordBatch& batch) {
    for (const RecordBatch::Head& head : batch.heads()) add_record(batch, head);
}

void DefinitionIndex::add_record(const RecordBatch& batch, const RecordBatch::Head& head) {
    const auto v = batch.values(head);
    switch (static_cast<DefinitionType>(head.type)) {
        case DefinitionType::ClockProperties:
            timer_resolution_ = v[0];
            clock_offset_ = v[1];
            break;
        case DefinitionType::String:
            string_numbers_.set(v[0], strings_.size());
            strings_.emplace_back(batch.text(head, v[1]));
            break;
        case DefinitionType::Region:
            regions_.set(v[0], v[1]);
            region_kinds_[v[0]] = {RegionRole{v[4]}, v[5]};
            if (v[5] == kParadigmMpi ||
                (v[5] == kParadigmUnknown && !mpi_function_name(string(v[1])).empty())) {
                mpi_regions_.insert(v[0]);
            }
            break;
        case DefinitionType::Attribute:
            attributes_.set(v[0], v[1]);
            break;
        case DefinitionType::LocationGroup:
            location_groups_.set(v[0], v[1]);
            if (v[4] != kNone) creators_.set(v[0], v[4]);
            break;
        case DefinitionType::Paradigm:
            if (v[2] == kClassAccelerator) accelerator_paradigms_.insert(v[0]);
            if (v[2] == kClassProcess) process_paradigms_.insert(v[0]);
            break;
        case DefinitionType::Location:
            locations_.push_back({v[0], v[3], narrow(v[1]), narrow(v[4]), narrow(v[2])});
            break;
        case DefinitionType::CallingContext:
            contexts_[v[0]] = {v[1], v[3]};
            break;
        case DefinitionType::Group:
            groups_[v[0]] = {v[2], v[3], *member_lists_.emplace(v.begin() + 6, v.end()).first};
            // An archive has one such group; of several, the last definition wins.
            if (!is_group_of_all_ranks(v[2])) break;
            if (v[3] != kParadigmMpi) {
                all_of_paradigm_[v[3]] = v[0];
                break;
            }
            // An archive should not have both kinds; the group of locations is more precise.
            if (v[2] == kGroupCommLocationGroups && !ranks_are_groups_ && !world_.empty()) break;
            world_ = groups_[v[0]].members;
            ranks_are_groups_ = v[2] == kGroupCommLocationGroups;
            break;
        case DefinitionType::Comm:
            communicators_[v[0]] = {v[1], v[2], 0, v[3], false};
            break;
        case DefinitionType::InterComm:
            communicators_[v[0]] = {v[1], v[2], v[3], v[4], true};
            break;
        case DefinitionType::MetricMember:
            metric_members_.set(v[0], v[1]);
            break;
        case DefinitionType::MetricClass:
            if (v[1] != 0) metric_classes_[v[0]] = v[2];
            break;
        case DefinitionType::IoParadigm:
            io_paradigms_.set(v[0], v[1]);
            break;
        case DefinitionType::IoHandle:
            io_handles_.set(v[0], v[3]);
            break;
        case DefinitionType::RmaWin:
            windows_[v[0]] = static_cast<u32>(v[2]);
            break;
        default:
            break;
    }
}

void DefinitionIndex::find_ranks_of_groups() {
    IdMap group_of;
    for (const LocationDefinition& location : locations_) group_of.set(location.id, location.group);
    for (u32 rank = 0; rank < world_.size(); ++rank) {
        if (ranks_are_groups_) {
            rank_of_group_.add(world_[rank], rank);
        } else if (const std::optional<u64> group = group_of.find(world_[rank])) {
            rank_of_group_.add(*group, rank);
        }
    }
}

void DefinitionIndex::find_only_communicator() {
    const std::size_t least = world_.size() < 2 ? 1 : 2;
    u64 found = kNone;
    for (const auto& [id, comm] : communicators_) {
        const GroupDefinition* members = group(comm.group);
        const bool is_process_group =
            members != nullptr && members->paradigm == kParadigmMpi &&
            (is_group_of_all_ranks(members->type) || members->type == kGroupCommGroup);
        if (comm.inter || !is_process_group || members->members.size() < least) continue;
        if (found != kNone) return;
        found = id;
    }
    only_communicator_ = found;
}

void DefinitionIndex::find_size_metrics() {
    for (const auto& [metric, member] : metric_classes_) {
        if (name_in(metric_members_, member).starts_with(kSizeMetric)) size_metrics_.insert(metric);
    }
}

void DefinitionIndex::find_locations_of_ranks() {
    first_of_rank_.assign(world_.size() + 1, 0);
    for (const LocationDefinition& location : locations_) {
        if (const std::optional<u32> rank = world_rank(location)) ++first_of_rank_[*rank + 1];
    }
    std::partial_sum(first_of_rank_.begin(), first_of_rank_.end(), first_of_rank_.begin());
    locations_of_ranks_.resize(first_of_rank_.back());
    std::vector<u32> next = first_of_rank_;
    for (u32 location = 0; location < locations_.size(); ++location) {
        const std::optional<u32> rank = world_rank(locations_[location]);
        if (rank) locations_of_ranks_[next[*rank]++] = location;
    }
    for (u32 rank = 0; rank < world_.size(); ++rank) {
        if (first_of_rank_[rank] == first_of_rank_[rank + 1]) continue;
        const auto own = locations_of_ranks_.begin() + first_of_rank_[rank];
        const auto first = own + static_cast<std::ptrdiff_t>(first_location(rank));
        std::rotate(own, first, first + 1);
    }
}

/// Index of the first location among those of the rank.
std::size_t DefinitionIndex::first_location(u32 rank) const {
    constexpr u64 kCpuThread = 1;
    const std::span<const u32> own = locations_of_rank(rank);
    std::size_t best = 0;
    const auto rating = [this, rank](u32 location) {
        const LocationDefinition& it = locations_[location];
        if (!ranks_are_groups_) return it.id == world_[rank] ? 1 : 0;
        if (it.type != kCpuThread) return 0;
        return it.event_count == 0 ? 1 : 2;
    };
    for (std::size_t i = 1; i < own.size(); ++i) {
        if (rating(own[i]) > rating(own[best])) best = i;
    }
    return best;
}

void DefinitionIndex::finish() {
    find_ranks_of_groups();
    find_locations_of_ranks();
    find_processes();
    find_only_communicator();
    find_size_metrics();
}

std::string DefinitionIndex::definition_of_rank(u32 rank) const {
    return (ranks_are_groups_ ? "location group " : "location ") + std::to_string(world_[rank]);
}

std::optional<u32> DefinitionIndex::world_rank(const LocationDefinition& location) const {
    return number_in(rank_of_group_, location.group);
}

std::optional<u32> DefinitionIndex::owner_rank(const LocationDefinition& location) const {
    if (const std::optional<u32> rank = world_rank(location)) return rank;
    return number_in(rank_of_group_, process_group(location));
}

u64 DefinitionIndex::process_group(const LocationDefinition& location) const {
    return creators_.at(location.group);
}

AcceleratorUse DefinitionIndex::accelerator_use(u64 region, bool on_stream) const {
    const auto found = region_kinds_.find(region);
    if (found == region_kinds_.end()) {
        return on_stream ? AcceleratorUse::kernel : AcceleratorUse::none;
    }
    const auto [role, paradigm] = found->second;
    if (on_stream) return use_on_stream(region_name(region), role);
    if (is_mpi_region(region)) return AcceleratorUse::none;
    const bool of_accelerator =
        is_accelerator_paradigm(paradigm) || accelerator_paradigms_.contains(paradigm);
    return use_on_host(region_name(region), role, of_accelerator);
}

const std::string& DefinitionIndex::string(u64 ref) const {
    const std::optional<u64> number = string_numbers_.find(ref);
    return number ? strings_[*number] : kUnknown;
}

const std::string& DefinitionIndex::name_in(const IdMap& names, u64 key) const {
    const std::optional<u64> name = names.find(key);
    return name ? string(*name) : kUnknown;
}

RegionRole DefinitionIndex::region_role(u64 region) const {
    const auto found = region_kinds_.find(region);
    return found == region_kinds_.end() ? RegionRole::unknown : found->second.role;
}

const std::string& DefinitionIndex::region_name(u64 region) const {
    return name_in(regions_, region);
}

bool DefinitionIndex::is_mpi_file(u64 io_handle) const {
    const std::optional<u64> paradigm = io_handles_.find(io_handle);
    return paradigm && is_mpi_io(*paradigm);
}

bool DefinitionIndex::is_mpi_io(u64 io_paradigm) const {
    return name_in(io_paradigms_, io_paradigm) == "MPI-IO";
}

u64 DefinitionIndex::region_of_context(u64 calling_context) const {
    const auto found = contexts_.find(calling_context);
    return found == contexts_.end() ? kNone : found->second.region;
}

std::vector<u64> DefinitionIndex::regions_of_context(u64 calling_context) const {
    std::vector<u64> regions;
    for (auto at = contexts_.find(calling_context);
         at != contexts_.end() && regions.size() <= contexts_.size();
         at = contexts_.find(at->second.parent)) {
        regions.push_back(at->second.region);
    }
    std::ranges::reverse(regions);
    return regions;
}

const std::string& DefinitionIndex::communicator_name(u64 comm) const {
    const auto found = communicators_.find(comm);
    return found == communicators_.end() ? kUnknown : string(found->second.name);
}

const std::string& DefinitionIndex::location_group_name(u64 group) const {
    return name_in(location_groups_, group);
}

const std::string& DefinitionIndex::attribute_name(u64 attribute) const {
    return name_in(attributes_, attribute);
}

u32 DefinitionIndex::window_communicator(u64 window) const {
    const auto found = windows_.find(window);
    return found == windows_.end() ? kNone : found->second;
}

bool DefinitionIndex::is_mpi_communicator(u64 comm) const {
    const CommunicatorDefinition* found = communicator(comm);
    const GroupDefinition* members = found == nullptr ? nullptr : group(found->group);
    return members == nullptr || members->paradigm == kParadigmMpi ||
           members->paradigm == kParadigmUnknown;
}

std::optional<u32> DefinitionIndex::rank_of_member(u64 paradigm, u64 member) const {
    const auto all = all_of_paradigm_.find(paradigm);
    const GroupDefinition* const ranks =
        all == all_of_paradigm_.end() ? nullptr : group(all->second);
    if (ranks == nullptr || member >= ranks->members.size()) return std::nullopt;
    const u32 location = location_of_member(*ranks, ranks->members[member]);
    return location == kNone ? std::nullopt : owner_rank(locations_[location]);
}

const CommunicatorDefinition* DefinitionIndex::communicator(u64 comm) const {
    const auto found = communicators_.find(comm);
    return found == communicators_.end() ? nullptr : &found->second;
}

const GroupDefinition* DefinitionIndex::group(u64 group) const {
    const auto found = groups_.find(group);
    return found == groups_.end() ? nullptr : &found->second;
}

std::optional<u32> DefinitionIndex::rank_in(const GroupDefinition& group, u32 me) {
    if (group.type == kGroupCommSelf) return 0;
    if (is_group_of_all_ranks(group.type)) return me;
    if (group.type != kGroupCommGroup) return std::nullopt;
    // Fast path: most groups list their ranks in order.
    if (me < group.members.size() && group.members[me] == me) return me;
    const auto found = std::find(group.members.begin(), group.members.end(), u64{me});
    if (found == group.members.end()) return std::nullopt;
    return static_cast<u32>(found - group.members.begin());
}

RankView DefinitionIndex::view(u64 comm, u32 me) const {
    const auto found = communicators_.find(comm);
    if (found == communicators_.end()) return {};
    const auto local = groups_.find(found->second.group);
    if (local == groups_.end()) return {};
    const auto size_of = [](const GroupDefinition& group) {
        return group.type == kGroupCommSelf ? 1U : static_cast<u32>(group.members.size());
    };
    const std::optional<u32> rank = rank_in(local->second, me);
    if (!found->second.inter) return rank ? RankView{*rank, size_of(local->second)} : RankView{};
    const auto remote = groups_.find(found->second.remote);
    if (remote == groups_.end()) return {};
    if (rank) return {*rank, size_of(remote->second)};
    const std::optional<u32> other = rank_in(remote->second, me);
    return other ? RankView{*other, size_of(local->second)} : RankView{};
}

// The processes of a program, of any paradigm.

namespace {

/// Marks a member whose location is not defined.
constexpr u64 kUnknownProcess = ~u64{0};

}  // namespace

bool DefinitionIndex::is_process_paradigm(u64 paradigm) const {
    constexpr u64 kGaspi = 11;
    constexpr u64 kUpc = 12;
    constexpr u64 kShmem = 13;
    return paradigm == kGaspi || paradigm == kUpc || paradigm == kShmem ||
           (paradigm != kParadigmMpi && process_paradigms_.contains(paradigm));
}

/// Numbers the location groups of members as processes; numbers none if two members share one.
void DefinitionIndex::number_members(const GroupDefinition& all) {
    for (const u64 member : all.members) {
        const u32 location = location_of_member(all, member);
        const u64 group = location == kNone ? kUnknownProcess : locations_[location].group;
        process_groups_.push_back(group);
        if (group == kUnknownProcess) continue;
        const auto number = static_cast<u32>(process_groups_.size() - 1);
        if (process_of_group_.add(group, number)) continue;
        process_of_group_ = {};
        process_groups_.clear();
        return;
    }
}

void DefinitionIndex::find_processes() {
    if (!all_of_paradigm_.empty()) {
        for (u32 i = 0; i < locations_.size(); ++i) {
            location_numbers_.add(locations_[i].id, i);
            group_locations_.add(locations_[i].group, i);
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
            if (process_of_group_.add(location.group, next)) {
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
    return number_in(is_group ? group_locations_ : location_numbers_, member).value_or(kNone);
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
    if (const std::optional<u32> own = number_in(process_of_group_, location.group)) return own;
    return number_in(process_of_group_, process_group(location));
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
