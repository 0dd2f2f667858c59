// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/rewriting.hpp"

#include "archives/location_writer.hpp"
#include "archives/verify.hpp"
#include "core/error.hpp"
#include "io/file.hpp"

#include <filesystem>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

/// libotf2 looks a location up among all that it has written.
constexpr u32 kMostLocations = 256;

void remove_file(const std::string& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
}

}  // namespace

Rewriting::Rewriting(TraceFile& file, TraceSource& source, const std::string& scratch)
    : file_(file),
      source_(source),
      folder_(scratch),
      originals_(*source.files()),
      rewritten_((folder_.path() / "archive").string(), file.archive().name) {}

ArchiveWriter& Rewriting::writer() {
    if (locations_of_writer_ >= kMostLocations) close_writer();
    if (!writer_) {
        writer_.emplace((folder_.path() / "archive").string(), file_.archive(),
                        ArchiveWriterOptions{false});
    }
    return *writer_;
}

void Rewriting::close_writer() {
    writer_.reset();
    locations_of_writer_ = 0;
    std::error_code ignored;
    fs::remove_all(folder_.path() / "archive", ignored);
}

/// A file that cannot be written, since its times decrease or its texts have zeros, is kept whole.
bool Rewriting::is_same(Pair& pair, const std::function<void(ArchiveWriter&)>& write) {
    try {
        write(writer());
        pair.written = true;
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::io) throw;
        close_writer();
    }
    return pair.written && same_bytes(pair.rewritten, pair.original);
}

void Rewriting::keep(const Pair& pair) {
    KeptFile kept;
    kept.number = pair.number;
    kept.checksum = file_checksum(pair.original);
    if (pair.written) {
        kept.content.bytes = file_difference(pair.rewritten, pair.original, pair.layout);
        apply_difference(pair.rewritten, kept.content.bytes, pair.layout);
        kept.content.whole = !same_bytes(pair.rewritten, pair.original);
    }
    if (!pair.written || kept.content.whole) {
        kept.content = {true, read_whole_file(pair.original)};
    }
    kept_.push_back(std::move(kept));
}

void Rewriting::compare_global_definitions() {
    close_writer();
    Pair pair{kGlobalDefinitionsFile,
              {false, file_.archive().definition_chunk_size},
              originals_.global_definitions(),
              rewritten_.global_definitions()};
    const bool same = is_same(pair, [this](ArchiveWriter& writer) {
        drain(*file_.global_definitions(),
              [&writer](const RecordBatch& batch) { writer.write_global_definitions(batch); });
        writer.finish();
    });
    if (!same) {
        verify_definitions(file_, source_);
        keep(pair);
    }
    close_writer();
}

void Rewriting::compare_location(u32 location, const ProgressSink& progress) {
    check_files(file_, source_, location);
    const u64 id = file_.definitions().locations()[location].id;
    const LocationFacts facts = file_.index().facts(location);
    bool all_same = true;
    const auto compare = [&](Pair pair, const std::function<void(ArchiveWriter&)>& write) {
        if (!is_same(pair, write)) {
            all_same = false;
            keep(pair);
        }
        remove_file(pair.rewritten);
    };
    ++locations_of_writer_;
    if (facts.has_local_definition_file != 0) {
        compare({local_definitions_file(location),
                 {false, file_.archive().definition_chunk_size},
                 originals_.local_definitions(id),
                 rewritten_.local_definitions(id)},
                [&](ArchiveWriter& writer) {
                    write_local_definitions(file_, writer, location);
                    writer.close_location(id);
                });
    }
    if (facts.has_event_file != 0) {
        compare({events_file(location),
                 {true, file_.archive().event_chunk_size},
                 originals_.events(id),
                 rewritten_.events(id)},
                [&](ArchiveWriter& writer) {
                    write_events(file_, writer, location, progress);
                    writer.close_location(id);
                });
    }
    if (!all_same) verify_location(file_, source_, location, {});
}

}  // namespace tracefold
