// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string_view>

namespace tracefold {

/// What is measured.
enum class Quantity : u8 {
    calls,          ///< how often
    time,           ///< ticks from entering to leaving, what lies within included
    sent,           ///< bytes
    received,       ///< bytes
    read,           ///< bytes, from files
    written,        ///< bytes, to files
    self_samples,   ///< samples of the call stack, for the region that it ends in
    total_samples,  ///< the same, for every region on it
};
inline constexpr std::size_t kQuantities = 8;

/// What one number of a distribution belongs to.
enum class Over : u8 {
    calls,       ///< one call; of bytes one message or part in a collective operation
    ranks,       ///< all calls of one location
    iterations,  ///< all calls of one location in one iteration of a loop
};
inline constexpr std::size_t kOvers = 3;

/// "time", "ranks".
std::string_view quantity_name(Quantity quantity);
std::string_view over_name(Over over);

/// One number, or the same several times.
struct Sample {
    u32 row = 0;  ///< of a RowTree
    Over over{};
    Quantity quantity{};
    u64 value = 0;
    u64 times = 1;
    u32 location = 0;
    u64 iteration = 0;  ///< over iterations: which, from 0
};

class SampleSink {
  public:
    SampleSink() = default;
    SampleSink(const SampleSink&) = delete;
    SampleSink& operator=(const SampleSink&) = delete;
    virtual ~SampleSink() = default;

    virtual void add(const Sample& sample) = 0;
};

}  // namespace tracefold
