// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/bytes.hpp"
#include "base/file.hpp"
#include "base/types.hpp"
#include "otf2/file_encoder.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Receives bytes of a file in order.
using ByteSink = std::function<void(std::string_view)>;

/// The checksum of a file: that of the checksums of its pieces.
class FileChecksum {
  public:
    /// In order. Copies only what does not fill a piece.
    void add(std::string_view bytes);
    [[nodiscard]] u64 value();

  private:
    void add_piece(std::string_view piece);

    ByteWriter pieces_;
    std::string begun_;
};

/// Compares a file with bytes that come in order. Memory: a piece of the file.
class FileComparison {
  public:
    /// Throws Error(io), as do the other functions.
    explicit FileComparison(const std::string& path) : file_(path) {}

    /// False if the bytes so far are not those of the file.
    bool add(std::string_view bytes);
    /// True if the bytes were all those of the file. Reads the rest of the file.
    bool finish();
    /// Precondition: finish() was called.
    [[nodiscard]] u64 checksum() { return checksum_.value(); }

  private:
    bool next_piece();

    InputFile file_;
    FileChecksum checksum_;
    std::vector<u8> piece_;
    std::string_view left_;  ///< of the piece
    u64 read_ = 0;
    bool same_ = true;
};

/// Computes the difference that turns `encoded`, the file made of the records of `original`, into
/// `original`: older libraries write fewer fields, text tools append a newline. Compares record by
/// record; each record is expected to differ as the last one of its type did, so a field that all
/// records of a type lack is encoded once (docs/reference/format.md, "Kept bytes"). Memory: the
/// difference and a window of each file. Throws Error(io).
std::string file_difference(EncodedFile& encoded, const std::string& original);

/// Applies a difference to an encoded file, which gives the original. Throws Error(corrupt) if the
/// untrusted difference does not fit the file. Memory: constant.
void apply_difference(EncodedFile& encoded, std::string_view difference, const ByteSink& sink);

}  // namespace tracefold
