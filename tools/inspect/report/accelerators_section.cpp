// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/accelerators/accelerators.hpp"
#include "inspect/report/sections.hpp"
#include "inspect/report/text_console.hpp"

#include <sstream>

namespace tracefold {

void put_accelerators(ReportPage& page, ReportSource& source) {
    page.begin("Accelerators", "accelerators");
    if (source.keeps_every_time()) {
        const AcceleratorsView view = accelerators_view(source.file, source.name);
        page.note(
            "What streams ran, from the first record of the trace to the last one, and what the "
            "host called and waited for.");
        TextConsole text;
        print_accelerators(view, text.console());
        page.preformatted(text.text());
        std::ostringstream csv;
        write_accelerators_csv(view, csv);
        page.data("accelerators.csv", csv.str());
        page.explain("busy",
                     "Kernels and copies of a stream in parts of all the time of the trace.");
        page.explain("wait for device",
                     "Time of a thread in functions that return when the accelerator has done "
                     "what they wait for.");
    } else {
        page.note("The file does not keep when each call was.");
    }
    page.end();
}

}  // namespace tracefold
