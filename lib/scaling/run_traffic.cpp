// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/run_traffic.hpp"

#include "analysis/transfers.hpp"
#include "query/call_names.hpp"

#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tracefold::inline scaling {

namespace {

struct TrafficSums {
    CallTraffic traffic;
    std::set<std::pair<u32, u32>> pairs;  ///< location and peer
};

}  // namespace

std::vector<CallTraffic> traffic_of(TraceFile& file) {
    ExecutionCounts counts(file.index());
    CallNames names(file, counts);
    std::map<std::pair<std::string, bool>, TrafficSums> calls;
    std::map<u32, std::string> known;  // names, by symbol
    visit_transfers(file, counts, std::vector<bool>(file.location_count(), true),
                    [&](const Transfer& transfer) {
                        auto [name, is_new] = known.try_emplace(transfer.symbol);
                        if (is_new) name->second = names.name(transfer.symbol);
                        const bool sends = has_sent(transfer.kind);
                        TrafficSums& sums = calls[{name->second, sends}];
                        sums.traffic.transfers += transfer.calls();
                        sums.traffic.bytes +=
                            sends ? transfer.bytes_sent() : transfer.bytes_received();
                        if (transfer.peer != kNone) {
                            sums.pairs.emplace(transfer.location, transfer.peer);
                        }
                    });
    std::vector<CallTraffic> all;
    for (auto& [key, sums] : calls) {
        std::tie(sums.traffic.call, sums.traffic.sends) = key;
        sums.traffic.partners = sums.pairs.size();
        all.push_back(std::move(sums.traffic));
    }
    return all;
}

}  // namespace tracefold::inline scaling
