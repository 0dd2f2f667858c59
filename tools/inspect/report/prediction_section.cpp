// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/predict/predict.hpp"
#include "inspect/report/sections.hpp"
#include "inspect/report/text_console.hpp"

#include <sstream>

namespace tracefold {

namespace {

void explain_prediction(ReportPage& page) {
    page.explain("predicted run time",
                 "What the run would take on a network by LogGPS: latency L, overhead o of the "
                 "processor, gap g between messages, time per byte. Computation is as recorded.");
    page.explain("critical path",
                 "The longest chain of computation and messages; only what is on it makes the "
                 "run faster.");
    page.explain("ideal run time", "The same if messages cost nothing.");
}

}  // namespace

void put_prediction(ReportPage& page, const PredictView& view) {
    page.begin("Prediction", "prediction");
    page.note(
        "How long the run would take on other networks, how much slower a network it can stand, "
        "and what is on its critical path.");
    draw_prediction(view, page.out());
    TextConsole text;
    print_prediction(view, text.console());
    page.preformatted(text.text());
    std::ostringstream csv;
    write_prediction_csv(view, csv);
    page.data("prediction.csv", csv.str());
    explain_prediction(page);
    page.end();
}

}  // namespace tracefold
