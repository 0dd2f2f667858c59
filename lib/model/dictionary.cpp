// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dictionary.hpp"

#include "model/detail/dictionary_data.hpp"

namespace tracefold {

namespace {

constexpr std::string_view kNumberedMark = "#";

Dictionary::Entry parse_entry(std::string_view line) {
    Dictionary::Entry entry;
    const std::size_t tab = line.find('\t');
    entry.text = line.substr(0, tab);
    if (tab == std::string_view::npos) return entry;
    const std::string_view mark = line.substr(tab + 1);
    entry.numbered = mark == kNumberedMark;
    if (!entry.numbered) entry.role = static_cast<u8>(std::stoul(std::string(mark)));
    return entry;
}

unsigned hex_digit(char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); }

/// Two hexadecimal digits a byte; white space between bytes has no meaning.
std::string parse_hex(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < text.size();) {
        if (text[i] <= ' ') {
            ++i;
            continue;
        }
        bytes.push_back(static_cast<char>(hex_digit(text[i]) * 16 + hex_digit(text[i + 1])));
        i += 2;
    }
    return bytes;
}

}  // namespace

Dictionary Dictionary::parsed() {
    Dictionary made(kNumber);
    const std::string_view strings = kDictionaryStrings;
    for (std::size_t start = 0; start < strings.size();) {
        const std::size_t end = strings.find('\n', start);
        made.entries_.push_back(parse_entry(strings.substr(start, end - start)));
        start = end + 1;
    }
    made.compression_ = parse_hex(kDictionaryTables);
    for (u32 i = 0; i < made.entries_.size(); ++i) {
        made.index_.emplace(made.entries_[i].text, i);
        made.compression_ += made.entries_[i].text;
    }
    made.compression_ += parse_hex(kDictionarySamples);
    made.sections_ = parse_hex(kDictionarySections);
    return made;
}

const Dictionary& Dictionary::built_in() {
    static const Dictionary dictionary = parsed();
    return dictionary;
}

const Dictionary& Dictionary::none() {
    static const Dictionary dictionary(kNoneNumber);
    return dictionary;
}

u32 Dictionary::find(std::string_view text) const {
    const auto found = index_.find(text);
    return found == index_.end() ? kNone : found->second;
}

}  // namespace tracefold
