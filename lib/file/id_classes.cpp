// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/id_classes.hpp"

#include "model/definition_table.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

constexpr u8 kMappingTable = static_cast<u8>(DefinitionType::MappingTable);

/// Reads the mapping tables of one location for all whose columns are of the same families.
class FamilyTables {
  public:
    FamilyTables(StructureIndex& index, u32 location) : index_(index), location_(location) {}

    /// True if the entry of an id may differ between these locations.
    bool differ(u64 mapping_type, u64 raw) {
        LocationCursor cursor(index_, Stream::local_definitions, location_);
        u32 symbol = 0;
        AppendBuffer<u64> values;
        bool differs = false;
        while (!differs && cursor.next(symbol, values)) {
            if (!is_table(symbol)) continue;
            differs = record_differs(symbol, values, mapping_type, raw);
        }
        return differs;
    }

  private:
    /// Slots of a symbol that is one mapping table.
    enum Slot : u32 { kType, kMode, kSize, kLocal, kGlobal, kSlots };

    [[nodiscard]] bool is_table(u32 symbol) const {
        return std::ranges::any_of(index_.structure().symbols[symbol].elements,
                                   [](const Element& it) { return it.type == kMappingTable; });
    }

    bool record_differs(u32 symbol, const AppendBuffer<u64>& values, u64 mapping_type, u64 raw) {
        if (index_.slots(symbol).size() != kSlots) return true;
        const u64 record = records_[symbol]++;
        const u64 size = values[kSize];
        const u64 first = entries_[symbol];
        entries_[symbol] += size;
        if (varies(symbol, kType, record) || varies(symbol, kSize, record)) return true;
        if (values[kType] != mapping_type) return false;
        for (u64 i = 0; i < size; ++i) {
            if (varies(symbol, kLocal, first + i)) return true;
            if (values[kLocal + i] == raw && varies(symbol, kGlobal, first + i)) return true;
        }
        return false;
    }

    /// True if the columns of the family differ in this number.
    bool varies(u32 symbol, u32 slot, u64 number) {
        const ColumnFamily* const family = index_.slot_family(symbol, slot, location_);
        if (family == nullptr) return false;
        const Column& column =
            index_.source().column(index_.slot_choice(symbol, slot, location_).column);
        return column.form != Column::Form::list ||
               std::ranges::find(family->numbers, number, &ColumnFamily::Number::place) !=
                   family->numbers.end();
    }

    StructureIndex& index_;
    u32 location_;
    std::map<u32, u64> records_;  ///< by symbol, so far
    std::map<u32, u64> entries_;
};

}  // namespace

std::vector<u32> local_id_classes(TraceFile& file, FieldKind kind, u64 raw) {
    StructureIndex& index = file.local_index();
    const auto type = static_cast<u64>(mapping_type(kind));
    std::vector<u32> classes = index.family_classes(Stream::local_definitions, kMappingTable);
    std::vector<bool> differ;  // by family
    for (u32 location = 0; location < classes.size(); ++location) {
        u32& number = classes[location];
        if (number == kNone) continue;
        if (number == differ.size())
            differ.push_back(FamilyTables(index, location).differ(type, raw));
        number = differ[number] ? 2 * file.local_classes(DefinitionType::MappingTable)[location] + 1
                                : 2 * number;
    }
    return classes;
}

}  // namespace tracefold
