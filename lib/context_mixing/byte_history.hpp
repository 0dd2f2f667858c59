// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/coded_field.hpp"

#include <array>
#include <string>
#include <vector>

namespace tracefold {

/// The bytes of a section so far, and what of them may say something about the next one.
class ByteHistory {
  public:
    static constexpr u32 kContexts = 10;

    ByteHistory();

    /// Hashes of what is known about byte `index` of a number: the same hashes stand for the same
    /// knowledge, each in a context of its own.
    [[nodiscard]] std::array<u32, kContexts> contexts(CodedField field, u32 index,
                                                      u64 expected) const;

    /// The byte that followed when the last bytes were like now, and for how many bytes they were
    /// (up to kMaxMatch), 0 if they never were.
    [[nodiscard]] u8 expected() const { return static_cast<u8>(bytes_[match_]); }
    [[nodiscard]] u32 match_length() const { return match_length_; }
    static constexpr u32 kMaxMatch = 31;

    void add(u8 byte, CodedField field);
    /// The number of which bytes were added is complete.
    void end_number(CodedField field) { last_role_ = field.role; }

    /// Hands what was learnt to a ModelStateWriter or ModelStateReader.
    template <class Self, class State>
    static void each_part(Self& self, State& state) {
        state(self.bytes_);
        state(self.last_role_);
        state(self.by_role_);
        state(self.by_place_);
        state(self.places_);
        state(self.match_);
        state(self.match_length_);
    }

  private:
    static constexpr u32 kMinMatch = 3;
    static constexpr u32 kMatchBits = 14;

    /// The byte `age` places ago, 0 before the first one.
    [[nodiscard]] u64 byte(std::size_t age) const {
        return age <= bytes_.size() ? static_cast<u8>(bytes_[bytes_.size() - age]) : 0;
    }
    void look_for_match();

    std::string bytes_;
    FieldRole last_role_ = FieldRole::location_count;       ///< of the last number
    std::array<std::array<u8, 2>, kFieldRoles> by_role_{};  ///< the last bytes of a role
    std::vector<std::array<u8, 2>> by_place_;               ///< the last bytes of a place
    std::vector<u32> places_;  ///< where three bytes like these ended last
    u32 match_ = 0;
    u32 match_length_ = 0;
};

}  // namespace tracefold
