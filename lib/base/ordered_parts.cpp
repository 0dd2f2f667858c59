// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/ordered_parts.hpp"

#include "base/error.hpp"

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
        // Untouched pages cost nothing, but growing step by step does.
        if (memory_.empty()) memory_.reserve(std::min(memory_limit_, kPieceBytes));
        memory_.append(bytes);
        return;
    }
    spill(memory_);
    memory_.clear();
    if (memory_limit_ > kPieceBytes) {
        // After the spill, memory only collects small appends into large writes.
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

OrderedParts::OrderedParts(Sink sink, std::filesystem::path directory, u32 most_waiting)
    : sink_(std::move(sink)), directory_(std::move(directory)), most_waiting_(most_waiting) {}

OrderedParts::Part OrderedParts::begin(u32 number) {
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [&] { return given_up_ || number - first_ <= most_waiting_; });
    return {*this, number};
}

void OrderedParts::give_up() {
    const std::scoped_lock lock(mutex_);
    given_up_ = true;
    moved_.notify_all();
}

OrderedParts::Waiting& OrderedParts::waiting(u32 number) {
    while (parts_.size() <= number - first_) parts_.emplace_back();
    return parts_[number - first_];
}

/// No lock during output: only the first incomplete part calls the sink, others fill buffers.
void OrderedParts::append(u32 number, std::string_view bytes) {
    std::unique_lock lock(mutex_);
    if (given_up_) return;
    Waiting& part = waiting(number);
    const bool comes_out = number == first_;
    lock.unlock();
    if (!comes_out) return keep(part, bytes);
    pass_on(part);
    sink_(bytes);
}

void OrderedParts::keep(Waiting& part, std::string_view bytes) {
    const std::size_t share = kMemory / most_waiting_;
    if (!part.rest && part.bytes + bytes.size() > share) {
        part.rest = std::make_unique<SpillBuffer>(directory_, std::min(share, kPiece));
    }
    if (part.rest) return part.rest->append(bytes);
    if (part.pieces.empty() || part.pieces.back().size() + bytes.size() > kPiece) {
        part.pieces.push_back(empty_piece());
    }
    part.pieces.back() += bytes;
    part.bytes += bytes.size();
}

std::string OrderedParts::empty_piece() {
    std::string piece;
    const std::scoped_lock lock(mutex_);
    if (!free_.empty()) {
        piece = std::move(free_.back());
        free_.pop_back();
    }
    piece.reserve(kPiece);
    return piece;
}

void OrderedParts::give_back(std::string piece) {
    if (piece.capacity() >= 2 * kPiece) return;
    piece.clear();
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(piece));
}

void OrderedParts::pass_on(Waiting& part) {
    for (std::string& piece : part.pieces) {
        sink_(piece);
        give_back(std::move(piece));
    }
    if (part.rest) part.rest->for_each_piece([this](std::string_view piece) { sink_(piece); });
    part.pieces.clear();
    part.bytes = 0;
    part.rest.reset();
}

void OrderedParts::finish(u32 number) {
    std::unique_lock lock(mutex_);
    if (given_up_) return;
    waiting(number).finished = true;
    if (number != first_) return;
    while (!parts_.empty() && parts_.front().finished) {
        Waiting part = std::move(parts_.front());
        lock.unlock();
        pass_on(part);
        lock.lock();
        parts_.pop_front();
        ++first_;
        moved_.notify_all();
    }
}

}  // namespace tracefold
