// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/detail/verify.hpp"

#include "archives/detail/archive_folder.hpp"
#include "archives/detail/scratch_archive.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "file/call_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

namespace tracefold {

namespace {

/// Compares times with the precision of the timing level.
class TimeCheck {
  public:
    /// For a level with a time per record. `precision` is that of quantized times, else null.
    TimeCheck(TimingLevel timing, const DeltaPrecision* precision) : timing_(timing) {
        if (precision != nullptr) precision_ = *precision;
    }

    bool accepts(u64 original, u64 regenerated) {
        if (timing_ == TimingLevel::exact || !started_) {
            started_ = true;
            last_original_ = original;
            last_regenerated_ = regenerated;
            return original == regenerated;
        }
        const u64 ticks = original - std::exchange(last_original_, original);
        const u64 kept = regenerated - std::exchange(last_regenerated_, regenerated);
        drift_bound_ = std::max(drift_bound_, precision_.tolerance(ticks));
        return distance(ticks, kept) <= precision_.tolerance(ticks) &&
               distance(original, regenerated) <= drift_bound_;
    }

  private:
    static u64 distance(u64 a, u64 b) { return a < b ? b - a : a - b; }

    TimingLevel timing_;
    DeltaPrecision precision_;
    bool started_ = false;
    u64 last_original_ = 0;
    u64 last_regenerated_ = 0;
    u64 drift_bound_ = 0;
};

/// Compares the batches of an archive with those regenerated from a file.
class Comparison {
  public:
    /// `what` names the stream in messages; `times` is null to ignore times.
    Comparison(std::string what, Stream stream, TimeCheck* times, RecordSource& regenerated)
        : what_(std::move(what)), stream_(stream), times_(times), source_(regenerated) {}

    void expect(const RecordBatch& original) {
        for (const RecordBatch::Head& head : original.heads()) {
            if (next_ == batch_.size()) {
                next_ = 0;
                if (!source_.next(batch_)) differ(head.type, "is missing in the file");
            }
            compare(original, head, batch_[next_++]);
            ++count_;
        }
    }

    void expect_end() {
        if (next_ < batch_.size() || source_.next(batch_)) {
            throw Error(ErrorKind::mismatch,
                        what_ + ": the file has more records than the archive");
        }
    }

  private:
    void compare(const RecordBatch& original, const RecordBatch::Head& a,
                 const RecordBatch::Head& b) {
        const auto equal = [](const auto& x, const auto& y) {
            return std::equal(x.begin(), x.end(), y.begin(), y.end());
        };
        if (a.type != b.type || !equal(original.values(a), batch_.values(b))) {
            differ(a.type, "has different fields in the file");
        }
        if (!equal(original.attributes(a), batch_.attributes(b))) {
            differ(a.type, "has different attributes in the file");
        }
        const std::size_t length = original.text_length(a);
        if (length != batch_.text_length(b) || original.text(a, length) != batch_.text(b, length)) {
            differ(a.type, "has a different text in the file");
        }
        if (times_ != nullptr && !times_->accepts(a.time, b.time)) {
            differ(a.type, "has a different time in the file");
        }
    }

    [[noreturn]] void differ(u8 type, const std::string& how) const {
        throw Error(ErrorKind::mismatch, "{}: record {} ({}) {}", what_, count_,
                    record_info(stream_, type).name, how);
    }

    std::string what_;
    Stream stream_;
    TimeCheck* times_;
    RecordSource& source_;
    RecordBatch batch_;
    std::size_t next_ = 0;
    u64 count_ = 0;
};

std::string place_of(const TraceFile& file, u64 location) {
    return fmt::format("location {} of {}", location, file.archive().name);
}

}  // namespace

void check_files(TraceFile& file, const TraceSource& source, u32 location) {
    const u64 id = file.definitions().locations()[location].id;
    const LocationFacts facts = file.index().facts(location);
    if (source.has_events(id) != (facts.has_event_file != 0) ||
        source.has_local_definitions(id) != (facts.has_local_definition_file != 0)) {
        throw Error(ErrorKind::mismatch, place_of(file, id) + ": the archive's files have changed");
    }
}

void verify_location(TraceFile& file, TraceSource& source, u32 location,
                     const ProgressSink& progress) {
    check_files(file, source, location);
    const u64 id = file.definitions().locations()[location].id;
    const bool timed = keeps_every_time(file.summary().timing);
    const std::string place = place_of(file, id);
    const LocationFacts facts = file.index().facts(location);
    const auto local = file.local_definitions(location);
    Comparison definitions("local definitions of " + place, Stream::local_definitions, nullptr,
                           *local);
    if (facts.has_local_definition_file != 0) {
        source.read_local_definitions_again(id, [&](const RecordBatch& batch) {
            definitions.expect(timed ? batch : without_clock_offsets(batch));
        });
    }
    definitions.expect_end();
    CallReader regenerated(file, location, timed ? Times::read : Times::skip);
    TimeCheck times(file.summary().timing, regenerated.precision());
    Comparison events("events of " + place, Stream::events, timed ? &times : nullptr, regenerated);
    source.read_events_again(id, [&](const RecordBatch& batch) {
        events.expect(batch);
        if (progress) progress(batch.size());
    });
    events.expect_end();
}

void verify_durations(TraceFile& file, const TimingStore& folded) {
    if (file.durations() == folded.finish(file.structure())) return;
    throw Error(ErrorKind::mismatch, "the durations of {} differ in the file", file.archive().name);
}

void verify_definitions(TraceFile& file, TraceSource& source) {
    const auto regenerated = file.global_definitions();
    Comparison comparison("global definitions of " + file.archive().name,
                          Stream::global_definitions, nullptr, *regenerated);
    source.read_global_definitions([&](const RecordBatch& batch) { comparison.expect(batch); });
    comparison.expect_end();
}

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
    checksum_ += ByteDifferences::share_of(pair.number, file_checksum(pair.original));
    remove_file(pair.rewritten);
    return same;
}

/// A file that cannot be written (decreasing times, texts with zeros) is stored whole.
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
    FileDifferences kept;
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
