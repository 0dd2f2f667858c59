// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/time_folder.hpp"

namespace tracefold {

TimeFolder::TimeFolder(TimingLevel timing, u32 error_ppm, TickCoding coding)
    : timing_(timing),
      exact_([this](std::string_view bytes) { coded_.append(bytes); }, coding),
      quantised_([this](std::string_view bytes) { coded_.append(bytes); }, error_ppm, coding) {}

void TimeFolder::begin() {
    coded_.clear();
    exact_.begin();
    quantised_.begin();
    collector_ = DurationCollector();
}

void TimeFolder::add(const std::vector<CallBatch::Delta>& deltas,
                     const std::vector<Symbol>& symbols) {
    if (timing_ == TimingLevel::histogram) {
        collector_.add(deltas, symbols);
    } else {
        encode(deltas);
    }
}

void TimeFolder::encode(const std::vector<CallBatch::Delta>& deltas) {
    if (timing_ == TimingLevel::quantized) quantised_.add(deltas);
    if (timing_ == TimingLevel::exact) exact_.add(deltas);
}

void TimeFolder::begin_loop(const std::vector<CallBatch::Delta>& deltas) {
    if (timing_ == TimingLevel::histogram) {
        collector_.begin_loop(deltas);
    } else {
        iteration_ = deltas;
    }
}

void TimeFolder::add_iteration(std::span<const RecordBatch::Head> records, u64 before) {
    if (timing_ == TimingLevel::histogram) return collector_.add_iteration(records, before);
    for (std::size_t i = 0; i < iteration_.size(); ++i) {
        iteration_[i].ticks = records[i].time - before;
        before = records[i].time;
    }
    encode(iteration_);
}

void TimeFolder::end_loop() {
    if (timing_ == TimingLevel::histogram) collector_.end_loop();
}

void TimeFolder::finish() {
    exact_.finish();
    quantised_.finish();
}

}  // namespace tracefold
