// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/definition_builder.hpp"

#include <numeric>

namespace tracefold {

DefinitionBuilder::DefinitionBuilder(u32 ranks) {
    empty_string_ = string("");
    add(DefinitionType::ClockProperties, {1'000'000'000, 0, 100'000, ~u64{0}});
    std::vector<u64> all(ranks);
    std::iota(all.begin(), all.end(), u64{0});
    for (const u64 rank : all) {
        add(DefinitionType::LocationGroup, {rank, empty_string_, 1, 0, kNone});
        add(DefinitionType::Location, {rank, empty_string_, 1, 0, rank});
    }
    add_group(kGroupCommLocations, all);
    self_group_ = add_group(kGroupCommSelf, {});
    comm(all, kNone);
    self_like();
    add(DefinitionType::IoParadigm, {0, string("MPI-IO"), empty_string_, 1, 0, 0});
}

u64 DefinitionBuilder::add_group(u64 type, const std::vector<u64>& members) {
    add(DefinitionType::Group, {groups_, empty_string_, type, kParadigmMpi, 0, members.size()});
    for (const u64 member : members) batch().push(member);
    return groups_++;
}

u64 DefinitionBuilder::group(const std::vector<u64>& world_ranks) {
    return add_group(kGroupCommGroup, world_ranks);
}

u64 DefinitionBuilder::comm(const std::vector<u64>& world_ranks, u64 parent) {
    const u64 members = group(world_ranks);
    add(DefinitionType::Comm, {comms_, empty_string_, members, parent, 1});
    return comms_++;
}

u64 DefinitionBuilder::self_like() {
    add(DefinitionType::Comm, {comms_, empty_string_, self_group_, kNone, 1});
    return comms_++;
}

u64 DefinitionBuilder::inter(const std::vector<u64>& side_a, const std::vector<u64>& side_b,
                             u64 parent) {
    const u64 a = group(side_a);
    const u64 b = group(side_b);
    add(DefinitionType::InterComm, {comms_, empty_string_, a, b, parent, 1});
    return comms_++;
}

void DefinitionBuilder::cart(u64 comm, const std::vector<std::pair<u32, bool>>& shape,
                             bool is_part) {
    const u64 first = dimensions_;
    for (const auto& [size, periodic] : shape) {
        add(DefinitionType::CartDimension,
            {dimensions_++, empty_string_, size, periodic ? 1U : 0U});
    }
    const u64 name = string(is_part ? "Sub MPI_Cartesian" : "MPI_Cartesian");
    add(DefinitionType::CartTopology, {topologies_++, name, comm, shape.size()});
    for (u64 dimension = first; dimension < dimensions_; ++dimension) batch().push(dimension);
}

u64 DefinitionBuilder::window(u64 comm) {
    add(DefinitionType::RmaWin, {windows_, empty_string_, comm, 1});
    return windows_++;
}

u64 DefinitionBuilder::file_handle(u64 file, u64 comm) {
    add(DefinitionType::IoHandle, {handles_, empty_string_, file, 0, 0, comm, kNone});
    return handles_++;
}

DefinitionIndex DefinitionBuilder::index() const {
    DefinitionIndex index;
    index.add(batch());
    index.finish();
    return index;
}

}  // namespace tracefold
