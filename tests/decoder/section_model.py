# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Modelled sections as docs/reference/format.md describes them: numbers predicted bit by bit."""

ROLES = ("location_count symbol_count symbol_head element_type element_flags element_layout context "
         "script_count script_stream pattern_mention leaf_count loop_count item_count item item_run "
         "column_mention column_form constant progression list_size value step run_value "
         "run_length start like alphabet letter letter_step node_count node_gap fact_count "
         "peer_encoding assignment class_count family_count family_gap family_size "
         "text text_size node_run "
         "duration_symbol edge_from step_count step_executions step_sum bucket_count first_bucket "
         "bucket least most sum_excess").split()
NUMBER = {role: number for number, role in enumerate(ROLES)}
FREE = {NUMBER[role] for role in ("item", "item_run", "text")}
FIRST_MENTION = {NUMBER["column_mention"]: 1, NUMBER["assignment"]: 4, NUMBER["alphabet"]: 3,
                 NUMBER["like"]: 0}
MASK32, MASK64 = (1 << 32) - 1, (1 << 64) - 1
SLOT_PLACES, SLOT_PARTS = 32, 3

MIN_BITS, MAX_BITS, MARK_BITS = 16, 18, 5
CONTEXTS, MAX_MATCH, MATCH_BITS, REASONS = 10, 31, 14, 4
INPUTS = 2 * CONTEXTS + 1 + REASONS + 1
ORDERS, MAX_RUN, MAX_KEYS = (1, 2, 4), 64, 1 << 18
COLUMN, SCRIPT, SYMBOLS, LOOP = range(4)  # what items mean
NOTHING = (None,) * REASONS

EXACT = (22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743,
         32768, 40793, 47911, 53581, 57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269, 65374,
         65438, 65476, 65500, 65514)


def slot_place(record_type, slot):
    """The place of a slot: that of a record type's slots, in order."""
    return SLOT_PARTS + (record_type & 0x7F) * SLOT_PLACES + min(slot, SLOT_PLACES - 1)


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
    number &= MASK64
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        number = (number ^ number >> 33) * factor & MASK64
    return number ^ number >> 33


def zigzag(number):
    return 2 * number if number >= 0 else -2 * number - 1


def unless_zero(one, other=0):
    """Of a number that is not 0: it may be one of these."""
    if not 0 < one < MASK32:
        return NOTHING
    return None, None, one, other if 0 < other < MASK32 else None


def fitting(number):
    return (None, None, number, None) if 0 <= number < MASK32 else NOTHING


def learn(cell, bit, limit):
    """A cell begins with a chance of a 1 in 22 bits and a count."""
    chance, count = cell[:2]
    chance += ((bit << 22) - chance) * (655360 // (10 * count + 16)) >> 16
    cell[0] = min(max(chance, 64), (1 << 22) - 64)
    cell[1] = min(count + 1, limit)


class Mixer:
    """Weights by situation."""

    def __init__(self):
        self.weights = {}

    def mix(self, situation, inputs):
        weights = self.weights.get(situation)
        if weights is None:
            weights = self.weights[situation] = [900] * INPUTS
        self.chosen = weights
        total = sum(weight * value for weight, value in zip(weights, inputs)) >> 13
        total = min(max(total, -2047), 2047)
        self.chance = squash(total)
        return total

    def learn(self, bit, inputs):
        error, weights = ((bit << 16) - self.chance) >> 1, self.chosen
        for i, value in enumerate(inputs):
            weights[i] = min(max(weights[i] + (value * error + 32768 >> 16), -31000), 31000)


class Model:
    """Predicts the bits of a section, at first of one of the largest ones."""

    def __init__(self):
        self.bits = MAX_BITS
        self.cells = {}  # (context, place): [chance, count, mark]; others are as at the beginning
        self.match_cells = [[3 << 20, 0] for _ in range(MAX_MATCH + 1)]
        self.mixers = Mixer(), Mixer(), Mixer()
        self.bytes, self.places = bytearray(), {}
        self.match = self.match_length = self.last_role = 0
        self.by_role = [(0, 0)] * len(ROLES)
        self.by_place = {}
        self.trust = {}  # cells of expectations
        self.pasts = [[0] * REASONS for _ in ROLES]

    def shrink_to(self, size):
        """Makes it a model of sections of `size` bytes."""
        self.bits = min(max(((size + 2048) * 8).bit_length(), MIN_BITS), MAX_BITS)
        cells, self.cells = self.cells, {}
        for (context, place), (chance, count, mark) in sorted(cells.items()):
            place, mark = self.parts(place << MARK_BITS | mark)
            known = self.cells.get((context, place))
            if known is None or count > known[1]:
                self.cells[context, place] = [chance, count, mark]

    def parts(self, key):
        """Place and mark."""
        place = key >> (MAX_BITS + MARK_BITS - self.bits)
        return place, key >> (MAX_BITS - self.bits) & (1 << MARK_BITS) - 1

    def back(self, age):
        return self.bytes[-age] if age <= len(self.bytes) else 0

    def begin_number(self, field, expected):
        """field: role, part, place, whether it is one byte."""
        self.role, self.part, self.place, self.one_byte = field
        self.expected, self.index = expected, 0
        self.code = 0 if expected[0] is None else expected[0] + 1
        self.alive = [number is not None for number in expected]

    def expected_byte(self, number):
        if self.one_byte:
            return number & 0xFF
        left = number >> 7 * self.index
        return left & 0x7F | (0x80 if left > 0x7F else 0)

    def begin_byte(self):
        role, one, two = self.role, self.back(1), self.back(2)
        in_part, in_place = role << 8 | self.part, mix(role << 16 | self.place)
        in_number = self.index << 8 | (one if self.index else 0)
        last, before = self.by_role[role]
        near, far = self.by_place.get(self.place, (0, 0))
        known = (in_part,
                 one | two << 8 | self.back(3) << 16 | self.back(4) << 24,
                 mix(role << 8 | last) ^ before,
                 mix(role << 8 | self.last_role) + one,
                 mix(role) + two,
                 in_place,
                 in_place + one,
                 mix((role << 16 | self.place) + 1) + near + (far << 8),
                 mix(role + (self.code << 6)) + in_number,
                 mix(mix(in_part) + self.last_role) + in_number)
        self.hashes = [mix(mix(value) + i) >> 32 for i, value in enumerate(known)]
        self.next_bytes = [self.expected_byte(number) if alive else None
                           for number, alive in zip(self.expected, self.alive)]
        self.node, self.matching = 1, self.match_length > 0

    def predict(self):
        inputs, self.current, shift = [], [], 32 - MAX_BITS - MARK_BITS
        node = self.node * 0x9E3779B1 & MASK32
        for i, number in enumerate(self.hashes):
            place, mark = self.parts(((number ^ node) * 0x2C1B3C6D & MASK32) >> shift)
            cell = self.cells.get((i, place))
            if cell is None or cell[2] != mark:
                cell = self.cells[i, place] = [1 << 21, 0, mark]
            self.current.append(cell)
            chance, trust = cell[0] >> 10, min(cell[1], 12)
            inputs.append(LOGITS[chance])
            inputs.append((chance - 2048) * trust >> 6)
        inputs.append(self.predict_match())
        self.predict_expected(inputs)
        inputs.append(80)
        role, position = self.role, self.node.bit_length() - 1
        length = min(self.match_length, 3) if self.matching else 0
        by_match, by_said, by_node = self.mixers
        self.inputs = inputs
        return squash((by_match.mix((length, role), inputs) +
                       by_said.mix((self.reasons, position), inputs) +
                       by_node.mix((role, self.node if self.node < 32 else 0), inputs)) * 171 >> 9)

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

    def position(self):
        """Where in its number the present bit is, for expectations."""
        if self.index:
            return 3
        before = self.node.bit_length() - 1
        return 4 if before and self.node >> (before - 1) & 1 else min(before, 2)

    def predict_expected(self, inputs):
        left, self.said = 9 - self.node.bit_length(), []
        self.reasons = 0
        for reason, byte in enumerate(self.next_bytes):
            if byte is None or (byte | 0x100) >> left != self.node:
                inputs.append(0)
                continue
            self.reasons |= 1 << reason
            bit = byte >> (left - 1) & 1
            key = self.role, reason, self.pasts[self.role][reason], self.position()
            cell = self.trust.setdefault(key, [3 << 20, 0])
            self.said.append((cell, bit))
            inputs.append(LOGITS[cell[0] >> 10] if bit else -LOGITS[cell[0] >> 10])

    def update(self, bit):
        for mixer in self.mixers:
            mixer.learn(bit, self.inputs)
        for cell in self.current:
            learn(cell, bit, 30)
        if self.matching:
            learn(self.match_cells[self.match_length], int(bit == self.match_bit), 255)
        for cell, said in self.said:
            learn(cell, int(bit == said), 60)
        self.node = self.node << 1 | bit

    def end_byte(self):
        byte = self.node & 0xFF
        if self.match_length and self.bytes[self.match] != byte:
            self.match_length = 0
        self.bytes.append(byte)
        self.by_role[self.role] = byte, self.by_role[self.role][0]
        self.by_place[self.place] = byte, self.by_place.get(self.place, (0, 0))[0]
        self.look_for_match()
        self.alive = [alive and expected == byte
                      for alive, expected in zip(self.alive, self.next_bytes)]
        self.index += 1
        return byte

    def look_for_match(self):
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

    def end_number(self):
        self.last_role, pasts = self.role, self.pasts[self.role]
        for reason, number in enumerate(self.expected):
            if number is not None:
                pasts[reason] = (pasts[reason] << 1 | self.alive[reason]) & 7


class NumberHistory:
    """What a number may be from those before it."""

    def __init__(self):
        self.last_column, self.by_place, self.by_role = -1, {}, {}

    @staticmethod
    def slot(field):
        return mix(field[2] << 8 | field[0]) >> 52

    def expect(self, field, given):
        """The expectations of a number, with those of its reader."""
        role = field[0]
        if role in FREE:
            numbers = given
        elif role in FIRST_MENTION:
            last = self.last_column + FIRST_MENTION[role]
            numbers = last, last + 1, given[2], self.by_place.get(self.slot(field))
        else:
            last, near = self.by_place.get(self.slot(field)), given[2:]
            if last is not None and last < MASK32 and near == (None, None):
                near = last + 2, last - 2
            numbers = last, self.by_role.get(role), *near
        return [number if number is not None and 0 <= number < MASK32 else None
                for number in numbers]

    def add(self, field, number):
        role = field[0]
        if role in FREE:
            return
        self.by_place[self.slot(field)] = self.by_role[role] = number
        if role in FIRST_MENTION and number >= FIRST_MENTION[role]:
            self.last_column = number - FIRST_MENTION[role]


class ItemForecast:
    """What items may come next in a list, from what followed items of the same meaning."""

    def __init__(self):
        self.followers, self.next_new = {}, [0, 0, 0]

    def begin(self, kind, leaves, symbols=()):
        self.kind, self.leaves, self.symbols, self.loops = kind, leaves, symbols, []
        self.items = {}
        for i in range(len(symbols)):
            self.items.setdefault(self.meaning(i), i)
        if kind != SYMBOLS:
            self.next_new[kind] = 0

    def begin_items(self):
        self.past = (self.kind << 2 | LOOP,) * ORDERS[-1]

    def meaning(self, item):
        if item >= self.leaves:
            return self.loops[item - self.leaves]
        return (self.symbols[item] if self.kind == SCRIPT else item) << 2 | self.kind

    def item(self, meaning):
        if meaning is None:
            return None
        if self.kind != SCRIPT and meaning & 3 == self.kind:
            return meaning >> 2 if meaning >> 2 < self.leaves else None
        return self.items.get(meaning)

    @staticmethod
    def key(order, past):
        number = order
        for meaning in past[:order]:
            number = mix(number + meaning)
        return number

    def follower(self, order, past):
        return self.item(self.followers.get(self.key(order, past)))

    def token(self, predicted):
        numbers, self.runs = [], []
        for order in ORDERS:
            past, item = self.past, self.follower(order, self.past)
            run, last = int(item is not None), item
            while item is not None and run < MAX_RUN:
                past = (self.meaning(last), *past[:-1])
                if self.follower(order, past) != last + 1:
                    break
                last, run = last + 1, run + 1
            self.runs.append(run)
            numbers.append(None if item is None else 2 * zigzag(item - predicted) + (run > 1))
        return *numbers, 2 * zigzag(self.next_new[self.kind] - predicted)

    def run(self):
        return *(run - 2 if run > 1 else None for run in self.runs),

    def add(self, first, count):
        """Items that rise by one."""
        end = first + count
        for item in range(first, first + min(count, MAX_RUN)):
            meaning = self.meaning(item)
            for order in ORDERS:
                key = self.key(order, self.past)
                if key in self.followers or len(self.followers) < MAX_KEYS:
                    self.followers[key] = meaning
            self.past = (meaning, *self.past[:-1])
        for item in range(max(first + MAX_RUN, end - min(count, ORDERS[-1])), end):
            self.past = (self.meaning(item), *self.past[:-1])
        if first <= self.next_new[self.kind] < end:
            self.next_new[self.kind] = end

    def end_loop(self, body):
        number = len(body)
        for item in body:
            number = mix(number + self.meaning(item))
        number |= LOOP
        self.items.setdefault(number, self.leaves + len(self.loops))
        self.loops.append(number)


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
