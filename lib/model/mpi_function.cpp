// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mpi_function.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace tracefold {

namespace {

constexpr std::array kNames = {
#define TRACEFOLD_NAME(name, family) std::string_view("MPI_" #name),
    TRACEFOLD_MPI_FUNCTIONS(TRACEFOLD_NAME)
#undef TRACEFOLD_NAME
        std::string_view("MPI")};

constexpr std::array kFamilies = {
#define TRACEFOLD_FAMILY(name, family) CallFamily::family,
    TRACEFOLD_MPI_FUNCTIONS(TRACEFOLD_FAMILY)
#undef TRACEFOLD_FAMILY
        CallFamily::local};

constexpr std::string_view kFamilyNames[] = {
#define TRACEFOLD_TEXT(name, text) text,
    TRACEFOLD_CALL_FAMILIES(TRACEFOLD_TEXT)
#undef TRACEFOLD_TEXT
};

/// "Bcast" for MPI_Bcast, "bcast" for MPI_Ibcast.
constexpr std::string_view stem_of(std::size_t function) {
    const std::string_view name = kNames[function].substr(std::string_view("MPI_").size());
    return kFamilies[function] == CallFamily::post_collective ? name.substr(1) : name;
}

constexpr std::optional<CollectiveKind> kind_of(std::size_t function) {
    if (!is_collective(kFamilies[function])) return std::nullopt;
    // Ignores the case of the first letter.
    const std::string_view rest = stem_of(function).substr(1);
    const char first = stem_of(function).front();
    for (std::size_t kind = 0; kind < kCollectiveKinds; ++kind) {
        const std::string_view name = kCollectiveNames[kind];
        const bool same_first = name[0] == first || name[0] - 'a' == first - 'A';
        if (same_first && name.substr(1) == rest) return static_cast<CollectiveKind>(kind);
    }
    throw "a collective function without a kind";
}

/// Indexed by function.
constexpr auto kKinds = [] {
    std::array<std::optional<CollectiveKind>, kMpiFunctions> kinds;
    for (std::size_t i = 0; i < kMpiFunctions; ++i) kinds[i] = kind_of(i);
    return kinds;
}();

/// Other functions that communicate or wait; those of vendors follow the same names.
constexpr std::string_view kUnsupported[] = {
    "MPI_Psend_init",   "MPI_Precv_init",
    "MPI_Pready",       "MPI_Pready_range",
    "MPI_Pready_list",  "MPI_Parrived",
    "MPI_Comm_spawn",   "MPI_Comm_accept",
    "MPI_Comm_connect", "MPI_Comm_spawn_multiple",
    "MPI_Comm_join",    "MPI_Comm_agree",
    "MPI_Comm_iagree",  "MPI_Comm_shrink",
    "MPI_Comm_ishrink", "MPI_Intercomm_create_from_groups"};

std::unordered_map<std::string, MpiFunctionInfo> by_name() {
    std::unordered_map<std::string, MpiFunctionInfo> table;
    for (std::size_t i = 0; i + 1 < kMpiFunctions; ++i) {
        table.emplace(kNames[i], MpiFunctionInfo{static_cast<MpiFunction>(i), kFamilies[i]});
    }
    return table;
}

const std::unordered_map<std::string, MpiFunctionInfo>& functions_by_name() {
    static const std::unordered_map<std::string, MpiFunctionInfo> table = by_name();
    return table;
}

/// Vendors provide functions before the standard does, under the same names.
std::string standard_name_of(std::string_view region_name) {
    constexpr std::string_view kVendorPrefix = "MPIX_";
    std::string name = mpi_function_name(region_name);
    if (name.starts_with(kVendorPrefix)) name.erase(kVendorPrefix.size() - 2, 1);
    return name;
}

}  // namespace

std::string_view name_of(MpiFunction function) {
    return kNames[static_cast<std::size_t>(function)];
}

std::string_view family_name(CallFamily family) {
    return kFamilyNames[static_cast<std::size_t>(family)];
}

std::optional<CollectiveKind> collective_kind(MpiFunction function) {
    return kKinds[static_cast<std::size_t>(function)];
}

MpiFunction collective_function(CollectiveKind kind, CallFamily family) {
    for (std::size_t i = 0; i + 1 < kMpiFunctions; ++i) {
        if (kFamilies[i] == family && kKinds[i] == kind) {
            return static_cast<MpiFunction>(i);
        }
    }
    return MpiFunction::other;
}

bool is_of_members_only(MpiFunction function) {
    return function == MpiFunction::Comm_create_group ||
           function == MpiFunction::Comm_create_from_group ||
           function == MpiFunction::Intercomm_create;
}

bool makes_several(MpiFunction function) {
    switch (function) {
        case MpiFunction::Comm_split:
        case MpiFunction::Comm_split_type:
        case MpiFunction::Comm_create:
        case MpiFunction::Cart_sub:
            return true;
        default:
            return false;
    }
}

bool can_make_none(MpiFunction function) {
    switch (function) {
        case MpiFunction::Comm_split:
        case MpiFunction::Comm_split_type:
        case MpiFunction::Comm_create:
        case MpiFunction::Cart_create:
        case MpiFunction::Graph_create:
            return true;
        default:
            return false;
    }
}

bool is_poll(MpiFunction function) {
    switch (function) {
        case MpiFunction::Test:
        case MpiFunction::Testall:
        case MpiFunction::Testany:
        case MpiFunction::Testsome:
        case MpiFunction::Request_get_status:
        case MpiFunction::Iprobe:
        case MpiFunction::Improbe:
            return true;
        default:
            return false;
    }
}

bool makes_window(MpiFunction function) {
    return function == MpiFunction::Win_create || function == MpiFunction::Win_create_dynamic ||
           function == MpiFunction::Win_allocate || function == MpiFunction::Win_allocate_shared;
}

bool is_window_collective(MpiFunction function) {
    return makes_window(function) || function == MpiFunction::Win_free ||
           function == MpiFunction::Win_fence;
}

bool is_bare_file_call(MpiFunction function) {
    switch (function) {
        case MpiFunction::File_set_view:
        case MpiFunction::File_set_size:
        case MpiFunction::File_preallocate:
        case MpiFunction::File_sync:
        case MpiFunction::File_set_atomicity:
            return true;
        default:
            return false;
    }
}

bool is_file_collective(MpiFunction function) {
    switch (function) {
        case MpiFunction::File_open:
        case MpiFunction::File_close:
        case MpiFunction::File_seek_shared:
            return true;
        default:
            break;
    }
    const std::string_view name = name_of(function);
    return is_bare_file_call(function) || name.find("_all") != std::string_view::npos ||
           name.find("_ordered") != std::string_view::npos;
}

namespace {

bool begins_persistent_collective(std::string_view standard_name) {
    constexpr std::string_view kInit = "_init";
    if (!standard_name.ends_with(kInit)) return false;
    standard_name.remove_suffix(kInit.size());
    const auto found = functions_by_name().find(std::string(standard_name));
    return found != functions_by_name().end() && (found->second.family == CallFamily::collective ||
                                                  found->second.family == CallFamily::neighbour);
}

}  // namespace

std::optional<MpiFunctionInfo> find_mpi_function(std::string_view region_name, RegionRole role) {
    constexpr MpiFunctionInfo kUnsupportedOther{MpiFunction::other, CallFamily::unsupported};
    // Fast path: most names have the standard's spelling.
    const auto exact = functions_by_name().find(std::string(region_name));
    if (exact != functions_by_name().end()) return exact->second;
    const std::string name = standard_name_of(region_name);
    if (name.empty() && !communicates(role)) return std::nullopt;
    const auto found = functions_by_name().find(name);
    if (found != functions_by_name().end()) return found->second;
    const bool reaches_others = communicates(role) || begins_persistent_collective(name) ||
                                std::ranges::find(kUnsupported, name) != std::end(kUnsupported);
    return reaches_others ? kUnsupportedOther : MpiFunctionInfo{};
}

bool is_persistent_collective(std::string_view region_name) {
    return begins_persistent_collective(standard_name_of(region_name));
}

bool is_of_family(std::string_view region_name, CallFamily family) {
    const auto info = find_mpi_function(region_name);
    return info && info->family == family;
}

bool completes_requests(std::string_view region_name) {
    const std::string name = bare_mpi_function_name(region_name);
    return name.starts_with("MPI_Wait") || name.starts_with("MPI_Request_get_status") ||
           tests_requests(name);
}

bool tests_requests(std::string_view region_name) {
    const std::string name = bare_mpi_function_name(region_name);
    return name.starts_with("MPI_Test") && !name.starts_with("MPI_Test_cancelled");
}

}  // namespace tracefold
