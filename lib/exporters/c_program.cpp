// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/export_team.hpp"
#include "exporters/formats.hpp"
#include "proxy/write_proxy.hpp"
#include "replay/mpi_call_reader.hpp"

namespace tracefold {

ExportReport write_c(TraceFile& file, const std::string& output, const ExportOptions& options) {
    require_ranks(file, "a proxy application");
    TextFile out(output, options.force);
    const auto [model, source] = make_proxy(file, options.progress, options.sizes);
    out << source;
    out.commit();
    ExportTeam team(file, options);
    ExportReport& report = team.report();
    report.calls = model.read_calls;
    report.count(Fate::written, "calls", model.calls);
    for (const auto& [name, calls] : model.left_out) report.count(Fate::dropped, name, calls);
    for (const auto& [name, calls] : model.inferred) {
        report.count(Fate::approximated, name, calls);
    }
    if (model.sizes_of_senders != 0) {
        report.count(Fate::approximated, kSizesOfSenders, model.sizes_of_senders);
    }
    for (const auto& [name, calls] : model.local) report.count(Fate::merged, name, calls);
    team.kept().add_communication();
    team.kept().add_calls(model.read_calls);
    return team.finish(out.size());
}

}  // namespace tracefold
