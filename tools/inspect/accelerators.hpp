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

/// What accelerators do, as a command or a page shows it.
struct AcceleratorsView {
    std::string file;
    AcceleratorActivity data;
    std::vector<std::string> streams;  ///< their names
    std::vector<std::string> threads;  ///< the same
    TickRate rate;

    [[nodiscard]] double seconds(u64 ticks) const { return rate.seconds(ticks); }
    /// Of all the time of the trace.
    [[nodiscard]] double share(u64 ticks) const {
        const u64 length = data.length;
        return length == 0 ? 0 : static_cast<double>(ticks) / static_cast<double>(length);
    }
};

/// Throws Error: usage if the file does not keep the times of every record, corrupt.
AcceleratorsView accelerators_view(TraceFile& file, const std::string& name);

void print_accelerators(const AcceleratorsView& view, Console& console);
/// The part of it that is about the streams, without a title; nothing if there are none.
void print_streams(const AcceleratorsView& view, Console& console);
/// A line per stream, thread, kernel, copy and function.
void write_accelerators_csv(const AcceleratorsView& view, std::ostream& out);
void write_accelerators_json(const AcceleratorsView& view, Console& console);
/// The member "streams" of it.
void write_streams(const AcceleratorsView& view, JsonWriter& json);

}  // namespace tracefold
