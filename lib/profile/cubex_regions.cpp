// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/cubex_regions.hpp"

#include "model/definition_table.hpp"
#include "model/region_role.hpp"
#include "profile/trace_profile.hpp"

#include <span>

namespace tracefold {

namespace {

/// By OTF2_RegionRole.
constexpr std::string_view kRoles[] = {"unknown",
                                       "function",
                                       "wrapper",
                                       "loop",
                                       "code",
                                       "parallel",
                                       "sections",
                                       "section",
                                       "workshare",
                                       "single",
                                       "single sblock",
                                       "master",
                                       "critical",
                                       "critical sblock",
                                       "atomic",
                                       "barrier",
                                       "implicit barrier",
                                       "flush",
                                       "ordered",
                                       "ordered sblock",
                                       "task",
                                       "task create",
                                       "taskwait",
                                       "one2all",
                                       "all2one",
                                       "all2all",
                                       "other collective",
                                       "file io",
                                       "point2point",
                                       "rma",
                                       "data transfer",
                                       "artificial",
                                       "thread create",
                                       "thread wait",
                                       "untied task",
                                       "allocate",
                                       "deallocate",
                                       "reallocate",
                                       "file io metadata"};

/// By OTF2_Paradigm.
constexpr std::string_view kParadigms[] = {
    "unknown",   "user",     "compiler",  "openmp",    "mpi",     "cuda",   "measurement",
    "pthread",   "hmpp",     "ompss",     "hardware",  "gaspi",   "upc",    "shmem",
    "winthread", "qtthread", "acethread", "tbbthread", "openacc", "opencl", "mtapi",
    "sampling",  "none",     "hip",       "kokkos"};

constexpr u64 kUnknown = 0;  ///< role and paradigm

std::string_view word_of(std::span<const std::string_view> words, u64 number) {
    return words[number < words.size() ? number : kUnknown];
}

/// Score-P's word for a role with OTF2's flags.
std::string_view role_of(u64 role, u64 flags) {
    const bool dynamic = (flags & 1U) != 0;
    const bool phase = (flags & 2U) != 0;
    if (role == static_cast<u64>(RegionRole::code) && (dynamic || phase)) {
        return !phase ? "dynamic" : dynamic ? "dynamic phase" : "phase";
    }
    if (role == static_cast<u64>(RegionRole::loop) && dynamic)
        return phase ? "dynamic loop phase" : "dynamic loop";
    return word_of(kRoles, role);
}

i64 line_of(u64 number) { return number == 0 || number >= kNone ? -1 : static_cast<i64>(number); }

}  // namespace

CubexRegions::CubexRegions(const DefinitionIndex& definitions, RecordSource& records)
    : definitions_(definitions) {
    for_each_record(records, [this](const auto& head, auto v) {
        if (head.type != static_cast<u8>(DefinitionType::Region)) return;
        regions_[v[0]] = {v[2], v[4], v[5], v[6], v[7], v[8], v[9]};
    });
}

CubexRegion CubexRegions::of(const CallTree::Node& node) const {
    const std::string name = call_name(definitions_, node);
    switch (node.kind) {
        case CallTree::Kind::region:
            return of_region(node.ref);
        case CallTree::Kind::program:
            return {.mangled_name = definitions_.string(node.ref),
                    .paradigm = "measurement",
                    .role = "artificial"};
        case CallTree::Kind::off:
            return {.mangled_name = name, .paradigm = "user", .role = "artificial"};
        case CallTree::Kind::copy:
            return {.mangled_name = name, .paradigm = "accelerator", .role = "data transfer"};
        default:
            return {.mangled_name = name, .paradigm = "measurement", .role = "artificial"};
    }
}

CubexRegion CubexRegions::of_region(u64 region) const {
    const auto found = regions_.find(region);
    if (found == regions_.end()) {
        return {.mangled_name = definitions_.region_name(region),
                .paradigm = paradigm_of(region, kUnknown),
                .role = word_of(kRoles, kUnknown)};
    }
    const Definition& it = found->second;
    return {.mangled_name = definitions_.string(it.canonical_name),
            .file = it.file == kNone ? std::string() : definitions_.string(it.file),
            .begin = line_of(it.begin),
            .end = line_of(it.end),
            .paradigm = paradigm_of(region, it.paradigm),
            .role = role_of(it.role, it.flags)};
}

/// Where the trace does not say it, the name of the function may.
std::string_view CubexRegions::paradigm_of(u64 region, u64 paradigm) const {
    if (definitions_.is_mpi_region(region)) return "mpi";
    const std::string_view word = word_of(kParadigms, paradigm);
    const bool of_accelerator = word == kParadigms[kUnknown] &&
                                definitions_.accelerator_use(region, false) != AcceleratorUse::none;
    return of_accelerator ? "accelerator" : word;
}

}  // namespace tracefold
