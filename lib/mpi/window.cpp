// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/window.hpp"

#include "base/error.hpp"
#include "mpi/mpi_call_reader.hpp"

#include <algorithm>
#include <cmath>

namespace tracefold {

namespace {

using Unit = WindowBound::Unit;

u64 ticks_of(const TraceFile& file, u64 nanoseconds) {
    const double ticks =
        file.definitions().tick_rate().ticks(static_cast<double>(nanoseconds) * 1e-9);
    return file.definitions().clock_offset() + static_cast<u64>(std::llround(ticks));
}

class BoundFinder {
  public:
    BoundFinder(TraceFile& file, u32 location, const LocationSteps* steps,
                std::vector<WindowBound> bounds)
        : file_(file),
          location_(location),
          steps_(steps),
          bounds_(std::move(bounds)),
          places_(bounds_.size(), LocationWindow::kEnd) {}

    std::vector<u64> find() {
        const bool timed = std::ranges::any_of(
            bounds_, [](const WindowBound& bound) { return bound.unit == Unit::time; });
        if (timed && !keeps_every_time(file_.summary().timing)) {
            throw Error(ErrorKind::usage,
                        file_.container().path() +
                            " does not hold the times of calls: parts cannot be selected by time");
        }
        MpiCallReader program(file_, location_, timed ? Times::read : Times::skip);
        for (MpiCall mpi_call; program.next(mpi_call);) look(mpi_call, program.position());
        for (std::size_t i = 0; i < bounds_.size(); ++i) {
            if (bounds_[i].unit == Unit::call) places_[i] = bounds_[i].number;
            if (bounds_[i].unit == Unit::iteration) places_[i] = std::min(places_[i], calls_);
        }
        return places_;
    }

  private:
    void look(const MpiCall& mpi_call, u64 position) {
        calls_ = mpi_call.index + 1;
        for (std::size_t i = 0; i < bounds_.size(); ++i) {
            if (places_[i] == LocationWindow::kEnd && is_reached(bounds_[i], mpi_call, position)) {
                places_[i] = mpi_call.index;
            }
        }
    }

    [[nodiscard]] bool is_reached(const WindowBound& bound, const MpiCall& mpi_call,
                                  u64 position) const {
        if (bound.unit == Unit::time) return mpi_call.begin >= ticks_of(file_, bound.number);
        if (bound.unit == Unit::iteration) return position >= first_call(bound.number);
        return false;
    }

    /// First call of a step; after the last step, the next call.
    [[nodiscard]] u64 first_call(u64 step) const {
        if (steps_ == nullptr) {
            throw Error(ErrorKind::usage,
                        "location {} takes part in no steps that could be selected", location_);
        }
        return step < steps_->count() ? steps_->calls(step).first
                                      : steps_->calls(steps_->count() - 1).end;
    }

    TraceFile& file_;
    u32 location_;
    const LocationSteps* steps_;
    std::vector<WindowBound> bounds_;
    std::vector<u64> places_;
    u64 calls_ = 0;
};

}  // namespace

LocationWindow find_window(TraceFile& file, u32 location, const WindowRequest& request,
                           const LocationSteps* steps) {
    std::vector<WindowBound> bounds;
    if (request.from) bounds.push_back(*request.from);
    if (request.to) bounds.push_back(*request.to);
    const std::vector<u64> places = BoundFinder(file, location, steps, bounds).find();
    LocationWindow window;
    if (request.from) window.from = places.front();
    if (request.to) window.to = places.back();
    if (request.from && request.from->unit == Unit::time) {
        window.start_ticks = ticks_of(file, request.from->number);
    }
    return window;
}

}  // namespace tracefold
