// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <array>
#include <string_view>

namespace tracefold {

/// What a profile has of every call path and location. Bytes are booked as Score-P books them:
/// where the sender called, and where the receiver learned of the message.
enum class ProfileMetric : u8 {
    visits,
    time,                 ///< ticks
    sent_messages,        ///< bytes of point-to-point messages
    received_messages,    ///< the same
    sent_collective,      ///< bytes, as OTF2 counts those of a member
    received_collective,  ///< the same
    read,                 ///< bytes that came from files
    written,              ///< bytes that went to files
    samples,              ///< samples of the call stack that show the call path
    sent,                 ///< bytes of both kinds
    received,             ///< the same
};

inline constexpr std::size_t kProfileMetrics = 11;
/// The last two are sums of others.
inline constexpr std::size_t kStoredMetrics = 9;

/// Sums beyond 64 bits are kOverflow.
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

/// What a call path has on one location.
struct NodeValues {
    u32 node = 0;
    MetricValues values{};

    bool operator==(const NodeValues&) const = default;
};

}  // namespace tracefold
