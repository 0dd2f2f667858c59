// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/efficiency_factors.hpp"

#include <algorithm>

namespace tracefold {

namespace {

double ratio(double part, u64 whole) { return part / static_cast<double>(whole); }

/// The greatest and the mean of several times.
struct TickTally {
    u64 most = 0;
    double sum = 0;
    std::size_t count = 0;

    void add(u64 ticks) {
        most = std::max(most, ticks);
        sum += static_cast<double>(ticks);
        ++count;
    }
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
};

}  // namespace

void add_factors(Efficiency& result) {
    u64 begin = ~u64{0};
    u64 end = 0;
    TickTally computation;
    for (const RankEfficiency& rank : result.ranks) {
        begin = std::min(begin, rank.begin);
        end = std::max(end, rank.end);
        computation.add(rank.computation);
        if (result.has_ideal()) result.ideal_runtime = std::max(result.ideal_runtime, rank.ideal);
    }
    result.runtime = end - std::min(begin, end);
    if (result.runtime == 0 || computation.most == 0) {
        result.why_not_split = result.ranks.empty() ? "no rank with MPI calls was recorded"
                                                    : "no computation was recorded";
        return;
    }
    const auto most = static_cast<double>(computation.most);
    result.load_balance = ratio(computation.mean(), computation.most);
    result.communication = ratio(most, result.runtime);
    result.parallel = ratio(computation.mean(), result.runtime);
    if (!result.why_not_split.empty() || !result.has_ideal()) return;
    result.serialisation = ratio(most, result.ideal_runtime);
    result.transfer = ratio(static_cast<double>(result.ideal_runtime), result.runtime);
}

/// The multiplicative model of POP's hybrid metrics: what MPI leaves of the processes is as above,
/// the rest of what all threads lose is theirs.
void add_thread_factors(Efficiency& result) {
    TickTally computation;
    for (const ThreadTimes& thread : result.threads.threads) computation.add(thread.computation());
    if (computation.most == 0 || !result.parallel) return;
    result.hybrid = ratio(computation.mean(), result.runtime);
    result.thread_parallel = *result.hybrid / *result.parallel;
    result.thread_load_balance = ratio(computation.mean(), computation.most) / *result.load_balance;
    result.thread_communication =
        ratio(static_cast<double>(computation.most), result.runtime) / *result.communication;
}

/// The model of TALP (DLB): the host loses what it spends in calls of accelerators, and these what
/// they spend on copies and without anything to do.
void add_device_factors(Efficiency& result) {
    TickTally computation;
    TickTally useful;
    for (const ThreadTimes& thread : result.threads.threads) {
        computation.add(thread.computation());
        useful.add(thread.of(ThreadUse::work));
    }
    const std::optional<double> before = result.has_threads ? result.hybrid : result.parallel;
    if (computation.most != 0 && before) {
        result.device_offload = useful.sum / computation.sum;
        result.host = *before * *result.device_offload;
    }
    TickTally kernels;
    TickTally busy;
    for (const DeviceTimes& device : result.devices) {
        kernels.add(device.kernels);
        busy.add(device.kernels + device.copies);
    }
    if (kernels.most == 0 || result.runtime == 0) return;
    result.device_parallel = ratio(kernels.mean(), result.runtime);
    result.device_load_balance = ratio(kernels.mean(), kernels.most);
    result.device_communication = ratio(static_cast<double>(kernels.most), busy.most);
    result.device_orchestration = ratio(static_cast<double>(busy.most), result.runtime);
}

}  // namespace tracefold
