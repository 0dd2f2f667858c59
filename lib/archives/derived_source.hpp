// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "file/record_source.hpp"
#include "file/trace_file.hpp"
#include "model/archive_info.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A trace derived from a folded file, for folding again. Parts that are not overridden are those
/// of the file: local definitions, losses, and the markers among the companion files. Throws
/// Error(corrupt).
class DerivedSource : public TraceSource {
  public:
    [[nodiscard]] const ArchiveInfo& info() const override { return info_; }
    [[nodiscard]] u64 unknown_records() const override {
        return file_.summary().dropped_unknown_records;
    }
    [[nodiscard]] std::vector<FileLoss> losses() const override { return file_.summary().losses; }
    [[nodiscard]] u64 dropped_clock_offsets() const override {
        return file_.summary().dropped_clock_offsets;
    }
    [[nodiscard]] bool has_local_definitions(u64 location) const override;
    [[nodiscard]] bool has_events(u64 location) const override;
    void read_local_definitions(u64 location, const BatchSink& sink) override;
    void read_files(const std::vector<u64>& locations, bool extra, const std::string& except,
                    const std::function<void(const CarriedFile&)>& sink) override;

    /// Names of dropped files: those about the whole trace and its original times.
    [[nodiscard]] const std::vector<std::string>& dropped_files() const { return dropped_files_; }

  protected:
    /// The file must outlive the source.
    DerivedSource(TraceFile& file, ArchiveInfo info, ProgressSink progress);

    /// The index of a location with this id.
    [[nodiscard]] u32 place_of(u64 location) const { return location_of_.at(location); }
    /// True if the trace equals that of the file: all of its files then remain valid.
    [[nodiscard]] virtual bool is_unchanged() const { return false; }
    void progress(u64 events) const {
        if (progress_) progress_(events);
    }

    TraceFile& file_;
    ArchiveInfo info_;

  private:
    ProgressSink progress_;
    std::unordered_map<u64, u32> location_of_;  ///< id -> index
    std::vector<std::string> dropped_files_;
};

/// The anchor of a derived trace: a property states how it was made, after any earlier statement,
/// and a new trace id follows from that text. `has_expected_anchor`: libotf2 would write the anchor
/// of the original in the same way.
ArchiveInfo info_of_derived(ArchiveInfo info, std::string_view property, const std::string& text,
                            bool has_expected_anchor);

struct DerivedOutput {
    std::string path;
    TimingLevel timing{};
    int level = 1;  ///< of zstd
    bool force = false;
};

/// Folds a source derived from `file`; returns the size of the output in bytes. Throws Error: io,
/// corrupt, and exceptions of the source.
u64 fold_derived(const TraceFile& file, DerivedSource& source, const DerivedOutput& output);

}  // namespace tracefold
