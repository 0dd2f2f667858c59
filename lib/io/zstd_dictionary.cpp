// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "io/zstd_dictionary.hpp"

#include <new>

#include <zstd.h>

namespace tracefold::inline io {

namespace {

template <class T, class Free>
std::shared_ptr<const T> owned(T* made, const Free& free) {
    if (made == nullptr) throw std::bad_alloc();
    return {made, free};
}

}  // namespace

const ZSTD_CDict_s& ZstdDictionary::compressor(int level) const {
    const std::scoped_lock lock(mutex_);
    auto& known = by_level_[level];
    if (!known) {
        known = owned(ZSTD_createCDict(bytes_.data(), bytes_.size(), level), ZSTD_freeCDict);
    }
    return *known;
}

const ZSTD_DDict_s& ZstdDictionary::decompressor() const {
    const std::scoped_lock lock(mutex_);
    if (!decompressor_) {
        decompressor_ = owned(ZSTD_createDDict(bytes_.data(), bytes_.size()), ZSTD_freeDDict);
    }
    return *decompressor_;
}

}  // namespace tracefold::inline io
