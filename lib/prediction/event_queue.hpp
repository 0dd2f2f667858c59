// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace tracefold {

/// What is to happen, the first first. An event that takes the place of one that was taken out, as
/// most do, is sifted once: the place stays open until the next event is known.
/// `Event` has operator>, which is a strict order.
template <class Event>
class EventQueue {
  public:
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] std::size_t size() const { return heap_.size() - (is_open_ ? 1 : 0); }

    /// Precondition: not empty().
    [[nodiscard]] const Event& top() const {
        if (!is_open_) return heap_.front();
        return heap_.size() > 2 && heap_[1] > heap_[2] ? heap_[2] : heap_[1];
    }
    Event take() {
        close();
        is_open_ = true;
        return heap_.front();
    }
    void push(const Event& event) {
        if (is_open_) {
            is_open_ = false;
            sift_down(event);
            return;
        }
        std::size_t place = heap_.size();
        heap_.push_back(event);
        while (place != 0 && heap_[(place - 1) / 2] > event) {
            heap_[place] = heap_[(place - 1) / 2];
            place = (place - 1) / 2;
        }
        heap_[place] = event;
    }

  private:
    /// Nothing came into the place of the event that was taken.
    void close() {
        if (!is_open_) return;
        is_open_ = false;
        const Event last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) sift_down(last);
    }

    /// From the top.
    void sift_down(const Event& event) {
        std::size_t place = 0;
        for (std::size_t child = 1; child < heap_.size(); child = 2 * place + 1) {
            if (child + 1 < heap_.size()) child += heap_[child] > heap_[child + 1] ? 1 : 0;
            // Of equals the one that was there first is first.
            if (heap_[child] > event) break;
            heap_[place] = heap_[child];
            place = child;
        }
        heap_[place] = event;
    }

    std::vector<Event> heap_;
    bool is_open_ = false;  ///< the first place
};

}  // namespace tracefold
