// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string_view>

struct ZSTD_CDict_s;
struct ZSTD_DDict_s;

namespace tracefold::inline io {

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

}  // namespace tracefold::inline io
