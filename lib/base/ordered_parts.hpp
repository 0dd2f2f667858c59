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

/// An append-only byte string in memory that spills to an unnamed temporary file beyond a limit;
/// the system removes the file however the process ends. Memory after spilling: at most 1 MiB.
/// Throws Error(io) if the temporary file cannot be created, written or read.
class SpillBuffer {
  public:
    static constexpr std::size_t kDefaultMemoryLimit = std::size_t{64} << 20U;

    /// `directory` is the folder of the temporary file. `memory_limit` is in bytes.
    explicit SpillBuffer(std::filesystem::path directory,
                         std::size_t memory_limit = kDefaultMemoryLimit);

    /// Cost: amortised linear in the bytes.
    void append(std::string_view bytes);

    [[nodiscard]] u64 size() const { return spilled_ + memory_.size(); }

    /// Bytes in the temporary file rather than in memory.
    [[nodiscard]] u64 spilled() const { return spilled_; }

    /// Returns exactly `count` bytes from `offset` on. Throws Error(internal) beyond the end.
    [[nodiscard]] std::string read(u64 offset, std::size_t count) const;

    /// Calls `visit` for all bytes in order, in pieces of at most 1 MiB, or in one piece before any
    /// spill. Not called for an empty buffer.
    void for_each_piece(const std::function<void(std::string_view)>& visit) const;

  private:
    void spill(std::string_view bytes);

    std::filesystem::path directory_;
    std::size_t memory_limit_;
    std::string memory_;  // follows the bytes in the file
    std::optional<FileDescriptor> file_;
    u64 spilled_ = 0;
};

/// An output of parts that threads produce concurrently and that is written in order: the first
/// incomplete part is written through, later parts are buffered in memory and, beyond their share
/// of 128 MB, in temporary files.
class OrderedParts {
  public:
    /// Receives the output; called by one thread at a time.
    using Sink = std::function<void(std::string_view bytes)>;

    class Part {
      public:
        Part(OrderedParts& all, u32 number) : all_(&all), number_(number) {}

        /// Throws Error(io) and exceptions of the sink.
        void append(std::string_view bytes) { all_->append(number_, bytes); }
        /// Completes the part; no append afterwards.
        void finish() { all_->finish(number_); }

      private:
        OrderedParts* all_;
        u32 number_;
    };

    /// At most `most_waiting` parts, at least one, are buffered behind the first incomplete one.
    /// `directory` holds temporary files.
    OrderedParts(Sink sink, std::filesystem::path directory, u32 most_waiting);

    /// Begins a part. Each number is begun once, ascending from 0, by any thread. Blocks while the
    /// part is too far ahead of the first incomplete one.
    Part begin(u32 number);

    /// Aborts: wakes blocked threads and ends the output, since a part will never be complete.
    void give_up();
    /// Runs `work` with a part; calls give_up() if it throws.
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
        std::size_t bytes = 0;              ///< total size of the pieces
        std::unique_ptr<SpillBuffer> rest;  ///< bytes beyond the memory share
        bool finished = false;
    };

    void append(u32 number, std::string_view bytes);
    void keep(Waiting& part, std::string_view bytes);
    std::string empty_piece();
    void give_back(std::string piece);
    void finish(u32 number);
    void pass_on(Waiting& part);
    Waiting& waiting(u32 number);

    static constexpr std::size_t kMemory = std::size_t{128} << 20U;  ///< for all buffered parts
    static constexpr std::size_t kPiece = std::size_t{1} << 18U;

    Sink sink_;
    std::filesystem::path directory_;
    u32 most_waiting_;
    std::mutex mutex_;
    std::condition_variable moved_;
    u32 first_ = 0;                  ///< the first incomplete part
    std::deque<Waiting> parts_;      ///< from first_ on
    std::vector<std::string> free_;  ///< pieces for reuse: new memory costs more than a copy
    bool given_up_ = false;
};

}  // namespace tracefold
