// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/file.hpp"
#include "otf2/detail/record_scanner.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold::otf2 {

/// The elements of a file with a look at the one after the next.
class ElementStream {
  public:
    ElementStream(const std::string& path, RawFileKind kind, u64 chunk_size)
        : scanner_(path, kind, chunk_size, path), file_(path) {
        advance();
    }

    [[nodiscard]] bool at_end() const { return at_end_; }
    /// Precondition: !at_end().
    [[nodiscard]] const RawElement& now() const { return now_; }
    /// The element after that, null at the end.
    const RawElement* following() {
        if (!following_) {
            kept_.assign(now_.payload.begin(), now_.payload.end());
            now_.payload = kept_;
            RawElement element;
            following_ = scanner_.next(element) ? std::optional(element) : std::nullopt;
            if (!following_) return nullptr;
        }
        return &*following_;
    }
    void advance() {
        if (following_) {
            now_ = *following_;
            following_.reset();
        } else {
            at_end_ = !scanner_.next(now_);
        }
    }
    /// The bytes of the element at hand.
    [[nodiscard]] std::string bytes() const { return file_.read_at(now_.offset, now_.size); }
    [[nodiscard]] const InputFile& file() const { return file_; }

  private:
    RecordScanner scanner_;
    InputFile file_;
    RawElement now_;
    std::optional<RawElement> following_;
    std::vector<u8> kept_;
    bool at_end_ = false;
};

}  // namespace tracefold::otf2
