// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/event_source.hpp"

#include "core/error.hpp"
#include "pipeline/trace_file.hpp"

namespace tracefold {

EventSource::EventSource(TraceFile& file, u32 location, Times times)
    : file_(file),
      location_(location),
      tables_(file.mapping_tables(location)),
      cursor_(file.index(), Stream::events, location),
      decoder_(file.definitions(), tables_, file.definitions().locations()[location],
               file.structure()),
      expected_(file.index().facts(location).events) {
    if (times != Times::skip) ticks_.emplace(file, location, times);
}

bool EventSource::next(RecordBatch& batch) {
    batch.clear();
    groups_.clear();
    u32 symbol = 0;
    while (!is_full(batch) && cursor_.next(symbol, values_)) {
        const std::size_t before = batch.size();
        decoder_.decode(symbol, values_, batch, &groups_);
        // Any number of calls without records would fit into a loop.
        if (batch.size() == before) throw Error(ErrorKind::corrupt, "a call has no records");
    }
    count_ += batch.size();
    if (count_ > expected_ || (batch.empty() && count_ != expected_)) wrong_count();
    if (ticks_) ticks_->stamp(batch, groups_, decoder_.places());
    if (ticks_ && batch.empty()) ticks_->expect_end();
    return !batch.empty();
}

void EventSource::wrong_count() const {
    throw Error(ErrorKind::corrupt, file_.container().path() + ": location " +
                                        std::to_string(location_) + " should have " +
                                        std::to_string(expected_) + " records, but unwinds to " +
                                        (count_ > expected_ ? "more" : std::to_string(count_)));
}

}  // namespace tracefold
