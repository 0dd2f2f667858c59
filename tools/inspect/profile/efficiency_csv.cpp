// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/csv.hpp"
#include "inspect/profile/efficiency.hpp"

namespace tracefold {

void write_efficiency_csv(const EfficiencyView& view, std::ostream& out) {
    const Efficiency& data = view.data;
    const auto line = [&out](std::string_view what, const std::string& path,
                             const std::string& rank, std::string_view figure, double value) {
        out << what << ',' << csv_field(path) << ',' << rank << ',' << figure << ','
            << csv_number(value) << '\n';
    };
    out << "what,path,rank,figure,value\n";
    line("program", "", "", "runtime", data.seconds(data.runtime));
    if (data.has_ideal()) {
        line("program", "", "", "ideal_runtime", data.seconds(data.ideal_runtime));
    }
    for (const EfficiencyFactor& factor : factors(data)) {
        if (factor.value) line("efficiency", "", "", factor.name, *factor.value);
    }
    for (u32 rank = 0; rank < data.ranks.size(); ++rank) {
        const RankEfficiency& times = data.ranks[rank];
        const std::string number = std::to_string(rank);
        line("rank", "", number, "computation", data.seconds(times.computation));
        line("rank", "", number, "mpi", data.seconds(times.mpi));
        line("rank", "", number, "io", data.seconds(times.io));
        if (data.has_ideal()) line("rank", "", number, "ideal", data.seconds(times.ideal));
    }
    for (const Efficiency::Wait& wait : data.waits) {
        line("wait", wait.path, waiter(view, wait), wait_name(wait.kind), data.seconds(wait.ticks));
    }
    for (const ThreadTimes& thread : data.threads.threads) {
        const std::string& label = view.label(thread.location);
        line("thread", "", label, "computation", data.seconds(thread.of(ThreadUse::work)));
        line("thread", "", label, "mpi", data.seconds(thread.mpi));
        for (std::size_t use = 1; use < kThreadUses; ++use) {
            line("thread", "", label, thread_use_name(static_cast<ThreadUse>(use)),
                 data.seconds(thread.uses[use]));
        }
    }
    const auto add_accelerators = [&](std::string_view what, const auto& locations) {
        using Use = AcceleratorUse;
        for (const AcceleratorActivity::Location& it : locations) {
            for (const Use use : {Use::kernel, Use::copy, Use::wait, Use::call}) {
                if (it.ticks_of(use) == 0) continue;
                line(what, "", csv_field(view.label(it.location)), accelerator_use_name(use),
                     data.seconds(it.ticks_of(use)));
            }
        }
    };
    add_accelerators("accelerator_thread", view.accelerators.threads);
    add_accelerators("stream", view.accelerators.streams);
    for (const DeviceTimes& device : data.devices) {
        const std::string rank = device.process == kNone ? "" : std::to_string(device.process);
        line("device", device.name, rank, "kernel", data.seconds(device.kernels));
        line("device", device.name, rank, "copy", data.seconds(device.copies));
        line("device", device.name, rank, "seconds", data.seconds(device.span));
    }
    for (const ThreadEfficiency::Wait& wait : data.threads.waits) {
        line("thread_wait", wait.path, view.label(wait.location), thread_use_name(wait.use),
             data.seconds(wait.ticks));
    }
}

}  // namespace tracefold
