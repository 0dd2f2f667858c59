// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/definition_builder.hpp"

#include "model/definition_table.hpp"

#include <numeric>

namespace tracefold {

namespace {

u8 code(DefinitionType type) { return static_cast<u8>(type); }

}  // namespace

DefinitionBuilder::DefinitionBuilder(u32 ranks) {
    empty_string_ = string("");
    add(code(DefinitionType::ClockProperties), {1'000'000'000, 0, 100'000, ~u64{0}});
    std::vector<u64> all(ranks);
    std::iota(all.begin(), all.end(), u64{0});
    for (const u64 rank : all) {
        add(code(DefinitionType::LocationGroup), {rank, empty_string_, 1, 0, kNone});
        add(code(DefinitionType::Location), {rank, empty_string_, 1, 0, rank});
    }
    add_group(kGroupCommLocations, all);
    self_group_ = add_group(kGroupCommSelf, {});
    comm(all, kNone);
    self_like();
    add(code(DefinitionType::IoParadigm), {0, string("MPI-IO"), empty_string_, 1, 0, 0});
}

u64 DefinitionBuilder::string(std::string_view text) {
    batch_.begin(code(DefinitionType::String));
    batch_.push(strings_);
    batch_.push_text(text);
    return strings_++;
}

void DefinitionBuilder::add(u8 type, std::initializer_list<u64> values) {
    batch_.begin(type);
    for (const u64 value : values) batch_.push(value);
}

u64 DefinitionBuilder::add_group(u64 type, const std::vector<u64>& members) {
    add(code(DefinitionType::Group),
        {groups_, empty_string_, type, kParadigmMpi, 0, members.size()});
    for (const u64 member : members) batch_.push(member);
    return groups_++;
}

u64 DefinitionBuilder::group(const std::vector<u64>& world_ranks) {
    return add_group(kGroupCommGroup, world_ranks);
}

u64 DefinitionBuilder::comm(const std::vector<u64>& world_ranks, u64 parent) {
    const u64 members = group(world_ranks);
    add(code(DefinitionType::Comm), {comms_, empty_string_, members, parent, 1});
    return comms_++;
}

u64 DefinitionBuilder::self_like() {
    add(code(DefinitionType::Comm), {comms_, empty_string_, self_group_, kNone, 1});
    return comms_++;
}

u64 DefinitionBuilder::inter(const std::vector<u64>& side_a, const std::vector<u64>& side_b,
                             u64 parent) {
    const u64 a = group(side_a);
    const u64 b = group(side_b);
    add(code(DefinitionType::InterComm), {comms_, empty_string_, a, b, parent, 1});
    return comms_++;
}

void DefinitionBuilder::cart(u64 comm, const std::vector<std::pair<u32, bool>>& shape,
                             bool is_part) {
    const u64 first = dimensions_;
    for (const auto& [size, periodic] : shape) {
        add(code(DefinitionType::CartDimension),
            {dimensions_++, empty_string_, size, periodic ? 1U : 0U});
    }
    const u64 name = string(is_part ? "Sub MPI_Cartesian" : "MPI_Cartesian");
    add(code(DefinitionType::CartTopology), {topologies_++, name, comm, shape.size()});
    for (u64 dimension = first; dimension < dimensions_; ++dimension) batch_.push(dimension);
}

u64 DefinitionBuilder::window(u64 comm) {
    add(code(DefinitionType::RmaWin), {windows_, empty_string_, comm, 1});
    return windows_++;
}

u64 DefinitionBuilder::file_handle(u64 file, u64 comm) {
    add(code(DefinitionType::IoHandle), {handles_, empty_string_, file, 0, 0, comm, kNone});
    return handles_++;
}

DefinitionIndex DefinitionBuilder::index() const {
    DefinitionIndex index;
    index.add(batch_);
    index.finish();
    return index;
}

}  // namespace tracefold
