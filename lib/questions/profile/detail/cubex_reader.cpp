// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "base/file.hpp"
#include "questions/profile/cube_profile.hpp"
#include "questions/profile/detail/cubex_archive.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <exception>
#include <map>
#include <memory>
#include <unordered_map>

#include <expat.h>
#include <zlib.h>

namespace tracefold {

namespace {

[[noreturn]] void damaged_cube(const std::string& what) { throw Error(ErrorKind::corrupt, what); }

constexpr u64 kMostPacked = u64{1} << 31U;

/// A whole number of the XML; `other` if there is none.
i64 xml_number(const std::string& text, i64 other) {
    i64 number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() ? number : other;
}

/// Decompresses zlib or gzip data. Throws Error(corrupt), also for more than `most` bytes.
std::string inflated(const std::string& packed, u64 most) {
    z_stream stream{};
    if (packed.size() > kMostPacked || inflateInit2(&stream, 15 + 32) != Z_OK) {
        damaged_cube("compressed data are too large");
    }
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    std::string bytes;
    int result = Z_OK;
    while (result == Z_OK && bytes.size() <= most) {
        char buffer[1U << 14U];
        stream.next_out = reinterpret_cast<Bytef*>(buffer);
        stream.avail_out = sizeof buffer;
        result = inflate(&stream, Z_NO_FLUSH);
        bytes.append(buffer, sizeof buffer - stream.avail_out);
    }
    inflateEnd(&stream);
    if (result != Z_STREAM_END || bytes.size() > most) damaged_cube("compressed data are damaged");
    return bytes;
}

/// Members of a tar archive (ustar, or pax for large ones), by name. Checksums of heads are not
/// checked: CubeLib 4.8 writes wrong ones.
class CubexMembers {
  public:
    explicit CubexMembers(const InputFile& file) : file_(file) {
        u64 large = 0;  // size from a pax head
        for (u64 at = 0; at + kTarBlock <= file.size();) {
            const std::string head = file.read_at(at, kTarBlock);
            if (head[0] == '\0') break;
            u64 size = octal(std::string_view(head).substr(124, 12));
            at += kTarBlock;
            if (large != 0) size = std::exchange(large, 0);
            if (size > file.size() - at) damaged_cube("a member of the archive is cut off");
            if (head[156] == 'x') {
                const std::string pax = file.read_at(at, std::min<u64>(size, kTarBlock));
                const std::size_t found = pax.find(" size=");
                if (found != std::string::npos) {
                    large = static_cast<u64>(xml_number(pax.substr(found + 6), 0));
                }
            } else {
                members_[head.substr(0, std::min<std::size_t>(head.find('\0'), 100))] = {at, size};
            }
            at += padded_tar_size(size);
        }
    }

    struct Member {
        u64 offset = 0;
        u64 size = 0;
    };
    [[nodiscard]] const Member* find(const std::string& name) const {
        const auto found = members_.find(name);
        return found == members_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] std::string read(const Member& member, u64 from, u64 count) const {
        if (from > member.size || count > member.size - from) {
            damaged_cube("a member of the archive is shorter than its content");
        }
        return file_.read_at(member.offset + from, count);
    }

  private:
    static u64 octal(std::string_view digits) {
        u64 value = 0;
        for (const char c : digits) {
            if (c >= '0' && c <= '7') value = value * 8 + static_cast<u64>(c - '0');
        }
        return value;
    }

    const InputFile& file_;
    std::unordered_map<std::string, Member> members_;
};

template <class Entity>
using XmlField = std::pair<std::string_view, std::string Entity::*>;

constexpr XmlField<CubeProfile::Metric> kMetricFields[] = {
    {"disp_name", &CubeProfile::Metric::title}, {"uniq_name", &CubeProfile::Metric::name},
    {"dtype", &CubeProfile::Metric::type},      {"uom", &CubeProfile::Metric::unit},
    {"url", &CubeProfile::Metric::url},         {"descr", &CubeProfile::Metric::description}};
constexpr XmlField<CubeProfile::Region> kRegionFields[] = {
    {"name", &CubeProfile::Region::name},
    {"mangled_name", &CubeProfile::Region::mangled_name},
    {"paradigm", &CubeProfile::Region::paradigm},
    {"role", &CubeProfile::Region::role},
    {"url", &CubeProfile::Region::url},
    {"descr", &CubeProfile::Region::description}};
constexpr XmlField<CubeProfile::Place> kPlaceFields[] = {{"name", &CubeProfile::Place::name},
                                                         {"type", &CubeProfile::Place::type},
                                                         {"class", &CubeProfile::Place::type}};

struct PlaceTag {
    std::string_view tag;
    CubeProfile::Place::Kind kind;
    std::string_view type;  ///< unless the element says another one
};
/// The words of Cube 4.1 and of Cube 4.0.
constexpr PlaceTag kPlaceTags[] = {{"systemtreenode", CubeProfile::Place::Kind::node, ""},
                                   {"machine", CubeProfile::Place::Kind::node, "machine"},
                                   {"node", CubeProfile::Place::Kind::node, "node"},
                                   {"locationgroup", CubeProfile::Place::Kind::group, "process"},
                                   {"process", CubeProfile::Place::Kind::group, "process"},
                                   {"location", CubeProfile::Place::Kind::location, "thread"},
                                   {"thread", CubeProfile::Place::Kind::location, "thread"}};

/// Builds the definitions of a profile from anchor.xml.
class AnchorReader {
  public:
    explicit AnchorReader(CubeProfile& profile) : profile_(profile) {}

    /// Returns the number of each metric's files.
    std::vector<std::string> run(const std::string& text) {
        const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(
            XML_ParserCreate(nullptr), &XML_ParserFree);
        XML_SetUserData(parser.get(), this);
        XML_SetElementHandler(
            parser.get(),
            [](void* self, const char* name, const char** attributes) {
                static_cast<AnchorReader*>(self)->guard(
                    [&](auto& it) { it.begin(name, attributes); });
            },
            [](void* self, const char*) {
                static_cast<AnchorReader*>(self)->guard([](auto& it) { it.end(); });
            });
        XML_SetCharacterDataHandler(parser.get(), [](void* self, const char* bytes, int count) {
            auto& open = static_cast<AnchorReader*>(self)->open_;
            if (!open.empty()) open.back().text.append(bytes, static_cast<std::size_t>(count));
        });
        // Entities of its own, which could expand without bounds, need one.
        XML_SetStartDoctypeDeclHandler(
            parser.get(), [](void* self, const char*, const char*, const char*, int) {
                static_cast<AnchorReader*>(self)->guard(
                    [](auto&) { damaged_cube("anchor.xml has a document type"); });
            });
        constexpr std::size_t kPiece = std::size_t{1} << 20U;
        for (std::size_t at = 0; at < text.size() && !failure_; at += kPiece) {
            const std::size_t count = std::min(kPiece, text.size() - at);
            const int last = at + count == text.size() ? 1 : 0;
            const XML_Status status =
                XML_Parse(parser.get(), text.data() + at, static_cast<int>(count), last);
            if (status != XML_STATUS_OK && !failure_) {
                damaged_cube("anchor.xml is damaged at line " +
                             std::to_string(XML_GetCurrentLineNumber(parser.get())) + ": " +
                             XML_ErrorString(XML_GetErrorCode(parser.get())));
            }
        }
        if (failure_) std::rethrow_exception(failure_);
        check();
        return std::move(files_);
    }

  private:
    struct Element {
        std::string name;
        u32 number = kNone;  ///< of what it defines
        std::string text = {};
    };

    /// No exception may pass through the parser.
    void guard(const auto& work) noexcept {
        try {
            if (!failure_) work(*this);
        } catch (...) {
            failure_ = std::current_exception();
        }
    }

    void begin(const std::string& name, const char** attributes) {
        attributes_.clear();
        for (; *attributes != nullptr; attributes += 2) attributes_[attributes[0]] = attributes[1];
        const std::string parent = open_.empty() ? "" : open_.back().name;
        const u32 above = open_.empty() ? kNone : open_.back().number;
        open_.push_back({name});
        if (name == "metric") {
            add_metric(parent == "metric" ? above : kNone);
        } else if (name == "region") {
            add_region();
        } else if (name == "cnode") {
            add_node(parent == "cnode" ? above : kNone);
        } else if (name == "parameter" && parent == "cnode") {
            profile_.nodes[above].parameters.push_back(
                {of("parkey"), of("parvalue"), of("partype") == "numeric"});
        } else if (const PlaceTag* const tag = place_tag(name)) {
            add_place(*tag, place_tag(parent) == nullptr ? kNone : above);
        }
    }

    void end() {
        const Element element = std::move(open_.back());
        open_.pop_back();
        if (element.name == "murl") profile_.mirrors.push_back(element.text);
        if (element.number == kNone && !open_.empty() && open_.back().number != kNone) {
            add_field(element.name, element.text, open_.back());
        }
    }

    std::string of(const char* key) { return attributes_[key]; }

    static const PlaceTag* place_tag(std::string_view name) {
        const auto* const tag = std::ranges::find(kPlaceTags, name, &PlaceTag::tag);
        return tag == std::end(kPlaceTags) ? nullptr : tag;
    }

    void add_metric(u32 parent) {
        open_.back().number = static_cast<u32>(profile_.metrics.size());
        CubeProfile::Metric metric;
        metric.parent = parent;
        const std::string type = of("type");
        if (type == "INCLUSIVE") metric.kind = CubeProfile::Kind::inclusive;
        if (type.find("DERIVED") != std::string::npos) metric.kind = CubeProfile::Kind::derived;
        metric.ghost = of("viztype") == "GHOST";
        profile_.metrics.push_back(std::move(metric));
        files_.push_back(of("id"));
    }

    void add_region() {
        open_.back().number = static_cast<u32>(profile_.regions.size());
        regions_[of("id")] = open_.back().number;
        CubeProfile::Region region;
        region.file = of("mod");
        region.begin = xml_number(of("begin"), -1);
        region.end = xml_number(of("end"), -1);
        profile_.regions.push_back(std::move(region));
    }

    void add_node(u32 parent) {
        const auto region = regions_.find(of("calleeId"));
        if (region == regions_.end()) damaged_cube("a call path has an unknown region");
        open_.back().number = static_cast<u32>(profile_.nodes.size());
        profile_.nodes.push_back({region->second, parent, of("mod"), xml_number(of("line"), -1)});
    }

    void add_place(const PlaceTag& tag, u32 above) {
        open_.back().number = static_cast<u32>(profile_.places.size());
        CubeProfile::Place& place = profile_.places.emplace_back(
            CubeProfile::Place{tag.kind, above, "", std::string(tag.type)});
        if (tag.kind != CubeProfile::Place::Kind::location) return;
        place.location = static_cast<u32>(xml_number(of("Id"), locations_));
        ++locations_;
    }

    void add_field(const std::string& name, const std::string& text, const Element& parent) {
        const auto set = [&](auto& entity, const auto& fields) {
            for (const auto& [field, member] : fields) {
                if (field == name) entity.*member = text;
            }
        };
        if (parent.name == "metric") {
            set(profile_.metrics[parent.number], kMetricFields);
        } else if (parent.name == "region") {
            set(profile_.regions[parent.number], kRegionFields);
        } else if (parent.name != "cnode") {
            set(profile_.places[parent.number], kPlaceFields);
            if (name == "rank") profile_.places[parent.number].rank = xml_number(text, 0);
        }
    }

    void check() const {
        std::vector<bool> seen(locations_, false);
        for (const CubeProfile::Place& place : profile_.places) {
            if (place.kind != CubeProfile::Place::Kind::location) continue;
            if (place.location >= locations_ || seen[place.location]) {
                damaged_cube("the locations are not numbered in a row");
            }
            seen[place.location] = true;
        }
        std::unordered_map<std::string_view, u32> names;
        for (u32 i = 0; i < profile_.metrics.size(); ++i) {
            if (!names.try_emplace(profile_.metrics[i].name, i).second) {
                damaged_cube("two metrics have the name " + profile_.metrics[i].name);
            }
        }
    }

    CubeProfile& profile_;
    std::vector<Element> open_;
    std::map<std::string, std::string> attributes_;
    std::exception_ptr failure_;
    std::vector<std::string> files_;
    std::unordered_map<std::string, u32> regions_;
    u32 locations_ = 0;
};

/// Reads the rows of metrics.
class RowReader {
  public:
    RowReader(const InputFile& file, const CubexMembers& members, CubeProfile& profile)
        : members_(members),
          profile_(profile),
          locations_(profile.locations().size()),
          deep_(profile.row_nodes(false)),
          wide_(profile.row_nodes(true)),
          most_(kMostGrowth * file.size() + kAlwaysAllowed) {}

    void read(CubeProfile::Metric& metric, const std::string& number) {
        const CubexMembers::Member* const index = members_.find(number + ".index");
        const CubexMembers::Member* const data = members_.find(number + ".data");
        const CubeValueType* const type = cube_value_type(metric.type);
        metric.unsupported = type == nullptr;
        if (index == nullptr || data == nullptr || metric.is_derived()) return;
        if (type == nullptr || locations_ == 0) return;
        type_ = type;
        row_bytes_ = type->bytes() * locations_;
        const std::vector<u32>& nodes = metric.is_inclusive() ? wide_ : deep_;
        const std::vector<u32> rows = read_index(*index, *data);
        if (!zipped_) {
            for (std::size_t i = 0; i < rows.size(); ++i) {
                add(metric, nodes, rows[i],
                    members_.read(*data, kCubexData.size() + i * row_bytes_, row_bytes_));
            }
            return;
        }
        const u64 head = kZippedHead.size() + 8;
        if (segments_ > data->size) damaged_cube("a metric has too many compressed rows");
        const std::string entries = members_.read(*data, head, segments_ * kSegmentBytes);
        for (u64 i = 0; i < segments_; ++i) {
            const auto entry = [&](std::size_t field) {
                return number_at(entries, i * kSegmentBytes + 8 * field, 8);
            };
            // The first number is the place of the row's first value among all of them.
            const u64 row = entry(0) / row_bytes_;
            if (row >= rows.size()) damaged_cube("a compressed row belongs to no call path");
            const std::string packed =
                members_.read(*data, head + entries.size() + entry(1), entry(2));
            add(metric, nodes, rows[row], inflated(packed, row_bytes_));
        }
    }

  private:
    static constexpr std::string_view kZippedHead = "ZCUBEX.DATA";
    static constexpr u64 kSegmentBytes = 24;
    static constexpr u64 kMostGrowth = 64;
    static constexpr u64 kAlwaysAllowed = u64{64} << 20U;

    /// Returns the numbers of the stored rows in their order.
    std::vector<u32> read_index(const CubexMembers::Member& index,
                                const CubexMembers::Member& data) {
        const std::string head = members_.read(index, 0, kCubexIndex.size() + 7);
        if (!head.starts_with(kCubexIndex)) damaged_cube("the index of a metric has another head");
        swapped_ = false;
        const u64 order = number_at(head, kCubexIndex.size(), 4);
        swapped_ = order != 1;
        if (swapped_ && order != u64{1} << 24U) damaged_cube("an index has an unknown byte order");
        const std::string start =
            members_.read(data, 0, std::min<u64>(data.size, kZippedHead.size() + 8));
        zipped_ = start.starts_with(kZippedHead) && start.size() == kZippedHead.size() + 8;
        if (!zipped_ && !start.starts_with(kCubexData))
            damaged_cube("a metric's data have another head");
        segments_ = zipped_ ? number_at(start, kZippedHead.size(), 8) : 0;
        constexpr char kSparse = 1;
        constexpr char kDense = 3;
        std::vector<u32> rows;
        if (head.back() == kDense) {
            const u64 stored =
                zipped_ ? deep_.size() : (data.size - kCubexData.size()) / row_bytes_;
            rows.assign(deep_.begin(), deep_.begin() + static_cast<std::ptrdiff_t>(
                                                           std::min<u64>(stored, deep_.size())));
            return rows;
        }
        if (head.back() != kSparse) damaged_cube("the index of a metric has an unknown format");
        const u64 count = number_at(members_.read(index, head.size(), 4), 0, 4);
        const std::string all = members_.read(index, head.size() + 4, count * 4);
        for (u64 i = 0; i < count; ++i) rows.push_back(static_cast<u32>(number_at(all, i * 4, 4)));
        return rows;
    }

    [[nodiscard]] u64 number_at(const std::string& bytes, std::size_t at, std::size_t size) const {
        u64 value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const auto byte = static_cast<u8>(bytes[at + (swapped_ ? size - 1 - i : i)]);
            value |= u64{byte} << (8 * i);
        }
        return value;
    }

    [[nodiscard]] double value_at(const std::string& bytes, std::size_t& at, char letter) const {
        const char small = static_cast<char>(letter | 0x20);
        const std::size_t size = small == 'b' ? 1 : small == 'h' ? 2 : small == 'i' ? 4 : 8;
        const u64 bits = number_at(bytes, at, size);
        at += size;
        if (letter == 'd') return std::bit_cast<double>(bits);
        // One that rounds to 2^64 is a counter below zero, which Cube takes for 0.
        constexpr u64 kMostCounts = 0xFFFFFFFFFFFFFBFF;
        if (letter != small) return bits > kMostCounts ? 0 : static_cast<double>(bits);
        const u64 shift = 64 - 8 * size;
        return static_cast<double>(static_cast<i64>(bits << shift) >> shift);
    }

    void add(CubeProfile::Metric& metric, const std::vector<u32>& nodes, u32 row,
             const std::string& bytes) {
        if (row >= nodes.size()) damaged_cube("a row of a metric belongs to no call path");
        if (bytes.size() != row_bytes_) damaged_cube("a row of a metric is too short");
        const std::size_t parts = type_->parts();
        const u64 size = parts * locations_ * sizeof(double);
        if (size > most_) {
            throw Error(ErrorKind::unsupported,
                        "its values need far more memory than its size tells");
        }
        most_ -= size;
        std::vector<double>& values = metric.rows[nodes[row]];
        values.resize(parts * locations_);
        std::size_t at = 0;
        for (std::size_t location = 0; location < locations_; ++location) {
            for (std::size_t part = 0; part < parts; ++part) {
                values[part * locations_ + location] = value_at(bytes, at, type_->layout[part]);
            }
        }
    }

    const CubexMembers& members_;
    CubeProfile& profile_;
    std::size_t locations_;
    std::vector<u32> deep_;
    std::vector<u32> wide_;
    u64 most_;  ///< bytes that rows may still take
    const CubeValueType* type_ = nullptr;
    u64 row_bytes_ = 0;
    bool swapped_ = false;
    bool zipped_ = false;
    u64 segments_ = 0;
};

std::string read_anchor(const CubexMembers& members) {
    constexpr u64 kMostXmlGrowth = 100;
    constexpr u64 kLeastXml = u64{1} << 20U;
    const CubexMembers::Member* const member = members.find("anchor.xml");
    if (member == nullptr) damaged_cube("it is no profile of Cube 4: it has no anchor.xml");
    std::string text = members.read(*member, 0, member->size);
    if (!text.starts_with("\x1F\x8B")) return text;
    return inflated(text, kLeastXml + kMostXmlGrowth * text.size());
}

}  // namespace

CubeProfile read_cubex(const std::string& path) {
    try {
        const InputFile file(path);
        const CubexMembers members(file);
        CubeProfile profile;
        const std::vector<std::string> numbers = AnchorReader(profile).run(read_anchor(members));
        RowReader rows(file, members, profile);
        for (std::size_t i = 0; i < profile.metrics.size(); ++i) {
            rows.read(profile.metrics[i], numbers[i]);
        }
        return profile;
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::io) throw;
        throw error.in(path);
    }
}

}  // namespace tracefold
