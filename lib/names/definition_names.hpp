// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/export.hpp"
#include "model/definition_index.hpp"
#include "model/record_fields.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// What definitions of every kind are called. Memory: linear in the definitions with a name of
/// their own, without the characters.
class TRACEFOLD_API DefinitionNames {
  public:
    /// `strings` must outlive this object and know all strings when names are asked for.
    explicit DefinitionNames(const DefinitionIndex& strings) : strings_(strings) {}

    /// Feeds global definitions in source order.
    void add(const RecordBatch& batch);

    /// The name: a calling context's is that of its region, an I/O handle's without one that of its
    /// file, a metric's the list of its members. Empty if there is none.
    [[nodiscard]] std::string name(FieldKind kind, u64 id) const;

    /// The name, or else the number: "#5".
    [[nodiscard]] std::string label(FieldKind kind, u64 id) const;

  private:
    struct Reference {
        FieldKind kind = FieldKind::string;
        u64 id = 0;
    };
    using Definitions = std::unordered_map<u64, std::vector<Reference>>;

    void add_record(const RecordBatch& batch, const RecordBatch::Head& head);
    [[nodiscard]] std::string name_at(FieldKind kind, u64 id, int depth) const;

    const DefinitionIndex& strings_;
    std::unordered_map<u8, Definitions> definitions_;  ///< by FieldKind: where the name stands
};

}  // namespace tracefold
