// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/participant_names.hpp"
#include "questions/calls/call_lister.hpp"
#include "questions/structure/iterations.hpp"

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace tracefold {

/// Selects calls of a trace; all conditions must hold.
struct CallSelection {
    /// Seconds since the start of the trace. Selects calls that overlap it.
    struct Window {
        double from = 0;
        double to = 0;
    };

    std::vector<bool> locations;             ///< by location
    std::optional<Window> window;            ///< none: at any time
    std::function<bool(u64 step)> has_step;  ///< empty: all calls, also outside of steps
    std::function<bool(std::string_view name)> has_name;  ///< empty: all names
};

/// Iterates over the selected calls of a trace, location by location in order of definition.
/// Memory: one location's times and one call. Throws Error(corrupt).
class SelectedCalls {
  public:
    /// The file must outlive this object. Throws Error(usage) if steps are requested of a program
    /// without steps, or times of a file without times.
    SelectedCalls(TraceFile& file, CallSelection selection);

    /// Advances to the next call without describing it (see CallLister::describe()); null at the
    /// end. Each location has a lister of its own.
    CallLister* next();
    /// Call before next() if step() is wanted without a selection of steps. Cost: finds the steps.
    void tell_steps() { tells_steps_ = true; }
    /// The step of the last call (LocationSteps::step_of()); none also unless steps are told or
    /// selected.
    [[nodiscard]] std::optional<u64> step() const {
        return counter_ ? counter_->step() : std::nullopt;
    }

    /// Location and index of the last call.
    [[nodiscard]] u32 location() const { return location_; }
    [[nodiscard]] u64 passed() const { return passed_; }
    [[nodiscard]] const CommonClock& clock() const { return clock_; }
    [[nodiscard]] const ParticipantNames& names() const { return names_; }
    /// Maximum number of steps over the locations.
    [[nodiscard]] u64 most_steps();

  private:
    enum class Match : u8 { unknown, yes, no };

    bool open_next_location();
    [[nodiscard]] bool is_wanted();
    [[nodiscard]] bool has_wanted_name();
    [[nodiscard]] bool overlaps() const;

    TraceFile& file_;
    CallSelection selection_;
    ListingSource source_;
    ParticipantNames names_;
    CommonClock clock_;
    FoundSteps steps_;
    Iterations iterations_;
    u32 next_location_ = 0;
    u32 location_ = 0;
    u64 passed_ = 0;
    bool tells_steps_ = false;
    std::optional<CallLister> lister_;
    std::optional<StepCounter> counter_;
    std::vector<Match> matches_;  ///< by symbol, for the current location
};

}  // namespace tracefold
