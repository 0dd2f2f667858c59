// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/schedule.hpp"
#include "support/random_source.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include <gtest/gtest.h>

// Whatever the operation, its sizes and its members: every message has two ends, nobody waits for
// ever, and the data get to where they have to be.
namespace tracefold {
namespace {

using Kind = CollectiveKind;
using Schedules = std::vector<std::vector<ScheduledMessage>>;
/// Whose data each member has.
using Knowledge = std::vector<std::vector<bool>>;

constexpr u32 kKinds = static_cast<u32>(Kind::reduce_scatter_block) + 1;

/// Records as OTF2 has them, of an operation with block sizes or a matrix drawn by chance.
class RandomOperation {
  public:
    RandomOperation(RandomSource& random, Kind kind, u32 first, u32 second) : random_(random) {
        records.kind = kind;
        records.first_side = first;
        const u32 all = first + second;
        records.root = has_root(kind) ? static_cast<u32>(random.below(all)) : kNone;
        records.sizes.assign(all, {});
        if (kind == Kind::alltoallv || kind == Kind::alltoallw) {
            draw_matrix();
        } else {
            // Whatever is recorded, a schedule comes out; equal numbers make sense of most kinds.
            const u64 bytes = random.below(3) == 0 ? 0 : random.below(100'000) * all;
            for (Contribution& one : records.sizes) one = {bytes, bytes};
        }
    }

    CollectiveRecords records;
    std::map<std::pair<u32, u32>, u64> matrix;

  private:
    void draw_matrix() {
        const auto all = static_cast<u32>(records.sizes.size());
        for (u32 from = 0; from < all; ++from) {
            for (u32 to = 0; to < all; ++to) {
                const bool across = (from < records.first_side) != (to < records.first_side);
                if (records.first_side != all && !across) continue;
                const u64 bytes = random_.below(4) == 0 ? 0 : random_.below(1000);
                matrix[{from, to}] = bytes;
                records.sizes[from].sent += bytes;
                records.sizes[to].received += bytes;
            }
        }
    }

    RandomSource& random_;
};

Schedules schedules_of(const Exchange& exchange, CollectiveAlgorithm algorithm) {
    Schedules all(exchange.size());
    for (u32 member = 0; member < exchange.size(); ++member) {
        make_schedule(exchange, member, algorithm, all[member]);
    }
    return all;
}

/// Both ends of a message are in the same round, so that all who are in the earliest round that
/// anybody is in can leave it.
void expect_matched(const Schedules& schedules) {
    std::map<std::tuple<u32, u32, u32>, std::pair<int, int>> ends;
    std::map<std::tuple<u32, u32, u32>, u64> bytes;
    for (u32 member = 0; member < schedules.size(); ++member) {
        const auto& own = schedules[member];
        ASSERT_TRUE(std::ranges::is_sorted(own, {}, &ScheduledMessage::round));
        for (const ScheduledMessage& one : own) {
            ASSERT_NE(one.peer, member);
            ASSERT_LT(one.peer, schedules.size());
            const auto key = one.sends ? std::tuple(one.round, member, one.peer)
                                       : std::tuple(one.round, one.peer, member);
            auto& [sends, receives] = ends[key];
            ++(one.sends ? sends : receives);
            const auto [known, fresh] = bytes.emplace(key, one.bytes);
            ASSERT_EQ(known->second, one.bytes);
        }
    }
    for (const auto& [key, count] : ends) ASSERT_EQ(count, std::pair(1, 1));
}

/// Executes the schedule: a message carries all that its sender has when the round begins.
Knowledge execute(const Schedules& schedules) {
    const std::size_t size = schedules.size();
    Knowledge knowledge(size, std::vector<bool>(size, false));
    u32 rounds = 0;
    for (u32 member = 0; member < size; ++member) {
        knowledge[member][member] = true;
        if (!schedules[member].empty()) {
            rounds = std::max(rounds, schedules[member].back().round + 1);
        }
    }
    for (u32 round = 0; round < rounds; ++round) {
        const Knowledge before = knowledge;
        for (u32 member = 0; member < size; ++member) {
            for (const ScheduledMessage& one : schedules[member]) {
                if (one.round != round || one.sends) continue;
                for (u32 i = 0; i < size; ++i) {
                    if (before[one.peer][i]) knowledge[member][i] = true;
                }
            }
        }
    }
    return knowledge;
}

/// Whether the operation is there to bring data of `from` to `to`.
bool must_know(const RandomOperation& operation, u32 to, u32 from) {
    const CollectiveRecords& records = operation.records;
    const bool inter = records.first_side != records.sizes.size();
    if (inter && (from < records.first_side) == (to < records.first_side)) return false;
    switch (records.kind) {
        case Kind::bcast:
        case Kind::scatter:
        case Kind::scatterv:
            return from == records.root;
        case Kind::reduce:
        case Kind::gather:
        case Kind::gatherv:
            return to == records.root;
        case Kind::scan:
        case Kind::exscan:
            return from < to;
        default:
            return true;
    }
}

void expect_delivered(const RandomOperation& operation, const Exchange& exchange,
                      const Schedules& schedules) {
    const Knowledge knowledge = execute(schedules);
    std::vector<u64> sizes;
    const bool is_matrix = !operation.matrix.empty();
    for (u32 to = 0; to < exchange.size(); ++to) {
        if (is_matrix) exchange.receives(to, sizes);
        for (u32 from = 0; from < exchange.size(); ++from) {
            if (from == to || !must_know(operation, to, from)) continue;
            const u32 side =
                exchange.is_inter() && from >= exchange.first_side() ? exchange.first_side() : 0;
            if (is_matrix && sizes[from - side] == 0) continue;
            EXPECT_TRUE(knowledge[to][from]) << from << " to " << to;
        }
    }
}

void check(RandomSource& random, Kind kind, u32 first, u32 second) {
    const RandomOperation operation(random, kind, first, second);
    const Exchange exchange(operation.records);
    for (u32 word = 0; word < algorithm_words().size(); ++word) {
        SCOPED_TRACE(std::string(algorithm_words()[word]) + ", operation " +
                     std::to_string(static_cast<u32>(kind)) + ", members " + std::to_string(first) +
                     "+" + std::to_string(second));
        const Schedules schedules = schedules_of(exchange, static_cast<CollectiveAlgorithm>(word));
        ASSERT_NO_FATAL_FAILURE(expect_matched(schedules));
        expect_delivered(operation, exchange, schedules);
    }
}

TEST(SchedulePropertyTest, DeliversEverythingWithoutDeadlock) {
    RandomSource random(1);
    for (u32 size = 1; size <= 20; ++size) {
        for (u32 kind = 0; kind < kKinds; ++kind) check(random, static_cast<Kind>(kind), size, 0);
    }
}

TEST(SchedulePropertyTest, DeliversBetweenTheSidesOfAnIntercommunicator) {
    RandomSource random(2);
    for (u32 i = 0; i < 12; ++i) {
        const auto first = static_cast<u32>(1 + random.below(6));
        const auto second = static_cast<u32>(1 + random.below(6));
        for (u32 number = 0; number < kKinds; ++number) {
            const auto kind = static_cast<Kind>(number);
            // MPI has no scans between two groups.
            if (kind == Kind::scan || kind == Kind::exscan) continue;
            check(random, kind, first, second);
        }
    }
}

TEST(SchedulePropertyTest, LinearSchedulesHaveOneRound) {
    RandomSource random(3);
    for (u32 kind = 0; kind < kKinds; ++kind) {
        const RandomOperation operation(random, static_cast<Kind>(kind), 9, 0);
        for (const auto& own :
             schedules_of(Exchange(operation.records), CollectiveAlgorithm::linear)) {
            for (const ScheduledMessage& one : own) EXPECT_EQ(one.round, 0U);
        }
    }
}

TEST(SchedulePropertyTest, MovesWhatTheRecordsOfAnAlltoallvSay) {
    RandomSource random(4);
    for (u32 size = 2; size < 12; ++size) {
        const RandomOperation operation(random, Kind::alltoallv, size, 0);
        const Exchange exchange(operation.records);
        EXPECT_FALSE(exchange.is_compromise());
        for (u32 member = 0; member < size; ++member) {
            std::vector<u64> sent;
            std::vector<u64> received;
            exchange.sends(member, sent);
            exchange.receives(member, received);
            EXPECT_EQ(std::accumulate(sent.begin(), sent.end(), u64{0}),
                      operation.records.sizes[member].sent);
            EXPECT_EQ(std::accumulate(received.begin(), received.end(), u64{0}),
                      operation.records.sizes[member].received);
        }
    }
}

TEST(TransportPropertyTest, HasTheSumsOfRowsAndColumns) {
    RandomSource random(5);
    for (u32 i = 0; i < 300; ++i) {
        const std::size_t rows = 1 + random.below(12);
        const std::size_t columns = 1 + random.below(12);
        const u64 scale = u64{1} << random.below(40);
        std::vector<u64> row_sums(rows, 0);
        std::vector<u64> column_sums(columns, 0);
        for (u32 cell = 0; cell < 40; ++cell) {
            const u64 bytes = random.below(scale);
            row_sums[random.below(rows)] += bytes;
            column_sums[random.below(columns)] += bytes;
        }
        const u64 total = std::accumulate(row_sums.begin(), row_sums.end(), u64{0});
        const Transport transport(row_sums, column_sums);
        EXPECT_TRUE(transport.is_exact());
        std::vector<std::vector<u64>> matrix(rows);
        for (u32 row = 0; row < rows; ++row) {
            transport.row(row, matrix[row]);
            EXPECT_EQ(std::accumulate(matrix[row].begin(), matrix[row].end(), u64{0}),
                      row_sums[row]);
        }
        std::vector<u64> column;
        for (u32 c = 0; c < columns; ++c) {
            transport.column(c, column);
            EXPECT_EQ(std::accumulate(column.begin(), column.end(), u64{0}), column_sums[c]);
            for (u32 row = 0; row < rows; ++row) {
                EXPECT_EQ(column[row], matrix[row][c]);
                const double share = static_cast<double>(row_sums[row]) *
                                     static_cast<double>(column_sums[c]) /
                                     static_cast<double>(std::max<u64>(total, 1));
                EXPECT_NEAR(static_cast<double>(column[row]), share,
                            1.0 + static_cast<double>(columns) + share * 1e-9);
            }
        }
    }
}

TEST(TransportPropertyTest, KeepsTheRowsWhereTheSumsContradict) {
    const Transport transport({10, 0, 7}, {1, 1});
    EXPECT_FALSE(transport.is_exact());
    std::vector<u64> row;
    transport.row(0, row);
    EXPECT_EQ(row[0] + row[1], 10U);
    transport.row(2, row);
    EXPECT_EQ(row[0] + row[1], 7U);
    const Transport nothing({3}, {0, 0});
    nothing.row(0, row);
    EXPECT_EQ(row[0] + row[1], 3U);
}

}  // namespace
}  // namespace tracefold
