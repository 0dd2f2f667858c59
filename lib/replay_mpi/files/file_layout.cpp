// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/files/file_layout.hpp"

#include <algorithm>

namespace tracefold {

void FileExtent::rewind() {
    run_ = 0;
    shared_run_ = 0;
    last_offset_ = ~u64{0};
}

void FileExtent::seek(bool shared, u64 offset) {
    (shared ? shared_offset_ : offset_) = std::max(shared ? shared_offset_ : offset_, offset);
    (shared ? shared_run_ : run_) = 0;
}

void FileExtent::transfer(FilePosition position, u64 offset, u64 bytes) {
    switch (position) {
        case FilePosition::given:
            guess_unit(offset, bytes);
            offset_ = std::max(offset_, offset);
            bytes_ = std::max(bytes_, bytes);
            break;
        case FilePosition::individual:
            run_ += bytes;
            bytes_ = std::max(bytes_, run_);
            break;
        case FilePosition::shared:
            shared_run_ += bytes;
            shared_bytes_ = std::max(shared_bytes_, shared_run_);
            break;
    }
}

void FileExtent::guess_unit(u64 offset, u64 bytes) {
    if (last_offset_ < offset && last_offset_ != ~u64{0}) {
        const u64 step = offset - last_offset_;
        const u64 guess = last_bytes_ % step == 0 ? last_bytes_ / step : 0;
        if (guess != 0) unit_ = unit_ == 0 ? guess : std::min(unit_, guess);
    }
    last_offset_ = offset;
    last_bytes_ = bytes;
}

}  // namespace tracefold
