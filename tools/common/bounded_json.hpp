// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <limits>
#include <map>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Receives a JSON object and shortens its lists until it fits: every list retains its first N
/// items, with one N for the whole document. Lists of up to 16 plain values
/// stay whole. A shortened document ends with the member "shortened": the limit, N, and the number
/// of missing items by list, "scripts.nodes" for those in the objects of the list "scripts".
///
/// Memory: that of a document of twice the limit. Cost: linear in the text, and in the logarithm of
/// the longest list for what is held.
class BoundedJson : private std::streambuf {
  public:
    explicit BoundedJson(std::size_t most_bytes) : most_(most_bytes) {
        stream_.exceptions(std::ios_base::badbit);  // lack of memory must not cut a document
    }

    /// Takes the text of one JSON object, in any number of pieces.
    std::ostream& stream() { return stream_; }

    /// One line; empty if nothing was written. Throws Error(usage) if the document does not fit
    /// with empty lists.
    std::string text();

  private:
    /// A value: a token, or the items of a list or object.
    struct Value {
        char opener = 0;  ///< '{', '['; 0: token
        std::string token = {};
        std::vector<std::string> keys = {};  ///< of an object's items
        std::vector<Value> items = {};
        u64 dropped = 0;  ///< items of a list that are no longer held
    };
    using Dropped = std::map<std::string, u64>;  ///< by list

    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    void take(char character);
    void end_token();
    void open(char opener);
    void close();
    Value* add(Value value);
    void shorten_if_needed();

    [[nodiscard]] static u64 items_kept(const Value& list, u64 longest);
    static u64 longest_list(const Value& value);
    static void count_dropped(const Value& value, u64 longest, const std::string& path,
                              Dropped& dropped);
    static void append(const Value& value, u64 longest, std::string& text);
    [[nodiscard]] std::string text_with(u64 longest, std::size_t most) const;
    [[nodiscard]] u64 largest_that_fits() const;
    static void cut(Value& value, u64 longest);

    static constexpr u64 kShortList = 16;

    std::size_t most_;
    std::ostream stream_{this};
    Value root_;
    std::vector<Value*> open_;  ///< null: not held
    std::string token_;
    std::string key_;
    bool in_string_ = false;
    bool escaped_ = false;
    std::size_t held_ = 0;  ///< bytes
    u64 longest_ = std::numeric_limits<u64>::max();
};

}  // namespace tracefold
