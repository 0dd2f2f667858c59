// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/bytes.hpp"

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tracefold {

/// What a model has learnt, as bytes in the order of this machine: not for files. The parts of a
/// model hand their members to a writer or a reader, in the same order.
class ModelStateWriter {
  public:
    template <class Value>
    void operator()(const std::vector<Value>& values) {
        static_assert(std::is_trivially_copyable_v<Value>);
        put(values.data(), values.size() * sizeof(Value));
    }
    template <class Value>
    void operator()(const Value& value) {
        static_assert(std::is_trivially_copyable_v<Value>);
        put(&value, sizeof(Value));
    }
    void operator()(const std::string& text) { bytes_.put_text(text); }

    ByteWriter& bytes() { return bytes_; }

  private:
    void put(const void* data, std::size_t size) {
        bytes_.put_bytes({static_cast<const char*>(data), size});
    }

    ByteWriter bytes_;
};

/// Throws Error(corrupt) at a wrong end.
class ModelStateReader {
  public:
    explicit ModelStateReader(std::span<const std::byte> bytes)
        : bytes_({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                 "what a model has learnt") {}

    /// The vector has the size that it had when it was written.
    template <class Value>
    void operator()(std::vector<Value>& values) {
        get(values.data(), values.size() * sizeof(Value));
    }
    template <class Value>
    void operator()(Value& value) {
        get(&value, sizeof(Value));
    }
    void operator()(std::string& text) { text = bytes_.get_text(); }

    ByteReader& bytes() { return bytes_; }

  private:
    void get(void* data, std::size_t size) {
        std::memcpy(data, bytes_.get_bytes(size).data(), size);
    }

    ByteReader bytes_;
};

}  // namespace tracefold
