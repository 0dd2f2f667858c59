// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/error.hpp"
#include "inspect/profile/efficiency.hpp"
#include "inspect/report/sections.hpp"
#include "inspect/report/text_console.hpp"

#include <sstream>

namespace tracefold {

namespace {

void put_figures(ReportPage& page, const EfficiencyView& view) {
    page.note(
        "How well the ranks were used from MPI_Init to MPI_Finalize, as the POP centre of "
        "excellence counts it, and where they waited for each other.");
    TextConsole text;
    print_efficiency(view, text.console());
    page.preformatted(text.text());
    std::ostringstream csv;
    write_efficiency_csv(view, csv);
    page.data("efficiency.csv", csv.str());
}

void explain_figures(ReportPage& page) {
    page.explain("parallel efficiency",
                 "Mean computation of the ranks in parts of the run time: load balance times "
                 "communication efficiency.");
    page.explain("load balance", "Mean computation of the ranks in parts of the largest one.");
    page.explain("communication efficiency", "Largest computation in parts of the run time.");
    page.explain("serialisation efficiency",
                 "Largest computation in parts of the run time on a network where everything "
                 "arrives at once: what is lost by waiting for each other.");
    page.explain("transfer efficiency",
                 "Run time on such a network in parts of the run time: what the data takes.");
    page.explain("hybrid efficiency",
                 "Mean useful computation of all threads in parts of the run time: parallel "
                 "efficiency of the ranks times that of their threads.");
    page.explain("useful computation",
                 "Time of a thread outside of MPI in which it neither waits for other threads "
                 "nor is idle between parallel regions nor is in a call of an accelerator.");
    page.explain("device offload efficiency",
                 "Useful computation of the threads in parts of what they spend on it and in "
                 "calls of accelerators.");
    page.explain("device parallel efficiency",
                 "Mean time of the accelerators in kernels in parts of the run time: load balance "
                 "times communication (copies) times orchestration (nothing to do).");
    page.explain("late sender", "Time in a receiving call before the message was sent.");
    page.explain("late post",
                 "Time in which a window is accessed before its owner has exposed it "
                 "(MPI_Win_post).");
    page.explain("late complete",
                 "Time in MPI_Win_wait before those who access the window are done.");
    page.explain("late unlock",
                 "Time in a call for the lock of a window before the one who had it released it.");
}

}  // namespace

void put_efficiency(ReportPage& page, ReportSource& source) {
    page.begin("Efficiency", "efficiency");
    try {
        put_figures(page, {{trace_efficiency(source.file), location_labels(source.file),
                            accelerator_activity(source.file)},
                           source.name,
                           source.clocks});
        explain_figures(page);
    } catch (const Error& error) {
        // What such files do not tell; anything else ends the report.
        if (error.kind() != ErrorKind::usage && error.kind() != ErrorKind::unsupported) throw;
        page.note(std::string("There are no such figures: ") + error.what() + ".");
    }
    page.end();
}

}  // namespace tracefold
