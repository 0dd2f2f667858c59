// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/bounded_json.hpp"

#include "base/error.hpp"
#include "base/json_writer.hpp"
#include "base/text_stream.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

BoundedJson::int_type BoundedJson::overflow(int_type character) {
    if (!traits_type::eq_int_type(character, traits_type::eof())) {
        take(traits_type::to_char_type(character));
    }
    return traits_type::not_eof(character);
}

std::streamsize BoundedJson::xsputn(const char* text, std::streamsize size) {
    for (const char character : std::string_view(text, static_cast<std::size_t>(size))) {
        take(character);
    }
    return size;
}

void BoundedJson::take(char character) {
    if (in_string_) {
        token_ += character;
        in_string_ = escaped_ || character != '"';
        escaped_ = !escaped_ && character == '\\';
        return;
    }
    switch (character) {
        case ' ':
        case '\n':
            break;
        case '{':
        case '[':
            return open(character);
        case '}':
        case ']':
            end_token();
            return close();
        case ',':
            return end_token();
        case ':':
            key_ = std::exchange(token_, {});
            break;
        default:
            in_string_ = character == '"';
            token_ += character;
    }
}

void BoundedJson::end_token() {
    if (token_.empty()) return;
    add({.token = std::exchange(token_, {})});
    shorten_if_needed();
}

void BoundedJson::open(char opener) {
    if (open_.empty()) {
        root_ = {.opener = opener};
        open_.push_back(&root_);
    } else {
        open_.push_back(add({.opener = opener}));
    }
}

void BoundedJson::close() {
    open_.pop_back();
    shorten_if_needed();
}

/// Null if the value is not held.
BoundedJson::Value* BoundedJson::add(Value value) {
    Value* const parent = open_.back();
    if (parent == nullptr) return nullptr;
    held_ += value.token.size() + key_.size() + 4;
    if (parent->opener == '{') {
        parent->keys.push_back(std::exchange(key_, {}));
    } else if (parent->items.size() >=
               (value.opener == 0 ? std::max(longest_, kShortList) : longest_)) {
        ++parent->dropped;
        return nullptr;
    }
    return &parent->items.emplace_back(std::move(value));
}

u64 BoundedJson::items_kept(const Value& list, u64 longest) {
    const u64 held = list.items.size();
    if (list.opener == '{' || held <= longest) return held;
    const bool is_plain =
        std::ranges::all_of(list.items, [](const Value& item) { return item.opener == 0; });
    return is_plain ? std::min(held, std::max(longest, kShortList)) : longest;
}

u64 BoundedJson::longest_list(const Value& value) {
    u64 longest = value.items.size();
    for (const Value& item : value.items) longest = std::max(longest, longest_list(item));
    return longest;
}

void BoundedJson::count_dropped(const Value& value, u64 longest, const std::string& path,
                                Dropped& dropped) {
    const u64 kept = items_kept(value, longest);
    const u64 missing = value.dropped + value.items.size() - kept;
    if (missing != 0) dropped[path] += missing;
    for (u64 i = 0; i < kept; ++i) {
        const Value& item = value.items[i];
        if (item.opener == 0) continue;
        if (value.opener == '[') {
            count_dropped(item, longest, path, dropped);
        } else {
            const std::string name = value.keys[i].substr(1, value.keys[i].size() - 2);
            count_dropped(item, longest, path.empty() ? name : path + "." + name, dropped);
        }
    }
}

void BoundedJson::append(const Value& value, u64 longest, std::string& text) {
    if (value.opener == 0) {
        text += value.token;
        return;
    }
    text += value.opener;
    const u64 kept = items_kept(value, longest);
    for (u64 i = 0; i < kept; ++i) {
        if (i != 0) text += ',';
        if (value.opener == '{') text.append(value.keys[i]).append(":");
        append(value.items[i], longest, text);
    }
    text += value.opener == '{' ? '}' : ']';
}

std::string BoundedJson::text_with(u64 longest, std::size_t most) const {
    std::string text;
    append(root_, longest, text);
    Dropped dropped;
    count_dropped(root_, longest, "", dropped);
    if (!dropped.empty()) {
        TextStream out;
        JsonWriter json(out);
        json.begin_object().member("max_size", most).member("longest_list", longest);
        json.key("missing").begin_object();
        for (const auto& [list, items] : dropped) json.member(list, items);
        json.end_object().end_object();
        std::string member = std::move(out).str();
        while (member.ends_with('\n')) member.pop_back();
        text.back() = ',';
        text.append("\"shortened\":").append(member).append("}");
    }
    return text + "\n";
}

u64 BoundedJson::largest_that_fits() const {
    u64 fits = 0;
    u64 too_long = longest_list(root_);
    // Without missing items there is no member about them.
    if (text_with(too_long, most_).size() <= most_) return too_long;
    while (too_long - fits > 1) {
        const u64 middle = fits + (too_long - fits) / 2;
        (text_with(middle, most_).size() <= most_ ? fits : too_long) = middle;
    }
    return fits;
}

void BoundedJson::cut(Value& value, u64 longest) {
    const u64 kept = items_kept(value, longest);
    value.dropped += value.items.size() - kept;
    value.items.resize(kept);
    for (Value& item : value.items) cut(item, longest);
}

/// Drops what cannot belong to the final document: more text only makes lists shorter.
void BoundedJson::shorten_if_needed() {
    if (held_ / 2 <= most_ || longest_ == 0) return;
    longest_ = largest_that_fits();
    const Value* parent = nullptr;
    bool is_held = true;
    for (Value*& value : open_) {
        if (parent != nullptr && parent->opener == '[' && is_held) {
            is_held = value != nullptr && parent->items.size() <= items_kept(*parent, longest_);
        }
        parent = value;
        if (!is_held) value = nullptr;
    }
    cut(root_, longest_);
    held_ = text_with(longest_, most_).size();
}

std::string BoundedJson::text() {
    if (root_.opener == 0) return {};
    const u64 longest = std::min(longest_, largest_that_fits());
    std::string text = text_with(longest, most_);
    if (text.size() <= most_) return text;
    // The number itself is a part of the document.
    std::size_t needed = text.size();
    while (text_with(longest, needed).size() > needed) ++needed;
    throw Error(ErrorKind::usage,
                "--max-size {} is too small: the document has {} bytes without items of its lists",
                most_, needed);
}

}  // namespace tracefold
