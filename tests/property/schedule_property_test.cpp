// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/schedule.hpp"
#include "support/random_source.hpp"

#include <algorithm>
#include <bit>
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
            draw_blocks();
        }
    }

    CollectiveRecords records;
    std::map<std::pair<u32, u32>, u64> matrix;

  private:
    /// Sizes that do not divide by the number of members, blocks of their own where members have
    /// some. Whatever is recorded, a schedule comes out; equal numbers make sense of most kinds.
    void draw_blocks() {
        const auto all = static_cast<u32>(records.sizes.size());
        const bool differ = is_vector_collective(records.kind);
        const u64 common = random_.below(3) == 0 ? random_.below(all + 1) : random_.below(100'000);
        std::vector<u64> blocks;
        for (u32 member = 0; member < all; ++member) {
            blocks.push_back(differ ? random_.below(1000) : common);
        }
        const u64 sum = std::accumulate(blocks.begin(), blocks.end(), u64{0});
        for (u32 member = 0; member < all; ++member) {
            Contribution& one = records.sizes[member];
            one = {blocks[member], blocks[member]};
            // Those who state what they have for all the others, and what they get of all of them.
            if (records.kind == Kind::allgatherv) one = {blocks[member] * all, sum};
            if (records.kind == Kind::reduce_scatter) one = {sum, blocks[member] * all};
        }
    }

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

/// What a member sends and receives in all.
Contribution volume_of(const std::vector<ScheduledMessage>& own) {
    Contribution volume;
    for (const ScheduledMessage& one : own)
        (one.sends ? volume.sent : volume.received) += one.bytes;
    return volume;
}

/// How many messages come to a member in a tree of `size` members along which a vector goes up to
/// the member at place 0 or down from it: those at p + 1, p + 2, p + 4, ... below the least bit of
/// p.
u64 children_at(u32 place, u32 size) {
    u64 children = 0;
    for (u32 bit = 1; place + bit < size && (place & bit) == 0; bit *= 2) ++children;
    return children;
}

/// Bytes that the definitions of the algorithms bring to every member.
class Delivery {
  public:
    Delivery(const Exchange& exchange, CollectiveAlgorithm algorithm, const Schedules& schedules)
        : exchange_(exchange),
          kind_(exchange.kind()),
          algorithm_(fitting_algorithm(exchange, algorithm)),
          size_(exchange.size()) {
        for (const auto& own : schedules) volumes_.push_back(volume_of(own));
    }

    void expect() const {
        u64 sent = 0;
        u64 received = 0;
        for (u32 member = 0; member < size_; ++member) {
            SCOPED_TRACE("member " + std::to_string(member));
            expect_at(member);
            sent += volumes_[member].sent;
            received += volumes_[member].received;
        }
        EXPECT_EQ(sent, received);
        // However a vector is cut into pieces, they are the vector.
        const bool cut = algorithm_ == Algorithm::ring && kind_ == Kind::allreduce;
        if (cut) {
            EXPECT_EQ(received, 2 * (size_ - 1) * exchange_.block(0));
        }
    }

  private:
    using Algorithm = CollectiveAlgorithm;

    void expect_at(u32 member) const {
        const u64 block = exchange_.block(member);
        const u64 all = exchange_.blocks(0, size_);
        const u64 others = size_ - 1;
        const Contribution& volume = volumes_[member];
        switch (kind_) {
            case Kind::barrier:
                EXPECT_EQ(volume.received, 0U);
                break;
            case Kind::bcast:
                expect_broadcast(member);
                break;
            case Kind::reduce:
                EXPECT_EQ(volume.sent, member == exchange_.root() ? 0 : block);
                break;
            // What a member does not hand on is its own block.
            case Kind::scatter:
            case Kind::scatterv:
                EXPECT_EQ(volume.received + all,
                          volume.sent + block + (member == exchange_.root() ? 0 : all));
                break;
            case Kind::gather:
            case Kind::gatherv:
                EXPECT_EQ(volume.sent + all,
                          volume.received + block + (member == exchange_.root() ? 0 : all));
                break;
            case Kind::allgather:
            case Kind::allgatherv:
                EXPECT_EQ(volume.received + block, all + gathered_before(member));
                break;
            case Kind::allreduce:
                expect_allreduce(member);
                break;
            case Kind::alltoall:
                EXPECT_EQ(volume.received,
                          block * (algorithm_ == Algorithm::bruck ? bits_below(size_) : others));
                break;
            case Kind::alltoallv:
            case Kind::alltoallw:
                expect_matrix(member);
                break;
            case Kind::reduce_scatter:
            case Kind::reduce_scatter_block:
                expect_reduce_scatter(member);
                break;
            case Kind::scan:
            case Kind::exscan:
                expect_scan(member);
                break;
            default:
                break;
        }
    }

    /// In a ring, the pieces of a scatter come first, and then those of all others.
    void expect_broadcast(u32 member) const {
        const u64 vector = exchange_.block(exchange_.root());
        const u64 received = volumes_[member].received;
        const bool is_root = member == exchange_.root();
        if (algorithm_ != Algorithm::ring) {
            EXPECT_EQ(received, is_root ? 0 : vector);
            return;
        }
        const u32 place = (member + size_ - exchange_.root()) % size_;
        const bool is_leaf = !is_root && children_at(place, size_) == 0;
        const u64 piece = (vector + size_ - 1) / size_;
        EXPECT_GE(received, is_root ? vector - piece : vector);
        if (is_root) {
            EXPECT_LE(received, vector - vector / size_);
        }
        if (is_leaf) {
            EXPECT_EQ(received, vector);
        }
    }

    /// Where all blocks go to member 0 and back.
    [[nodiscard]] u64 gathered_before(u32 member) const {
        if (algorithm_ != Algorithm::binomial || member == 0) return 0;
        // It sends its own block and those that it received on to member 0, and gets them back.
        return volumes_[member].sent - children_at(member, size_) * exchange_.blocks(0, size_);
    }

    void expect_allreduce(u32 member) const {
        const u64 vector = exchange_.block(0);
        const u64 received = volumes_[member].received;
        switch (algorithm_) {
            case Algorithm::linear:
                EXPECT_EQ(received, vector * (size_ - 1));
                break;
            case Algorithm::binomial:
                EXPECT_EQ(received, vector * (children_at(member, size_) + (member == 0 ? 0 : 1)));
                break;
            case Algorithm::dissemination:
                EXPECT_EQ(received, vector * doublings());
                break;
            // All pieces twice, but for the own one and that of a neighbour.
            case Algorithm::ring:
                EXPECT_GE(received, 2 * vector - 2 * ((vector + size_ - 1) / size_));
                EXPECT_LE(received, 2 * vector - 2 * (vector / size_));
                break;
            default:
                expect_doubling(member);
        }
    }

    /// Of two members that are one too many, the second only gives and gets.
    void expect_doubling(u32 member) const {
        const u32 extra = size_ - std::bit_floor(size_);
        const u64 rounds = static_cast<u64>(std::bit_width(std::bit_floor(size_))) - 1;
        const bool paired = member < 2 * extra;
        const u64 messages = !paired ? rounds : member % 2 == 1 ? 1 : rounds + 1;
        EXPECT_EQ(volumes_[member].received, exchange_.block(0) * messages);
    }

    void expect_matrix(u32 member) const {
        std::vector<u64> sizes;
        exchange_.receives(member, sizes);
        const u64 all = std::accumulate(sizes.begin(), sizes.end(), u64{0});
        EXPECT_EQ(volumes_[member].received, all - sizes[member]);
    }

    void expect_reduce_scatter(u32 member) const {
        const u64 all = exchange_.blocks(0, size_);
        const u64 received = volumes_[member].received;
        const u32 before = (member + size_ - 1) % size_;
        const u64 blocks_below = volumes_[member].sent - (member == 0 ? 0 : all);
        switch (algorithm_) {
            case Algorithm::ring:
                EXPECT_EQ(received, all - exchange_.block(before));
                break;
            // The whole vectors of the tree below, and then the blocks of the same.
            case Algorithm::binomial:
                EXPECT_EQ(received, all * children_at(member, size_) +
                                        (member == 0 ? 0 : blocks_below + exchange_.block(member)));
                break;
            default:
                EXPECT_EQ(received, exchange_.block(member) * (size_ - 1));
        }
    }

    void expect_scan(u32 member) const {
        const u64 vector = exchange_.block(0);
        const u64 received = volumes_[member].received;
        if (algorithm_ == Algorithm::linear) {
            EXPECT_EQ(received, vector * member);
        }
        if (algorithm_ == Algorithm::ring) {
            EXPECT_EQ(received, member == 0 ? 0 : vector);
        }
        // From 1, 2, 4, ... members before it, as far as there are any.
        const bool doubles = algorithm_ == Algorithm::recursive_doubling;
        if (doubles) {
            EXPECT_EQ(received, vector * static_cast<u64>(std::bit_width(member)));
        }
    }

    [[nodiscard]] u64 doublings() const { return static_cast<u64>(std::bit_width(size_ - 1)); }
    /// Set bits of all distances.
    static u64 bits_below(u32 size) {
        u64 bits = 0;
        for (u32 distance = 1; distance < size; ++distance) {
            bits += static_cast<u64>(std::popcount(distance));
        }
        return bits;
    }

    const Exchange& exchange_;
    Kind kind_;
    CollectiveAlgorithm algorithm_;
    u32 size_;
    std::vector<Contribution> volumes_;  ///< by member
};

void check(RandomSource& random, Kind kind, u32 first, u32 second) {
    const RandomOperation operation(random, kind, first, second);
    const Exchange exchange(operation.records);
    for (u32 word = 0; word < algorithm_words().size(); ++word) {
        SCOPED_TRACE(std::string(algorithm_words()[word]) + ", operation " +
                     std::to_string(static_cast<u32>(kind)) + ", members " + std::to_string(first) +
                     "+" + std::to_string(second));
        const auto algorithm = static_cast<CollectiveAlgorithm>(word);
        const Schedules schedules = schedules_of(exchange, algorithm);
        ASSERT_NO_FATAL_FAILURE(expect_matched(schedules));
        expect_delivered(operation, exchange, schedules);
        if (!exchange.is_inter()) Delivery(exchange, algorithm, schedules).expect();
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
