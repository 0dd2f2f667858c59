// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/experience.hpp"

#include "format/modelled_numbers.hpp"
#include "model/dictionary.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace tracefold {

namespace {

ByteModel make(SectionKind kind, std::size_t size) {
    ByteModel model(size);
    ByteReader in(Dictionary::built_in().sections(), "the built-in dictionary");
    while (in.remaining() != 0) {
        const auto sample_kind = static_cast<SectionKind>(in.get_varint());
        const std::string_view content = in.get_bytes(in.get_varint());
        if (sample_kind == kind) show_numbers(model, kind, content);
    }
    return model;
}

struct Kept {
    std::mutex mutex;
    std::map<std::pair<SectionKind, u32>, ByteModel> models;
};

Kept& kept() {
    static Kept models;
    return models;
}

/// Made if it is not there. It stays where it is, and as it is.
const ByteModel& keep(SectionKind kind, std::size_t size) {
    const std::scoped_lock lock(kept().mutex);
    const std::pair key(kind, ByteModel::size_class(size));
    const auto known = kept().models.find(key);
    if (known != kept().models.end()) return known->second;
    return kept().models.emplace(key, make(kind, size)).first->second;
}

}  // namespace

ByteModel model_to_write(SectionKind kind, std::size_t size) { return keep(kind, size); }

void prepare_models(const std::vector<SectionKind>& kinds) {
    for (const SectionKind kind : kinds) (void)keep(kind, 0);
}

ByteModel model_to_read(SectionKind kind, std::size_t size) {
    const std::scoped_lock lock(kept().mutex);
    const auto known = kept().models.find({kind, ByteModel::size_class(size)});
    return known != kept().models.end() ? known->second : make(kind, size);
}

}  // namespace tracefold
