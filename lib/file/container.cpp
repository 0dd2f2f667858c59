// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/container.hpp"

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/zstd_frame.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tracefold {

namespace {

// header  := magic version_major(2) version_minor(2) dictionary(2) zeros(2)
// footer  := table_size(8) file_size(8) checksum(8) end_magic
// The footer's checksum covers header, table and the two sizes.
constexpr std::string_view kMagic("\x89TFOLD\r\n", 8);
constexpr std::string_view kEndMagic("TFOLDEND", 8);
constexpr u64 kHeaderSize = 16;
constexpr u64 kFooterSize = 32;
constexpr u64 kMinEntrySize = 4;
constexpr u8 kRequired = 1;
constexpr u8 kCompressed = 2;
constexpr u8 kContextMixing = 4;
constexpr u8 kRepeated = 8;

u8 flag(Coding coding) {
    if (coding == Coding::plain) return 0;
    return coding == Coding::zstd ? kCompressed : kContextMixing;
}

Coding coding(u8 flags) {
    if ((flags & kContextMixing) != 0) return Coding::context_mixing;
    return (flags & kCompressed) != 0 ? Coding::zstd : Coding::plain;
}

/// The file stores the lower half of a section's checksum.
u32 short_checksum(u64 checksum) { return static_cast<u32>(checksum); }

/// Returns the dictionary for zstd; null if it is empty.
const ZstdDictionary* known_to_zstd(const Dictionary& dictionary) {
    static const ZstdDictionary made(Dictionary::built_in().compression());
    return dictionary.number() == Dictionary::kNumber ? &made : nullptr;
}

/// Returns null if there is no dictionary of this number.
const Dictionary* find_dictionary(u32 number) {
    if (number == Dictionary::kNoneNumber) return &Dictionary::none();
    return number == Dictionary::kNumber ? &Dictionary::built_in() : nullptr;
}

/// Small contents are mostly covered by the dictionary: a high level gains nothing, and its
/// digested dictionary would take longer to make than anything else in a small archive.
constexpr std::size_t kTiny = 1024;
constexpr int kTinyLevel = 1;

/// Equal for sections of one kind with the same bytes.
u64 key_of(const Section& section) {
    return mix(section.checksum + static_cast<u64>(section.kind));
}

/// True for sections that store the same bytes.
bool is_same(const Section& a, const Section& b) {
    return a.kind == b.kind && a.coding == b.coding && a.stored_size == b.stored_size &&
           a.content_size == b.content_size && a.checksum == b.checksum;
}

std::string sizes(u64 table_size, u64 file_size) {
    ByteWriter out;
    out.put_u64le(table_size);
    out.put_u64le(file_size);
    return out.take();
}

}  // namespace

std::string_view section_name(SectionKind kind) {
    switch (kind) {
        case SectionKind::archive:
            return "archive";
        case SectionKind::definitions:
            return "definitions";
        case SectionKind::local_definitions:
            return "local definitions";
        case SectionKind::structure:
            return "structure";
        case SectionKind::file:
            return "file";
        case SectionKind::ticks:
            return "ticks";
        case SectionKind::durations:
            return "durations";
        case SectionKind::kept_bytes:
            return "kept bytes";
    }
    return "unknown";
}

bool is_container(const std::string& path) {
    const InputFile file(path);
    return file.size() >= kMagic.size() && file.read_at(0, kMagic.size()) == kMagic;
}

ContainerWriter::ContainerWriter(AtomicFile& file, const Packing& packing)
    : file_(file), packing_(packing), position_(kHeaderSize) {
    file_.write_at(0, header());
}

std::string ContainerWriter::header() const {
    ByteWriter out;
    out.put_bytes(kMagic);
    out.put_u32le(u32{kFormatMajor} | u32{kFormatMinor} << 16U);
    out.put_u32le(packing_.dictionary().number());
    return out.take();
}

StoredSection pack_section(std::string_view content, const Packing& packing) {
    const int level = content.size() < kTiny ? std::min(packing.level, kTinyLevel) : packing.level;
    std::string frame = zstd_compress(content, level, known_to_zstd(packing.dictionary()));
    if (frame.size() >= content.size()) return {std::string(content), content.size()};
    return {std::move(frame), content.size(), Coding::zstd};
}

std::string unpack_section(std::string_view stored, const Section& section,
                           const std::string& name) {
    if (section.coding == Coding::plain) return std::string(stored);
    return zstd_decompress(stored, section.content_size, name, known_to_zstd(*section.dictionary));
}

void ContainerWriter::add(SectionKind kind, u64 index, std::string_view content) {
    add(kind, index, pack_section(content, packing_));
}

void ContainerWriter::add(SectionKind kind, u64 index, const StoredSection& stored) {
    Section section{kind, true, stored.coding, index};
    section.stored_size = stored.bytes.size();
    section.content_size = stored.content_size;
    section.checksum = checksum(stored.bytes);
    file_.write_at(place(section), stored.bytes);
}

u64 ContainerWriter::place(Section section) {
    const auto [first, fresh] = first_.try_emplace(key_of(section), sections_.size());
    section.repeated = !fresh && is_same(sections_[first->second], section);
    section.offset = section.repeated ? sections_[first->second].offset : position_;
    if (!section.repeated) position_ += section.stored_size;
    sections_.push_back(section);
    return section.offset;
}

/// table := count (kind flags index (distance | stored_size [content_size] checksum(4)))*
void ContainerWriter::finish() {
    ByteWriter table;
    table.put_varint(sections_.size());
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        const Section& section = sections_[i];
        const u8 form = section.repeated ? kRepeated : flag(section.coding);
        table.put_varint(static_cast<u64>(section.kind));
        table.put_u8(static_cast<u8>((section.required ? kRequired : 0) | form));
        table.put_varint(section.index);
        if (section.repeated) {
            table.put_varint(i - first_.at(key_of(section)));
            continue;
        }
        table.put_varint(section.stored_size);
        if (section.coding != Coding::plain) table.put_varint(section.content_size);
        table.put_u32le(short_checksum(section.checksum));
    }
    const u64 file_size = position_ + table.size() + kFooterSize;
    ByteWriter footer;
    footer.put_bytes(sizes(table.size(), file_size));
    footer.put_u64le(
        checksum(header() + std::string(table.bytes()) + sizes(table.size(), file_size)));
    footer.put_bytes(kEndMagic);
    file_.write_at(position_, table.bytes());
    file_.write_at(position_ + table.size(), footer.bytes());
}

void ContainerReader::damaged(const std::string& what) const {
    if (file_->has_changed()) {
        throw Error(ErrorKind::io, "{} was written to while it was read; run the command again",
                    path_);
    }
    throw Error(ErrorKind::corrupt, "{} is damaged: {}; restore it from a copy", path_, what);
}

ContainerReader::ContainerReader(std::shared_ptr<const InputFile> file, const std::string& name)
    : file_(std::move(file)), path_(name.empty() ? file_->name() : name) {
    const u64 size = file_->size();
    const std::string start = file_->read_at(0, size < kHeaderSize ? size : kHeaderSize);
    if (std::string_view(start).substr(0, kMagic.size()) != kMagic) {
        throw Error(
            ErrorKind::corrupt,
            path_ +
                " is not a tracefold file; give a file that trace_compress wrote, or an OTF2 "
                "archive (anchor file or folder)");
    }
    if (size < kHeaderSize + kFooterSize) damaged("it is cut off after its header");
    ByteReader head(start, path_);
    head.get_bytes(kMagic.size());
    const u32 version = head.get_u32le();
    const u32 major = version & 0xFFFFU;
    if (major > kFormatMajor) {
        throw Error(
            ErrorKind::unsupported,
            "{} has format version {}.{}, this program reads up to {}.x; use a newer tracefold",
            path_, major, version >> 16U, kFormatMajor);
    }
    const u32 number = head.get_u32le();
    dictionary_ = find_dictionary(number);
    if (dictionary_ == nullptr) {
        throw Error(ErrorKind::unsupported,
                    "{} was written with dictionary {}, which this program does not "
                    "have; use a newer tracefold",
                    path_, number & 0xFFFFU);
    }
    const std::string end = file_->read_at(size - kFooterSize, kFooterSize);
    ByteReader footer(end, path_);
    const u64 table_size = footer.get_u64le();
    const u64 file_size = footer.get_u64le();
    const u64 expected = footer.get_u64le();
    if (footer.get_bytes(kEndMagic.size()) != kEndMagic || file_size != size) {
        damaged("its end is missing, so it was cut off or extended");
    }
    if (table_size > size - kHeaderSize - kFooterSize) damaged("its section table has no place");
    const std::string table = file_->read_at(size - kFooterSize - table_size, table_size);
    if (checksum(start + table + sizes(table_size, file_size)) != expected) {
        damaged("the checksum of its section table does not match");
    }
    read_table(table);
}

void ContainerReader::read_table(std::string_view table) {
    fingerprint_ = checksum(table);
    ByteReader in(table, "the section table of " + path_);
    const u64 count = in.get_count(kMinEntrySize);
    u64 offset = kHeaderSize;
    for (u64 i = 0; i < count; ++i) {
        sections_.push_back(read_entry(in, offset));
        if (!sections_.back().repeated) offset += sections_.back().stored_size;
    }
    in.expect_end();
    if (offset + table.size() + kFooterSize != file_->size()) {
        damaged("its sections do not fill the file");
    }
}

Section ContainerReader::read_entry(ByteReader& in, u64 offset) const {
    Section section;
    const u64 kind = in.get_varint();
    const u8 flags = in.get_u8();
    section.kind = static_cast<SectionKind>(kind);
    section.required = (flags & kRequired) != 0;
    section.coding = coding(flags);
    section.index = in.get_varint();
    section.dictionary = dictionary_;
    section.repeated = (flags & kRepeated) != 0;
    if (section.repeated) {
        repeat(in, section);
    } else {
        read_place(in, offset, section);
    }
    const bool known = kind >= static_cast<u64>(SectionKind::archive) &&
                       kind <= static_cast<u64>(SectionKind::kept_bytes);
    if (!known && section.required) {
        throw Error(ErrorKind::unsupported,
                    "{} has a section of kind {} that this version does not know; "
                    "use a newer tracefold",
                    path_, kind);
    }
    return section;
}

void ContainerReader::read_place(ByteReader& in, u64 offset, Section& section) const {
    section.stored_size = in.get_varint();
    section.content_size = section.coding == Coding::plain ? section.stored_size : in.get_varint();
    section.checksum = in.get_u32le();
    section.offset = offset;
    if (is_portable() && section.coding == Coding::context_mixing) {
        in.fail("a section needs a model, which a portable file does not have");
    }
    if (section.stored_size > file_->size() - offset) in.fail("a section reaches beyond the file");
}

void ContainerReader::repeat(ByteReader& in, Section& section) const {
    const u64 distance = in.get_varint();
    if (distance == 0 || distance > sections_.size()) {
        in.fail("a section repeats one that is not there");
    }
    const Section& first = sections_[sections_.size() - distance];
    if (first.kind != section.kind) in.fail("a section repeats one of another kind");
    section.coding = first.coding;
    section.stored_size = first.stored_size;
    section.content_size = first.content_size;
    section.checksum = first.checksum;
    section.offset = first.offset;
}

const Section* ContainerReader::find(SectionKind kind, u64 index) const {
    for (const Section& section : sections_) {
        if (section.kind == kind && section.index == index) return &section;
    }
    return nullptr;
}

std::string ContainerReader::describe(const Section& section) const {
    return "section " + std::string(section_name(section.kind)) + " of " + path_;
}

std::string ContainerReader::stored(const Section& section) const {
    std::string stored = file_->read_at(section.offset, section.stored_size);
    if (short_checksum(checksum(stored)) != section.checksum) {
        damaged("the checksum of its section " + std::string(section_name(section.kind)) +
                " does not match");
    }
    return stored;
}

std::string ContainerReader::content(const Section& section) const {
    if (section.coding == Coding::context_mixing)
        damaged("its section " + std::string(section_name(section.kind)) + " cannot be modelled");
    return unpack_section(stored(section), section, describe(section));
}

const Section& ContainerReader::section(SectionKind kind) const {
    const Section* found = find(kind);
    if (found == nullptr) damaged("it has no section " + std::string(section_name(kind)));
    return *found;
}

}  // namespace tracefold
