// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/tick_source.hpp"

#include "trace/location_durations.hpp"
#include "trace/trace_file.hpp"

#include <algorithm>

namespace tracefold {

TickSource::TickSource(TraceFile& file, u32 location, Times times) {
    const TimingLevel timing = file.summary().timing;
    if (!keeps_every_time(timing) || times.kind != Times::read) {
        make_times(file, location, times);
        return;
    }
    const Section* section = file.container().find(SectionKind::ticks, location);
    if (section != nullptr) bytes_ = file.container().content(*section);
    const std::string name =
        "section ticks (location " + std::to_string(location) + ") of " + file.container().path();
    const TickCoding coding =
        file.container().is_portable() ? TickCoding::plain : TickCoding::modelled;
    if (timing == TimingLevel::exact) {
        exact_.emplace(bytes_, name, coding);
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

u64 TickSource::ticks(u32 group, const std::vector<RecordPlace>& places) {
    if (exact_) return exact_->next(group);
    u64 about = 1;
    if (quantised_) {
        about = quantised_->next(group);
    } else if (model_) {
        about = model_->next(places[group]);
    }
    return std::min(about, ~u64{0} - time_);  // no time comes before another
}

void TickSource::stamp(RecordBatch& batch, const std::vector<u32>& groups,
                       const std::vector<RecordPlace>& places) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
        batch.set_time(i, next(groups[i], places));
    }
}

void TickSource::expect_end() const {
    if (exact_) exact_->expect_end();
    if (quantised_) quantised_->expect_end();
}

}  // namespace tracefold
