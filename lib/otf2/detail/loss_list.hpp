// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/file_loss.hpp"
#include "otf2/detail/file_examination.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace tracefold::otf2 {

/// What the files of an archive have lost, in the order of its discovery.
class LossList {
  public:
    void add(const FileLoss& loss) { losses_.push_back(loss); }

    /// A file that ends early. It has one such loss; a later one knows more.
    void add_cut(FileLoss loss, const FileExamination& examination) {
        loss.damage = FileDamage::cut;
        loss.records = examination.records;
        loss.expected = std::max(loss.expected, examination.expected);
        loss.bytes = examination.lost_bytes;
        const auto [known, added] = cuts_.try_emplace({loss.file, loss.location}, losses_.size());
        if (added) return add(loss);
        FileLoss& earlier = losses_[known->second];
        loss.expected = std::max(loss.expected, earlier.expected);
        earlier = loss;
    }

    [[nodiscard]] bool empty() const { return losses_.empty(); }
    [[nodiscard]] std::vector<FileLoss> take() { return std::exchange(losses_, {}); }

  private:
    std::vector<FileLoss> losses_;
    std::map<std::pair<ArchiveFileKind, u64>, std::size_t> cuts_;  // where they are, by file
};

}  // namespace tracefold::otf2
