// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/record_builder.hpp"

#include "support/definition_writer.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace tracefold {

namespace {

constexpr const char* kRegionNames[] = {
    "main",          "solve",       "MPI_Send",    "MPI_Recv",      "MPI_Isend",      "MPI_Irecv",
    "MPI_Wait",      "MPI_Waitall", "MPI_Waitany", "MPI_Testsome",  "MPI_Startall",   "MPI_Bcast",
    "MPI_Allreduce", "MPI_Ibcast",  "MPI_Put",     "MPI_Win_fence", "MPI_File_write", "MPI_Cancel",
};

/// "MpiSend(1, 0, 5, 8)": equal for equal records and only for them.
std::string record_text(Stream stream, const RecordBatch& batch, const RecordBatch::Head& head) {
    const RecordInfo& info = record_info(stream, head.type);
    std::string text(info.name);
    text.append("(");
    for (const u64 value : batch.values(head)) text.append(std::to_string(value)).append(", ");
    for (const Attribute& attribute : batch.attributes(head)) {
        text.append(" @").append(std::to_string(attribute.ref));
        text.append(":").append(std::to_string(attribute.type));
        text.append("=").append(std::to_string(attribute.value));
    }
    if (info.field_count != 0 && info.fields[info.field_count - 1U].kind == FieldKind::text) {
        text.append(batch.text(head, batch.values(head).back()));
    }
    return text.append(")");
}

/// Definitions in the order in which a producer writes them.
class WorldWriter : private DefinitionWriter {
  public:
    explicit WorldWriter(u32 ranks) : ranks_(ranks) {}

    RecordBatch write() {
        add(DefinitionType::ClockProperties, {1'000'000'000, 500, 100'000, ~u64{0}});
        add_regions();
        for (u32 rank = 0; rank <= ranks_; ++rank) {
            add(DefinitionType::LocationGroup, {10 + rank, string("MPI Rank"), 1, 0, kNone});
            add(DefinitionType::Location, {location_id(rank), string("Master"), 1, 50, 10 + rank});
        }
        add_groups();
        add_communicators();
        return std::move(batch());
    }

  private:
    static u64 location_id(u32 rank) { return 100 + 3 * u64{rank}; }

    void add_regions() {
        u64 region = 0;
        for (const char* name : kRegionNames) {
            const u64 ref = string(name);
            add(DefinitionType::Region, {region, ref, ref, ref, 0, kParadigmMpi, 0, 0, 0, 0});
            add(DefinitionType::CallingContext, {region, region, kNone, kNone});
            ++region;
        }
        add(DefinitionType::Attribute, {0, string("Offset"), 0, 4});
        add(DefinitionType::Parameter, {0, string("size"), 1});
    }

    void add_group(u64 self, u64 type, const std::vector<u64>& members) {
        add(DefinitionType::Group, {self, 0, type, kParadigmMpi, 0, members.size()});
        for (const u64 member : members) batch().push(member);
    }

    void add_groups() {
        std::vector<u64> locations;
        std::vector<u64> all;
        std::vector<u64> halves[2];
        for (u32 rank = 0; rank < ranks_; ++rank) {
            locations.push_back(location_id(rank));
            all.push_back(rank);
            halves[rank % 2].push_back(rank);
        }
        add_group(0, kGroupCommLocations, locations);
        add_group(1, kGroupCommGroup, all);
        add_group(2, kGroupCommSelf, {});
        add_group(3, kGroupCommGroup, halves[0]);
        add_group(4, kGroupCommGroup, halves[1]);
        std::reverse(all.begin(), all.end());
        add_group(5, kGroupCommGroup, all);
    }

    void add_communicators() {
        const u64 name = string("MPI_COMM_WORLD");
        const u64 groups[][2] = {{kWorld, 1},    {kSelf, 2},      {kEven, 3},    {kOdd, 4},
                                 {kReversed, 5}, {kLocations, 0}, {kNoGroup, 77}};
        for (const auto& [comm, group] : groups) {
            add(DefinitionType::Comm, {comm, name, group, kNone, 0});
        }
        add(DefinitionType::InterComm, {kInter, string("bridge"), 3, 4, kWorld, 0});
        add(DefinitionType::RmaWin, {kWorldWindow, name, kWorld, 0});
        add(DefinitionType::RmaWin, {kEvenWindow, name, kEven, 0});
    }

    u32 ranks_;
};

}  // namespace

RecordBuilder& RecordBuilder::event(EventType type, const std::vector<u64>& values,
                                    const std::vector<Attribute>& attributes) {
    batch_.begin(static_cast<u8>(type), time_);
    for (const u64 value : values) batch_.push(value);
    for (const Attribute& attribute : attributes) batch_.push_attribute(attribute);
    time_ += step_;
    return *this;
}

RecordBuilder& RecordBuilder::event(EventType type, std::initializer_list<u64> values,
                                    std::initializer_list<Attribute> attributes) {
    return event(type, std::vector<u64>(values), std::vector<Attribute>(attributes));
}

RecordBuilder& RecordBuilder::call(Region region, EventType type,
                                   std::initializer_list<u64> values) {
    return enter(region).event(type, values).leave(region);
}

RecordBuilder& RecordBuilder::isend(u64 peer, u64 comm, u64 tag, u64 bytes, u64 request) {
    return call(Region::isend, EventType::MpiIsend, {peer, comm, tag, bytes, request});
}

RecordBuilder& RecordBuilder::irecv(u64 request) {
    return call(Region::irecv, EventType::MpiIrecvRequest, {request});
}

RecordBuilder& RecordBuilder::received(u64 peer, u64 comm, u64 tag, u64 bytes, u64 request) {
    return event(EventType::MpiIrecv, {peer, comm, tag, bytes, request});
}

RecordBuilder& RecordBuilder::sent(u64 request) {
    return event(EventType::MpiIsendComplete, {request});
}

RecordBatch small_world_records(u32 ranks) { return WorldWriter(ranks).write(); }

SmallWorld::SmallWorld(u32 ranks) {
    definitions_.add(small_world_records(ranks));
    definitions_.finish();
}

MappingTables make_tables(const std::vector<std::pair<FieldKind, IdPairs>>& tables) {
    RecordBatch batch;
    for (const auto& [kind, pairs] : tables) {
        batch.begin(static_cast<u8>(DefinitionType::MappingTable));
        batch.push(static_cast<u64>(mapping_type(kind)));
        batch.push(0);
        batch.push(pairs.size());
        for (const auto& pair : pairs) batch.push(pair.first);
        for (const auto& pair : pairs) batch.push(pair.second);
    }
    MappingTables made;
    made.add(batch);
    return made;
}

::testing::AssertionResult same_records(Stream stream, const RecordBatch& expected,
                                        const RecordBatch& actual) {
    for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i) {
        const std::string left = record_text(stream, expected, expected[i]);
        const std::string right = record_text(stream, actual, actual[i]);
        if (left != right) {
            return ::testing::AssertionFailure()
                   << "record " << i << " is " << right << " and should be " << left;
        }
    }
    if (expected.size() == actual.size()) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << actual.size() << " records, and there should be " << expected.size();
}

}  // namespace tracefold
