// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "common/output_format.hpp"
#include "questions/accelerators/accelerator_activity.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// Accelerator activity for display.
struct AcceleratorsView {
    std::string file;
    AcceleratorActivity data;
    std::vector<std::string> streams;  ///< names by stream
    std::vector<std::string> threads;  ///< names by thread
    TickRate rate;

    [[nodiscard]] double seconds(u64 ticks) const { return rate.seconds(ticks); }
    /// Share of the trace's time.
    [[nodiscard]] double share(u64 ticks) const {
        const u64 length = data.length;
        return length == 0 ? 0 : static_cast<double>(ticks) / static_cast<double>(length);
    }
};

/// Throws Error: usage if the file does not keep every time, corrupt.
AcceleratorsView accelerators_view(TraceFile& file, const std::string& name);

void print_accelerators(const AcceleratorsView& view, Console& console);
/// Prints the streams without a title; nothing without streams.
void print_streams(const AcceleratorsView& view, Console& console);
/// Writes a line per stream, thread, kernel, copy and function.
void write_accelerators_csv(const AcceleratorsView& view, std::ostream& out);
void write_accelerators_json(const AcceleratorsView& view, Console& console);
/// Writes the member "streams".
void write_streams(const AcceleratorsView& view, JsonWriter& json);

}  // namespace tracefold
