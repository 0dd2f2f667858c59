// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/file_layout.hpp"

#include <algorithm>
#include <string_view>

namespace tracefold {

FilePosition position_of(MpiFunction function) {
    const std::string_view name = name_of(function);
    if (name.find("_at") != std::string_view::npos) return FilePosition::given;
    const bool shared = name.find("_shared") != std::string_view::npos ||
                        name.find("_ordered") != std::string_view::npos;
    return shared ? FilePosition::shared : FilePosition::individual;
}

bool ends_split(MpiFunction function) { return name_of(function).ends_with("_end"); }

std::optional<FileTransfer> read_file_transfer(const MpiCall& mpi_call) {
    if (ends_split(mpi_call.function)) return std::nullopt;
    const Action* begin = find_record(mpi_call, EventType::IoOperationBegin);
    if (begin == nullptr) return std::nullopt;
    FileTransfer transfer{begin->fields[0], begin->fields[3], 0, begin->fields[4]};
    if (position_of(mpi_call.function) == FilePosition::given && begin->offset != ~u64{0}) {
        transfer.offset = begin->offset;
    }
    return transfer;
}

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
