// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/time_folder.hpp"

namespace tracefold {

TimeFolder::TimeFolder(TimingLevel timing, u32 error_ppm)
    : timing_(timing),
      exact_([this](std::string_view bytes) { coded_.append(bytes); }),
      quantised_([this](std::string_view bytes) { coded_.append(bytes); }, error_ppm) {}

void TimeFolder::add(const std::vector<CallBatch::Delta>& deltas,
                     const std::vector<Symbol>& symbols) {
    switch (timing_) {
        case TimingLevel::none:
            break;
        case TimingLevel::histogram:
            collector_.add(deltas, symbols);
            break;
        case TimingLevel::quantized:
            quantised_.add(deltas);
            break;
        case TimingLevel::exact:
            exact_.add(deltas);
            break;
    }
}

void TimeFolder::finish() {
    exact_.finish();
    quantised_.finish();
}

}  // namespace tracefold
