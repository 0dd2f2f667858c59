// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/definition_table.hpp"
#include "model/record_batch.hpp"
#include "model/record_fields.hpp"
#include "model/symbol.hpp"
#include "otf2/detail/raw_fields.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include <fmt/core.h>

namespace tracefold::otf2 {

/// The place of a field of OTF2 1.0 or 1.1 that other fields replaced. libotf2 still writes it for
/// readers of that time.
inline constexpr u8 kObsoleteField = 0xFF;

/// The order of a record's fields in files: releases appended fields where they stand now.
std::span<const u8> order_in_file(Stream stream, u8 type, std::span<const u64> values);

struct ObsoleteValue {
    Width width;
    u64 value;
};

/// The obsolete field of a definition. Precondition: its order in files has one.
ObsoleteValue obsolete_value(u8 type, std::span<const u64> values);

/// Null, or why libotf2 does not accept these ids of a mapping table.
const char* problem_of_ids(bool sparse, std::span<const u64> local_ids);

/// Passes the fields of a record on, in the order of its file: visit(width, type, value) and
/// visit(text). Calls `refuse` with a reason if the record has another shape than its type.
template <class Visit, class Refuse>
class FieldWalk {
  public:
    FieldWalk(Stream stream, const RecordBatch& batch, const RecordBatch::Head& head,
              const Refuse& refuse, const Visit& visit)
        : info_(record_info(stream, head.type)),
          batch_(batch),
          head_(head),
          values_(batch.values(head)),
          refuse_(refuse),
          visit_(visit),
          stream_(stream) {}

    void run() {
        locate();
        if (is_mapping_table()) check_ids();
        walk(order_in_file(stream_, head_.type, values_));
    }

  private:
    [[nodiscard]] bool is_mapping_table() const {
        return stream_ == Stream::local_definitions &&
               head_.type == static_cast<u8>(DefinitionType::MappingTable);
    }

    void locate() {
        std::size_t at = 0;
        for (u8 i = 0; i < info_.field_count; ++i) {
            const Field& field = info_.fields[i];
            first_[i] = at;
            at += field.array ? std::min<u64>(count_, values_.size() + 1) : 1;
            if (at > values_.size()) refuse_("too few values");
            if (field.kind == FieldKind::count) count_ = values_[first_[i]];
        }
        if (at != values_.size()) refuse_("too many values");
    }

    void check_ids() {
        const char* const problem =
            problem_of_ids(values_[1] != OTF2_ID_MAP_DENSE, values_.subspan(first_[3], count_));
        if (problem != nullptr) refuse_(problem);
    }

    void walk(std::span<const u8> order) {
        const auto is_array = [this](u8 field) {
            return field != kObsoleteField && info_.fields[field].array;
        };
        for (auto field = order.begin(); field != order.end();) {
            // Arrays of one length have their elements in turn.
            const auto end = std::find_if_not(field, order.end(), is_array);
            for (u64 i = 0; field != end && i < count_; ++i) {
                for (auto of_element = field; of_element != end; ++of_element) {
                    pass(*of_element, i);
                }
            }
            field = end;
            if (field != order.end()) pass(*field++, 0);
        }
    }

    void pass(u8 field, u64 index) {
        if (field == kObsoleteField) {
            const ObsoleteValue obsolete = obsolete_value(head_.type, values_);
            return visit_(obsolete.width, OTF2_Type{0}, obsolete.value);
        }
        const Width width = info_.fields[field].width;
        const u64 value = values_[first_[field] + index];
        if (width == Width::text) {
            const std::string_view text = batch_.text(head_, value);
            if (text.find('\0') != std::string_view::npos) refuse_("a text with a zero byte");
            return visit_(text);
        }
        if ((value & ~value_bits(width)) != 0) {
            refuse_(fmt::format("the value {}, too large for its field {}", value,
                                info_.fields[field].name));
        }
        const u64 type = width == Width::typed ? values_[first_[field - 1U] + index] : 0;
        visit_(width, static_cast<OTF2_Type>(type), value);
    }

    const RecordInfo& info_;
    const RecordBatch& batch_;
    const RecordBatch::Head& head_;
    std::span<const u64> values_;
    const Refuse& refuse_;
    const Visit& visit_;
    Stream stream_;
    std::array<std::size_t, RecordInfo::kMaxFields> first_{};  ///< values of the fields
    u64 count_ = 0;                                            ///< of the arrays
};

template <class Visit, class Refuse>
void walk_fields(Stream stream, const RecordBatch& batch, const RecordBatch::Head& head,
                 const Refuse& refuse, const Visit& visit) {
    FieldWalk<Visit, Refuse>(stream, batch, head, refuse, visit).run();
}

}  // namespace tracefold::otf2
