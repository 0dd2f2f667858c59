// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/requests.hpp"

namespace tracefold {

namespace {

constexpr std::size_t kFirstSlots = 64;

}  // namespace

Requests::Requests(bool shared) : shared_(shared), slots_(kFirstSlots) {}

std::size_t Requests::slot_of(u64 id) const {
    std::size_t slot = place(id);
    while (slots_[slot].entry != kNone && slots_[slot].id != id) slot = next(slot);
    return slot;
}

void Requests::grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
        if (slot.entry != kNone) slots_[slot_of(slot.id)] = slot;
    }
}

MPI_Request& Requests::add_unlocked(u64 id) {
    if (2 * size_ >= slots_.size()) grow();
    Slot& slot = slots_[slot_of(id)];
    if (slot.entry == kNone) {
        ++size_;
        if (free_.empty()) {
            slot = {id, static_cast<u32>(entries_.size())};
            entries_.push_back(MPI_REQUEST_NULL);
        } else {
            slot = {id, free_.back()};
            free_.pop_back();
        }
    }
    return entries_[slot.entry] = MPI_REQUEST_NULL;
}

MPI_Request& Requests::add(u64 id) {
    const auto guard = lock();
    return add_unlocked(id);
}

void Requests::put(u64 id, MPI_Request request) {
    const auto guard = lock();
    add_unlocked(id) = request;
}

MPI_Request* Requests::find(u64 id) {
    const auto guard = lock();
    const Slot& slot = slots_[slot_of(id)];
    return slot.entry == kNone ? nullptr : &entries_[slot.entry];
}

void Requests::remove(u64 id) {
    const auto guard = lock();
    const std::size_t slot = slot_of(id);
    if (slots_[slot].entry != kNone) remove_unlocked(slot);
}

std::optional<MPI_Request> Requests::take(u64 id) {
    const auto guard = lock();
    const std::size_t slot = slot_of(id);
    if (slots_[slot].entry == kNone) return std::nullopt;
    const MPI_Request request = entries_[slots_[slot].entry];
    remove_unlocked(slot);
    return request;
}

/// The slots after the emptied one move up, so that no search ends too early.
void Requests::remove_unlocked(std::size_t hole) {
    free_.push_back(slots_[hole].entry);
    --size_;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = next(hole); slots_[slot].entry != kNone; slot = next(slot)) {
        const std::size_t home = place(slots_[slot].id);
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
            slots_[hole] = slots_[slot];
            hole = slot;
        }
    }
    slots_[hole].entry = kNone;
}

void Requests::clear() {
    const auto guard = lock();
    for (Slot& slot : slots_) slot.entry = kNone;
    entries_.clear();
    free_.clear();
    size_ = 0;
}

}  // namespace tracefold
