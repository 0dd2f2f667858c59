// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <array>

namespace tracefold::inline mpi_calls {

/// The counters from which recorders take ids; `ended` are ids of `request`, of requests that
/// ended.
enum class IdCounter : u8 { request, matching, message, ended };

/// One number per counter: the last id of each, or how far the ids went on. Modulo 2^64.
class CountedIds {
  public:
    static constexpr std::size_t kCounters = 4;

    u64& operator[](IdCounter counter) { return ids_[static_cast<std::size_t>(counter)]; }
    u64 operator[](IdCounter counter) const { return ids_[static_cast<std::size_t>(counter)]; }

    CountedIds& operator+=(const CountedIds& other) {
        for (std::size_t i = 0; i < kCounters; ++i) ids_[i] += other.ids_[i];
        return *this;
    }
    friend CountedIds operator-(CountedIds a, const CountedIds& b) {
        for (std::size_t i = 0; i < kCounters; ++i) a.ids_[i] -= b.ids_[i];
        return a;
    }
    friend CountedIds operator*(u64 times, CountedIds ids) {
        for (u64& id : ids.ids_) id *= times;
        return ids;
    }
    bool operator==(const CountedIds&) const = default;

  private:
    std::array<u64, kCounters> ids_{};
};

/// A new request id as a step from the last one; 0 if the request that ended last begins again (a
/// persistent one), which changes places with the step that leads there.
constexpr u64 encode_request(u64 id, u64 last, u64 ended) {
    if (id == ended) return 0;
    return id == last ? ended - last : id - last;
}
constexpr u64 decode_request(u64 code, u64 last, u64 ended) {
    if (code == 0) return ended;
    return code == ended - last ? last : last + code;
}

/// The id of a message that MPI_Probe or MPI_Iprobe saw: OTF2_UNDEFINED_UINT64.
inline constexpr u64 kUndefinedMessage = ~u64{0};

/// A new message id as a step from the last one; the undefined id has the code that no counter
/// gives, and changes places with the id that would have had it, so that every id has one code.
constexpr u64 encode_message(u64 id, u64 last) {
    if (id == kUndefinedMessage) return kUndefinedMessage;
    return id - last == kUndefinedMessage ? kUndefinedMessage - last : id - last;
}
constexpr u64 decode_message(u64 code, u64 last) {
    if (code == kUndefinedMessage) return kUndefinedMessage;
    return code == kUndefinedMessage - last ? last + kUndefinedMessage : last + code;
}

}  // namespace tracefold::inline mpi_calls
