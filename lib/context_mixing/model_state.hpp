// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tracefold {

/// The numbers that a state is made of: a type of its own, or what arrays of it hold.
template <class Value>
struct StateNumber {
    static constexpr std::size_t kSize = sizeof(Value);
    static_assert(std::is_trivially_copyable_v<Value> && std::has_single_bit(kSize) && kSize <= 8);
};
template <class Value, std::size_t Size>
struct StateNumber<std::array<Value, Size>> : StateNumber<Value> {};

/// The numbers of a state as little-endian bytes, in place: the way there is the way back.
template <class Value>
void swap_little_endian([[maybe_unused]] char* bytes, [[maybe_unused]] std::size_t size) {
    constexpr std::size_t kNumber = StateNumber<Value>::kSize;
    if constexpr (std::endian::native == std::endian::big) {
        for (char* number = bytes; number != bytes + size; number += kNumber)
            std::reverse(number, number + kNumber);
    }
}

/// What a model has learnt, as bytes that are the same on every machine. The parts of a model hand
/// their members, which are numbers of a fixed size, to a writer or a reader, in the same order.
class ModelStateWriter {
  public:
    template <class Value>
    void operator()(const std::vector<Value>& values) {
        put<Value>(values.data(), values.size() * sizeof(Value));
    }
    template <class Value>
    void operator()(const Value& value) {
        put<Value>(&value, sizeof(Value));
    }
    void operator()(const std::string& text) { bytes_.put_text(text); }

    ByteWriter& bytes() { return bytes_; }

  private:
    template <class Value>
    void put(const void* data, std::size_t size) {
        std::string bytes(static_cast<const char*>(data), size);
        swap_little_endian<Value>(bytes.data(), size);
        bytes_.put_bytes(bytes);
    }

    ByteWriter bytes_;
};

/// Throws Error(corrupt) at a wrong end.
class ModelStateReader {
  public:
    explicit ModelStateReader(std::string_view bytes) : bytes_(bytes, "what a model has learnt") {}

    /// The vector has the size that it had when it was written.
    template <class Value>
    void operator()(std::vector<Value>& values) {
        get<Value>(values.data(), values.size() * sizeof(Value));
    }
    template <class Value>
    void operator()(Value& value) {
        get<Value>(&value, sizeof(Value));
    }
    void operator()(std::string& text) { text = bytes_.get_text(); }

    ByteReader& bytes() { return bytes_; }

  private:
    template <class Value>
    void get(void* data, std::size_t size) {
        std::memcpy(data, bytes_.get_bytes(size).data(), size);
        swap_little_endian<Value>(static_cast<char*>(data), size);
    }

    ByteReader bytes_;
};

}  // namespace tracefold
