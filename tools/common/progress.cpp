// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/progress.hpp"

#include "common/text.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {
namespace {

constexpr std::chrono::milliseconds kTerminalInterval{100};
constexpr std::chrono::milliseconds kLogInterval{5000};

}  // namespace

Progress::Progress(Console& console, std::string label, u64 total, std::string unit, Clock clock)
    : console_(console),
      label_(std::move(label)),
      unit_(std::move(unit)),
      total_(total),
      clock_(std::move(clock)),
      wanted_(console.progress_wanted()),
      interval_(console.status_is_erasable() ? kTerminalInterval : kLogInterval),
      start_(clock_()),
      next_(start_ + interval_) {}

Progress::~Progress() { console_.clear_status(); }

void Progress::set(u64 done) {
    done_ = done;
    if (!wanted_) return;
    const TimePoint now = clock_();
    if (now < next_) return;
    next_ = now + interval_;
    console_.show_status(line(now));
}

std::string Progress::line(TimePoint now) const {
    std::string text = label_ + "  ";
    if (total_ > 0) {
        const double share = static_cast<double>(done_) / static_cast<double>(total_);
        text += std::to_string(static_cast<int>(100 * std::min(share, 1.0))) + " %, ";
    }
    text += format_count(done_);
    if (total_ > 0) text += " of " + format_count(total_);
    text += " " + unit_;
    const std::chrono::duration<double> elapsed = now - start_;
    if (elapsed.count() > 0) {
        const double rate = static_cast<double>(done_) / elapsed.count();
        text += ", " + format_count(static_cast<u64>(rate)) + " " + unit_ + "/s";
    }
    return text;
}

}  // namespace tracefold
