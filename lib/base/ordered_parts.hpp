// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/file_descriptor.hpp"
#include "base/types.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// An append-only byte string that stays in memory up to a limit and beyond it moves to a temporary
/// file without a name, which the system removes however the process ends. Memory after that: at
/// most 1 MiB. Throws Error(io) if the temporary file cannot be created, written or read.
class SpillBuffer {
  public:
    static constexpr std::size_t kDefaultMemoryLimit = std::size_t{64} << 20U;

    /// `directory` takes the temporary file, if there will be one. `memory_limit` is in bytes.
    explicit SpillBuffer(std::filesystem::path directory,
                         std::size_t memory_limit = kDefaultMemoryLimit);

    /// Cost: amortised linear in the bytes.
    void append(std::string_view bytes);

    [[nodiscard]] u64 size() const { return spilled_ + memory_.size(); }

    /// Bytes that are in the temporary file and not in memory.
    [[nodiscard]] u64 spilled() const { return spilled_; }

    /// Exactly `count` bytes from `offset` on. Throws Error(internal) beyond the end.
    [[nodiscard]] std::string read(u64 offset, std::size_t count) const;

    /// Calls `visit` for all bytes in order, in pieces of at most 1 MiB or, while nothing has been
    /// spilled, in one piece. Not called for an empty buffer.
    void for_each_piece(const std::function<void(std::string_view)>& visit) const;

  private:
    void spill(std::string_view bytes);

    std::filesystem::path directory_;
    std::size_t memory_limit_;
    std::string memory_;  // follows the bytes in the file
    std::optional<FileDescriptor> file_;
    u64 spilled_ = 0;
};

/// An output of parts that several threads make side by side and that come out in their order: the
/// first one that is not complete passes its bytes on at once, those behind it wait in memory and,
/// beyond a share of 128 MB for each, in temporary files.
class OrderedParts {
  public:
    /// Takes bytes, from one thread at a time.
    using Sink = std::function<void(std::string_view bytes)>;

    class Part {
      public:
        Part(OrderedParts& all, u32 number) : all_(&all), number_(number) {}

        /// Throws Error(io), and what the sink throws.
        void append(std::string_view bytes) { all_->append(number_, bytes); }
        /// Nothing is appended afterwards.
        void finish() { all_->finish(number_); }

      private:
        OrderedParts* all_;
        u32 number_;
    };

    /// At most `most_waiting` parts, at least one, are made beside the one that comes out.
    /// `directory` takes temporary files.
    OrderedParts(Sink sink, std::filesystem::path directory, u32 most_waiting);

    /// Begins a part, each number from 0 on once, in their order but from any threads. Waits as
    /// long as it is too far ahead of the part that comes out.
    Part begin(u32 number);

    /// A part will never be complete: nobody waits any more, and nothing comes out.
    void give_up();
    /// Runs the work of a part; gives up if it throws.
    template <class Work>
    void guard(const Work& work) {
        try {
            work();
        } catch (...) {
            give_up();
            throw;
        }
    }

  private:
    struct Waiting {
        std::vector<std::string> pieces;
        std::size_t bytes = 0;              ///< of the pieces
        std::unique_ptr<SpillBuffer> rest;  ///< what has no room there
        bool finished = false;
    };

    void append(u32 number, std::string_view bytes);
    void keep(Waiting& part, std::string_view bytes);
    std::string empty_piece();
    void give_back(std::string piece);
    void finish(u32 number);
    void pass_on(Waiting& part);
    Waiting& waiting(u32 number);

    static constexpr std::size_t kMemory = std::size_t{128} << 20U;  ///< of all that wait
    static constexpr std::size_t kPiece = std::size_t{1} << 18U;

    Sink sink_;
    std::filesystem::path directory_;
    u32 most_waiting_;
    std::mutex mutex_;
    std::condition_variable moved_;
    u32 first_ = 0;                  ///< the part that comes out
    std::deque<Waiting> parts_;      ///< from that one on
    std::vector<std::string> free_;  ///< pieces to be used again: new memory costs more than a copy
    bool given_up_ = false;
};

}  // namespace tracefold
