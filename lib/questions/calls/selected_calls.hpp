// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/participant_names.hpp"
#include "questions/calls/call_lister.hpp"
#include "questions/structure/main_loop.hpp"

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace tracefold {

/// Which calls of a trace are wanted; all conditions hold at once.
struct CallSelection {
    /// Seconds since the start of the trace. A call is wanted that is going on at some moment of
    /// it.
    struct Window {
        double from = 0;
        double to = 0;
    };

    std::vector<bool> locations;                          ///< by location
    std::optional<Window> window;                         ///< none: at any time
    std::function<bool(u64 step)> has_step;               ///< empty: in any step or none
    std::function<bool(std::string_view name)> has_name;  ///< empty: of any name
};

/// The calls of a trace that are wanted, one after the other, location by location in the order of
/// their definitions. Memory: one location's times and one call. Throws Error(corrupt).
class SelectedCalls {
  public:
    /// The file must outlive this object. Throws Error(usage) if steps are asked for and the
    /// program has none, or times and the file keeps none.
    SelectedCalls(TraceFile& file, CallSelection selection);

    /// Goes on to the next call, which describe() tells more about; null at the end. The lister is
    /// another one for each location.
    CallLister* next();

    /// Of the last call.
    [[nodiscard]] u32 location() const { return location_; }
    [[nodiscard]] u64 passed() const { return passed_; }
    [[nodiscard]] const CommonClock& clock() const { return clock_; }
    [[nodiscard]] const ParticipantNames& names() const { return names_; }
    /// The most steps that a location has.
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
    std::optional<CallLister> lister_;
    std::optional<StepCounter> counter_;
    std::vector<Match> matches_;  ///< by symbol, for the location at hand
};

}  // namespace tracefold
