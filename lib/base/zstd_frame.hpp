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

/// A dictionary of zstd that many frames share: what zstd makes of it (milliseconds at the highest
/// levels) is made at the first use and kept. For any number of threads.
class ZstdDictionary {
  public:
    /// The bytes are not copied, so they must outlive this.
    explicit ZstdDictionary(std::string_view bytes) : bytes_(bytes) {}

    [[nodiscard]] std::string_view bytes() const { return bytes_; }
    /// For compression at `level`, and for decompression. They live as long as this.
    [[nodiscard]] const ZSTD_CDict_s& compressor(int level) const;
    [[nodiscard]] const ZSTD_DDict_s& decompressor() const;

  private:
    std::string_view bytes_;
    mutable std::mutex mutex_;
    mutable std::map<int, std::shared_ptr<const ZSTD_CDict_s>> by_level_;
    mutable std::shared_ptr<const ZSTD_DDict_s> decompressor_;
};

/// The release of zstd in use, "1.5.4".
std::string zstd_version();

/// One zstd frame with content size and checksum. The same input and level give the same bytes with
/// the same zstd release. Levels beyond those of zstd are clamped. From level 19 on, inputs above
/// 8 MiB are matched over a window of up to 128 MiB. With a dictionary of zstd
/// the frame has no checksum, and does not name the dictionary.
/// Throws Error(internal) if zstd refuses. Cost: up to about 1 GiB of memory at the highest levels.
std::string zstd_compress(std::string_view bytes, int level,
                          const ZstdDictionary* dictionary = nullptr);

/// The content of exactly one frame, which must be `expected_size` bytes long. `name` says in
/// messages what is being read, such as "section COLUMNS of run.tfold"; `dictionary` is that of the
/// compression.
///
/// Both arguments may come from a damaged file: memory grows with what is really decoded, besides
/// a window of at most 128 MiB, and decoding stops at the first byte too many. Throws
/// Error(corrupt) for anything that is not one whole, intact frame of that size.
std::string zstd_decompress(std::string_view frame, u64 expected_size, std::string_view name,
                            const ZstdDictionary* dictionary = nullptr);

}  // namespace tracefold
