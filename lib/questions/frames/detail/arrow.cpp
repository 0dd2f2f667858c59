// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/frames/detail/arrow.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

namespace tracefold {

namespace {

const char* format_of(ValueColumn type) {
    constexpr std::array<const char*, 5> kFormats = {"l", "g", "u", "i", "+l"};
    return kFormats[static_cast<std::size_t>(type)];
}

/// Child schemas or arrays, which the parent releases.
template <class Node>
struct PartsBelow {
    std::vector<std::unique_ptr<Node>> all;  ///< children, then a dictionary
    std::vector<Node*> children;

    Node* add() { return all.emplace_back(std::make_unique<Node>(Node{})).get(); }
};

template <class Parts, class Node>
void release_parts(Node* node) {
    const std::unique_ptr<Parts> parts(static_cast<Parts*>(node->private_data));
    for (const auto& part : parts->below.all) {
        if (part->release != nullptr) part->release(part.get());
    }
    node->release = nullptr;
}

template <class Parts, class Node>
Node* add_child(Node* parent) {
    auto& below = static_cast<Parts*>(parent->private_data)->below;
    Node* const child = below.add();
    below.children.push_back(child);
    parent->children = below.children.data();
    parent->n_children = static_cast<i64>(below.children.size());
    return child;
}

/// Storage that a schema owns.
struct SchemaParts {
    std::string name;
    std::string metadata;
    PartsBelow<ArrowSchema> below;
};

/// Encodes one key-value pair as Arrow metadata.
std::string metadata_of(const std::string& key, const std::string& value) {
    std::string bytes;
    const auto number = [&bytes](std::size_t n) {
        const auto narrow = static_cast<i32>(n);
        std::array<char, sizeof narrow> raw{};
        std::memcpy(raw.data(), &narrow, sizeof narrow);
        bytes.append(raw.data(), raw.size());
    };
    number(1);
    number(key.size());
    bytes += key;
    number(value.size());
    bytes += value;
    return bytes;
}

void begin_schema(ArrowSchema* out, const char* format, std::string name) {
    auto parts = std::make_unique<SchemaParts>();
    parts->name = std::move(name);
    *out = ArrowSchema{};
    out->format = format;
    out->name = parts->name.c_str();
    out->flags = ARROW_FLAG_NULLABLE;
    out->release = release_parts<SchemaParts>;
    out->private_data = parts.release();
}

void fill_column_schema(const ColumnInfo& column, ArrowSchema* out) {
    begin_schema(out, format_of(column.type), column.name);
    auto& parts = *static_cast<SchemaParts*>(out->private_data);
    if (!column.unit.empty()) {
        parts.metadata = metadata_of("unit", column.unit);
        out->metadata = parts.metadata.data();
    }
    if (column.type == ValueColumn::label) {
        out->dictionary = parts.below.add();
        begin_schema(out->dictionary, "u", "");
    } else if (column.type == ValueColumn::integers) {
        begin_schema(add_child<SchemaParts>(out), "l", "item");
    }
}

/// Storage that an array owns.
struct ArrayParts {
    std::shared_ptr<const void> data;  ///< owner of the buffers
    std::vector<u8> bits;              ///< validity bitmap
    std::array<const void*, 3> buffers{};
    PartsBelow<ArrowArray> below;
};

ArrayParts& begin_array(ArrowArray* out, u64 length, i64 buffers,
                        std::shared_ptr<const void> data) {
    auto parts = std::make_unique<ArrayParts>();
    parts->data = std::move(data);
    *out = ArrowArray{};
    out->length = static_cast<i64>(length);
    out->n_buffers = buffers;
    out->buffers = parts->buffers.data();
    out->release = release_parts<ArrayParts>;
    out->private_data = parts.get();
    return *parts.release();
}

/// Buffers of arrays with values must not be null.
template <class T>
const void* buffer_of(const T* data) {
    static const std::array<char, 64> kEmpty{};
    return data == nullptr ? static_cast<const void*>(kEmpty.data()) : data;
}

std::vector<u8> bits_of(const AppendBuffer<u8>& valid) {
    std::vector<u8> bits((valid.size() + 7) / 8);
    for (std::size_t i = 0; i < valid.size(); ++i) {
        bits[i / 8] = static_cast<u8>(bits[i / 8] | (valid[i] << (i % 8)));
    }
    return bits;
}

void fill_names(const std::shared_ptr<const NameList>& names, ArrowArray* out) {
    ArrayParts& parts = begin_array(out, names->size(), 3, names);
    parts.buffers[1] = buffer_of(names->offsets.data());
    parts.buffers[2] = buffer_of(names->characters.data());
}

void fill_column(const ColumnInfo& info, const FrameColumn& column,
                 const std::shared_ptr<const Frame>& frame, ArrowArray* out) {
    const bool text = info.type == ValueColumn::text;
    ArrayParts& parts = begin_array(out, frame->rows, text ? 3 : 2, frame);
    const u64 nulls = column.nulls();
    out->null_count = static_cast<i64>(nulls);
    if (nulls != 0) {
        parts.bits = bits_of(column.valid);
        parts.buffers[0] = parts.bits.data();
    }
    switch (info.type) {
        case ValueColumn::integer:
            parts.buffers[1] = buffer_of(column.integers.data());
            break;
        case ValueColumn::real:
            parts.buffers[1] = buffer_of(column.reals.data());
            break;
        case ValueColumn::text:
            parts.buffers[1] = column.offsets.data();
            parts.buffers[2] = buffer_of(column.characters.data());
            break;
        case ValueColumn::label:
            parts.buffers[1] = buffer_of(column.codes.data());
            out->dictionary = parts.below.add();
            fill_names(column.names, out->dictionary);
            break;
        case ValueColumn::integers: {
            parts.buffers[1] = column.offsets.data();
            ArrowArray* items = add_child<ArrayParts>(out);
            begin_array(items, column.integers.size(), 2, frame).buffers[1] =
                buffer_of(column.integers.data());
            break;
        }
    }
}

/// Storage that a stream owns.
struct StreamParts {
    std::shared_ptr<FrameSource> source;
    std::function<void(const std::function<void()>&)> guarded;
    std::string error;
};

StreamParts& parts_of(ArrowArrayStream* stream) {
    return *static_cast<StreamParts*>(stream->private_data);
}

template <class Work>
int caught(ArrowArrayStream* stream, const Work& work) {
    try {
        work();
        return 0;
    } catch (const std::bad_alloc&) {
        parts_of(stream).error = "out of memory";
        return ENOMEM;
    } catch (const std::exception& error) {
        parts_of(stream).error = error.what();
        return EIO;
    }
}

int stream_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    return caught(stream, [&] { export_schema(parts_of(stream).source->columns(), out); });
}

int stream_next(ArrowArrayStream* stream, ArrowArray* out) {
    StreamParts& parts = parts_of(stream);
    return caught(stream, [&] {
        std::shared_ptr<const Frame> frame;
        parts.guarded([&] { frame = parts.source->next(); });
        *out = ArrowArray{};
        if (frame) export_frame(parts.source->columns(), std::move(frame), out);
    });
}

const char* stream_error(ArrowArrayStream* stream) {
    const std::string& error = parts_of(stream).error;
    return error.empty() ? nullptr : error.c_str();
}

void release_stream(ArrowArrayStream* stream) {
    const std::unique_ptr<StreamParts> parts(&parts_of(stream));
    stream->release = nullptr;
}

}  // namespace

void export_schema(const std::vector<ColumnInfo>& columns, ArrowSchema* out) {
    begin_schema(out, "+s", "");
    out->flags = 0;
    for (const ColumnInfo& column : columns)
        fill_column_schema(column, add_child<SchemaParts>(out));
}

void export_frame(const std::vector<ColumnInfo>& columns, std::shared_ptr<const Frame> frame,
                  ArrowArray* out) {
    begin_array(out, frame->rows, 1, frame);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        fill_column(columns[i], frame->columns[i], frame, add_child<ArrayParts>(out));
    }
}

void export_stream(std::shared_ptr<FrameSource> source,
                   std::function<void(const std::function<void()>&)> guarded,
                   ArrowArrayStream* out) {
    auto parts = std::make_unique<StreamParts>();
    parts->source = std::move(source);
    parts->guarded = std::move(guarded);
    out->get_schema = stream_schema;
    out->get_next = stream_next;
    out->get_last_error = stream_error;
    out->release = release_stream;
    out->private_data = parts.release();
}

}  // namespace tracefold
