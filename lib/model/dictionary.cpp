// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dictionary.hpp"

#include "model/dictionary_data.hpp"

#include <utility>

namespace tracefold {

namespace {

constexpr std::string_view kNumberedMark = "#";
/// MPI versions that a recorder may predate: it then lacks the functions of these and later ones.
constexpr u8 kOlderVersions[] = {4, 3};

Dictionary::Entry parse_entry(std::string_view line) {
    Dictionary::Entry entry;
    const std::size_t tab = line.find('\t');
    entry.text = line.substr(0, tab);
    if (tab == std::string_view::npos) return entry;
    const std::string_view mark = line.substr(tab + 1);
    entry.numbered = mark == kNumberedMark;
    if (entry.numbered) return entry;
    entry.role = static_cast<u8>(std::stoul(std::string(mark)));
    const std::size_t other = mark.find('\t');
    if (other != std::string_view::npos) entry.since = static_cast<u8>(mark[other + 1] - '0');
    return entry;
}

unsigned hex_digit(char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); }

/// Parses two hexadecimal digits per byte; ignores white space between bytes.
std::string parse_hex(std::string_view text) {
    std::string bytes(text.size() / 2, '\0');
    std::size_t size = 0;
    for (std::size_t i = 0; i + 1 < text.size();) {
        if (text[i] <= ' ') {
            ++i;
            continue;
        }
        bytes[size++] = static_cast<char>(hex_digit(text[i]) * 16 + hex_digit(text[i + 1]));
        i += 2;
    }
    bytes.resize(size);
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
    for (const Entry& entry : made.entries_) made.compression_ += entry.text;
    made.compression_ += parse_hex(kDictionarySamples);
    made.sections_ = parse_hex(kDictionarySections);
    const std::size_t lines = made.entries_.size();
    for (const u8 version : kOlderVersions) made.add_functions_before(version, lines);
    made.make_index();
    return made;
}

/// A recorder defines all functions of its MPI version, in this order.
void Dictionary::add_functions_before(u8 version, std::size_t lines) {
    for (std::size_t i = 0; i < lines; ++i) {
        const Entry& entry = entries_[i];
        const bool is_function = entry.role != 0 && entry.text.substr(0, 4) == "MPI_";
        if (is_function && entry.since < version) entries_.push_back(Entry(entry));
    }
}

void Dictionary::make_index() {
    next_equal_.assign(entries_.size(), kNone);
    for (u32 i = static_cast<u32>(entries_.size()); i-- > 0;) {
        const auto [found, fresh] = index_.try_emplace(entries_[i].text, i);
        if (!fresh) next_equal_[i] = std::exchange(found->second, i);
    }
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

u32 Dictionary::find(std::string_view text, std::string_view before) const {
    const u32 first = find(text);
    for (u32 i = first; i != kNone; i = next_equal_[i]) {
        if (i > 0 && entries_[i - 1].text == before) return i;
    }
    return first;
}

}  // namespace tracefold
