// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/types.hpp"
#include "file/metric_catalogue.hpp"
#include "model/record_fields.hpp"
#include "questions/profile/call_tree.hpp"

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Number, sum, mean, minimum and maximum of values of a metric. Sums of integers are exact; those
/// of reals use compensated summation to be independent of the order.
class MetricTally {
  public:
    /// Precondition: all values are unsigned, all signed, or all real.
    void add(ValueType type, u64 bits);
    /// Adds the time for which a state lasted.
    void add_state(double value, u64 ticks) {
        state_ += value * static_cast<double>(ticks);
        ticks_ += ticks;
    }
    void add_fall() { ++falls_; }
    void merge(const MetricTally& other);

    [[nodiscard]] u64 count() const { return count_; }
    [[nodiscard]] double sum() const;
    /// Over the time of the states; without times over the values.
    [[nodiscard]] double mean() const {
        if (ticks_ != 0) return state_ / static_cast<double>(ticks_);
        return count_ == 0 ? 0 : sum() / static_cast<double>(count_);
    }
    /// How often an accumulated metric fell: its sum is then not what was counted.
    [[nodiscard]] u64 falls() const { return falls_; }
    [[nodiscard]] double min() const { return number(min_); }
    [[nodiscard]] double max() const { return number(max_); }
    /// The exact sum.
    [[nodiscard]] std::string sum_text() const;
    [[nodiscard]] std::string min_text() const;
    [[nodiscard]] std::string max_text() const;

    static void each_field(auto& self, auto& visit) {
        visit(self.kind_, self.count_, self.whole_, self.real_, self.rounded_, self.min_, self.max_,
              self.state_, self.ticks_, self.falls_);
    }
    bool operator==(const MetricTally&) const = default;

  private:
    enum class Kind : u8 { none, whole, with_sign, real };

    static Kind kind_of(ValueType type);
    void add_real(double value);
    [[nodiscard]] bool less(u64 a, u64 b) const;
    [[nodiscard]] double number(u64 bits) const;
    [[nodiscard]] std::string text(u64 bits) const;

    Kind kind_ = Kind::none;
    u64 count_ = 0;
    u128 whole_ = 0;  ///< two's complement for signed numbers
    double real_ = 0;
    double rounded_ = 0;  ///< compensation term (Neumaier)
    u64 min_ = 0;         ///< bits of a 64-bit number
    u64 max_ = 0;
    double state_ = 0;  ///< sum of states times ticks
    u64 ticks_ = 0;
    u64 falls_ = 0;
};

/// Tally of a metric in a call path of a location.
struct MetricEntry {
    u32 member = 0;  ///< index into MetricCatalogue::members()
    u32 node = 0;    ///< kNone: outside of regions
    u32 location = 0;
    MetricTally tally;

    static void each_field(auto& self, auto& visit) {
        visit(self.member, self.node, self.location, self.tally);
    }
};

/// Tallies the metric records of one location by call path. For an accumulated metric, it tallies
/// the growth since the preceding record (the first one is the reference); for others, the value,
/// and for an absolute one the time for which it holds: until the next record or, if defined so,
/// since the preceding one. A record belongs to the current call path: recorders write a value just
/// before they enter or leave a region, at the end of the measured interval.
class MetricCollector {
  public:
    /// The catalogue must outlive this object.
    MetricCollector(const MetricCatalogue& catalogue, u32 location)
        : catalogue_(catalogue), location_(location), last_(catalogue.members().size()) {}

    /// `time`: of the record; always the same without times.
    void add(u32 node, u64 time, std::span<const u64> fields, const MappingTables& tables);

    /// In order of their first records.
    [[nodiscard]] std::vector<MetricEntry>& entries() { return entries_; }

  private:
    struct Last {
        u64 bits = 0;
        bool known = false;
        u64 time = 0;
        u32 node = kNone;
    };

    MetricTally& at(u32 member, u32 node);

    const MetricCatalogue& catalogue_;
    u32 location_;
    std::vector<Last> last_;               ///< by member
    std::unordered_map<u64, u32> places_;  ///< by node and member: index into entries_
    std::vector<MetricEntry> entries_;
};

/// Gathers the entries of all processes on process 0, by member, location and node. Collective.
std::vector<MetricEntry> gather_metrics(Communicator& comm, const std::vector<MetricEntry>& mine);

/// Combined tally of several entries.
struct MetricRow {
    u32 member = 0;
    u32 place = 0;  ///< a node or a location
    u32 locations = 0;
    MetricTally tally;
};

/// Rows by member and by `place` of an entry, both ascending.
std::vector<MetricRow> metric_rows(const std::vector<MetricEntry>& entries,
                                   const std::function<u32(const MetricEntry&)>& place);

/// Metrics of every call path and location. Bytes are attributed as in Score-P: to the sending call
/// and to the call that learns of the message's arrival.
enum class ProfileMetric : u8 {
    visits,
    time,                 ///< ticks
    sent_messages,        ///< bytes, point-to-point
    received_messages,    ///< bytes, point-to-point
    sent_collective,      ///< bytes, as OTF2 counts a member's
    received_collective,  ///< bytes, as OTF2 counts a member's
    read,                 ///< bytes from files
    written,              ///< bytes to files
    samples,              ///< call stack samples of the call path
    sent,                 ///< bytes, point-to-point and collective
    received,             ///< bytes, point-to-point and collective
};

inline constexpr std::size_t kProfileMetrics = 11;
/// `sent` and `received` are sums of stored metrics.
inline constexpr std::size_t kStoredMetrics = 9;

/// Sums saturate at kOverflow beyond 64 bits.
using MetricValues = std::array<u64, kStoredMetrics>;

constexpr std::size_t index_of(ProfileMetric metric) { return static_cast<std::size_t>(metric); }

/// "visits", "time", "bytes_sent_p2p", ...
constexpr std::string_view metric_name(ProfileMetric metric) {
    constexpr std::array<std::string_view, kProfileMetrics> kNames = {
        "visits",          "time",
        "bytes_sent_p2p",  "bytes_received_p2p",
        "bytes_sent_coll", "bytes_received_coll",
        "bytes_read",      "bytes_written",
        "samples",         "bytes_sent",
        "bytes_received"};
    return kNames[index_of(metric)];
}

/// Values of a call path on one location.
struct NodeValues {
    u32 node = 0;
    MetricValues values{};

    bool operator==(const NodeValues&) const = default;
};

}  // namespace tracefold
