// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mpi_function.hpp"

#include "model/mpi_name.hpp"

#include <algorithm>
#include <array>
#include <string>
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

/// Functions without a family of their own that wait for other processes or reach them.
constexpr std::array kUnsupported = {"MPI_Isendrecv",
                                     "MPI_Isendrecv_replace",
                                     "MPI_Psend_init",
                                     "MPI_Precv_init",
                                     "MPI_Comm_spawn",
                                     "MPI_Comm_accept",
                                     "MPI_Comm_connect",
                                     "MPI_Comm_spawn_multiple",
                                     "MPI_Comm_join",
                                     "MPI_Comm_create_from_group",
                                     "MPI_Intercomm_create_from_groups"};

/// Persistent collectives: MPI_Bcast_init and so on, but not the persistent sends and receives.
bool is_unsupported(const std::string& name) {
    return name.ends_with("_init") ||
           std::find(kUnsupported.begin(), kUnsupported.end(), name) != kUnsupported.end();
}

std::unordered_map<std::string, MpiFunctionInfo> by_name() {
    std::unordered_map<std::string, MpiFunctionInfo> table;
    for (std::size_t i = 0; i + 1 < kMpiFunctions; ++i) {
        table.emplace(kNames[i], MpiFunctionInfo{static_cast<MpiFunction>(i), kFamilies[i]});
    }
    return table;
}

}  // namespace

std::string_view name_of(MpiFunction function) {
    return kNames[static_cast<std::size_t>(function)];
}

std::string_view family_name(CallFamily family) {
    return kFamilyNames[static_cast<std::size_t>(family)];
}

std::optional<MpiFunctionInfo> find_mpi_function(std::string_view region_name) {
    static const std::unordered_map<std::string, MpiFunctionInfo> table = by_name();
    const std::string name = mpi_function_name(region_name);
    if (name.empty()) return std::nullopt;
    const auto found = table.find(name);
    if (found != table.end()) return found->second;
    return MpiFunctionInfo{MpiFunction::other,
                           is_unsupported(name) ? CallFamily::unsupported : CallFamily::local};
}

}  // namespace tracefold
