// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

struct ZSTD_CDict_s;
struct ZSTD_DDict_s;

namespace tracefold {

/// A zstd dictionary shared by many frames. Its digested forms (milliseconds at the highest levels)
/// are made at first use and cached. Thread-safe.
class ZstdDictionary {
  public:
    /// The bytes are not copied and must outlive this.
    explicit ZstdDictionary(std::string_view bytes) : bytes_(bytes) {}

    [[nodiscard]] std::string_view bytes() const { return bytes_; }
    /// Digested forms for compression at `level` and for decompression; valid as long as this.
    [[nodiscard]] const ZSTD_CDict_s& compressor(int level) const;
    [[nodiscard]] const ZSTD_DDict_s& decompressor() const;

  private:
    std::string_view bytes_;
    mutable std::mutex mutex_;
    mutable std::map<int, std::shared_ptr<const ZSTD_CDict_s>> by_level_;
    mutable std::shared_ptr<const ZSTD_DDict_s> decompressor_;
};

/// Returns the zstd release in use, "1.5.4".
std::string zstd_version();

/// Compresses to one zstd frame with content size and checksum. Deterministic for the same input,
/// level and zstd release. Levels beyond those of zstd are clamped. From level 19 on, inputs above
/// 8 MiB use a window of up to 128 MiB. With a dictionary the frame has no checksum and no
/// dictionary ID. Throws Error(internal) if zstd fails. Cost: up to about 1 GiB of memory at the
/// highest levels.
std::string zstd_compress(std::string_view bytes, int level,
                          const ZstdDictionary* dictionary = nullptr);

/// Decompresses exactly one frame of `expected_size` content bytes. `name` is the source in
/// messages, such as "section COLUMNS of run.tfold"; `dictionary` is that of the compression.
///
/// Safe for damaged input and sizes: memory grows with the decoded bytes, besides a window of at
/// most 128 MiB, and decoding stops at the first excess byte. Throws Error(corrupt) unless the
/// input is one complete, intact frame of that size.
std::string zstd_decompress(std::string_view frame, u64 expected_size, std::string_view name,
                            const ZstdDictionary* dictionary = nullptr);

}  // namespace tracefold
