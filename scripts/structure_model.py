# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Modelled sections as docs/format.md describes them: bytes predicted bit by bit."""

ROLES = ("location_count symbol_count symbol_head element_type element_flags element_layout context "
         "script_count script_stream pattern_mention leaf_count loop_count item_count item item_run "
         "column_mention column_form constant progression list_size value step run_value "
         "run_length start like alphabet letter letter_step node_count node_gap fact_count "
         "peer_encoding assignment class_count family_count family_gap family_size").split()
NUMBER = {role: number for number, role in enumerate(ROLES)}
MASK32, MASK64 = (1 << 32) - 1, (1 << 64) - 1

CONTEXTS, MAX_MATCH, MATCH_BITS = 7, 31, 14
INPUTS = 2 * CONTEXTS + 2

EXACT = (22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743,
         32768, 40793, 47911, 53581, 57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269, 65374,
         65438, 65476, 65500, 65514)


def squash(logit):
    place = min(max(logit, -2047), 2047) + 2048
    below = place >> 7
    return EXACT[below] + ((EXACT[below + 1] - EXACT[below]) * (place & 127) >> 7)


def inverse():
    logits, logit = [], -2047
    for probability in range(4096):
        while logit < 2047 and squash(logit) >> 4 < probability:
            logit += 1
        logits.append(logit)
    return logits


LOGITS = inverse()


def mix(number):
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        number = (number ^ number >> 33) * factor & MASK64
    return number ^ number >> 33


def learn(cell, bit, limit):
    """A cell is (chance of a 1 in 22 bits, count)."""
    chance, count = cell
    chance += ((bit << 22) - chance) * (655360 // (10 * count + 16)) >> 16
    return min(max(chance, 64), (1 << 22) - 64), min(count + 1, limit)


class Model:
    """Predicts the bits of a structure of `size` bytes."""

    def __init__(self, size):
        self.bits = min(max((size * 16).bit_length(), 12), 18)
        self.cells = {}  # (context, place): the others are as at the beginning
        self.match_cells = [(3 << 20, 0)] * (MAX_MATCH + 1)
        self.weights = {}
        self.bytes, self.places = bytearray(), {}
        self.match = self.match_length = self.last_role = 0
        self.by_role = [(0, 0)] * len(ROLES)

    def back(self, age):
        return self.bytes[-age] if age <= len(self.bytes) else 0

    def begin(self, role, part):
        self.role = role
        in_part, one, two = role << 8 | part, self.back(1), self.back(1) | self.back(2) << 8
        last, before = self.by_role[role]
        known = (in_part, role | two << 8, two | self.back(3) << 16 | self.back(4) << 24,
                 mix(role << 8 | last) ^ before, mix(in_part) + one,
                 mix(role << 8 | self.last_role) + one, mix(role) + self.back(2))
        self.hashes = [mix((mix(value & MASK64) + i) & MASK64) >> 32
                       for i, value in enumerate(known)]
        self.node, self.matching = 1, self.match_length > 0

    def predict(self):
        inputs, self.current = [], []
        for i, number in enumerate(self.hashes):
            key = i, (number ^ self.node * 0x9E3779B1 & MASK32) >> (32 - self.bits)
            chance, count = self.cells.get(key, (1 << 21, 0))
            self.current.append((key, (chance, count)))
            trust = min(count, 12)
            inputs += [LOGITS[chance >> 10] if trust else 0, ((chance >> 10) - 2048) * trust >> 6]
        inputs += [self.predict_match(), 80]
        length = self.match_length if self.matching else 0
        self.mixer = self.weights.setdefault((min(length, 3), self.role), [10000] * INPUTS)
        total = sum(weight * value for weight, value in zip(self.mixer, inputs)) >> 16
        self.inputs, self.chance = inputs, squash(min(max(total, -4096), 4096))
        return self.chance

    def predict_match(self):
        if not self.matching:
            return 0
        expected, left = self.bytes[self.match] | 0x100, 9 - self.node.bit_length()
        self.matching = expected >> left == self.node
        if not self.matching:
            return 0
        self.match_bit = expected >> (left - 1) & 1
        logit = LOGITS[self.match_cells[self.match_length][0] >> 10]
        return logit if self.match_bit else -logit

    def update(self, bit):
        error = (bit << 16) - self.chance
        for i, value in enumerate(self.inputs):
            weight = self.mixer[i] + (value * error * 12 >> 18)
            self.mixer[i] = min(max(weight, -(1 << 22)), 1 << 22)
        for key, cell in self.current:
            self.cells[key] = learn(cell, bit, 30)
        if self.matching:
            cell = self.match_cells[self.match_length]
            self.match_cells[self.match_length] = learn(cell, int(bit == self.match_bit), 255)
        self.node = self.node << 1 | bit
        if self.node >= 0x100:
            self.add(self.node & 0xFF)

    def add(self, byte):
        if self.match_length and self.bytes[self.match] != byte:
            self.match_length = 0
        self.bytes.append(byte)
        self.by_role[self.role] = byte, self.by_role[self.role][0]
        self.last_role = self.role
        if self.match_length:
            self.match, self.match_length = self.match + 1, min(self.match_length + 1, MAX_MATCH)
        if len(self.bytes) < 3:
            return
        place = mix(self.back(1) | self.back(2) << 8 | self.back(3) << 16) >> (64 - MATCH_BITS)
        if not self.match_length and self.places.get(place):
            self.match = self.places[place]
            while (self.match_length < min(MAX_MATCH, self.match) and
                   self.bytes[self.match - self.match_length - 1] ==
                   self.bytes[-self.match_length - 1]):
                self.match_length += 1
        self.places[place] = len(self.bytes)

    def show(self, byte, role, part):
        """A byte that both sides know."""
        self.begin(role, part)
        for left in range(7, -1, -1):
            self.predict()
            self.update(byte >> left & 1)


class RangeDecoder:
    def __init__(self, data):
        self.data, self.at, self.low, self.high, self.code = data, 0, 0, MASK32, 0
        for _ in range(4):
            self.shift_in()

    def shift_in(self):
        byte = self.data[self.at] if self.at < len(self.data) else 0
        self.code, self.at = self.code << 8 & MASK32 | byte, self.at + 1

    def bit(self, chance):
        split = self.low + ((self.high - self.low) * chance >> 16)
        bit = int(self.code <= split)
        if bit:
            self.high = split
        else:
            self.low = split + 1
        while not (self.low ^ self.high) >> 24:
            self.low, self.high = self.low << 8 & MASK32, self.high << 8 & MASK32 | 0xFF
            self.shift_in()
        return bit
