// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/file_table.hpp"

#include "model/definition_table.hpp"

namespace tracefold {

FileTable::FileTable(TraceFile& file) {
    drain(*file.global_definitions(),
          [this, &file](const RecordBatch& batch) { add(file.definitions(), batch); });
}

void FileTable::add(const DefinitionIndex& index, const RecordBatch& batch) {
    for (const RecordBatch::Head& head : batch.heads()) {
        if (static_cast<DefinitionType>(head.type) != DefinitionType::IoHandle) continue;
        const auto v = batch.values(head);
        if (index.is_mpi_file(v[0])) handles_[v[0]] = {v[2], v[5]};
    }
}

const FileHandleDefinition* FileTable::find(u64 handle) const {
    const auto found = handles_.find(handle);
    return found == handles_.end() ? nullptr : &found->second;
}

}  // namespace tracefold
