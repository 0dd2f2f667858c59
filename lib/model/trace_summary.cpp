// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/trace_summary.hpp"

namespace tracefold::inline model {

std::string_view timing_name(TimingLevel level) {
    switch (level) {
        case TimingLevel::none:
            return "none";
        case TimingLevel::exact:
            return "exact";
        case TimingLevel::histogram:
            return "histogram";
        case TimingLevel::quantized:
            return "quantized";
    }
    return "unknown";
}

}  // namespace tracefold::inline model
