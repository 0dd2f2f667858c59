// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/detail/figures.hpp"

#include "base/bytes.hpp"
#include "questions/stats/row_tree.hpp"

#include <array>

namespace tracefold {

void Figures::merge(const Figures& other) {
    for (std::size_t place = 0; place < kPlaces; ++place) {
        const u8 number = other.numbers_[place];
        if (number != 0) at(place).merge(other.moments_[number - std::size_t{1}]);
    }
    note_overflow(other.overflows_at_);
}

bool Figures::operator==(const Figures& other) const {
    const auto same = [&](std::size_t place) {
        const std::size_t mine = numbers_[place];
        const std::size_t theirs = other.numbers_[place];
        if (mine == 0 || theirs == 0) return mine == theirs;
        return moments_[mine - 1] == other.moments_[theirs - 1];
    };
    for (std::size_t place = 0; place < kPlaces; ++place) {
        if (!same(place)) return false;
    }
    return overflows_at_ == other.overflows_at_;
}

void FigureTable::reduce(Communicator& comm, int fanout) {
    const auto write = [](const Figures& figures, ByteWriter& out) { ValueWriter{out}(figures); };
    const auto merge = [](Figures& figures, ByteReader& in) {
        Figures theirs;
        ValueReader{in}(theirs);
        figures.merge(theirs);
    };
    reduce_rows(comm, rows_, figures_, "statistics of another process", write, merge, fanout);
}

std::string_view quantity_name(Quantity quantity) {
    constexpr std::array<std::string_view, kQuantities> kNames = {
        "calls", "time", "sent", "received", "read", "written", "self_samples", "total_samples"};
    return kNames[static_cast<std::size_t>(quantity)];
}

std::string_view scope_name(SampleScope over) {
    constexpr std::array<std::string_view, kOvers> kNames = {"calls", "ranks", "iterations"};
    return kNames[static_cast<std::size_t>(over)];
}

}  // namespace tracefold
