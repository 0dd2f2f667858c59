// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "io/file_descriptor.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace tracefold
