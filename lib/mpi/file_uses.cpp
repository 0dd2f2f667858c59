// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/file_uses.hpp"

#include "base/hash.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Limit of handles: larger numbers in the file are wrong.
constexpr u64 kMostHandles = u64{1} << 24U;

}  // namespace

FileUse* FileUses::open(u64 handle) {
    const FileHandleDefinition* const definition = definitions_->find(handle);
    const CommunicatorView* const view =
        definition == nullptr ? nullptr : communicators_->find(definition->comm);
    if (view == nullptr || handle >= kMostHandles) return nullptr;
    FileUse& use = uses_[handle];
    use.file = definition->file;
    use.comm = definition->comm;
    use.rank = view->rank_of(communicators_->world_rank());
    use.is_alone = view->members.size() == 1;
    return &use;
}

FileUse* FileUses::find(u64 handle) {
    const auto found = uses_.find(handle);
    return found == uses_.end() ? nullptr : &found->second;
}

const FileUse* FileUses::find(u64 handle) const {
    const auto found = uses_.find(handle);
    return found == uses_.end() ? nullptr : &found->second;
}

const FileUse* FileUses::add(const MpiCall& call, u64 bytes) {
    const u64 handle = recent_.handle_of(call);
    const bool opens = find_record(call, EventType::IoCreateHandle) != nullptr;
    if (handle == kNone) return nullptr;
    FileUse* const known = opens ? open(handle) : find(handle);
    if (known == nullptr) return nullptr;
    FileUse& file = *known;
    if (is_file_collective(call.function)) ++file.collectives;
    if (opens) {
        file.layout.rewind();
    } else if (const auto transfer = read_file_transfer(call)) {
        file.layout.transfer(position_of(call.function), transfer->offset, bytes);
    } else if (const Action* seek = find_record(call, EventType::IoSeek)) {
        file.layout.seek(call.function == MpiFunction::File_seek_shared, seek->fields[3]);
    } else if (is_bare_file_call(call.function)) {
        add_bare(file, call.function);
    }
    recent_.note(call);
    return opens ? &file : nullptr;
}

/// All processes of a file must make the same calls at the same places.
void FileUses::add_bare(FileUse& use, MpiFunction function) {
    if (!use.is_alone) {
        const u64 call = (use.collectives << 16U) + static_cast<u64>(function);
        use.bare_calls = (use.bare_calls + call) * kGolden;
    }
    ++use.functions[function];
    if (function == MpiFunction::File_set_view) use.layout.begin_view();
}

std::map<u64, u64> FileUses::agree(const FileTable& definitions, std::span<FileUses* const> uses,
                                   const Combine& combine) {
    std::map<u64, u64> sizes;
    if (definitions.handles().empty()) return sizes;
    const u64 limit = std::min(definitions.handles().rbegin()->first, kMostHandles - 1) + 1;
    const auto for_each = [uses](const auto& visit) {
        for (FileUses* const process : uses) {
            for (auto& [handle, use] : process->uses_) visit(handle, use);
        }
    };
    const auto raise = [](u64& value, u64 other) { value = std::max(value, other); };

    // Hashes are equal if the maximum is the complement of the maximum complement.
    std::vector<u64> facts(4 * limit, 0);
    for_each([&](u64 handle, const FileUse& use) {
        raise(facts[4 * handle], use.bare_calls);
        raise(facts[4 * handle + 1], ~use.bare_calls);
        raise(facts[4 * handle + 2], use.layout.views.unit());
        raise(facts[4 * handle + 3], use.layout.shared ? 1 : 0);
    });
    combine(facts, false);
    std::vector<u64> strides(limit, 0);
    for_each([&](u64 handle, FileUse& use) {
        use.bare = use.is_alone || facts[4 * handle] == ~facts[4 * handle + 1];
        use.layout.unit = std::max<u64>(facts[4 * handle + 2], 1);
        use.layout.shared = facts[4 * handle + 3] != 0;
        raise(strides[handle], use.layout.views.end(use.layout.unit));
    });
    combine(strides, false);
    std::vector<u64> moved(limit, 0);
    std::vector<u64> ends(limit, 0);
    for_each([&](u64 handle, FileUse& use) {
        FileLayout& layout = use.layout;
        layout.stride = strides[handle];
        moved[handle] += layout.plain.shared_bytes() + layout.views.shared_bytes();
        raise(ends[handle], std::max({static_cast<u64>(layout.part(use.rank)) + layout.stride,
                                      layout.plain.end(1), layout.plain.shared_offset(),
                                      layout.views.shared_offset() * layout.unit}));
    });
    combine(moved, true);
    combine(ends, false);
    for (const auto& [handle, definition] : definitions.handles()) {
        if (handle < limit) raise(sizes[definition.file], ends[handle] + moved[handle]);
    }
    for_each([&](u64 /*handle*/, FileUse& use) { use.size = sizes[use.file]; });
    return sizes;
}

}  // namespace tracefold
