// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/rescued_archive.hpp"

#include "comm/agree.hpp"
#include "format/anchor_file.hpp"

namespace tracefold {

RescuedArchive::RescuedArchive(Communicator& comm, const std::string& archive,
                               const std::string& parent, const ArchiveReaderOptions& reading,
                               bool with_extra_files)
    : scratch_(comm, parent) {
    on_first(comm, [&] {
        mended_ = mend_archive(archive, scratch_.path().string(),
                               {expected_anchor, reading, with_extra_files});
    });
    anchor_ = comm.broadcast(mended_.anchor, 0);
}

}  // namespace tracefold
