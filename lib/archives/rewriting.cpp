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

void remove_file(const std::string& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
}

}  // namespace

Rewriting::Rewriting(TraceFile& file, TraceSource& source, const std::string& scratch)
    : file_(file),
      source_(source),
      originals_(*source.files()),
      rewritten_(scratch, file.archive()) {}

bool Rewriting::compare(Pair pair, const std::function<void(ArchiveWriter&)>& write) {
    const bool same = is_same(pair, write);
    if (!same) keep(pair);
    checksum_ += KeptBytes::share_of(pair.number, file_checksum(pair.original));
    remove_file(pair.rewritten);
    return same;
}

/// A file that cannot be written, since its times decrease or its texts have zeros, is kept whole.
bool Rewriting::is_same(Pair& pair, const std::function<void(ArchiveWriter&)>& write) {
    try {
        write(rewritten_.writer());
        pair.written = true;
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::io) throw;
        rewritten_.close();
    }
    return pair.written && same_bytes(pair.rewritten, pair.original);
}

void Rewriting::keep(const Pair& pair) {
    KeptFile kept;
    kept.number = pair.number;
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
    rewritten_.close();
    const auto write = [this](ArchiveWriter& writer) {
        drain(*file_.global_definitions(),
              [&writer](const RecordBatch& batch) { writer.write_global_definitions(batch); });
        writer.finish();
    };
    const bool same = compare({kGlobalDefinitionsFile,
                               {false, file_.archive().definition_chunk_size},
                               originals_.global_definitions(),
                               rewritten_.files().global_definitions()},
                              write);
    if (!same) verify_definitions(file_, source_);
    rewritten_.close();
}

void Rewriting::compare_location(u32 location, const ProgressSink& progress) {
    check_files(file_, source_, location);
    const u64 id = file_.definitions().locations()[location].id;
    const LocationFacts facts = file_.index().facts(location);
    bool all_same = true;
    rewritten_.next_location();
    if (facts.has_local_definition_file != 0) {
        all_same &= compare({local_definitions_file(location),
                             {false, file_.archive().definition_chunk_size},
                             originals_.local_definitions(id),
                             rewritten_.files().local_definitions(id)},
                            [&](ArchiveWriter& writer) {
                                write_local_definitions(file_, writer, location);
                                writer.close_location(id);
                            });
    }
    if (facts.has_event_file != 0) {
        all_same &= compare({events_file(location),
                             {true, file_.archive().event_chunk_size},
                             originals_.events(id),
                             rewritten_.files().events(id)},
                            [&](ArchiveWriter& writer) {
                                write_events(file_, writer, location, progress);
                                writer.close_location(id);
                            });
    }
    if (!all_same) verify_location(file_, source_, location, {});
}

}  // namespace tracefold
