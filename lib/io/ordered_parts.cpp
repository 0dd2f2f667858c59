// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "io/ordered_parts.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

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

/// The sink is called under the lock, but only by the part that comes out; others add to their own
/// bytes.
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
