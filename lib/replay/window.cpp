// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/window.hpp"

#include "core/error.hpp"
#include "replay/mpi_call_reader.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace tracefold {

namespace {

using Unit = WindowBound::Unit;

/// An outermost loop of a script, and where the iterations asked for begin in it.
struct Loop {
    u64 calls = 0;
    u64 iterations = 0;
    u64 left = 0;  ///< iterations, of the last call seen
    u64 end = 0;   ///< after its last call
    std::vector<u64> starts;
};

u64 ticks_of(const TraceFile& file, u64 nanoseconds) {
    const double resolution = static_cast<double>(file.definitions().timer_resolution());
    return file.definitions().clock_offset() +
           static_cast<u64>(std::llround(static_cast<double>(nanoseconds) * 1e-9 * resolution));
}

/// Looks at all calls of a location for the places of some bounds.
class BoundFinder {
  public:
    BoundFinder(TraceFile& file, u32 location, std::vector<WindowBound> bounds)
        : file_(file),
          location_(location),
          bounds_(std::move(bounds)),
          places_(bounds_.size(), LocationWindow::kEnd) {}

    std::vector<u64> find() {
        const bool timed = std::ranges::any_of(
            bounds_, [](const WindowBound& bound) { return bound.unit == Unit::time; });
        if (timed && !keeps_every_time(file_.summary().timing)) {
            throw Error(ErrorKind::usage, file_.container().path() +
                                              " does not hold the times of calls, so that no part "
                                              "can be named by its time");
        }
        MpiCallReader program(file_, location_, timed ? Times::read : Times::skip);
        for (MpiCall mpi_call; program.next(mpi_call);) look(mpi_call, program.loop());
        for (std::size_t i = 0; i < bounds_.size(); ++i) {
            if (bounds_[i].unit == Unit::call) places_[i] = bounds_[i].number;
            if (bounds_[i].unit == Unit::iteration) places_[i] = in_main_loop(i);
        }
        return places_;
    }

  private:
    void look(const MpiCall& mpi_call, const OutermostLoop& place) {
        for (std::size_t i = 0; i < bounds_.size(); ++i) {
            if (bounds_[i].unit == Unit::time && places_[i] == LocationWindow::kEnd &&
                mpi_call.begin >= ticks_of(file_, bounds_[i].number)) {
                places_[i] = mpi_call.index;
            }
        }
        if (place.item == kNone) return;
        Loop& loop = loops_[place.item];
        if (loop.calls++ == 0) loop.starts.assign(bounds_.size(), LocationWindow::kEnd);
        loop.end = mpi_call.index + 1;
        if (loop.iterations != 0 && loop.left == place.left) return;
        for (std::size_t i = 0; i < bounds_.size(); ++i) {
            if (bounds_[i].number == loop.iterations) loop.starts[i] = mpi_call.index;
        }
        ++loop.iterations;
        loop.left = place.left;
    }

    [[nodiscard]] u64 in_main_loop(std::size_t bound) const {
        const auto main = std::ranges::max_element(
            loops_, {}, [](const auto& entry) { return entry.second.calls; });
        if (main == loops_.end()) {
            throw Error(ErrorKind::usage, "location " + std::to_string(location_) +
                                              " has no loop whose iterations could be named");
        }
        return std::min(main->second.starts[bound], main->second.end);
    }

    TraceFile& file_;
    u32 location_;
    std::vector<WindowBound> bounds_;
    std::vector<u64> places_;
    std::map<u32, Loop> loops_;
};

}  // namespace

LocationWindow find_window(TraceFile& file, u32 location, const WindowRequest& request) {
    std::vector<WindowBound> bounds;
    if (request.from) bounds.push_back(*request.from);
    if (request.to) bounds.push_back(*request.to);
    const std::vector<u64> places = BoundFinder(file, location, bounds).find();
    LocationWindow window;
    if (request.from) window.from = places.front();
    if (request.to) window.to = places.back();
    if (request.from && request.from->unit == Unit::time) {
        window.start_ticks = ticks_of(file, request.from->number);
    }
    return window;
}

}  // namespace tracefold
