// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/json_writer.hpp"
#include "core/types.hpp"
#include "io/file.hpp"
#include "io/ordered_parts.hpp"

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace tracefold {

/// Text that is written piece by piece. Memory: a fixed buffer.
class TextOut {
  public:
    TextOut(const TextOut&) = delete;
    TextOut& operator=(const TextOut&) = delete;
    TextOut& operator=(TextOut&&) = delete;
    virtual ~TextOut() = default;

    TextOut& operator<<(std::string_view text) {
        buffer_ += text;
        if (buffer_.size() >= kBuffer) flush();
        return *this;
    }
    TextOut& operator<<(const char* text) { return *this << std::string_view(text); }
    TextOut& operator<<(const std::string& text) { return *this << std::string_view(text); }
    TextOut& operator<<(char character) {
        buffer_ += character;
        return *this;
    }
    template <std::integral Number>
    TextOut& operator<<(Number number) {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        return *this << std::string_view(digits.data(), end - digits.data());
    }
    TextOut& operator<<(double number) {
        std::array<char, 32> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        return *this << std::string_view(digits.data(), end - digits.data());
    }
    /// As a JSON string.
    TextOut& quote(std::string_view text) {
        append_json_string(text, buffer_);
        return *this;
    }

    /// Bytes written so far.
    [[nodiscard]] u64 size() const { return passed_ + buffer_.size(); }

  protected:
    TextOut() { buffer_.reserve(kBuffer + kBuffer / 4); }
    TextOut(TextOut&&) = default;

    void flush() {
        put(buffer_);
        passed_ += buffer_.size();
        buffer_.clear();
    }

  private:
    static constexpr std::size_t kBuffer = 1U << 16U;

    virtual void put(std::string_view bytes) = 0;

    std::string buffer_;
    u64 passed_ = 0;
};

/// Text of a file that appears whole or not at all.
class TextFile final : public TextOut {
  public:
    /// As AtomicFile.
    explicit TextFile(const std::filesystem::path& path, bool force = false) : file_(path, force) {}

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
    /// Where temporary files may be.
    [[nodiscard]] std::filesystem::path folder() const {
        return file_.temporary_path().parent_path();
    }

  private:
    void put(std::string_view bytes) override { file_.write(bytes); }

    AtomicFile file_;
};

/// Text of a part of an output.
class TextPart final : public TextOut {
  public:
    explicit TextPart(OrderedParts::Part part) : part_(part) {}

    void finish() {
        flush();
        part_.finish();
    }

  private:
    void put(std::string_view bytes) override { part_.append(bytes); }

    OrderedParts::Part part_;
};

}  // namespace tracefold
