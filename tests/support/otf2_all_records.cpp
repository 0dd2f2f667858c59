// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/otf2_all_records.hpp"

#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "otf2/archive_writer.hpp"
#include "otf2/library.hpp"

#include <array>
#include <bit>
#include <limits>

namespace tracefold::testing {
namespace {

// OTF2_Type, which lib/otf2 keeps to itself.
constexpr u8 kUint64 = 4;
constexpr u8 kInt64 = 8;
constexpr u8 kDouble = 10;
constexpr u8 kLocationType = 13;
constexpr u8 kLastType = 25;
constexpr u8 kUnknownType = 77;

constexpr u64 kAllOnes = std::numeric_limits<u64>::max();
constexpr u64 kMinimum = u64{1} << 63;
constexpr u64 kChunkSize = u64{256} << 10;

constexpr u64 kBusy = 0;              // has one of everything
constexpr u64 kLong = 1;              // has more than one chunk of events
constexpr u64 kEmpty = 7;             // has files without records
constexpr u64 kSilent = 0x100000003;  // has no event file
constexpr u64 kHuge = kAllOnes - 1;   // has no local definitions
constexpr std::array<u64, 5> kLocations{kBusy, kLong, kEmpty, kSilent, kHuge};

const std::array<std::string, 6> kStrings{
    "", "main", "MPI_Send", std::string(300, 'x'), "time in \xC2\xB5s", "two\nlines"};

/// Number of low bits that a value of an OTF2_Type has.
int bits_of_type(u8 type) {
    switch (type) {
        case 1:
        case 5:
            return 8;
        case 2:
        case 6:
            return 16;
        case 0:
        case kUint64:
        case kInt64:
        case kDouble:
        case kLocationType:
            return 64;
        default:
            return type <= kLastType ? 32 : 64;
    }
}

u64 value_of_type(u8 type, u64 seed) {
    const u64 bits = seed * 0x9E3779B97F4A7C15U;
    const int unused = 64 - bits_of_type(type);
    return bits >> unused;
}

/// Makes records of any type from the tables. Extreme ones have empty arrays and the largest (or
/// most negative) values.
class RecordMaker {
  public:
    void event(RecordBatch& batch, u8 type, bool extreme) {
        time_ += seed_ % 3 == 0 ? 0 : seed_;  // equal times occur
        batch.begin(type, time_);
        fill(batch, event_info(type), extreme);
    }
    void definition(RecordBatch& batch, u8 type, bool extreme) {
        batch.begin(type);
        fill(batch, definition_info(type), extreme);
    }
    void attributes(RecordBatch& batch, u32 count) {
        for (u32 i = 0; i < count; ++i) {
            const u8 type = next_type_ > kLastType ? kUnknownType : next_type_;
            next_type_ = type == kUnknownType ? u8{0} : static_cast<u8>(next_type_ + 1);
            batch.push_attribute({10 * i + 3, type, value_of_type(type, ++seed_)});
        }
    }

  private:
    void fill(RecordBatch& batch, const RecordInfo& info, bool extreme) {
        u64 count = 0;
        std::vector<u8> types;
        for (u8 i = 0; i < info.field_count; ++i) {
            const Field& field = info.fields[i];
            ++seed_;
            if (field.kind == FieldKind::text) {
                batch.push_text(kStrings[seed_ % kStrings.size()]);
            } else if (field.kind == FieldKind::type) {
                push_types(batch, info, field.array ? count : 1, types);
            } else if (field.kind == FieldKind::value && !types.empty()) {
                for (const u8 type : types) batch.push(value_of_type(type, ++seed_));
            } else if (field.kind == FieldKind::count) {
                count = extreme ? 0 : 1 + seed_ % 3;
                batch.push(count);
            } else {
                for (u64 k = 0; k < (field.array ? count : 1); ++k) {
                    batch.push(value(field, extreme));
                }
            }
        }
    }

    void push_types(RecordBatch& batch, const RecordInfo& info, u64 count, std::vector<u8>& types) {
        // Metrics have three types; other values may be of any.
        constexpr std::array<u8, 3> kMetricTypes{kUint64, kInt64, kDouble};
        for (u64 i = 0; i < count; ++i) {
            ++seed_;
            const u8 type = info.name == "Metric" ? kMetricTypes[seed_ % kMetricTypes.size()]
                                                  : static_cast<u8>(seed_ % (kLastType + 1U));
            types.push_back(type);
            batch.push(type);
        }
    }

    u64 value(const Field& field, bool extreme) {
        if (field.name == "self") return next_id_[static_cast<std::size_t>(field.kind)]++;
        ++seed_;
        switch (field.kind) {
            case FieldKind::value:
                return extreme ? 255 : seed_ % 200;
            case FieldKind::enumeration:
            case FieldKind::op:
                return extreme ? 255 : 1 + seed_ % 3;
            case FieldKind::io_paradigm:
            case FieldKind::paradigm:
                return extreme ? 255 : seed_ % 2;
            case FieldKind::signed_value:
                return extreme ? kMinimum : 0 - seed_;
            case FieldKind::real:
                return std::bit_cast<u64>(-1.5 * static_cast<double>(seed_));
            case FieldKind::ticks:
            case FieldKind::bytes:
            case FieldKind::request_new:
            case FieldKind::request_done:
            case FieldKind::request_used:
            case FieldKind::matching_id:
            case FieldKind::message_new:
            case FieldKind::message_used:
                return extreme ? kAllOnes : seed_ << 20;
            case FieldKind::location:
                return extreme ? kAllOnes : kLocations[seed_ % kLocations.size()];
            case FieldKind::string:
                return extreme ? kNone : seed_ % kStrings.size();
            case FieldKind::tag:
                return extreme ? kNone : seed_ % 1000;
            default:
                return extreme ? kNone : seed_ % 2;  // every definition exists at least twice
        }
    }

    u64 seed_ = 1;
    u64 time_ = 1000;
    u8 next_type_ = 0;
    std::array<u64, 64> next_id_{};
};

template <class Type>
constexpr u8 code(Type type) {
    return static_cast<u8>(type);
}

RecordBatch busy_events(RecordMaker& maker) {
    RecordBatch batch;
    for (u8 type = 0; type < known_event_types(); ++type) {
        maker.event(batch, type, false);
        maker.event(batch, type, false);
        maker.attributes(batch, 1 + type % 4U);
        maker.event(batch, type, true);
    }
    maker.event(batch, code(EventType::Enter), false);
    maker.attributes(batch, 2 * (kLastType + 2U));  // every type twice in one list
    return batch;
}

RecordBatch long_events() {
    RecordBatch batch;
    for (u64 i = 0; i < 40000; ++i) {
        batch.begin(code(i % 2 == 0 ? EventType::Enter : EventType::Leave), u64{1} << 40 | i / 2);
        batch.push(i / 2 % 2);
    }
    return batch;
}

RecordBatch last_events(RecordMaker& maker) {
    RecordBatch batch;
    maker.event(batch, code(EventType::ProgramBegin), false);
    batch.begin(code(EventType::ProgramEnd), kMinimum);
    batch.push(kAllOnes);  // -1
    return batch;
}

void push_location(RecordBatch& batch, u64 location, u64 number_of_events) {
    batch.begin(code(DefinitionType::Location));
    for (const u64 value : {location, u64{2}, u64{1}, number_of_events, u64{0}}) batch.push(value);
}

void push_string(RecordBatch& batch, u64 self, const std::string& text) {
    batch.begin(code(DefinitionType::String));
    batch.push(self);
    batch.push_text(text);
}

void push_long_group(RecordBatch& batch) {
    constexpr u64 kMembers = 20000;
    batch.begin(code(DefinitionType::Group));
    for (const u64 value : {u64{1000}, u64{1}, u64{4}, u64{5}, u64{0}, kMembers}) batch.push(value);
    for (u64 i = 0; i < kMembers; ++i) batch.push(i * i);
}

/// Two records of each type that is not made by hand.
void push_others(RecordBatch& batch, RecordMaker& maker, u8 first) {
    for (u8 type = first; type < code(DefinitionType::MappingTable); ++type) {
        if (type == code(DefinitionType::String) || type == code(DefinitionType::Location))
            continue;
        maker.definition(batch, type, false);
        maker.definition(batch, type, true);
    }
}

RecordBatch global_definitions(RecordMaker& maker, const std::map<u64, RecordBatch>& events) {
    RecordBatch batch;
    push_others(batch, maker, 0);
    for (std::size_t i = 0; i < kStrings.size(); ++i) push_string(batch, i, kStrings[i]);
    for (const u64 location : kLocations) {
        const auto found = events.find(location);
        push_location(batch, location, found == events.end() ? 0 : found->second.size());
    }
    push_long_group(batch);
    return batch;
}

void push_mapping_table(RecordBatch& batch, u64 mapping_type, bool sparse, u64 size) {
    batch.begin(code(DefinitionType::MappingTable));
    for (const u64 value : {mapping_type, u64{sparse}, size}) batch.push(value);
    for (u64 i = 0; i < size; ++i) batch.push(sparse ? i * i + 5 : i);
    for (u64 i = 0; i < size; ++i) batch.push(i % 3 == 2 ? 0 : i + mapping_type);  // not injective
}

void push_clock_offset(RecordBatch& batch, u64 time, i64 offset, double deviation) {
    batch.begin(code(DefinitionType::ClockOffset));
    batch.push(time);
    batch.push(static_cast<u64>(offset));
    batch.push(std::bit_cast<u64>(deviation));
}

RecordBatch busy_local_definitions() {
    RecordMaker maker;  // local ids start at 0 again
    RecordBatch batch;
    push_string(batch, 0, kStrings[3]);
    push_location(batch, 5, 3);
    push_others(batch, maker, code(DefinitionType::Attribute));
    for (u64 type = 0; type < kMappingKinds; ++type) {
        push_mapping_table(batch, type, type % 2 == 1, 1 + type * 3);
    }
    push_clock_offset(batch, 1000, -7, 0.25);
    push_clock_offset(batch, 2000, 1 << 30, 0.0);
    push_clock_offset(batch, kMinimum, std::numeric_limits<i64>::min(), -1e300);
    return batch;
}

RecordBatch sparse_tables() {
    RecordBatch batch;
    push_mapping_table(batch, 3, true, 100);
    return batch;
}

ArchiveInfo make_info(const RecordBatch& definitions) {
    ArchiveInfo info;
    info.name = "all";
    info.version = {kOtf2Major, kOtf2Minor, 2};
    info.substrate = 1;
    info.compression = 1;
    info.event_chunk_size = kChunkSize;
    info.definition_chunk_size = 2 * kChunkSize;
    info.machine_name = "a machine";
    info.creator = "tracefold's tests";
    info.description = "every record\nof OTF2";
    info.properties = {{"TRACEFOLD::TEST::SECOND", "with blanks"}, {"TRACEFOLD::TEST::FIRST", "1"}};
    info.global_definition_count = definitions.size();
    info.location_count = kLocations.size();
    return info;
}

}  // namespace

AllRecords make_all_records() {
    AllRecords all;
    RecordMaker maker;
    all.locations.assign(kLocations.begin(), kLocations.end());
    all.events[kBusy] = busy_events(maker);
    all.events[kLong] = long_events();
    all.events[kEmpty] = {};
    all.events[kHuge] = last_events(maker);
    all.local_definitions[kBusy] = busy_local_definitions();
    all.local_definitions[kEmpty] = {};
    all.local_definitions[kSilent] = sparse_tables();
    all.global_definitions = global_definitions(maker, all.events);
    all.info = make_info(all.global_definitions);
    return all;
}

void write_archive(const AllRecords& records, const std::string& directory) {
    ArchiveWriter writer(directory, records.info);
    writer.write_global_definitions(records.global_definitions);
    for (const auto& [location, batch] : records.local_definitions) {
        writer.write_local_definitions(location, batch);
    }
    for (const auto& [location, batch] : records.events) writer.write_events(location, batch);
    writer.finish();
}

}  // namespace tracefold::testing
