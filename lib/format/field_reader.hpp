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

    /// A varint begins at this position, or with `one_byte` a byte of its own.
    virtual void need(std::size_t position, CodedField field, bool one_byte) = 0;
};

/// A ByteReader that says what it is about to read, so that its bytes may be decoded just before.
class FieldReader : public ByteReader {
  public:
    /// `source` provides the bytes as they are needed; null if all are there. It must outlive this.
    FieldReader(std::string_view bytes, std::string name, FieldSource* source = nullptr)
        : ByteReader(bytes, std::move(name)), source_(source) {}

    /// A varint that is read next: `reader.at(FieldRole::item).get_varint()`.
    FieldReader& at(FieldRole role) {
        if (source_ != nullptr) source_->need(position(), {role, part_}, false);
        return *this;
    }
    FieldReader& at_byte(FieldRole role) {
        if (source_ != nullptr) source_->need(position(), {role, part_}, true);
        return *this;
    }
    void enter(u8 part) { part_ = part; }

  private:
    FieldSource* source_;
    u8 part_ = 0;
};

}  // namespace tracefold
