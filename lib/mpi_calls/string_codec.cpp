// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/string_codec.hpp"

#include "core/error.hpp"
#include "model/numbered_name.hpp"

#include <utility>

namespace tracefold {

StringEncoder::StringEncoder(const Dictionary& dictionary) : dictionary_(dictionary) {
    const auto entries = dictionary.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!entries[i].numbered) continue;
        const std::string text(entries[i].text);
        models_.emplace(split_name(text).shape, Model{text, 2 * i + 1, kUsesBefore});
    }
}

StringForm StringEncoder::encode(std::string_view text) {
    const u64 number = next_++;
    const auto entries = dictionary_.entries();
    const u32 entry = find_entry(text);
    if (entry != kNone && !entries[entry].numbered) {
        entry_ = entry + 1;
        return {2 * u64{entry} + 1, false, false, {}};
    }
    NumberedName name = split_name(text);
    if (!name.numbers.empty()) {
        const auto [found, fresh] = models_.try_emplace(std::move(name.shape));
        Model& model = found->second;
        if (fresh) model = {std::string(text), 2 * number, 0};
        if (model.uses == kUsesBefore && join_name(model.text, name.numbers) == text) {
            return {model.code, false, true, std::move(name.numbers)};
        }
        if (model.uses < kUsesBefore) ++model.uses;
    }
    return {2 * u64{text.size()}, true, false, {}};
}

/// The entry that follows the last one; else one that follows another entry with the text of the
/// last one, since several lists differ in what they leave out; else one of those soon after it.
u32 StringEncoder::find_entry(std::string_view text) const {
    const auto entries = dictionary_.entries();
    if (entry_ < entries.size() && entries[entry_].text == text) return entry_;
    if (entry_ == 0) return dictionary_.find(text);
    const std::string_view before = entries[entry_ - 1].text;
    const u32 entry = dictionary_.find(text, before);
    if (entry == kNone || (entry > 0 && entries[entry - 1].text == before)) return entry;
    for (u32 i = entry_; i < entries.size() && i < entry_ + kSoon; ++i) {
        if (entries[i].text == text) return i;
    }
    return entry;
}

StringDecoder::StringDecoder(const std::vector<Symbol>& symbols, const Dictionary& dictionary)
    : dictionary_(dictionary) {
    for (const Symbol& symbol : symbols) {
        const Element& element = symbol.elements[0];
        if (!is_numbered_string(Stream::global_definitions, element)) continue;
        if (element.context % 2 == 0) models_.emplace(element.context / 2, "");
    }
}

std::string_view StringDecoder::known(u64 code) const {
    const auto entries = dictionary_.entries();
    if (code / 2 >= entries.size()) {
        throw Error(ErrorKind::corrupt, "a string is none of the dictionary's");
    }
    return entries[code / 2].text;
}

std::string StringDecoder::join(const Element& element, std::span<const u64> numbers) const {
    std::string_view model;
    if (element.context % 2 != 0) {
        model = known(element.context);
    } else {
        model = models_.at(element.context / 2);
    }
    if (numbers.empty() || split_name(model).numbers.size() != numbers.size()) {
        throw Error(ErrorKind::corrupt, "a string is not like its model");
    }
    return join_name(model, numbers);
}

void StringDecoder::note(std::string_view text) {
    const auto found = models_.find(next_++);
    if (found != models_.end()) found->second = text;
}

void RolePrediction::note(u64 id, std::string_view text) {
    const u32 entry = dictionary_.find(text);
    const u8 role = entry == kNone ? u8{0} : dictionary_.entries()[entry].role;
    if (role != 0) {
        roles_[id] = role;
    } else {
        roles_.erase(id);
    }
}

u64 RolePrediction::role(u64 name) const {
    const auto found = roles_.find(name);
    return found == roles_.end() ? 0 : found->second;
}

}  // namespace tracefold
