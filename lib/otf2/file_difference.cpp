// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/file_difference.hpp"

#include "base/bytes.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "otf2/detail/record_scanner.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::otf2 {

/// The code that ends a run of expected elements. The numbers are part of the file format.
enum class DifferenceCode : u8 {
    end,       ///< truncates the rewritten file here
    altered,   ///< a record with another end: an Alteration
    replaced,  ///< other bytes replace the element
    inserted,  ///< bytes before the next element
    skipped,   ///< the number of omitted elements
};

/// The difference between a record of the original and the rewritten record of the same type.
struct Alteration {
    u8 head = 0;        ///< size of type and length in the original; 0: unchanged
    u64 cut = 0;        ///< number of bytes removed from its end
    std::string added;  ///< bytes appended to its end

    [[nodiscard]] bool changes() const { return head != 0 || cut != 0 || !added.empty(); }
    bool operator==(const Alteration&) const = default;
};

/// The expected alteration of each record type: that of its previous record.
class ExpectedAlterations {
  public:
    const Alteration& of(const RawElement& element) const { return all_[key(element)]; }
    void learn(const RawElement& element, const Alteration& alteration) {
        // A long end is specific to one record, not to a type.
        constexpr std::size_t kLongEnd = 16;
        if (alteration.added.size() <= kLongEnd) all_[key(element)] = alteration;
    }

  private:
    static constexpr std::size_t kTypes = 256;

    static std::size_t key(const RawElement& element) {
        return static_cast<std::size_t>(element.kind) * kTypes + element.type;
    }

    std::array<Alteration, (static_cast<std::size_t>(ElementKind::damage) + 1) * kTypes> all_;
};

/// Number of bytes before the payload of a record or attribute list.
inline u8 head_size(const RawElement& element) {
    return static_cast<u8>(element.size - element.payload.size());
}

inline bool has_payload(const RawElement& element) {
    return element.kind == ElementKind::record || element.kind == ElementKind::attribute_list;
}

/// The elements of a file, with lookahead to the one after the next.
class ElementStream {
  public:
    ElementStream(const std::string& path, RawFileKind kind, u64 chunk_size)
        : scanner_(path, kind, chunk_size, path), file_(path) {
        advance();
    }

    [[nodiscard]] bool at_end() const { return at_end_; }
    /// Precondition: !at_end().
    [[nodiscard]] const RawElement& now() const { return now_; }
    /// The element after now(), null at the end.
    const RawElement* following() {
        if (!following_) {
            kept_.assign(now_.payload.begin(), now_.payload.end());
            now_.payload = kept_;
            RawElement element;
            following_ = scanner_.next(element) ? std::optional(element) : std::nullopt;
            if (!following_) return nullptr;
        }
        return &*following_;
    }
    void advance() {
        if (following_) {
            now_ = *following_;
            following_.reset();
        } else {
            at_end_ = !scanner_.next(now_);
        }
    }
    [[nodiscard]] std::string bytes() const { return file_.read_at(now_.offset, now_.size); }
    [[nodiscard]] const InputFile& file() const { return file_; }

  private:
    RecordScanner scanner_;
    InputFile file_;
    RawElement now_;
    std::optional<RawElement> following_;
    std::vector<u8> kept_;
    bool at_end_ = false;
};

}  // namespace tracefold::otf2

namespace tracefold {

using otf2::Alteration;
using otf2::DifferenceCode;
using otf2::ElementKind;
using otf2::ElementStream;
using otf2::ExpectedAlterations;
using otf2::has_payload;
using otf2::head_size;
using otf2::RawElement;

namespace {

constexpr u64 kPiece = u64{1} << 20U;

otf2::RawFileKind kind_of(const ArchiveFileLayout& layout) {
    return layout.events ? otf2::RawFileKind::events : otf2::RawFileKind::definitions;
}

bool same_payload(const RawElement& a, const RawElement& b) {
    return std::equal(a.payload.begin(), a.payload.end(), b.payload.begin(), b.payload.end());
}

/// True for elements that their fields determine completely.
bool is_plain(const RawElement& element) {
    switch (element.kind) {
        case ElementKind::timestamp:
        case ElementKind::end_mark:
        case ElementKind::chunk_header:
            return true;
        case ElementKind::end_of_chunk:
            return element.zeros;
        default:
            return false;
    }
}

bool same_element(const RawElement& a, const RawElement& b) {
    if (a.kind != b.kind || a.type != b.type || a.size != b.size) return false;
    if (has_payload(a)) return same_payload(a, b);
    return is_plain(a) && is_plain(b) && a.ticks == b.ticks &&
           a.header.little_endian == b.header.little_endian &&
           a.header.first_event == b.header.first_event &&
           a.header.last_event == b.header.last_event;
}

/// True if applying the alteration to `a` gives `b`.
bool is_altered(const RawElement& a, const RawElement& b, const Alteration& by) {
    if (!by.changes()) return same_element(a, b);
    if (!has_payload(a) || a.kind != b.kind || a.type != b.type) return false;
    if (head_size(b) != (by.head == 0 ? head_size(a) : by.head)) return false;
    if (by.cut > a.payload.size()) return false;
    const std::size_t kept = a.payload.size() - by.cut;
    return b.payload.size() == kept + by.added.size() &&
           std::equal(b.payload.begin(), b.payload.begin() + static_cast<std::ptrdiff_t>(kept),
                      a.payload.begin()) &&
           std::equal(by.added.begin(), by.added.end(),
                      b.payload.begin() + static_cast<std::ptrdiff_t>(kept),
                      [](char x, u8 y) { return static_cast<u8>(x) == y; });
}

/// Precondition: both have a payload.
Alteration alteration(const RawElement& a, const RawElement& b) {
    const std::size_t most = std::min(a.payload.size(), b.payload.size());
    const std::size_t kept = static_cast<std::size_t>(
        std::mismatch(a.payload.begin(), a.payload.begin() + static_cast<std::ptrdiff_t>(most),
                      b.payload.begin())
            .first -
        a.payload.begin());
    Alteration found;
    if (head_size(a) != head_size(b)) found.head = head_size(b);
    found.cut = a.payload.size() - kept;
    for (const u8 byte : b.payload.subspan(kept)) found.added.push_back(static_cast<char>(byte));
    return found;
}

/// Walks both files side by side and encodes the original.
class DifferenceFinder {
  public:
    DifferenceFinder(const std::string& rewritten, const std::string& original,
                     const ArchiveFileLayout& layout)
        : a_(rewritten, kind_of(layout), layout.chunk_size),
          b_(original, kind_of(layout), layout.chunk_size) {}

    std::string run() {
        while (!b_.at_end()) step();
        put_skipped();
        put(DifferenceCode::end);
        return out_.take();
    }

  private:
    void step() {
        const bool skips =
            !a_.at_end() && !belong_together() && !original_has_more() && rewritten_has_more();
        if (skips) return skip();
        put_skipped();
        if (a_.at_end()) return insert();
        if (is_altered(a_.now(), b_.now(), expected_.of(a_.now()))) {
            ++as_expected_;
            return both();
        }
        if (belong_together()) return alter();
        if (original_has_more()) return insert();
        replace();
    }

    /// True for records of the same type, and for other equal elements.
    bool belong_together() {
        const RawElement& a = a_.now();
        const RawElement& b = b_.now();
        if (a.kind != b.kind || a.type != b.type) return false;
        return has_payload(a) || same_element(a, b);
    }

    /// Separators have the higher priority: records stay in order while separators may move.
    [[nodiscard]] static int rank(ElementKind kind) {
        switch (kind) {
            case ElementKind::end_of_chunk:
                return 4;
            case ElementKind::chunk_header:
                return 3;
            case ElementKind::timestamp:
                return 2;
            case ElementKind::record:
            case ElementKind::attribute_list:
                return 1;
            default:
                return 0;
        }
    }

    bool original_has_more() {
        const int a = rank(a_.now().kind);
        const int b = rank(b_.now().kind);
        return b > a || (a == 1 && b == 1 && comes_next(b_, a_.now()) && !comes_next(a_, b_.now()));
    }
    bool rewritten_has_more() {
        const int a = rank(a_.now().kind);
        const int b = rank(b_.now().kind);
        return a > b || (a == 1 && b == 1 && comes_next(a_, b_.now()));
    }
    static bool comes_next(ElementStream& stream, const RawElement& element) {
        const RawElement* next = stream.following();
        return next != nullptr && next->kind == element.kind && next->type == element.type;
    }

    void alter() {
        const Alteration found = alteration(a_.now(), b_.now());
        put(DifferenceCode::altered);
        out_.put_u8(found.head);
        out_.put_varint(found.cut);
        out_.put_text(found.added);
        expected_.learn(a_.now(), found);
        both();
    }
    void replace() {
        put(DifferenceCode::replaced);
        out_.put_text(b_.bytes());
        both();
    }
    void insert() {
        put(DifferenceCode::inserted);
        out_.put_text(b_.bytes());
        b_.advance();
    }
    /// Counts consecutive omitted elements.
    void skip() {
        ++skipped_;
        a_.advance();
    }
    void put_skipped() {
        const u64 skipped = std::exchange(skipped_, 0);
        if (skipped == 0) return;
        put(DifferenceCode::skipped);
        out_.put_varint(skipped);
    }
    void both() {
        a_.advance();
        b_.advance();
    }

    void put(DifferenceCode code) {
        out_.put_varint(as_expected_);
        out_.put_u8(static_cast<u8>(code));
        as_expected_ = 0;
    }

    ElementStream a_;
    ElementStream b_;
    ExpectedAlterations expected_;
    u64 as_expected_ = 0;
    u64 skipped_ = 0;
    ByteWriter out_;
};

/// Walks the rewritten file and writes the original.
class DifferenceApplier {
  public:
    DifferenceApplier(const std::string& path, std::string_view difference,
                      const ArchiveFileLayout& layout)
        : a_(path, kind_of(layout), layout.chunk_size),
          in_(difference, "the kept bytes of " + path),
          out_(path, true) {}

    void run() {
        while (next()) {
        }
        in_.expect_end();
        copy_range();
        out_.commit();
    }

  private:
    bool next() {
        for (u64 left = in_.get_varint(); left > 0; --left) as_expected();
        switch (static_cast<DifferenceCode>(in_.get_u8())) {
            case DifferenceCode::end:
                return false;
            case DifferenceCode::altered:
                alter();
                return true;
            case DifferenceCode::replaced:
                literal();
                leave_out();
                return true;
            case DifferenceCode::inserted:
                literal();
                return true;
            case DifferenceCode::skipped:
                for (u64 left = in_.get_varint(); left > 0; --left) leave_out();
                return true;
        }
        in_.fail("there is no such difference");
    }

    void as_expected() {
        need_element();
        const Alteration& by = expected_.of(a_.now());
        if (by.changes()) {
            write_altered(by);
        } else {
            take_range();
        }
        a_.advance();
    }

    void alter() {
        need_element();
        Alteration by;
        by.head = in_.get_u8();
        by.cut = in_.get_varint();
        by.added = in_.get_text();
        expected_.learn(a_.now(), by);
        write_altered(by);
        a_.advance();
    }

    void write_altered(const Alteration& by) {
        const RawElement& element = a_.now();
        constexpr u8 kLongest = 10;
        if (!has_payload(element) || by.cut > element.payload.size() || by.head > kLongest) {
            in_.fail("a record cannot be altered so");
        }
        copy_range();
        const std::size_t kept = element.payload.size() - by.cut;
        out_.write(head(element, by, kept + by.added.size()));
        std::string payload;
        for (const u8 byte : element.payload.first(kept)) {
            payload.push_back(static_cast<char>(byte));
        }
        out_.write(payload + by.added);
    }

    /// Encodes type and length.
    static std::string head(const RawElement& element, const Alteration& by, u64 length) {
        const u8 size = by.head == 0 ? head_size(element) : by.head;
        ByteWriter head;
        head.put_u8(element.type);
        if (size == 2) head.put_u8(static_cast<u8>(length));
        if (size > 2) {
            head.put_u8(0xFF);
            head.put_u64le(length);
        }
        return head.take();
    }

    void literal() {
        copy_range();
        out_.write(in_.get_text());
    }

    void leave_out() {
        need_element();
        copy_range();
        a_.advance();
    }

    void need_element() {
        if (a_.at_end()) in_.fail("the file written anew is shorter");
    }

    /// Copies consecutive unchanged bytes at once.
    void take_range() {
        if (range_size_ == 0) range_ = a_.now().offset;
        range_size_ += a_.now().size;
    }
    void copy_range() {
        while (range_size_ > 0) {
            const u64 size = std::min(kPiece, range_size_);
            out_.write(a_.file().read_at(range_, size));
            range_ += size;
            range_size_ -= size;
        }
    }

    ElementStream a_;
    ByteReader in_;
    AtomicFile out_;
    ExpectedAlterations expected_;
    u64 range_ = 0;
    u64 range_size_ = 0;
};

}  // namespace

bool same_bytes(const std::string& a, const std::string& b) {
    const InputFile left(a);
    const InputFile right(b);
    if (left.size() != right.size()) return false;
    for (u64 at = 0; at < left.size(); at += kPiece) {
        const u64 size = std::min(kPiece, left.size() - at);
        if (left.read_at(at, size) != right.read_at(at, size)) return false;
    }
    return true;
}

u64 file_checksum(const std::string& path) {
    const InputFile file(path);
    ByteWriter pieces;
    for (u64 at = 0; at < file.size(); at += kPiece) {
        pieces.put_u64le(checksum(file.read_at(at, std::min(kPiece, file.size() - at))));
    }
    return checksum(pieces.bytes());
}

std::string file_difference(const std::string& rewritten, const std::string& original,
                            const ArchiveFileLayout& layout) {
    return DifferenceFinder(rewritten, original, layout).run();
}

void apply_difference(const std::string& path, std::string_view difference,
                      const ArchiveFileLayout& layout) {
    DifferenceApplier(path, difference, layout).run();
}

}  // namespace tracefold
