// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/metric_profile.hpp"

#include "base/bytes.hpp"
#include "base/csv_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

std::string digits_of(u128 number) {
    std::string digits;
    do {
        digits += static_cast<char>('0' + static_cast<int>(number % 10));
        number /= 10;
    } while (number != 0);
    std::reverse(digits.begin(), digits.end());
    return digits;
}

constexpr bool is_negative(u128 number) { return (number >> 127U) != 0; }

}  // namespace

MetricTally::Kind MetricTally::kind_of(ValueType type) {
    if (is_real(type)) return Kind::real;
    return is_signed(type) ? Kind::with_sign : Kind::whole;
}

void MetricTally::add(ValueType type, u64 bits) {
    if (is_real(type)) bits = std::bit_cast<u64>(real_value(type, bits));
    MetricTally one;
    one.kind_ = kind_of(type);
    one.count_ = 1;
    one.min_ = one.max_ = bits;
    if (one.kind_ == Kind::real) {
        one.real_ = std::bit_cast<double>(bits);
    } else {
        one.whole_ = bits;
        const bool extend = one.kind_ == Kind::with_sign && (bits >> 63U) != 0;
        if (extend) one.whole_ |= ~u128{0} << 64U;
    }
    merge(one);
}

void MetricTally::merge(const MetricTally& other) {
    if (other.count_ == 0) return;
    if (count_ == 0) {
        *this = other;
        return;
    }
    count_ += other.count_;
    whole_ += other.whole_;
    add_real(other.real_);
    rounded_ += other.rounded_;
    if (less(other.min_, min_)) min_ = other.min_;
    if (less(max_, other.max_)) max_ = other.max_;
    state_ += other.state_;
    ticks_ += other.ticks_;
    falls_ += other.falls_;
}

void MetricTally::add_real(double value) {
    const double sum = real_ + value;
    rounded_ += std::abs(real_) >= std::abs(value) ? (real_ - sum) + value : (value - sum) + real_;
    real_ = sum;
}

double MetricTally::sum() const {
    if (kind_ == Kind::real) return real_ + rounded_;
    if (kind_ == Kind::with_sign && is_negative(whole_)) return -static_cast<double>(~whole_ + 1);
    return static_cast<double>(whole_);
}

std::string MetricTally::sum_text() const {
    if (kind_ == Kind::real) return csv_number(sum());
    if (kind_ == Kind::with_sign && is_negative(whole_)) return "-" + digits_of(~whole_ + 1);
    return digits_of(whole_);
}

std::string MetricTally::min_text() const { return text(min_); }
std::string MetricTally::max_text() const { return text(max_); }

bool MetricTally::less(u64 a, u64 b) const {
    switch (kind_) {
        case Kind::real:
            return std::bit_cast<double>(a) < std::bit_cast<double>(b);
        case Kind::with_sign:
            return static_cast<i64>(a) < static_cast<i64>(b);
        default:
            return a < b;
    }
}

double MetricTally::number(u64 bits) const {
    switch (kind_) {
        case Kind::real:
            return std::bit_cast<double>(bits);
        case Kind::with_sign:
            return static_cast<double>(static_cast<i64>(bits));
        default:
            return static_cast<double>(bits);
    }
}

std::string MetricTally::text(u64 bits) const {
    if (kind_ == Kind::real) return csv_number(std::bit_cast<double>(bits));
    if (kind_ == Kind::with_sign) return std::to_string(static_cast<i64>(bits));
    return std::to_string(bits);
}

namespace {

struct Growth {
    ValueType type;
    u64 bits;
};

/// Integer counters that were reset grow by a negative number.
Growth growth(ValueType type, u64 before, u64 now) {
    if (is_real(type)) {
        const double grown = real_value(type, now) - real_value(type, before);
        return {ValueType::real64, std::bit_cast<u64>(grown)};
    }
    return {ValueType::signed64, now - before};
}

}  // namespace

void MetricCollector::add(u32 node, u64 time, std::span<const u64> fields,
                          const MappingTables& tables) {
    catalogue_.for_each(fields, tables, [&](u32 member, ValueType type, u64 bits) {
        const MetricMember& metric = catalogue_.members()[member];
        Last& last = last_[member];
        const bool accumulated = metric.mode == MetricMode::accumulated;
        if (!accumulated) at(member, node).add(type, bits);
        if (last.known && accumulated) {
            const Growth grown = growth(type, last.bits, bits);
            MetricTally& tally = at(member, node);
            tally.add(grown.type, grown.bits);
            if (metric_number(grown.type, grown.bits) < 0) tally.add_fall();
        } else if (last.known && metric.mode == MetricMode::absolute && time > last.time) {
            const u64 ticks = time - last.time;
            if (metric.holds_before()) {
                at(member, node).add_state(metric_number(type, bits), ticks);
            } else {
                at(member, last.node).add_state(metric_number(type, last.bits), ticks);
            }
        }
        last = {bits, true, time, node};
    });
}

MetricTally& MetricCollector::at(u32 member, u32 node) {
    const u64 key = u64{node} << 32U | member;
    const auto [found, fresh] = places_.try_emplace(key, static_cast<u32>(entries_.size()));
    if (fresh) entries_.push_back({member, node, location_, {}});
    return entries_[found->second].tally;
}

std::vector<MetricEntry> gather_metrics(Communicator& comm, const std::vector<MetricEntry>& mine) {
    std::vector<MetricEntry> all;
    for (const std::string& part : comm.gather(to_bytes(mine), 0)) {
        auto entries = from_bytes<std::vector<MetricEntry>>(part, "the metrics of a process");
        std::move(entries.begin(), entries.end(), std::back_inserter(all));
    }
    std::sort(all.begin(), all.end(), [](const MetricEntry& a, const MetricEntry& b) {
        return std::tie(a.member, a.location, a.node) < std::tie(b.member, b.location, b.node);
    });
    return all;
}

std::vector<MetricRow> metric_rows(const std::vector<MetricEntry>& entries,
                                   const std::function<u32(const MetricEntry&)>& place) {
    struct Row {
        MetricTally tally;
        std::set<u32> locations;
    };
    std::map<std::pair<u32, u32>, Row> rows;
    for (const MetricEntry& entry : entries) {
        Row& row = rows[{entry.member, place(entry)}];
        row.tally.merge(entry.tally);
        row.locations.insert(entry.location);
    }
    std::vector<MetricRow> result;
    for (const auto& [key, row] : rows) {
        result.push_back(
            {key.first, key.second, static_cast<u32>(row.locations.size()), row.tally});
    }
    return result;
}

}  // namespace tracefold
