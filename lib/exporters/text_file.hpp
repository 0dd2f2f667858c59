// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "io/file.hpp"

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace tracefold {

/// Text that is written to a file piece by piece, and appears there whole or not at all. Memory:
/// a fixed buffer.
class TextFile {
  public:
    /// As AtomicFile.
    explicit TextFile(const std::filesystem::path& path, bool force = false) : file_(path, force) {
        buffer_.reserve(kBuffer + kBuffer / 4);
    }

    TextFile& operator<<(std::string_view text) {
        buffer_ += text;
        if (buffer_.size() >= kBuffer) flush();
        return *this;
    }
    TextFile& operator<<(const char* text) { return *this << std::string_view(text); }
    TextFile& operator<<(const std::string& text) { return *this << std::string_view(text); }
    TextFile& operator<<(char character) {
        buffer_ += character;
        return *this;
    }
    template <std::integral Number>
    TextFile& operator<<(Number number) {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        return *this << std::string_view(digits.data(), end - digits.data());
    }
    TextFile& operator<<(double number) {
        std::array<char, 32> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        return *this << std::string_view(digits.data(), end - digits.data());
    }
    /// As a JSON string.
    TextFile& quote(std::string_view text);

    /// Replaces bytes that were written before.
    void overwrite(u64 offset, std::string_view text) {
        flush();
        file_.write_at(offset, text);
    }

    /// Puts the file into place; nothing may be written afterwards. Throws Error(io).
    void commit() {
        flush();
        file_.commit();
    }
    /// Bytes written so far.
    [[nodiscard]] u64 size() const { return file_.size() + buffer_.size(); }

  private:
    static constexpr std::size_t kBuffer = 1U << 16U;

    void flush() {
        file_.write(buffer_);
        buffer_.clear();
    }

    AtomicFile file_;
    std::string buffer_;
};

}  // namespace tracefold
