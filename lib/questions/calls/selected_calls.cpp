// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/calls/selected_calls.hpp"

#include "base/error.hpp"
#include "questions/calls/tick_window.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

SelectedCalls::SelectedCalls(TraceFile& file, CallSelection selection)
    : file_(file),
      selection_(std::move(selection)),
      source_(file),
      names_(file.definitions()),
      clock_(common_clock(file)),
      steps_(file),
      iterations_(file, source_, steps_) {
    if (selection_.has_step) iterations_.expect_some();
    if (selection_.window && file.summary().timing == TimingLevel::none) {
        throw Error(ErrorKind::usage, "cannot select by time: the file keeps no times");
    }
}

CallLister* SelectedCalls::next() {
    while (lister_ || open_next_location()) {
        while (lister_->read()) {
            if (!is_wanted()) continue;
            ++passed_;
            return &*lister_;
        }
        lister_.reset();
    }
    return nullptr;
}

bool SelectedCalls::open_next_location() {
    for (; next_location_ < file_.location_count(); ++next_location_) {
        if (!selection_.locations[next_location_]) continue;
        if (file_.index().script(Stream::events, next_location_) == kNone) continue;
        location_ = next_location_++;
        lister_.emplace(file_, source_.names(), clock_, names_.label(location_), location_);
        if (selection_.has_step || tells_steps_) counter_.emplace(iterations_.of(location_));
        matches_.assign(file_.structure().symbols.size(), Match::unknown);
        return true;
    }
    return false;
}

bool SelectedCalls::is_wanted() {
    if (counter_) counter_->next();
    if (selection_.has_step) {
        const std::optional<u64> step = counter_->step();
        if (!step || !selection_.has_step(*step)) return false;
    }
    return (!selection_.has_name || has_wanted_name()) && (!selection_.window || overlaps());
}

bool SelectedCalls::has_wanted_name() {
    Match& match = matches_[lister_->symbol()];
    if (match == Match::unknown) {
        lister_->describe();
        match = selection_.has_name(lister_->head().name) ? Match::yes : Match::no;
    }
    return match == Match::yes;
}

bool SelectedCalls::overlaps() const {
    const RecordSpan records = lister_->stream().records();
    const u64 first = records[0].time;
    const bool lasts = call_kind(lister_->stream().symbol()) == CallKind::call;
    const u64 ticks = lasts ? records[records.size() - 1].time - first : 0;
    const TickRate rate = file_.definitions().tick_rate();
    const double begin = rate.seconds(clock_.since_start(location_, first));
    const double end = begin + rate.seconds(ticks);
    return end >= selection_.window->from && begin <= selection_.window->to;
}

u64 SelectedCalls::most_steps() {
    u64 most = 0;
    for (u32 location = 0; location < file_.location_count(); ++location) {
        most = std::max(most, iterations_.count(location));
    }
    return most;
}

}  // namespace tracefold
