// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/anonymize.hpp"

#include "base/error.hpp"
#include "file/archive_codec.hpp"
#include "file/container.hpp"
#include "file/trace_file.hpp"
#include "model/definition_names.hpp"
#include "model/definition_table.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// The role of a string, by the first definition and field that refers to it.
std::string role_of(DefinitionType type, std::string_view field) {
    if (field == "source_file" || field == "file") return "file";
    if (field == "description") return "description";
    if (field == "class_name") return "class";
    if (field == "unit") return "unit";
    switch (type) {
        case DefinitionType::Region:
            return "function";
        case DefinitionType::SystemTreeNode:
            return "host";
        case DefinitionType::LocationGroup:
            return "process";
        case DefinitionType::Location:
            return "location";
        case DefinitionType::Group:
            return "group";
        case DefinitionType::Comm:
        case DefinitionType::InterComm:
            return "communicator";
        case DefinitionType::RmaWin:
            return "window";
        case DefinitionType::MetricMember:
            return "metric";
        case DefinitionType::Attribute:
            return "attribute";
        case DefinitionType::Parameter:
            return "parameter";
        case DefinitionType::IoRegularFile:
        case DefinitionType::IoDirectory:
        case DefinitionType::IoHandle:
            return "file";
        case DefinitionType::CartTopology:
        case DefinitionType::CartDimension:
            return "topology";
        case DefinitionType::Paradigm:
        case DefinitionType::IoParadigm:
            return "paradigm";
        default:
            return "property";
    }
}

}  // namespace

void NeutralNames::add(const RecordBatch& batch) {
    for (const RecordBatch::Head& head : batch.heads()) {
        if (head.type != static_cast<u8>(DefinitionType::String)) {
            note_roles(batch, head);
            continue;
        }
        const auto values = batch.values(head);
        strings_.emplace_back(values[0], batch.text(head, values[1]));
        originals_.insert(strings_.back().second);
    }
}

void NeutralNames::note_roles(const RecordBatch& batch, const RecordBatch::Head& head) {
    const auto type = static_cast<DefinitionType>(head.type);
    const RecordInfo& info = definition_info(type);
    const auto values = batch.values(head);
    std::size_t position = 0;
    u64 repeat = 0;
    for (u8 i = 0; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        for (u64 k = field.array ? repeat : 1; k > 0; --k) {
            const u64 value = values[position++];
            if (field.kind == FieldKind::count) repeat = value;
            if (field.kind == FieldKind::string) note_role(value, role_of(type, field.name));
        }
    }
}

void NeutralNames::next_ids() {
    for (auto& [id, text] : strings_) {
        const auto role = roles_.find(id);
        named_.push_back({std::move(text), role == roles_.end() ? "string" : role->second});
    }
    strings_.clear();
    roles_.clear();
}

void NeutralNames::finish() {
    next_ids();
    for (const auto& [text, role] : named_) of(text, role);
    named_.clear();
}

const std::string& NeutralNames::of(const std::string& original) const {
    const auto known = neutral_.find(original);
    return known == neutral_.end() ? original : known->second;
}

const std::string& NeutralNames::of(const std::string& original, const std::string& role) {
    const auto known = neutral_.find(original);
    if (known != neutral_.end()) return known->second;
    return is_vocabulary(original) ? original : replace(original, role);
}

/// Skips neutral names that are original names.
const std::string& NeutralNames::replace(const std::string& original, const std::string& role) {
    std::string neutral;
    do {
        neutral = role + "_" + std::to_string(++counts_[role]);
    } while (originals_.contains(neutral));
    all_.push_back({neutral, original});
    return neutral_[original] = neutral;
}

RecordBatch NeutralNames::renamed(const RecordBatch& batch) const {
    RecordBatch result;
    for (const RecordBatch::Head& head : batch.heads()) {
        if (head.type != static_cast<u8>(DefinitionType::String)) {
            result.append(batch, head);
            continue;
        }
        const auto values = batch.values(head);
        result.begin(head.type, head.time);
        result.push(values[0]);
        result.push_text(of(std::string(batch.text(head, values[1]))));
    }
    return result;
}

namespace {

constexpr std::string_view kUsualName = "traces";
constexpr std::string_view kOwnProperties = "TRACEFOLD::";

/// "Score-P 8.4": a recorder and its version.
bool is_recorder(std::string_view creator) {
    constexpr std::string_view kRecorder = "Score-P ";
    return creator.starts_with(kRecorder) &&
           creator.find_first_not_of("0123456789.", kRecorder.size()) == std::string_view::npos;
}

/// Companion files, and stored original bytes of the archive, may contain any names.
bool is_copied(SectionKind kind) {
    return kind != SectionKind::archive && kind != SectionKind::definitions &&
           kind != SectionKind::file && kind != SectionKind::kept_bytes;
}

}  // namespace

Anonymizer::Anonymizer(TraceFile& file) : file_(file), archive_(file.archive()) {
    drain(*file.global_definitions(), [this](const RecordBatch& batch) { names_.add(batch); });
    add_local_definitions();
    names_.finish();
    rename_archive();
    result_.replaced = names_.all();
    file.read_files(
        [this](const CarriedFile& carried) { result_.dropped_files.push_back(carried.path); });
}

/// Older recorders write strings and their definitions for each location.
void Anonymizer::add_local_definitions() {
    for (u32 location = 0; location < file_.location_count(); ++location) {
        names_.next_ids();
        drain(*file_.local_definitions(location), [this](const RecordBatch& batch) {
            has_local_strings_ |= std::ranges::any_of(batch.heads(), [](const auto& head) {
                return head.type == static_cast<u8>(DefinitionType::String);
            });
            names_.add(batch);
        });
    }
}

StoredSection Anonymizer::renamed_local_definitions(const Packing& packing) {
    StructureStore store;
    for (u32 location = 0; location < file_.location_count(); ++location) {
        fold_local_definitions(store, location, [&](const BatchSink& sink) {
            drain(*file_.local_definitions(location),
                  [&](const RecordBatch& batch) { sink(names_.renamed(batch)); });
        });
    }
    return pack_local_definitions(store.finish(Stream::local_definitions, file_.location_count()),
                                  file_.location_count(), packing);
}

void Anonymizer::rename_archive() {
    const bool has_expected_anchor = archive_.anchor_bytes == expected_anchor(archive_);
    if (archive_.name != kUsualName) {
        names_.of(archive_.name, "archive");
        archive_.name = kUsualName;
    }
    archive_.machine_name = names_.of(archive_.machine_name, "machine");
    if (!is_recorder(archive_.creator)) {
        archive_.creator = names_.of(archive_.creator, "recorder");
    }
    archive_.description = names_.of(archive_.description, "description");
    for (auto& [key, value] : archive_.properties) {
        if (key == kPartProperty) value = names_.of(value, "part");
        if (key.starts_with(kOwnProperties)) continue;
        key = names_.of(key, "PROPERTY::NAME");
        value = names_.of(value, "property");
    }
    archive_.anchor_bytes = has_expected_anchor ? expected_anchor(archive_) : std::string();
}

void Anonymizer::write(const std::string& output, bool force, int level) {
    const Packing packing(level, file_.container().is_portable());
    const Dictionary& dictionary = packing.dictionary();
    AtomicFile out(output, force);
    ContainerWriter writer(out, packing);
    TraceSummary summary = file_.summary();
    summary.exact_bytes = false;
    writer.add(SectionKind::archive, 0, encode_archive({archive_, summary}, dictionary));
    u32 location = 0;
    const FoldedDefinitions folded = fold_definitions(
        [this](const BatchSink& sink) {
            drain(*file_.global_definitions(),
                  [&](const RecordBatch& batch) { sink(names_.renamed(batch)); });
        },
        [this, &location] { return file_.index().events(location++); }, dictionary);
    writer.add(SectionKind::definitions, 0,
               pack_definitions(folded.structure, folded.text, packing));
    for (const Section& section : file_.container().sections()) {
        if (!is_copied(section.kind)) continue;
        if (section.kind == SectionKind::local_definitions && has_local_strings_) {
            writer.add(section.kind, section.index, renamed_local_definitions(packing));
            continue;
        }
        writer.add(section.kind, section.index,
                   {file_.container().stored(section), section.content_size, section.coding});
    }
    writer.finish();
    out.commit();
}

}  // namespace tracefold
