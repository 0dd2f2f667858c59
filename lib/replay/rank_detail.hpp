// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/mpi_function.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/mpi_call.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A histogram of message sizes in powers of two: bucket 0 has those of 0 bytes, bucket k > 0 those
/// from 2^(k-1) to 2^k - 1.
class MeasuredSizes {
  public:
    static constexpr std::size_t kBuckets = 65;

    struct Bucket {
        u64 count = 0;
        u64 bytes = 0;  ///< total

        static void each_field(auto& self, auto& visit) { visit(self.count, self.bytes); }
        bool operator==(const Bucket&) const = default;
    };

    [[nodiscard]] static std::size_t bucket_of(u64 bytes) {
        return static_cast<std::size_t>(std::bit_width(bytes));
    }

    void add(u64 bytes) { add_to(bucket_of(bytes), {1, bytes}); }
    /// Precondition: the bucket exists.
    void add_to(std::size_t bucket, const Bucket& more) {
        buckets_[bucket].count += more.count;
        buckets_[bucket].bytes += more.bytes;
    }
    void merge(const MeasuredSizes& other) {
        for (std::size_t i = 0; i < kBuckets; ++i) add_to(i, other.buckets_[i]);
    }

    static void each_field(auto& self, auto& visit) { visit(self.buckets_); }
    [[nodiscard]] const std::array<Bucket, kBuckets>& buckets() const { return buckets_; }
    /// The smallest size of a bucket in bytes.
    [[nodiscard]] static u64 lower_bound(std::size_t bucket) {
        return bucket == 0 ? 0 : u64{1} << (bucket - 1);
    }

  private:
    std::array<Bucket, kBuckets> buckets_{};
};

/// Calls of one function and about the same size in one repetition, over all ranks.
struct MeasuredCalls {
    MpiFunction function = MpiFunction::other;
    u64 from_bytes = 0;  ///< lower bound of the size
    u64 calls = 0;
    u64 bytes = 0;        ///< total
    double seconds = 0;   ///< total
    double shortest = 0;  ///< seconds of one call
    double median = 0;    ///< seconds of one call
};

/// Durations of calls, by function and by the bytes that a call sends and receives, in the buckets
/// of MeasuredSizes. Memory: 4 kB per called function, and 9 kB per function and size.
class SizedCalls {
  public:
    /// Durations in nanoseconds, in buckets of 1.6 % of their size.
    struct Times {
        u64 calls = 0;
        u64 bytes = 0;               ///< total
        u64 nanoseconds = 0;         ///< total
        u64 shortest = ~u64{0};      ///< nanoseconds of one call
        std::vector<u32> durations;  ///< calls by duration_bucket(); empty without calls

        void merge(const Times& other);
        /// Nanoseconds; the calls of a bucket count as evenly spread. 0 without calls.
        [[nodiscard]] double median() const;
        static void each_field(auto& self, auto& visit) {
            visit(self.calls, self.bytes, self.nanoseconds, self.shortest, self.durations);
        }
        bool operator==(const Times&) const = default;
    };
    using Row = std::array<Times, MeasuredSizes::kBuckets>;

    /// Allocates the memory for such calls.
    void expect(MpiFunction function, u64 bytes) {
        times(function)[MeasuredSizes::bucket_of(bytes)].durations.resize(kDurations);
    }
    void add(MpiFunction function, u64 bytes, u64 nanoseconds) {
        Times& times = this->times(function)[MeasuredSizes::bucket_of(bytes)];
        ++times.calls;
        times.bytes += bytes;
        times.nanoseconds += nanoseconds;
        times.shortest = std::min(times.shortest, nanoseconds);
        if (times.durations.empty()) times.durations.resize(kDurations);
        ++times.durations[duration_bucket(nanoseconds)];
    }
    void merge(const SizedCalls& other);
    /// Forgets the calls, but not that they are expected.
    void clear();
    /// By function and size; only what was called.
    [[nodiscard]] std::vector<MeasuredCalls> measured() const;
    static void each_field(auto& self, auto& visit) { visit(self.rows_, self.row_of_); }

    /// Null if the function was not called.
    [[nodiscard]] const Row* find(MpiFunction function) const {
        const u16 row = row_of_[static_cast<std::size_t>(function)];
        return row == 0 ? nullptr : &rows_[row - std::size_t{1}];
    }

  private:
    static constexpr std::size_t kSteps = 64;  ///< buckets of durations per power of two
    static constexpr std::size_t kDurations = 36 * kSteps;  ///< up to half an hour

    [[nodiscard]] static std::size_t duration_bucket(u64 nanoseconds) {
        if (nanoseconds < kSteps) return nanoseconds;
        const auto power = static_cast<std::size_t>(std::bit_width(nanoseconds / kSteps));
        return std::min(kSteps * power + (nanoseconds >> (power - 1)) - kSteps, kDurations - 1);
    }
    Row& times(MpiFunction function);

    std::vector<Row> rows_;
    std::array<u16, kMpiFunctions> row_of_{};  ///< index + 1; 0: none
};

/// Data sent by one rank: the recorded sizes of its messages and of its parts in collective
/// operations, and messages by receiver. Memory: one entry per partner.
class Traffic {
  public:
    struct Messages {
        u64 count = 0;
        u64 bytes = 0;
    };

    /// `table` must outlive this object.
    explicit Traffic(const CommunicatorTable& table) : table_(table) {}

    /// Call for every issued call.
    void add(const MpiCall& call);

    [[nodiscard]] const MeasuredSizes& messages() const { return messages_; }
    /// Bytes sent per collective call, summed over all partners.
    [[nodiscard]] const MeasuredSizes& collectives() const { return collectives_; }
    /// By world rank of the receiver.
    [[nodiscard]] const std::unordered_map<u64, Messages>& peers() const { return peers_; }

  private:
    void add_message(const Envelope& envelope);

    const CommunicatorTable& table_;
    MeasuredSizes messages_;
    MeasuredSizes collectives_;
    std::unordered_map<u64, Messages> peers_;
};

/// Calls of one function; times in seconds.
struct CallTotals {
    MpiFunction function = MpiFunction::other;
    u64 calls = 0;
    u64 not_issued = 0;  ///< of these: communicated in the trace, and MPI got no call for them
    u64 sent = 0;        ///< bytes, as OTF2 counts them
    u64 received = 0;    ///< bytes
    double recorded = 0;
    double replayed = 0;

    static void each_field(auto& self, auto& visit) {
        visit(self.function, self.calls, self.not_issued, self.sent, self.received, self.recorded,
              self.replayed);
    }
};

/// Seconds of one rank from the first to the last call, and the part in MPI.
struct RankTimes {
    double wall = 0;
    double communication = 0;

    static void each_field(auto& self, auto& visit) { visit(self.wall, self.communication); }
    [[nodiscard]] double computation() const { return wall - communication; }
};

/// Messages from one rank to another.
struct PeerMessages {
    u64 peer = 0;  ///< world rank
    u64 messages = 0;
    u64 bytes = 0;

    static void each_field(auto& self, auto& visit) { visit(self.peer, self.messages, self.bytes); }
};

/// Measurements of one rank; times are means over the repetitions.
struct RankDetail {
    /// Further partners are summed up.
    static constexpr std::size_t kMostPeers = 256;

    u64 rank = 0;
    std::string host;  ///< empty unless requested
    u64 threads = 1;   ///< that call MPI
    RankTimes recorded;
    RankTimes replayed;
    double asked_computation = 0;  ///< seconds of requested computation
    std::vector<CallTotals> calls;
    std::vector<PeerMessages> peers;  ///< partners with the most bytes, by rank
    PeerMessages other_peers;         ///< the rest: `peer` is their number

    static void each_field(auto& self, auto& visit) {
        visit(self.rank, self.host, self.threads, self.recorded, self.replayed,
              self.asked_computation, self.calls, self.peers, self.other_peers);
    }
};

/// A selection of ranks: the first ones, and those with the longest wall time. Selections of
/// disjoint ranks can be merged in any order. Memory: twice the limit.
class RankSelection {
  public:
    explicit RankSelection(u64 limit = 0) : limit_(limit) {}

    void add(RankDetail detail);
    void merge(const RankSelection& other);
    static void each_field(auto& self, auto& visit) { visit(self.ranks_); }

    /// By rank.
    [[nodiscard]] const std::vector<RankDetail>& ranks() const { return ranks_; }

  private:
    void shorten();

    u64 limit_;
    std::vector<RankDetail> ranks_;
};

/// Statistics of a number per rank.
struct Spread {
    double minimum = 0;
    double mean = 0;
    double maximum = 0;
    double deviation = 0;  ///< standard deviation
};

/// Seconds from the first to the last call, and their parts.
struct TimeSpreads {
    Spread wall;
    Spread communication;
    Spread computation;

    /// Calls visit("wall", wall) and so on.
    template <class Visit>
    void for_each(const Visit& visit) const {
        visit("wall", wall);
        visit("communication", communication);
        visit("computation", computation);
    }
};

}  // namespace tracefold
