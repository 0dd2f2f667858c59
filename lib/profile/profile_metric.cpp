// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/profile_metric.hpp"

namespace tracefold::inline profile {

std::string_view metric_name(ProfileMetric metric) {
    constexpr std::array<std::string_view, kProfileMetrics> kNames = {
        "visits",          "time",
        "bytes_sent_p2p",  "bytes_received_p2p",
        "bytes_sent_coll", "bytes_received_coll",
        "bytes_read",      "bytes_written",
        "bytes_sent",      "bytes_received"};
    return kNames[index_of(metric)];
}

}  // namespace tracefold::inline profile
