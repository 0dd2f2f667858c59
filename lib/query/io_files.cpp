// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "query/io_files.hpp"

#include "model/definition_table.hpp"
#include "model/mpi_function.hpp"
#include "model/region_role.hpp"

#include <map>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 kUndefined = ~u64{0};

bool is_io_role(RegionRole role) {
    return role == RegionRole::file_io || role == RegionRole::file_io_metadata;
}

bool is_undefined(u64 id) { return id == kUndefined || id == kNone; }

}  // namespace

IoFiles::IoFiles(TraceFile& file) {
    for_each_record(*file.global_definitions(), [&](const auto& head, auto fields) {
        add(head.type, fields, file.definitions());
    });
    name_files(file.definitions());
}

u32 IoFiles::of_handle(u64 handle) const {
    const auto found = of_handle_.find(handle);
    return found == of_handle_.end() ? kNone : found->second;
}

void IoFiles::add(u8 type, std::span<const u64> v, const DefinitionIndex& index) {
    switch (static_cast<DefinitionType>(type)) {
        case DefinitionType::IoRegularFile:
        case DefinitionType::IoDirectory:
            file_names_[v[0]] = v[1];
            break;
        case DefinitionType::IoParadigm:
            paradigms_[v[0]] = v[2];
            break;
        case DefinitionType::IoHandle:
            place_[v[0]] = handles_.size();
            handles_.push_back({v[0], v[1], v[2], v[3], v[6]});
            break;
        case DefinitionType::Region:
            if (is_io_role(RegionRole{v[4]}) ||
                is_of_family(index.region_name(v[0]), CallFamily::file)) {
                io_regions_.insert(v[0]);
            }
            break;
        default:
            break;
    }
}

/// A handle without a file of its own may have been made from one that has.
u64 IoFiles::file_behind(const Handle& handle) const {
    const Handle* at = &handle;
    for (std::size_t steps = 0; is_undefined(at->file) && steps < handles_.size(); ++steps) {
        const auto parent = place_.find(at->parent);
        if (parent == place_.end()) break;
        at = &handles_[parent->second];
    }
    return at->file;
}

void IoFiles::name_files(const DefinitionIndex& index) {
    std::map<std::pair<u64, u64>, u32> numbers;  // by file and paradigm
    for (const Handle& handle : handles_) {
        const auto paradigm = paradigms_.find(handle.paradigm);
        const std::string through =
            paradigm == paradigms_.end() ? std::string() : index.string(paradigm->second);
        const u64 file = file_behind(handle);
        const auto name = is_undefined(file) ? file_names_.end() : file_names_.find(file);
        u32 number = static_cast<u32>(files_.size());
        if (name == file_names_.end()) {
            const std::string& own = index.string(handle.name);
            files_.push_back({own.empty() ? "handle " + std::to_string(handle.id) : own, through});
        } else {
            number = numbers.try_emplace({file, handle.paradigm}, number).first->second;
            if (number == files_.size()) files_.push_back({index.string(name->second), through});
        }
        of_handle_[handle.id] = number;
    }
}

}  // namespace tracefold
