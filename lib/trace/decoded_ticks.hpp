// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace tracefold {

/// Ticks between the records of locations, kept once they are decoded: for a file that is read
/// several times, since the models that decode them take longer than most of what is done with
/// them. For concurrent use. Memory: two bytes a record, six or ten where a tick needs more than 16
/// or 32 bits, as far as there is room.
class DecodedTicks {
  public:
    explicit DecodedTicks(std::size_t most_bytes) : left_(most_bytes / sizeof(u16)) {}

    /// Those of one location, from the first record to the last.
    class Reader {
      public:
        Reader() = default;
        explicit Reader(std::shared_ptr<const std::vector<u16>> ticks) : ticks_(std::move(ticks)) {}

        [[nodiscard]] bool has_ticks() const { return ticks_ != nullptr; }
        /// Those of the next records. Precondition: the location has so many more.
        void next(std::span<u64> ticks);

      private:
        std::shared_ptr<const std::vector<u16>> ticks_;
        std::size_t at_ = 0;
    };

    /// Takes the ticks of a location while they are decoded.
    class Writer {
      public:
        Writer(DecodedTicks& store, u32 location, u64 records);
        ~Writer();
        Writer(const Writer&) = delete;
        Writer& operator=(const Writer&) = delete;

        void add(std::span<const u64> ticks);
        /// The location was read to its end without error: readers can have its ticks from now on,
        /// unless some had no room. Further calls have no effect.
        void finish();

      private:
        bool has_room(std::size_t numbers);

        DecodedTicks& store_;
        u32 location_;
        u64 missing_;       ///< records
        std::size_t room_;  ///< numbers that the store has reserved
        std::vector<u16> ticks_;
    };

    /// Has no ticks unless all of the location were kept.
    [[nodiscard]] Reader reader(u32 location);
    /// Null if there is no room, or if somebody else is writing or has written them.
    [[nodiscard]] std::unique_ptr<Writer> writer(u32 location, u64 records);

  private:
    bool take(std::size_t numbers);

    std::mutex mutex_;
    std::size_t left_;                                              ///< numbers
    std::map<u32, std::shared_ptr<const std::vector<u16>>> ticks_;  ///< null: being written
};

}  // namespace tracefold
