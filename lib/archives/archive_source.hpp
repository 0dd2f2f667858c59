// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/record_source.hpp"
#include "otf2/archive_reader.hpp"

#include <memory>
#include <string>
#include <utility>

namespace tracefold {

/// Maximum size in bytes of a companion file: it is read and stored as one piece.
inline constexpr u64 kLargestCarried = u64{1} << 30U;

/// Reads a trace from an OTF2 archive.
class ArchiveSource : public TraceSource {
  public:
    /// As ArchiveReader.
    explicit ArchiveSource(const std::string& path, const ArchiveReaderOptions& options = {})
        : reader_(path, options) {}

    explicit ArchiveSource(ArchiveReader reader) : reader_(std::move(reader)) {}

    ArchiveReader& reader() { return reader_; }

    [[nodiscard]] std::unique_ptr<TraceSource> clone_reader() const override {
        return std::make_unique<ArchiveSource>(reader_.clone_reader());
    }

    [[nodiscard]] const ArchiveInfo& info() const override { return reader_.info(); }
    [[nodiscard]] const ArchiveFiles* files() const override { return &reader_.files(); }
    /// Of anchor and global definitions, and of the locations that have files.
    [[nodiscard]] u64 content() const override;
    [[nodiscard]] u64 state(int part, int parts) const override;
    [[nodiscard]] u64 archive_bytes() const override;
    [[nodiscard]] u64 unknown_records() const override { return reader_.unknown_records(); }
    [[nodiscard]] std::vector<FileLoss> losses() const override { return losses_; }
    /// For a rescued archive, see RescuedArchive.
    void set_losses(std::vector<FileLoss> losses) { losses_ = std::move(losses); }
    void read_global_definitions(const BatchSink& sink) override {
        reader_.read_global_definitions(sink);
    }
    [[nodiscard]] bool has_local_definitions(u64 location) const override {
        return reader_.has_local_definitions(location);
    }
    [[nodiscard]] bool has_events(u64 location) const override {
        return reader_.has_events(location);
    }
    void read_local_definitions(u64 location, const BatchSink& sink) override {
        reader_.read_local_definitions(location, sink);
    }
    u64 read_events(u64 location, const BatchSink& sink) override {
        return reader_.read_events(location, sink);
    }
    // Reads with libotf2 alone.
    void read_local_definitions_again(u64 location, const BatchSink& sink) override {
        reader_.read_local_definitions_by_libotf2(location, sink);
    }
    u64 read_events_again(u64 location, const BatchSink& sink) override {
        return reader_.read_events_by_libotf2(location, sink);
    }
    void read_files(const std::vector<u64>& locations, bool extra, const std::string& except,
                    const std::function<void(const CarriedFile&)>& sink) override;

  private:
    ArchiveReader reader_;
    std::vector<FileLoss> losses_;
};

/// The processes of an archive by its definitions, before folding.
struct ArchiveOutline {
    u32 ranks = 0;  ///< 0 without MPI
    /// An MPI process has more locations than its main one. Only such processes may have called MPI
    /// from several threads; their events tell if they did.
    bool has_threads = false;
};

/// Throws Error as ArchiveReader. Cost: reads the global definitions.
ArchiveOutline outline_archive(const std::string& path, const ArchiveReaderOptions& options);

}  // namespace tracefold
