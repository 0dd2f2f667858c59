// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/call_unwinder.hpp"

#include "core/cancel_point.hpp"
#include "core/error.hpp"

#include <optional>
#include <string>

namespace tracefold {

namespace {

constexpr u32 kCallsBetweenCancelPoints = (1U << 14U) - 1;

}  // namespace

CallUnwinder::CallUnwinder(TraceFile& file, u32 location)
    : file_(file),
      location_(location),
      tables_(file.mapping_tables(location)),
      cursor_(file.index(), Stream::events, location),
      decoder_(file.definitions(), tables_, file.definitions().locations()[location],
               file.structure(), file.index().facts(location).has_restarts != 0),
      left_(file.index().facts(location).events) {}

bool CallUnwinder::next(RecordBatch& batch, std::vector<u32>& groups, std::vector<Posted>* posted) {
    if (!cursor_.next(symbol_, values_)) {
        if (left_ != 0) wrong_count(false);
        return false;
    }
    if ((++calls_ & kCallsBetweenCancelPoints) == 0) cancel_point();
    const std::size_t before = batch.size();
    decoder_.decode(symbol_, values_, batch, &groups, posted);
    const std::size_t records = batch.size() - before;
    // Any number of calls without records would fit into a loop.
    if (records == 0) throw Error(ErrorKind::corrupt, "a call has no records");
    if (records > left_) wrong_count(true);
    left_ -= records;
    return true;
}

void CallUnwinder::watch() {
    watched_.clear();
    cursor_.save(watched_);
    decoder_.watch();
}

CallUnwinder::Cycle CallUnwinder::cycle() {
    const std::optional<u64> step = decoder_.request_step();
    now_.clear_and_compare(watched_);
    if (!step) return {};
    cursor_.save(now_);
    return {now_.repeats_since(watched_), *step};
}

void CallUnwinder::leave_out(const Cycle& cycle, u64 records) {
    if (records != 0 && cycle.times > left_ / records) wrong_count(true);
    left_ -= cycle.times * records;
    now_.go_on(watched_, cycle.times);
    cursor_.restore(now_);
    decoder_.go_on(cycle.times);
}

void CallUnwinder::wrong_count(bool more) const {
    const u64 expected = file_.index().facts(location_).events;
    throw Error(ErrorKind::corrupt, "{}: location {} should have {} records, but unwinds to {}",
                file_.container().path(), location_, expected,
                more ? "more" : std::to_string(expected - left_));
}

}  // namespace tracefold
