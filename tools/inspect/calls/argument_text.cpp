// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/calls/argument_text.hpp"

#include "common/text.hpp"
#include "file/call_names.hpp"
#include "fold/field_codec.hpp"
#include "model/definition_names.hpp"
#include "model/mpi_function.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// More variants are only counted.
constexpr std::size_t kMostVariants = 4;
/// More values are written as a range, except offsets of neighbours.
constexpr std::size_t kMostNumbers = 8;
/// Longer lists of variants are summarised.
constexpr std::size_t kLongestVariants = 72;

/// OTF2_UNDEFINED_INT64: unknown exit status.
constexpr u64 kUndefinedSigned = u64{1} << 63U;

/// The special rank of a peer's column value; empty for ordinary ranks.
std::string special_peer(u64 value) {
    return std::string(special_rank_name(decode_peer(value, 0)));
}

std::string offset_text(u64 value) {
    const std::string special = special_peer(value);
    if (!special.empty()) return special;
    const i64 offset = static_cast<i64>(value);
    return std::string(offset < 0 ? "" : "+").append(std::to_string(offset));
}

std::string number_text(ValueRole role, u64 value) {
    switch (role) {
        case ValueRole::bytes:
            return format_size(value);
        case ValueRole::signed_number:
            return value == kUndefinedSigned ? "undefined"
                                             : std::to_string(static_cast<i64>(value));
        case ValueRole::peer_offset:
            return offset_text(value);
        default:
            return std::to_string(value);
    }
}

std::string distinct_text(const ValueSummary& values) {
    const bool more = values.distinct >= ValueSummary::kMostDistinct;
    return std::to_string(values.distinct) + (more ? " or more" : "") + " distinct";
}

std::string range_text(ValueRole role, u64 minimum, u64 maximum) {
    return number_text(role, minimum) + ".." + number_text(role, maximum);
}

/// "{1,2,4}", "{1,2,4} in turn", "{1, then 4}".
std::string set_text(const std::vector<std::string>& parts, ValueOrder order) {
    if (parts.size() == 1) return parts.front();
    const std::string_view between = order == ValueOrder::phases ? ", then " : ",";
    std::string text = "{";
    for (const std::string& part : parts) text.append(text.size() == 1 ? "" : between).append(part);
    return text.append(order == ValueOrder::in_turn ? "} in turn" : "}");
}

/// Several handles may share a file name.
std::string labels_text(const std::vector<std::string>& labels, ValueOrder order) {
    std::vector<std::string> different;
    for (const std::string& label : labels) {
        if (std::find(different.begin(), different.end(), label) == different.end()) {
            different.push_back(label);
        }
    }
    return set_text(different, different.size() == labels.size() ? order : ValueOrder::none);
}

/// "8 B..160 B by 8 B", "160 B..8 B by -8 B".
std::string progression_text(ValueRole role, const ValueSummary& values) {
    const bool rises = static_cast<i64>(values.step) > 0;
    const u64 first = rises ? values.minimum : values.maximum;
    const u64 last = rises ? values.maximum : values.minimum;
    const u64 size = rises ? values.step : 0 - values.step;
    const ValueRole plain = role == ValueRole::bytes ? role : ValueRole::number;
    return fmt::format("{} by {}{}", range_text(role, first, last), rises ? "" : "-",
                       number_text(plain, size));
}

std::string numbers_text(ValueRole role, const ValueSummary& values) {
    if (values.order == ValueOrder::progression) return progression_text(role, values);
    if (values.values.empty() || values.values.size() > kMostNumbers) {
        return range_text(role, values.minimum, values.maximum)
            .append(" (")
            .append(distinct_text(values))
            .append(")");
    }
    std::vector<std::string> parts;
    for (const u64 value : values.values) parts.push_back(number_text(role, value));
    return set_text(parts, values.order);
}

/// Peers relative to the own rank.
std::string peers_text(ValueRole role, const ValueSummary& values) {
    std::string text = numbers_text(role, values);
    const bool is_set = text.front() == '{';
    switch (role) {
        case ValueRole::peer_offset: {
            const bool special = values.is_constant() && !special_peer(values.minimum).empty();
            return special ? text : text.insert(0, is_set ? "rank+" : "rank");
        }
        case ValueRole::peer_modulo:
            return text.insert(0, "rank+").append(" mod size");
        case ValueRole::peer_xor:
            return text.insert(0, "rank^");
        default:
            return text;
    }
}

std::string values_text(ValueRole role, const ListedVariant& variant) {
    const ValueSummary& values = variant.values;
    if (role == ValueRole::opaque || (role == ValueRole::label && variant.labels.empty())) {
        return values.is_constant() && role != ValueRole::opaque ? std::to_string(values.minimum)
                                                                 : distinct_text(values);
    }
    if (role == ValueRole::label) return labels_text(variant.labels, values.order);
    return peers_text(role, values);
}

/// From the minimum to the maximum over all variants.
std::string span_text(ValueRole role, const std::vector<ListedVariant>& variants) {
    const bool is_signed = role == ValueRole::peer_offset || role == ValueRole::signed_number;
    const auto before = [is_signed](u64 a, u64 b) {
        return is_signed ? static_cast<i64>(a) < static_cast<i64>(b) : a < b;
    };
    ValueSummary all = variants.front().values;
    for (const ListedVariant& variant : variants) {
        all.minimum = std::min(all.minimum, variant.values.minimum, before);
        all.maximum = std::max(all.maximum, variant.values.maximum, before);
    }
    std::string text = range_text(role, all.minimum, all.maximum);
    return role == ValueRole::peer_offset ? text.insert(0, "rank") : text;
}

/// Offsets over all ranks; empty if a rank has too many to list, or none has all.
std::vector<u64> offsets_of_all(const std::vector<ListedVariant>& variants) {
    std::set<u64> all;
    std::size_t most = 0;
    for (const ListedVariant& variant : variants) {
        if (variant.values.values.empty()) return {};
        all.insert(variant.values.values.begin(), variant.values.values.end());
        most = std::max(most, variant.values.values.size());
    }
    return most == all.size() ? std::vector<u64>(all.begin(), all.end()) : std::vector<u64>();
}

/// "rank+{-8,0,+8}+{-1,0,+1}" for grid neighbours with corners, without 0; else empty.
std::string grid_text(const std::vector<u64>& offsets) {
    constexpr std::size_t kLeastOffsets = 8;
    if (offsets.size() < kLeastOffsets) return "";
    std::set<i64> wanted = {0};
    for (const u64 offset : offsets) wanted.insert(static_cast<i64>(offset));
    if (wanted.size() != offsets.size() + 1) return "";
    std::set<i64> sums = {0};
    std::string text;
    while (sums != wanted) {
        const auto is_new = [&sums](i64 offset) { return offset > 0 && !sums.contains(offset); };
        const auto next = std::find_if(wanted.begin(), wanted.end(), is_new);
        if (next == wanted.end()) return "";
        // The next dimension's block begins as far below its centre as the previous one extends.
        const i64 stride = *next + *sums.rbegin();
        std::set<i64> more;
        for (const i64 sum : sums) more.insert({sum - stride, sum, sum + stride});
        if (!std::includes(wanted.begin(), wanted.end(), more.begin(), more.end())) return "";
        sums = std::move(more);
        const std::string number = std::to_string(stride);
        text.insert(0, "+{-" + number + ",0,+" + number + "}");
    }
    return "rank" + text;
}

/// Union of the numbers of all variants; none if too many to list, or some unknown.
std::optional<ValueSummary> union_of(ValueRole role, const std::vector<ListedVariant>& variants) {
    const u64 sign = role == ValueRole::peer_offset ? u64{1} << 63U : 0;
    std::vector<u64> all;
    for (const ListedVariant& variant : variants) {
        if (variant.values.values.empty()) return std::nullopt;
        all.insert(all.end(), variant.values.values.begin(), variant.values.values.end());
    }
    std::sort(all.begin(), all.end(), [sign](u64 a, u64 b) { return (a ^ sign) < (b ^ sign); });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (all.size() > kMostNumbers) return std::nullopt;
    return ValueSummary{all, all.front(), all.back(), all.size(), ValueOrder::none, 0};
}

/// Merges variants with the same numbers in different order.
std::vector<ListedVariant> without_order(ValueRole role, std::vector<ListedVariant> variants) {
    const u64 sign = role == ValueRole::peer_offset ? u64{1} << 63U : 0;
    for (ListedVariant& variant : variants) {
        variant.values.set_order({});
        std::vector<u64>& values = variant.values.values;
        std::sort(values.begin(), values.end(),
                  [sign](u64 a, u64 b) { return (a ^ sign) < (b ^ sign); });
        values.erase(std::unique(values.begin(), values.end()), values.end());
    }
    const bool alike =
        std::all_of(variants.begin(), variants.end(), [&variants](const ListedVariant& variant) {
            return variant.values == variants.front().values && !variant.values.values.empty();
        });
    if (alike) variants.resize(1);
    return variants;
}

std::string listed_variants(ValueRole role, const std::vector<ListedVariant>& variants,
                            const ParticipantNames& participants) {
    std::string text = "{";
    for (const ListedVariant& variant : variants) {
        text.append(text.size() == 1 ? "" : "; ").append(participants.text(variant.participants));
        text.append(": ").append(values_text(role, variant));
    }
    return text + "}";
}

/// "{(x+1 mod 8, y), (x, y+1 mod 8)}", in an order common to all ranks.
std::string places_text(const ListedArgument& argument) {
    const ValueOrder order = argument.variants.front().values.order;
    const bool common = order != ValueOrder::progression &&
                        std::all_of(argument.variants.begin(), argument.variants.end(),
                                    [order](const ListedVariant& variant) {
                                        return variant.values.order == order;
                                    });
    return set_text(argument.places, common ? order : ValueOrder::none);
}

std::string variants_text(const ListedArgument& argument, const ParticipantNames& participants) {
    const ValueRole role = argument.role;
    if (argument.variants.size() == 1) {
        const ListedVariant& only = argument.variants.front();
        const std::string grid =
            role == ValueRole::peer_offset ? grid_text(only.values.values) : std::string();
        return grid.empty() ? values_text(role, only) : grid;
    }
    if (!argument.places.empty()) return places_text(argument);
    const bool named = role == ValueRole::label || role == ValueRole::opaque;
    const std::vector<ListedVariant> variants =
        named ? argument.variants : without_order(role, argument.variants);
    if (variants.size() == 1) return values_text(role, variants.front());
    if (role == ValueRole::peer_offset && variants.size() > kMostVariants) {
        const std::string grid = grid_text(offsets_of_all(variants));
        if (!grid.empty()) return grid + " where they exist";
    }
    if (variants.size() <= kMostVariants) {
        std::string text = listed_variants(role, variants, participants);
        if (text.size() <= kLongestVariants) return text;
    }
    const std::optional<ValueSummary> all = named ? std::nullopt : union_of(role, variants);
    if (all) return peers_text(role, *all) + " over ranks";
    std::string text = "varies over ranks (";
    text.append(std::to_string(variants.size())).append(" variants");
    if (!named) text.append(", ").append(span_text(role, variants));
    return text.append(")");
}

bool always(const ListedArgument& argument, u64 value) {
    return argument.variants.size() == 1 && argument.variants.front().values.is_constant() &&
           argument.variants.front().values.minimum == value;
}

bool always(const ListedArgument& argument, std::string_view label) {
    return argument.variants.size() == 1 && argument.variants.front().labels.size() == 1 &&
           argument.variants.front().labels.front() == label;
}

const ListedArgument* find(const ListedRecord& record, std::string_view name) {
    const auto found = std::find_if(record.arguments.begin(), record.arguments.end(),
                                    [name](const auto& other) { return other.name == name; });
    return found == record.arguments.end() ? nullptr : &*found;
}

/// Whether the call's name contains the operation, as "MPI_Iallreduce" and "allreduce".
bool is_named_after(const std::string& call, const ListedRecord& record) {
    const ListedArgument* operation = find(record, "collective_op");
    const auto info = find_mpi_function(call);
    const auto kind = info ? collective_kind(info->function) : std::nullopt;
    return operation != nullptr && kind && always(*operation, enumerator_name(*kind));
}

/// The word before an argument's value; empty: none.
std::string_view word_of(const std::string& field) {
    if (field == "completions") return "completes";
    const std::string_view name = short_field_name(field);
    return name == "bytes" || field == "payload" ? std::string_view() : name;
}

/// Whether the residual of a call in place is its payload: sent and received as much.
bool is_payload(const ListedRecord& record, const ListedArgument& residual) {
    const ListedArgument* payload = find(record, "payload");
    return payload != nullptr && payload->must_be_in_place &&
           std::ranges::equal(
               payload->variants, residual.variants,
               [](const ListedVariant& a, const ListedVariant& b) { return a.values == b.values; });
}

/// Names the two sizes of a collective: every member's contribution, and the rest if the
/// contribution does not explain all.
std::string_view size_word(const ListedRecord& record, const std::string& name) {
    const ListedArgument* residual = find(record, "residual");
    const ListedArgument* operation = find(record, "collective_op");
    if (residual == nullptr || operation == nullptr || always(*residual, u64{0}) ||
        is_payload(record, *residual)) {
        return word_of(name);
    }
    const bool reduce_scatter = always(*operation, "reduce_scatter");
    if (name == "payload") return reduce_scatter ? "received" : "sent";
    return reduce_scatter ? "sent" : "received";
}

/// "6 B (8 B if MPI_IN_PLACE)".
std::string sizes_text(const ListedArgument& argument, const ParticipantNames& participants) {
    if (argument.in_place.empty()) return variants_text(argument, participants);
    ListedArgument in_place = argument;
    for (std::size_t i = 0; i < in_place.variants.size(); ++i) {
        in_place.variants[i].values = argument.in_place[i];
    }
    const std::string text = variants_text(in_place, participants);
    if (argument.must_be_in_place) return text + " MPI_IN_PLACE";
    return variants_text(argument, participants) + " (" + text + " if MPI_IN_PLACE)";
}

bool says_nothing(const ListedNode& call, const ListedRecord& record,
                  const ListedArgument& argument) {
    if (argument.name == "root") return always(argument, "none");
    if (argument.name == "exit_status") return always(argument, kUndefinedSigned);
    if (argument.name == "collective_op") return is_named_after(call.name, record);
    if (argument.name == "residual")
        return always(argument, u64{0}) || is_payload(record, argument);
    if (argument.name == "payload") {
        const ListedArgument* residual = find(record, "residual");
        return always(argument, u64{0}) && residual != nullptr && always(*residual, u64{0});
    }
    return false;
}

/// Records of point-to-point and collective calls need no name.
bool is_expected(const ListedNode& call, const ListedRecord& record) {
    static constexpr std::string_view kPlain[] = {"MpiSend",
                                                  "MpiIsend",
                                                  "MpiRecv",
                                                  "MpiIrecvRequest",
                                                  "MpiIrecv",
                                                  "MpiCollectiveEnd",
                                                  "NonBlockingCollectiveRequest",
                                                  "MpiProbe",
                                                  "MpiMrecv",
                                                  "MpiImrecvRequest",
                                                  "Completions"};
    return call.kind != CallKind::call ||
           std::find(std::begin(kPlain), std::end(kPlain), record.name) != std::end(kPlain);
}

/// Some recorders note the predefined communicators of the program.
bool is_of_whole_program(const ListedNode& call, const ListedRecord& record) {
    const bool whole =
        is_of_family(call.name, CallFamily::init) || is_of_family(call.name, CallFamily::finalize);
    return whole && (record.name == "CommCreate" || record.name == "CommDestroy" ||
                     record.name == "MpiCollectiveEnd");
}

bool is_silent(const ListedNode& call, const ListedRecord& record) {
    if (is_of_whole_program(call, record)) return true;
    return record.arguments.empty() &&
           (record.name == "MpiCollectiveBegin" || record.name == "RmaCollectiveBegin");
}

std::string record_text(const ListedNode& call, const ListedRecord& record,
                        const ParticipantNames& participants) {
    std::string text = is_expected(call, record) ? "" : record.name;
    std::string_view last;
    for (const ListedArgument& argument : record.arguments) {
        if (says_nothing(call, record, argument)) continue;
        const bool size = argument.name == "payload" || argument.name == "residual";
        const std::string_view word =
            size ? size_word(record, argument.name) : word_of(argument.name);
        if (!text.empty()) text += last.empty() ? " " : ", ";
        // Introduces the items of an array once.
        if (!word.empty() && argument.name != last) text.append(word).append(" ");
        last = argument.name;
        text += sizes_text(argument, participants);
    }
    return text;
}

}  // namespace

std::string value_text(ValueRole role, u64 value) {
    return peers_text(role, {{value}, value, value, 1, ValueOrder::none, 0});
}

std::string arguments_text(const ListedNode& call, const std::vector<ListedRecord>& records,
                           const ParticipantNames& participants) {
    std::string text;
    for (const ListedRecord& record : records) {
        if (is_silent(call, record)) continue;
        const std::string part = record_text(call, record, participants);
        if (!part.empty()) text.append(text.empty() ? "" : "; ").append(part);
    }
    return text.empty() ? text : std::string("(").append(text).append(")");
}

std::string argument_text(const ListedArgument& argument, const ParticipantNames& participants) {
    return variants_text(argument, participants);
}

std::string count_text(const std::vector<ListedVariant>& counts) {
    if (counts.size() == 1) {
        const ValueSummary& values = counts.front().values;
        if (values.is_constant() && values.minimum == 1) return "";
        return " x " + values_text(ValueRole::number, counts.front());
    }
    return " x " + span_text(ValueRole::number, counts) + " over ranks";
}

}  // namespace tracefold
