// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/coded_field.hpp"
#include "io/bytes.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace tracefold {

/// Follows a FieldReader: is told what it reads before it does.
class FieldSource {
  public:
    FieldSource() = default;
    FieldSource(const FieldSource&) = delete;
    FieldSource& operator=(const FieldSource&) = delete;
    virtual ~FieldSource() = default;

    /// A number of this field begins at this position; it may be one of those expected.
    virtual void need(std::size_t position, CodedField field, Expectations expected) = 0;
};

/// A ByteReader that says what it is about to read, so that its bytes may be decoded just before.
class FieldReader : public ByteReader {
  public:
    /// `source` provides the bytes as they are needed; null if all are there. It must outlive this.
    FieldReader(std::string_view bytes, std::string name, FieldSource* source = nullptr)
        : ByteReader(bytes, std::move(name)), source_(source) {}

    /// Whether somebody wants to know what is read.
    [[nodiscard]] bool is_followed() const { return source_ != nullptr; }

    /// A varint that is read next: `reader.at(FieldRole::item).get_varint()`.
    FieldReader& at(FieldRole role, const Expectations& expected = {}) {
        if (is_followed()) source_->need(position(), {role, part_, place_, false}, expected);
        return *this;
    }
    FieldReader& at_byte(FieldRole role) {
        if (is_followed()) source_->need(position(), {role, part_, place_, true}, {});
        return *this;
    }
    void enter(u8 part, u16 place) {
        part_ = part;
        place_ = place;
    }

  private:
    FieldSource* source_;
    u8 part_ = 0;
    u16 place_ = 0;
};

}  // namespace tracefold
