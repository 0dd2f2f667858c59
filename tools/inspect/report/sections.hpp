// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/predict/predict.hpp"
#include "inspect/report/page.hpp"
#include "inspect/report/shared_parts.hpp"
#include "inspect/report/source.hpp"

namespace tracefold {

/// Each writes one section of a report, with the data behind it and what its terms mean.
void put_overview(ReportPage& page, ReportSource& source);
void put_efficiency(ReportPage& page, ReportSource& source);
void put_timeline(ReportPage& page, ReportSource& source);
void put_prediction(ReportPage& page, const PredictView& view);
void put_structure(ReportPage& page, ReportSource& source);
void put_graph(ReportPage& page, ReportSource& source);
void put_matrix(ReportPage& page, ReportSource& source);
void put_sizes(ReportPage& page, ReportSource& source);
void put_statistics(ReportPage& page, const SharedParts& parts);
void put_classes(ReportPage& page, const SharedParts& parts);
void put_io(ReportPage& page, ReportSource& source);
void put_profile(ReportPage& page, const SharedParts& parts);
/// Precondition: the trace has accelerators.
void put_accelerators(ReportPage& page, ReportSource& source);
/// Precondition: the trace has values of metrics.
void put_metrics(ReportPage& page, const SharedParts& parts, const ReportSource& source);

}  // namespace tracefold
