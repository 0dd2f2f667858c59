// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/call_reader.hpp"
#include "file/record_counts.hpp"
#include "model/event_table.hpp"
#include "questions/matrix/traffic_matrix.hpp"
#include "support/made_traces.hpp"
#include "support/sample_file.hpp"
#include "support/test_directory.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Cells = std::map<std::pair<u32, u32>, std::pair<u64, u64>>;

/// What the records say, one by one.
struct Unwound {
    Cells sent;
    Cells one_sided;
    std::map<std::pair<u32, u64>, std::pair<u64, u64>> collective;  ///< by rank and communicator
    std::map<u64, u64> sizes_sent;
    std::map<u64, u64> sizes_received;
    u64 collective_received = 0;

    explicit Unwound(TraceFile& file) : names_(file.definitions()) {
        for (u32 location = 0; location < file.location_count(); ++location) {
            const MappingTables tables = file.mapping_tables(location);
            drain(*file.events(location), [&](const RecordBatch& batch) {
                for (const auto& head : batch.heads()) {
                    add(file.definitions(), tables, names_.process(location),
                        static_cast<EventType>(head.type), batch.values(head));
                }
            });
        }
    }

  private:
    static void put(Cells& cells, u32 from, u32 to, u64 calls, u64 bytes) {
        auto& [count, sum] = cells[{from, to}];
        count += calls;
        sum += bytes;
    }

    void add(const DefinitionIndex& definitions, const MappingTables& tables, u32 me,
             EventType type, std::span<const u64> v) {
        const auto peer = [&](u64 comm, u64 rank) {
            return world_peer(definitions, comm, me, rank);
        };
        const auto of_window = [&](u64 window) {
            return definitions.window_communicator(tables.global(FieldKind::rma_win, window));
        };
        switch (type) {
            case EventType::MpiSend:
            case EventType::MpiIsend:
                put(sent, me, peer(tables.global(FieldKind::comm, v[1]), v[0]), 1, v[3]);
                ++sizes_sent[v[3]];
                break;
            case EventType::MpiRecv:
            case EventType::MpiIrecv:
                ++sizes_received[v[3]];
                break;
            case EventType::MpiCollectiveEnd:
            case EventType::NonBlockingCollectiveComplete: {
                auto& [count, sum] = collective[{me, tables.global(FieldKind::comm, v[1])}];
                ++count;
                sum += v[3];
                collective_received += v[4];
                break;
            }
            case EventType::RmaPut:
                put(one_sided, me, peer(of_window(v[0]), v[1]), 1, v[2]);
                break;
            case EventType::RmaGet:
                put(one_sided, peer(of_window(v[0]), v[1]), me, 1, v[2]);
                break;
            case EventType::RmaAtomic:
                put(one_sided, me, peer(of_window(v[0]), v[1]), 1, v[3]);
                if (v[4] != 0) put(one_sided, peer(of_window(v[0]), v[1]), me, 0, v[4]);
                break;
            default:
                break;
        }
    }

    ParticipantNames names_;
};

Cells cells_of(const TrafficMatrix& matrix) {
    Cells cells;
    for (const auto& [place, cell] : matrix.cells) {
        cells[{place.row, place.column}] = {cell.calls, cell.bytes};
    }
    return cells;
}

class TrafficTest : public ::testing::TestWithParam<const char*> {
  protected:
    TrafficTest()
        : file_(GetParam()),
          names_(file_->definitions()),
          counts_(file_->index()),
          all_(file_->location_count(), true),
          unwound_(*file_) {}

    TrafficMatrix matrix(TrafficKind kind, GroupBy by = GroupBy::rank) {
        return traffic_matrix(*file_, counts_, rank_groups(*file_, names_, by), all_, kind);
    }

    SampleFile file_;
    ParticipantNames names_;
    ExecutionCounts counts_;
    std::vector<bool> all_;
    Unwound unwound_;
};

TEST_P(TrafficTest, MessagesAreThoseOfTheRecords) {
    const TrafficMatrix messages = matrix(TrafficKind::point_to_point);
    EXPECT_EQ(cells_of(messages), unwound_.sent);
    u64 received = 0;
    for (const auto& [size, count] : unwound_.sizes_received) received += count;
    EXPECT_EQ(messages.received.calls, received);
    EXPECT_EQ(messages.unknown.calls, 0U);
}

TEST_P(TrafficTest, OneSidedTransfersAreThoseOfTheRecords) {
    EXPECT_EQ(cells_of(matrix(TrafficKind::one_sided)), unwound_.one_sided);
}

TEST_P(TrafficTest, CollectivePartsAreThoseOfTheRecords) {
    const TrafficMatrix parts = matrix(TrafficKind::collective);
    TrafficMatrix::Cell total;
    for (const auto& [place, cell] : unwound_.collective) total += {cell.first, cell.second};
    EXPECT_EQ(parts.total, total);
    EXPECT_EQ(parts.cells.size(), unwound_.collective.size());
    EXPECT_EQ(parts.received.bytes, unwound_.collective_received);
}

TEST_P(TrafficTest, GroupsAddUpToTheSame) {
    const TrafficMatrix by_rank = matrix(TrafficKind::point_to_point);
    const TrafficMatrix by_node = matrix(TrafficKind::point_to_point, GroupBy::node);
    const TrafficMatrix by_class = matrix(TrafficKind::point_to_point, GroupBy::rank_class);
    EXPECT_EQ(by_node.total, by_rank.total);
    EXPECT_EQ(by_class.total, by_rank.total);
    // The samples are from one machine, but TAU hangs every process on a node of its own.
    EXPECT_EQ(by_node.rows.size(), GetParam() == std::string("tau-colls-4") ? 4U : 1U);
}

TEST_P(TrafficTest, SizesAreThoseOfTheRecords) {
    std::map<u64, u64> sent;
    std::map<u64, u64> received;
    for (const auto& [key, histogram] : message_sizes(*file_, counts_, all_, true).histograms) {
        u64 bytes = 0;
        u64 in_classes = 0;
        for (const auto& [size, count] : histogram.exact) {
            bytes += size * count;
            if (key.kind == Transfer::Kind::send) sent[size] += count;
            if (key.kind == Transfer::Kind::receive) received[size] += count;
        }
        for (const auto& part : histogram.classes) in_classes += part.count;
        EXPECT_EQ(histogram.bytes, bytes);
        EXPECT_EQ(histogram.count, in_classes);
        EXPECT_EQ(histogram.smallest, histogram.exact.begin()->first);
        EXPECT_EQ(histogram.largest, histogram.exact.rbegin()->first);
    }
    EXPECT_EQ(sent, unwound_.sizes_sent);
    EXPECT_EQ(received, unwound_.sizes_received);
}

INSTANTIATE_TEST_SUITE_P(Samples, TrafficTest,
                         ::testing::Values("micro-anysrc-4", "micro-mpiio-4", "micro-omphyb-4",
                                           "micro-pcoll-4", "micro-rma-4",
                                           "micro-stencil2d9p-isend-4", "micro-user-4",
                                           "npb-lu.S-4", "tau-colls-4"),
                         sample_test_name<const char*>);

/// Windows of processing elements: of all of them, and of one by itself.
TEST(PeTrafficTest, WindowsBelongToProcesses) {
    testing::MadeTrace trace(testing::kTwoPes);
    testing::make_puts(trace);
    const TestDirectory directory;
    const std::string path = (directory / "pes.tfold").string();
    trace.fold(path);
    TraceFile file(path);
    ASSERT_EQ(file.definitions().process_kind(), ProcessKind::pe);
    const ParticipantNames names(file.definitions());
    ExecutionCounts counts(file.index());
    const RankGroups groups = rank_groups(file, names, GroupBy::rank);
    EXPECT_EQ(groups.labels, (std::vector<std::string>{"0", "1"}));
    const TrafficMatrix matrix =
        traffic_matrix(file, counts, groups, {true, true}, TrafficKind::one_sided);
    EXPECT_EQ(cells_of(matrix), (Cells{{{1, 0}, {1, 64}}, {{1, 1}, {1, 16}}}));
    EXPECT_EQ(matrix.unknown.calls, 0U);
}

TEST(SizeClassTest, RunsAreCutAtThePowersOfTwo) {
    std::vector<std::pair<std::size_t, ValueRun>> parts;
    const auto keep = [&parts](std::size_t size_class, const ValueRun& part) {
        parts.emplace_back(size_class, part);
    };
    split_by_class({0, 3, 5}, keep);  // 0 3 6 9 12
    ASSERT_EQ(parts.size(), 4U);
    EXPECT_EQ(parts[0], (std::pair<std::size_t, ValueRun>{0, {0, 3, 1}}));
    EXPECT_EQ(parts[1], (std::pair<std::size_t, ValueRun>{2, {3, 3, 1}}));
    EXPECT_EQ(parts[2], (std::pair<std::size_t, ValueRun>{3, {6, 3, 1}}));
    EXPECT_EQ(parts[3], (std::pair<std::size_t, ValueRun>{4, {9, 3, 2}}));
    parts.clear();
    split_by_class({10, ~u64{0}, 4}, keep);  // 10 9 8 7
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0], (std::pair<std::size_t, ValueRun>{3, {7, 1, 1}}));
    EXPECT_EQ(parts[1], (std::pair<std::size_t, ValueRun>{4, {8, 1, 3}}));
    parts.clear();
    split_by_class({~u64{0}, 0, 2}, keep);
    EXPECT_EQ(parts[0].first, 64U);
}

}  // namespace
}  // namespace tracefold
