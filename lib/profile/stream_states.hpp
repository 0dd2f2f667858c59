// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/call_reader.hpp"
#include "trace/clock_map.hpp"
#include "trace/region_stack.hpp"

namespace tracefold::inline profile {

/// Reads the records of a stream of an accelerator one by one and knows what it runs from each to
/// the next. Regions within regions are part of the outermost one.
class StreamStates {
  public:
    StreamStates(TraceFile& file, u32 location);

    /// Goes on to the next record; false at the end. Throws Error(corrupt).
    bool next();

    /// Of the record, on the common clock.
    [[nodiscard]] u64 time() const { return time_; }
    /// A kernel, a copy, or none.
    [[nodiscard]] AcceleratorUse now() const;

  private:
    struct Frame {
        u64 region;
        AcceleratorUse use;
    };

    void take();

    CallReader stream_;
    ClockMap clock_;
    const DefinitionIndex& definitions_;
    RegionStack<Frame> open_;
    u32 copies_ = 0;  ///< open ones that are no regions
    std::size_t record_ = 0;
    u64 time_ = 0;
    bool over_ = false;
};

}  // namespace tracefold::inline profile
