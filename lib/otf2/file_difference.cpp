// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/file_difference.hpp"

#include "base/hash.hpp"
#include "otf2/detail/record_scanner.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::otf2 {

/// The code that ends a run of expected elements. The numbers are part of the file format.
enum class DifferenceCode : u8 {
    end,       ///< truncates the encoded file here
    altered,   ///< a record with another end: an Alteration
    replaced,  ///< other bytes replace the element
    inserted,  ///< bytes before the next element
    skipped,   ///< the number of omitted elements
};

/// The difference between a record of the original and the encoded record of the same type.
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
    explicit ElementStream(RecordScanner scanner) : scanner_(std::move(scanner)) { advance(); }

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

  private:
    RecordScanner scanner_;
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
    DifferenceFinder(EncodedFile& encoded, const std::string& original)
        : a_(otf2::RecordScanner(encoded)),
          b_(otf2::RecordScanner(original, otf2::file_kind(encoded.encoder().stream()),
                                 encoded.encoder().chunk_size(), original)),
          original_(original) {}

    std::string run() {
        while (!b_.at_end()) step();
        put_skipped();
        put(DifferenceCode::end);
        return out_.take();
    }

  private:
    void step() {
        const bool skips =
            !a_.at_end() && !belong_together() && !original_has_more() && encoded_has_more();
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
    bool encoded_has_more() {
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
        put_original();
        both();
    }
    void insert() {
        put(DifferenceCode::inserted);
        put_original();
        b_.advance();
    }
    void put_original() { out_.put_text(original_.read_at(b_.now().offset, b_.now().size)); }
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
    InputFile original_;
    ExpectedAlterations expected_;
    u64 as_expected_ = 0;
    u64 skipped_ = 0;
    ByteWriter out_;
};

/// Walks the encoded file and passes the original on.
class DifferenceApplier {
  public:
    DifferenceApplier(EncodedFile& encoded, std::string_view difference, const ByteSink& sink)
        : a_(otf2::RecordScanner(encoded)), in_(difference, "the kept bytes"), sink_(sink) {}

    void run() {
        while (next()) {
        }
        in_.expect_end();
        sink_(out_);
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
        } else if (a_.now().kind == ElementKind::end_of_chunk) {
            out_.append(a_.now().size, '\0');
        } else {
            write(a_.now().bytes);
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
        const std::size_t kept = element.payload.size() - by.cut;
        out_ += head(element, by, kept + by.added.size());
        write(element.payload.first(kept));
        out_ += by.added;
    }

    void write(std::span<const u8> bytes) {
        if (out_.size() >= kPiece) {
            sink_(out_);
            out_.clear();
        }
        out_.append(bytes.begin(), bytes.end());
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

    void literal() { out_ += in_.get_text(); }

    void leave_out() {
        need_element();
        a_.advance();
    }

    void need_element() {
        if (a_.at_end()) in_.fail("the file that they belong to is shorter");
    }

    ElementStream a_;
    ByteReader in_;
    const ByteSink& sink_;
    std::string out_;
    ExpectedAlterations expected_;
};

}  // namespace

void FileChecksum::add(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::string_view part = bytes.substr(0, kPiece - begun_.size());
        bytes.remove_prefix(part.size());
        if (part.size() == kPiece) {
            add_piece(part);
            continue;
        }
        begun_ += part;
        if (begun_.size() == kPiece) add_piece(std::exchange(begun_, {}));
    }
}

void FileChecksum::add_piece(std::string_view piece) {
    pieces_.put_u64le(tracefold::checksum(piece));
}

u64 FileChecksum::value() {
    if (!begun_.empty()) add_piece(std::exchange(begun_, {}));
    return tracefold::checksum(pieces_.bytes());
}

bool FileComparison::next_piece() {
    piece_.resize(std::min(kPiece, file_.size() - read_));
    if (piece_.empty()) return false;
    file_.read_at(read_, piece_);
    read_ += piece_.size();
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    left_ = {reinterpret_cast<const char*>(piece_.data()), piece_.size()};
    checksum_.add(left_);
    return true;
}

bool FileComparison::add(std::string_view bytes) {
    while (same_ && !bytes.empty()) {
        if (left_.empty() && !next_piece()) return same_ = false;
        const std::size_t size = std::min(bytes.size(), left_.size());
        same_ = bytes.substr(0, size) == left_.substr(0, size);
        bytes.remove_prefix(size);
        left_.remove_prefix(size);
    }
    return same_;
}

bool FileComparison::finish() {
    same_ = same_ && left_.empty() && read_ == file_.size();
    while (next_piece()) {
    }
    return same_;
}

std::string file_difference(EncodedFile& encoded, const std::string& original) {
    return DifferenceFinder(encoded, original).run();
}

void apply_difference(EncodedFile& encoded, std::string_view difference, const ByteSink& sink) {
    DifferenceApplier(encoded, difference, sink).run();
}

}  // namespace tracefold
