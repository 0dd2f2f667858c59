// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/detail/verify.hpp"

#include "archives/detail/archive_folder.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "file/call_reader.hpp"
#include "otf2/file_difference.hpp"

#include <algorithm>
#include <string>
#include <string_view>
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

/// Encodes regenerated events with the times of the archive, and compares the bytes of the file.
class EventBytes {
  public:
    /// `times` is null to ignore times.
    EventBytes(const TraceFile& file, const std::string& original, TimeCheck* times,
               RecordSource& regenerated)
        : encoder_(Stream::events, file.archive().event_chunk_size, original),
          original_(original),
          times_(times),
          source_(regenerated) {}

    void expect(const RecordBatch& original) {
        for (const RecordBatch::Head& head : original.heads()) {
            if (next_ == batch_.size() && !next_batch()) return;
            same_ = same_ && (times_ == nullptr || times_->accepts(head.time, batch_[next_].time));
            batch_.set_time(next_++, head.time);
        }
    }

    /// True if all bytes are the same.
    bool finish() {
        if (next_ < batch_.size() || next_batch() || !same_) return false;
        original_.add(encoder_.end_file());
        return original_.finish();
    }

  private:
    bool next_batch() {
        next_ = 0;
        encoder_.encode_all(batch_, [this](std::string_view chunk) { original_.add(chunk); });
        return source_.next(batch_);
    }

    FileEncoder encoder_;
    FileComparison original_;
    TimeCheck* times_;
    RecordSource& source_;
    RecordBatch batch_;
    std::size_t next_ = 0;
    bool same_ = true;
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

namespace {

/// False also if the events cannot be encoded, or are of no archive.
bool has_same_event_bytes(TraceFile& file, TraceSource& source, u32 location,
                          const ProgressSink& progress) {
    if (source.files() == nullptr || file.index().facts(location).has_event_file == 0) return false;
    const bool timed = keeps_every_time(file.summary().timing);
    CallReader regenerated(file, location, timed ? Times::read : Times::skip);
    TimeCheck times(file.summary().timing, regenerated.precision());
    const ArchivePart part{Stream::events, location};
    try {
        EventBytes bytes(file, part.path(*source.files(), file), timed ? &times : nullptr,
                         regenerated);
        source.read_events(file.definitions().locations()[location].id,
                           [&](const RecordBatch& batch) {
                               bytes.expect(batch);
                               if (progress) progress(batch.size());
                           });
        return bytes.finish();
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::corrupt) return false;
        throw;
    }
}

}  // namespace

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
    if (has_same_event_bytes(file, source, location, progress)) return;
    CallReader regenerated(file, location, timed ? Times::read : Times::skip);
    TimeCheck times(file.summary().timing, regenerated.precision());
    Comparison events("events of " + place, Stream::events, timed ? &times : nullptr, regenerated);
    source.read_events_again(id, [&](const RecordBatch& batch) { events.expect(batch); });
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

bool ByteCheck::compare(const ArchivePart& part, const ProgressSink& progress) {
    const std::string path = part.path(originals_, file_);
    FileComparison original(path);
    bool same = false;
    try {
        EncodedFile encoded = part.encode(file_, progress);
        std::string_view chunk = encoded.next_chunk();
        while (!chunk.empty() && original.add(chunk)) chunk = encoded.next_chunk();
        same = chunk.empty();
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::io) throw;
    }
    same = original.finish() && same;
    checksum_ += ByteDifferences::share_of(part.number(), original.checksum());
    if (!same) kept_.push_back({part.number(), difference(part, path)});
    return same;
}

/// A file that cannot be encoded (decreasing times, texts with zeros) is stored whole.
ContentDifferences ByteCheck::difference(const ArchivePart& part, const std::string& original) {
    try {
        EncodedFile encoded = part.encode(file_, {});
        const std::string bytes = file_difference(encoded, original);
        EncodedFile again = part.encode(file_, {});
        FileComparison restored(original);
        apply_difference(again, bytes, [&](std::string_view piece) { restored.add(piece); });
        if (restored.finish()) return {false, bytes};
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::io) throw;
    }
    return {true, read_whole_file(original)};
}

void ByteCheck::compare_global_definitions() {
    if (!compare({}, {})) verify_definitions(file_, source_);
}

void ByteCheck::compare_location(u32 location, const ProgressSink& progress) {
    check_files(file_, source_, location);
    bool all_same = true;
    for (const ArchivePart& part : parts_of_location(file_, location)) {
        all_same &= compare(part, progress);
    }
    if (!all_same) verify_location(file_, source_, location, {});
}

}  // namespace tracefold
