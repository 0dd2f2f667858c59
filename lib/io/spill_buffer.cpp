// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "io/spill_buffer.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace tracefold {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20U;

FileDescriptor create_nameless_file(const std::filesystem::path& directory) {
    const std::string name = "a temporary file in " + directory.string();
    std::string pattern = (directory / ".tracefold-spill-XXXXXX").string();
    const int fd = ::mkostemp(pattern.data(), O_CLOEXEC);
    if (fd < 0) {
        throw_io_error("cannot create", name, errno);
    }
    ::unlink(pattern.c_str());
    return {fd, name};
}

}  // namespace

SpillBuffer::SpillBuffer(std::filesystem::path directory, std::size_t memory_limit)
    : directory_(std::move(directory)), memory_limit_(memory_limit) {}

void SpillBuffer::append(std::string_view bytes) {
    if (bytes.size() <= memory_limit_ - memory_.size()) {
        // Pages that nothing is written to cost nothing, but growing step by step does.
        if (memory_.empty()) memory_.reserve(std::min(memory_limit_, kPieceBytes));
        memory_.append(bytes);
        return;
    }
    spill(memory_);
    memory_.clear();
    if (memory_limit_ > kPieceBytes) {
        // From now on the memory only gathers small appends into large writes.
        memory_limit_ = kPieceBytes;
        memory_.shrink_to_fit();
    }
    if (bytes.size() > memory_limit_) {
        spill(bytes);
    } else {
        memory_.append(bytes);
    }
}

void SpillBuffer::spill(std::string_view bytes) {
    if (!file_) {
        file_ = create_nameless_file(directory_);
    }
    file_->write_at(spilled_, bytes);
    spilled_ += bytes.size();
}

std::string SpillBuffer::read(u64 offset, std::size_t count) const {
    if (offset > size() || count > size() - offset) {
        throw Error(ErrorKind::internal, "a read beyond the end of a spill buffer");
    }
    const u64 in_file = offset < spilled_ ? std::min<u64>(count, spilled_ - offset) : 0;
    std::string bytes(static_cast<std::size_t>(in_file), '\0');
    if (in_file > 0) {
        file_->read_at(offset, bytes.data(), bytes.size());
    }
    if (bytes.size() < count) {
        const u64 in_memory = offset + in_file - spilled_;
        bytes.append(memory_, static_cast<std::size_t>(in_memory), count - bytes.size());
    }
    return bytes;
}

void SpillBuffer::for_each_piece(const std::function<void(std::string_view)>& visit) const {
    for (u64 offset = 0; offset < spilled_; offset += kPieceBytes) {
        visit(
            read(offset, static_cast<std::size_t>(std::min<u64>(kPieceBytes, spilled_ - offset))));
    }
    if (!memory_.empty()) {
        visit(memory_);
    }
}

}  // namespace tracefold
