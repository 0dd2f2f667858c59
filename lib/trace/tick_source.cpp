// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/tick_source.hpp"

#include "trace/duration_collector.hpp"
#include "trace/trace_file.hpp"

#include <algorithm>

namespace tracefold {

TickSource::TickSource(TraceFile& file, u32 location, Times times) {
    if (keeps_every_time(file.summary().timing) && times.kind == Times::read) {
        read_times(file, location);
    } else {
        make_times(file, location, times);
    }
}

void TickSource::read_times(TraceFile& file, u32 location) {
    const bool exact = file.summary().timing == TimingLevel::exact;
    DecodedTicks* decoded = exact ? file.decoded_ticks() : nullptr;
    if (decoded != nullptr) kept_ = decoded->reader(location);
    if (kept_.has_ticks()) return;
    const Section* section = file.container().find(SectionKind::ticks, location);
    if (section != nullptr) bytes_ = file.container().content(*section);
    const std::string name =
        "section ticks (location " + std::to_string(location) + ") of " + file.container().path();
    const TickCoding coding =
        file.container().is_portable() ? TickCoding::plain : TickCoding::modelled;
    if (exact) {
        exact_.emplace(bytes_, name, coding);
        if (decoded != nullptr)
            keeping_ = decoded->writer(location, file.index().facts(location).events);
    } else {
        quantised_.emplace(bytes_, file.summary().time_error_ppm, name, coding);
    }
}

void TickSource::make_times(TraceFile& file, u32 location, Times times) {
    time_ = file.definitions().clock_offset();
    const TimingLevel timing = file.summary().timing;
    if (timing == TimingLevel::none) return;
    if (timing != TimingLevel::histogram) own_model_ = durations_of_location(file, location);
    const TimingModel& model = timing == TimingLevel::histogram ? file.durations() : own_model_;
    std::optional<u64> seed;
    if (times.kind == Times::sample) seed = times.seed;
    model_.emplace(model, location, file.structure().symbols.size(), seed);
}

void TickSource::next(std::span<const u32> groups, const std::vector<RecordPlace>& places,
                      u64* times) {
    if (exact_ || kept_.has_ticks()) {
        exact_ticks(groups, times);
        for (std::size_t i = 0; i < groups.size(); ++i) times[i] = time_ += times[i];
        return;
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        // No time comes before another.
        times[i] = time_ += std::min(about(groups[i], places), ~u64{0} - time_);
    }
}

void TickSource::exact_ticks(std::span<const u32> groups, u64* ticks) {
    if (kept_.has_ticks()) return kept_.next({ticks, groups.size()});
    exact_->next(groups, ticks);
    if (keeping_) keeping_->add({ticks, groups.size()});
}

u64 TickSource::about(u32 group, const std::vector<RecordPlace>& places) {
    if (quantised_) return quantised_->next(group);
    return model_ ? model_->next(places[group]) : 1;
}

void TickSource::stamp(RecordBatch& batch, std::span<const u32> groups,
                       const std::vector<RecordPlace>& places) {
    stamps_.resize(groups.size());
    next(groups, places, stamps_.data());
    const std::size_t first = batch.size() - groups.size();
    for (std::size_t i = 0; i < groups.size(); ++i) batch.set_time(first + i, stamps_[i]);
}

void TickSource::expect_end() const {
    if (exact_) exact_->expect_end();
    if (keeping_) keeping_->finish();
    if (quantised_) quantised_->expect_end();
}

}  // namespace tracefold
