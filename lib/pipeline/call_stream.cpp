// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/call_stream.hpp"

#include "core/error.hpp"

namespace tracefold {

CallStream::CallStream(TraceFile& file, u32 location, Times times)
    : file_(file),
      location_(location),
      tables_(file.mapping_tables(location)),
      cursor_(file.index(), Stream::events, location),
      decoder_(file.definitions(), tables_, file.definitions().locations()[location],
               file.structure()),
      left_(file.index().facts(location).events) {
    if (times != Times::skip) ticks_.emplace(file, location, times);
}

bool CallStream::next() {
    records_.clear();
    posted_.clear();
    groups_.clear();
    if (!cursor_.next(symbol_, values_)) {
        if (left_ != 0) wrong_count();
        if (ticks_) ticks_->expect_end();
        return false;
    }
    decoder_.decode(symbol_, values_, records_, &groups_, &posted_);
    if (records_.empty() || records_.size() > left_) wrong_count();
    left_ -= records_.size();
    first_group_ = decoder_.first_group(symbol_);
    if (ticks_) ticks_->stamp(records_, groups_, decoder_.places());
    return true;
}

void CallStream::watch() {
    watched_.clear();
    cursor_.save(watched_);
    decoder_.watch();
}

CallStream::Cycle CallStream::cycle() {
    const std::optional<u64> step = decoder_.request_step();
    now_.clear();
    if (!step) return {};
    cursor_.save(now_);
    return {now_.repeats_since(watched_), *step};
}

void CallStream::leave_out(const Cycle& cycle, u64 records) {
    if (records != 0 && cycle.times > left_ / records) wrong_count();
    left_ -= cycle.times * records;
    now_.go_on(watched_, cycle.times);
    cursor_.restore(now_);
    decoder_.go_on(cycle.times);
}

void CallStream::pass(std::span<const u32> groups, u64* times) {
    if (!ticks_) return;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        times[i] = ticks_->next(groups[i], decoder_.places());
    }
}

void CallStream::wrong_count() const {
    throw Error(ErrorKind::corrupt, file_.container().path() + ": location " +
                                        std::to_string(location_) +
                                        " does not unwind to as many records as it should have");
}

}  // namespace tracefold
