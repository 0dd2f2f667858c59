// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "base/types.hpp"
#include "export/formats/export_team.hpp"
#include "file/metric_catalogue.hpp"
#include "model/definition_index.hpp"
#include "model/participant_names.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

/// Times near 2^64 ns in picoseconds exceed 64 bits.
using Picoseconds = u128;

/// Strictly increasing times of one track in picoseconds. Viewers sort by time, and events of the
/// same nanosecond must keep their order: regions close before others open.
class ChromeMoments {
  public:
    Picoseconds next(u64 nanoseconds) {
        last_ = std::max(nanoseconds * kPicoseconds, last_ + 1);
        return last_;
    }

    static constexpr Picoseconds kPicoseconds = 1000;  ///< per nanosecond

  private:
    Picoseconds last_ = ~Picoseconds{0};  ///< before the first one: next() may return 0
};

/// Writes events in the Trace Event Format, one per line.
class ChromeEvents {
  public:
    /// `first`: the file has no events yet.
    explicit ChromeEvents(TextOut& out, bool first = false) : out_(out), first_(first) {
        if (first) out_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    }

    /// `place`: of a track: "pid":3,"tid":0.
    TextOut& begin(std::string_view phase, std::string_view place) {
        ++events_;
        out_ << (std::exchange(first_, false) ? "\n" : ",\n") << "{\"ph\":\"" << phase << "\","
             << place;
        return out_;
    }
    /// Microseconds with three decimals, or six if below nanoseconds.
    void time(std::string_view member, Picoseconds picoseconds) {
        const auto nanoseconds = static_cast<u64>(picoseconds / ChromeMoments::kPicoseconds);
        const auto rest = static_cast<u64>(picoseconds % ChromeMoments::kPicoseconds);
        out_ << ",\"" << member << "\":" << nanoseconds / 1000 << '.';
        decimals(nanoseconds % 1000);
        if (rest != 0) decimals(rest);
    }

    void close(std::string_view arguments = {}) { out_ << arguments << '}'; }
    /// Numbers that JSON lacks become 0.
    void value(double number) {
        out_ << ",\"args\":{\"value\":" << (std::isfinite(number) ? number : 0.0) << "}}";
    }
    void close_with_name(std::string_view text) {
        out_.quote(text);
        out_ << "}}";
    }

    /// Ends the file after its last event.
    static void end(TextOut& out) { out << "\n]}\n"; }
    [[nodiscard]] u64 count() const { return events_; }

  private:
    void decimals(u64 three) { out_ << (three < 10 ? "00" : three < 100 ? "0" : "") << three; }

    TextOut& out_;
    bool first_;
    u64 events_ = 0;
};

/// Names of metric values, as JSON strings.
class ChromeMetrics {
  public:
    /// Cost: one pass over the definitions.
    explicit ChromeMetrics(TraceFile& file) : catalogue_(file) {
        for (const MetricMember& member : catalogue_.members()) {
            append_json_string(member.name, names_.emplace_back());
        }
    }

    /// Calls sink(name, value) for each value of a Metric record.
    template <class Sink>
    void for_each(const RecordSpan& batch, const RecordBatch::Head& head,
                  const MappingTables& tables, const Sink& sink) const {
        catalogue_.for_each(batch.values(head), tables, [&](u32 member, ValueType type, u64 bits) {
            sink(names_[member], metric_number(type, bits));
        });
    }

  private:
    MetricCatalogue catalogue_;
    std::vector<std::string> names_;
};

/// The tracks of viewers: one for each location, in its process. Processes are the ranks, then the
/// location groups without a rank; accelerator streams and metrics are tracks of their process.
class ChromeTracks {
  public:
    /// The definitions must outlive this object. Cost: one pass over the locations.
    explicit ChromeTracks(const DefinitionIndex& definitions);

    /// "pid":3,"tid":0. Streams with overlapping kernels have more rows, from 1 on.
    [[nodiscard]] std::string place(u32 location, u32 row = 0) const;
    /// Distinguishes the counters of a process: ,"id":1; empty on its first track.
    [[nodiscard]] std::string counter_id(u32 location) const;
    /// Writes the names of processes and tracks.
    void write_names(ChromeEvents& events) const;
    /// Writes the name of an additional row of a location.
    void write_name(u32 location, u32 row, ChromeEvents& events) const;

  private:
    struct Track {
        u32 process;
        u32 number;
    };

    [[nodiscard]] std::string process_name(u32 location) const;

    const DefinitionIndex& definitions_;
    ParticipantNames names_;
    std::vector<Track> tracks_;  ///< by location
    u32 most_ = 0;               ///< maximum number of tracks of a process
};

}  // namespace tracefold
