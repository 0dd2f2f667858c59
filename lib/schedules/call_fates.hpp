// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "replay/mpi_call.hpp"
#include "schedules/fate.hpp"

#include <array>
#include <map>
#include <string>

namespace tracefold {

/// Counts what became of MPI calls, by function.
class CallFates {
  public:
    /// `definitions` must outlive this object.
    explicit CallFates(const DefinitionIndex& definitions) : definitions_(definitions) {}

    void count(const MpiCall& call, Fate fate) {
        const auto row = static_cast<std::size_t>(fate);
        if (call.function != MpiFunction::other && !call.by_records) {
            ++known_[row][static_cast<std::size_t>(call.function)];
        } else {
            ++others_[row][call.region != kNone ? definitions_.region_name(call.region)
                                                : std::string(name_of_record(call))];
        }
        calls_with_region_ += call.region != kNone ? 1 : 0;
    }
    /// Those of other calls.
    void add(const CallFates& other) {
        for (std::size_t row = 0; row < kFates; ++row) {
            for (std::size_t i = 0; i < kMpiFunctions; ++i) {
                known_[row][i] += other.known_[row][i];
            }
            for (const auto& [name, calls] : other.others_[row]) others_[row][name] += calls;
        }
        calls_with_region_ += other.calls_with_region_;
    }
    /// Calls that had Enter and Leave records.
    [[nodiscard]] u64 calls_with_region() const { return calls_with_region_; }

    /// Calls sink(fate, function, calls) for each; `calls` may be 0.
    template <class Sink>
    void for_each(const Sink& sink) const {
        for (std::size_t row = 0; row < kFates; ++row) {
            const auto fate = static_cast<Fate>(row);
            for (std::size_t i = 0; i + 1 < kMpiFunctions; ++i) {
                sink(fate, name_of(static_cast<MpiFunction>(i)), known_[row][i]);
            }
            for (const auto& [name, calls] : others_[row]) sink(fate, name, calls);
        }
    }

  private:
    const DefinitionIndex& definitions_;
    std::array<std::array<u64, kMpiFunctions>, kFates> known_{};
    std::array<std::map<std::string, u64, std::less<>>, kFates> others_;  ///< by name
    u64 calls_with_region_ = 0;
};

}  // namespace tracefold
