// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/byte_differences.hpp"

#include "base/bytes.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

namespace {

u64 form_of(const ContentDifferences& content) {
    return 2 * u64{content.bytes.size()} + (content.whole ? 1 : 0);
}

/// Reads the content after its form.
ContentDifferences get_content(ByteReader& in, u64 form) {
    return {form % 2 == 1, std::string(in.get_bytes(form / 2))};
}

}  // namespace

ByteDifferences::ByteDifferences(std::vector<FileDifferences> files, u64 checksum)
    : checksum_(checksum) {
    std::sort(files.begin(), files.end(), [](const FileDifferences& a, const FileDifferences& b) {
        return a.number < b.number;
    });
    std::map<ContentDifferences, std::size_t> numbers;
    for (FileDifferences& file : files) {
        const auto [found, fresh] = numbers.try_emplace(file.content, contents_.size());
        if (fresh) contents_.push_back(std::move(file.content));
        files_.push_back({file.number, found->second});
    }
}

u64 ByteDifferences::share_of(u64 number, u64 checksum) { return mix(mix(number + 1) ^ checksum); }

const ContentDifferences* ByteDifferences::find(u64 number) const {
    const auto found =
        std::lower_bound(files_.begin(), files_.end(), number,
                         [](const File& file, u64 wanted) { return file.number < wanted; });
    const bool there = found != files_.end() && found->number == number;
    return there ? &contents_[found->content] : nullptr;
}

ByteDifferences ByteDifferences::only_whole_files() const {
    std::vector<FileDifferences> files;
    for (const File& file : files_) {
        if (contents_[file.content].whole) files.push_back({file.number, contents_[file.content]});
    }
    return {std::move(files), checksum_};
}

/// kept bytes := checksum(8) count step* content* form* bytes*; form := 2 * size + whole
std::string ByteDifferences::encode() const {
    ByteWriter out;
    out.put_u64le(checksum_);
    out.put_varint(files_.size());
    u64 last = 0;
    for (const File& file : files_) out.put_varint(file.number - std::exchange(last, file.number));
    for (const File& file : files_) out.put_varint(file.content);
    for (const ContentDifferences& content : contents_) out.put_varint(form_of(content));
    for (const ContentDifferences& content : contents_) out.put_bytes(content.bytes);
    return out.take();
}

ByteDifferences ByteDifferences::decode(std::string_view bytes, const std::string& name) {
    ByteReader in(bytes, name);
    ByteDifferences kept;
    kept.checksum_ = in.get_u64le();
    kept.files_.resize(in.get_count(2));
    u64 number = 0;
    for (File& file : kept.files_) {
        const u64 step = in.get_varint();
        if (step == 0 && &file != kept.files_.data()) in.fail("a file comes twice");
        file.number = number += step;
    }
    std::size_t contents = 0;
    for (File& file : kept.files_) {
        file.content = in.get_varint();
        if (file.content > contents) in.fail("a content has no file");
        if (file.content == contents) ++contents;
    }
    std::vector<u64> forms;
    for (std::size_t i = 0; i < contents; ++i) forms.push_back(in.get_varint());
    for (const u64 form : forms) kept.contents_.push_back(get_content(in, form));
    in.expect_end();
    return kept;
}

}  // namespace tracefold
