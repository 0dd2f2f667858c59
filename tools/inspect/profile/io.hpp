// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "profile/io_profile.hpp"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// What lines of a table of I/O are about.
enum class IoBy : u8 {
    file,
    rank,
    path,
    all,  ///< a file, of a rank, in a call path
};

/// Sums of an IoProfile. What lines are not by is empty.
struct IoLine {
    std::string file;
    std::string paradigm;  ///< what the file was opened through
    std::string rank;      ///< ParticipantNames::label()
    std::string path;
    u64 locations = 0;
    IoProfile::Figures figures;
};

struct IoView {
    std::string file;  ///< the trace
    IoBy by = IoBy::file;
    std::string by_word;  ///< "file"
    std::vector<IoLine> lines;
    IoLine total;
    bool has_times = false;
    TickRate rate;
    u64 outstanding = 0;
    u64 unmatched = 0;
    u64 cancelled = 0;

    [[nodiscard]] double seconds(u64 ticks) const { return rate.seconds(ticks); }
    /// Bytes per second of the operations' own time; 0 without, and if not all sizes are known.
    [[nodiscard]] double bandwidth(const IoProfile::Operations& operations) const {
        return operations.ticks == 0 || !has_times || operations.unknown != 0 ||
                       operations.bytes == kOverflow
                   ? 0
                   : static_cast<double>(operations.bytes) / seconds(operations.ticks);
    }
};

void print_io(const IoView& view, Console& console);

/// One line per kind of operation: file,paradigm,rank,path,operation,count,bytes,seconds,bandwidth.
void write_io_csv(const IoView& view, std::ostream& out);

void write_io_json(const IoView& view, Console& console);

}  // namespace tracefold
