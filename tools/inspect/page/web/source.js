// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Where the numbers come from: a server that unfolds what is looked at, or what is kept in the page.

/** "0-39,50" of rising rows. */
function rowList(rows) {
  const parts = [];
  for (let i = 0; i < rows.length;) {
    let j = i;
    while (j + 1 < rows.length && rows[j + 1] === rows[j] + 1) ++j;
    parts.push(i === j ? String(rows[i]) : `${rows[i]}-${rows[j]}`);
    i = j + 1;
  }
  return parts.join(',');
}

/** A window in whole ticks that a server takes. */
function wholeWindow(from, to) {
  const begin = Math.max(0, Math.floor(from));
  return { from: begin, to: Math.max(begin + 1, Math.ceil(to)) };
}

class ServerSource {
  constructor(file) { this.file = file; this.documents = new Map(); }

  async ask(question, parameters, signal) {
    const query = new URLSearchParams({ file: this.file, ...parameters });
    const answer = await fetch(`api/${question}?${query}`, { signal });
    const value = await answer.json();
    if (!answer.ok) throw new Error(value.error || `status ${answer.status}`);
    return value;
  }

  trace() { return this.ask('trace', {}); }
  timeline(rows, from, to, columns, boxes, signal) {
    return this.ask('timeline', { rows: rowList(rows), ...wholeWindow(from, to), columns, boxes: boxes ? 1 : 0 }, signal).then(decoded);
  }
  call(row, call, signal) { return this.ask('call', { row, call }, signal); }
  messages(rows, from, to, signal) { return this.ask('messages', { rows: rowList(rows), ...wholeWindow(from, to) }, signal); }
  /** The messages that a call sends or receives, as trace_inspect messages --json has them. */
  received(row, call) { return this.ask('received', { row, call }); }
  statistics(rows, from, to, signal) { return this.ask('statistics', { rows: rowList(rows), ...wholeWindow(from, to) }, signal); }
  steps(row, from, to, signal) { return this.ask('steps', { rows: String(row), ...wholeWindow(from, to) }, signal); }
  find(rows, search) {
    return this.ask('find', { rows: rowList(rows), name: search.name, least: Math.round(search.least),
      tick: Math.max(0, Math.round(search.tick)), backwards: search.backwards ? 1 : 0 });
  }
  /** Requests a document once; later callers share the answer. The signal of the first caller stops it. A failed request is repeated. */
  document(name, signal) {
    if (!this.documents.has(name)) {
      const answer = this.ask('document', { name }, signal);
      this.documents.set(name, answer);
      answer.catch(() => this.documents.delete(name));
    }
    return this.documents.get(name);
  }
  get exact() { return true; }
  get marks() { return []; }
}

/** Turns the shares of an answer from letters into bytes. */
function decoded(answer) {
  for (const row of answer.rows) {
    if (row.shares !== undefined) row.shares = bytesOf(row.shares);
    if (row.boxes) {
      row.boxes = row.boxes.map(([call, name, begin, length, depth, use, open]) =>
        ({ call, name: answer.names[name], begin, end: begin + length, depth, use, open: open === 1 }));
    }
  }
  return answer;
}


/** Calls add(begin, end, use) for what regions spend time on, in order: what is in no region that counts is `base`. */
function spendBoxes(boxes, base, add) {
  if (!boxes.length) return;
  let at = boxes[0].begin;
  let last = at;
  let inner = 0;  // up to here time belongs to a region that counts
  for (const box of boxes) {
    last = Math.max(last, box.end);
    if (box.use === base || box.use === 0 || box.begin < inner) continue;
    if (box.begin > at) add(at, box.begin, base);
    add(box.begin, box.end, box.use);
    inner = at = Math.max(at, box.end);
  }
  add(at, last, base);
}

/** Shares of each use by column of a window; `spend` passes stretches of time as spendBoxes() does. */
function columnsOf(spend, from, to, columns) {
  const uses = 12;
  const sums = new Float64Array(columns * uses);
  const width = (to - from) / columns;
  spend((begin, end, use) => {
    begin = Math.max(begin, from);
    end = Math.min(end, to);
    if (begin >= end) return;
    for (let column = Math.max(0, Math.floor((begin - from) / width)); column < columns && from + column * width < end; ++column) {
      const left = Math.max(begin, from + column * width);
      const right = Math.min(end, from + (column + 1) * width);
      if (right > left) sums[column * uses + use] += right - left;
    }
  });
  const present = [];
  for (let use = 0; use < uses; ++use) {
    for (let column = 0; column < columns; ++column) {
      if (sums[column * uses + use] > 0) { present.push(use); break; }
    }
  }
  const shares = new Uint8Array(columns * present.length);
  for (let column = 0; column < columns; ++column) {
    present.forEach((use, i) => { shares[column * present.length + i] = Math.min(255, Math.round(sums[column * uses + use] / width * 255)); });
  }
  return { uses: present, shares };
}

/** Numbers as the page's writer packs them: seven bits per byte, lowest first; signed() undoes the zigzag. */
class PackedNumbers {
  constructor(text) { this.bytes = bytesOf(text); this.at = 0; }
  get more() { return this.at < this.bytes.length; }
  next() {
    let number = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++];
      number += (byte & 127) * scale;
      if (byte < 128) return number;
    }
  }
  signed() {
    const number = this.next();
    return number % 2 ? -(number + 1) / 2 : number / 2;
  }
}

/** The calls of a row in a part of the time. */
class KeptCalls {
  constructor(kept, names, facts) { Object.assign(this, { kept, names, facts }); }

  get row() { return this.kept.row; }

  /** By rising begin, those that hold others before them. */
  get boxes() {
    if (this.unpacked) return this.unpacked;
    const numbers = new PackedNumbers(this.kept.calls);
    const boxes = this.unpacked = [];
    let { begin } = this.kept;
    let call = 0;
    while (numbers.more) {
      begin += numbers.next();
      call += numbers.next();
      const [name, use, isCall, open] = this.kept.kinds[numbers.next()];
      const depth = numbers.next();
      const length = numbers.next();
      const fact = numbers.next();
      boxes.push({ call, name: this.names[name], begin, end: begin + length, depth, use, isCall: isCall === 1, open: open === 1, fact });
    }
    return boxes;
  }

  spend(add) {
    if (!this.kept.spent) { spendBoxes(this.boxes, this.kept.base, add); return; }
    if (!this.stretches) {
      this.stretches = [];
      const numbers = new PackedNumbers(this.kept.spent);
      for (let at = 0; numbers.more;) {
        const begin = at + numbers.next();
        at = begin + numbers.next();
        this.stretches.push([begin, at, numbers.next()]);
      }
    }
    for (const [begin, end, use] of this.stretches) add(begin, end, use);
  }

  /** Steps of the row as {step, first, end}: numbers of calls. */
  get steps() {
    if (this.unpackedSteps) return this.unpackedSteps;
    const steps = this.unpackedSteps = [];
    if (this.kept.steps === undefined) return steps;
    const numbers = new PackedNumbers(this.kept.steps);
    let first = 0;
    for (let step = this.kept.first_step; numbers.more; ++step) {
      first += numbers.next();
      steps.push({ step, first, end: first + numbers.next() });
    }
    return steps;
  }

  indexOf(call) {
    const { boxes } = this;
    let low = 0;
    let high = boxes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (boxes[middle].call < call) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  find(call) {
    const box = this.boxes[this.indexOf(call)];
    return box && box.call === call ? box : undefined;
  }

  stepOf(call) {
    const found = this.steps.find((step) => call >= step.first && call < step.end);
    return found && found.step;
  }

  recordsOf(box) { return box.fact ? this.facts[box.fact - 1] : []; }
}

/** What is kept in a page: rows call by call where they fit, else as columns, and call by call in parts of the time. */
class FileSource {
  constructor(data) {
    this.data = data;
    const { timeline } = data;
    this.columns = new Map(timeline.rows.map((row) => [row.row, row]));
    this.parts = timeline.parts.map(({ from, to, rows }) =>
      ({ from, to, rows: new Map(rows.map((row) => [row.row, new KeptCalls(row, timeline.names, timeline.facts)])) }));
  }

  get exact() { return this.data.timeline.exact; }
  /** Where rows that are columns else are kept call by call. */
  get marks() { return this.parts.filter(({ from, to }) => from > this.data.timeline.window[0] || to < this.data.timeline.window[1]).map(({ from, to }) => [from, to]); }

  async trace() { return this.data.trace; }

  /** The part with the calls of a row in a window. */
  partOf(row, from, to) {
    const [first, last] = this.data.timeline.window;
    const begin = Math.max(from, first);
    const end = Math.min(to, last);
    return this.parts.find((part) => part.rows.has(row) && part.from <= begin && part.to >= end);
  }

  async timeline(rows, from, to, columns, wantBoxes, signal, seen) {
    const [left, right] = seen || [from, to];
    const answer = { from, to, columns, rows: [] };
    for (const row of rows) {
      const part = this.partOf(row, left, right);
      const kept = this.columns.get(row);
      if (part) answer.rows.push(this.exactRow(part, row, from, to, columns, wantBoxes));
      else if (kept) answer.rows.push(this.resampled(kept, from, to, columns));
    }
    return answer;
  }

  exactRow(part, row, from, to, columns, wantBoxes) {
    const calls = part.rows.get(row);
    const [first, last] = this.data.timeline.window;
    const begin = part.from > first ? Math.max(from, part.from) : from;
    const end = part.to < last ? Math.min(to, part.to) : to;
    const seen = [];
    for (const box of calls.boxes) {
      if (box.begin >= end) break;
      if (box.end > begin || box.begin >= begin) seen.push(box);
    }
    if (wantBoxes && seen.length <= 1500) return { row, from: begin, to: end, boxes: seen };
    return { row, from: begin, to: end, exact: true, ...columnsOf((add) => calls.spend(add), begin, end, columns) };
  }

  /** The kept columns that are in a window, at their own resolution where that is lower. */
  resampled(kept, from, to, columns) {
    if (typeof kept.shares === 'string') kept.shares = bytesOf(kept.shares);
    const count = kept.uses.length;
    const total = count ? kept.shares.length / count : 0;
    const [first, last] = this.data.timeline.window;
    const shares = new Uint8Array(columns * count);
    for (let column = 0; column < columns; ++column) {
      const left = ((from + (to - from) * column / columns) - first) / (last - first) * total;
      const right = ((from + (to - from) * (column + 1) / columns) - first) / (last - first) * total;
      for (let use = 0; use < count; ++use) {
        let sum = 0;
        let width = 0;
        for (let i = Math.max(0, Math.floor(left)); i < Math.min(total, Math.max(right, Math.floor(left) + 1)); ++i) {
          const part = Math.min(right, i + 1) - Math.max(left, i);
          sum += kept.shares[i * count + use] * part;
          width += part;
        }
        shares[column * count + use] = width > 0 ? Math.round(sum / Math.max(width, right - left)) : 0;
      }
    }
    return { row: kept.row, exact: false, uses: kept.uses, shares };
  }

  async call(row, call) {
    for (const part of this.parts) {
      const calls = part.rows.get(row);
      const box = calls && calls.find(call);
      if (!box) continue;
      const { boxes } = calls;
      const path = [];
      let depth = box.depth;
      for (let i = calls.indexOf(call) - 1; i >= 0 && depth > 0; --i) {
        if (boxes[i].depth === depth - 1) { path.unshift(boxes[i].name); --depth; }
      }
      const rate = this.data.trace.ticks_per_second;
      const listed = { name: box.name, begin: box.begin / rate, records: calls.recordsOf(box) };
      if (box.isCall) listed.duration = (box.end - box.begin) / rate;
      const answer = { row, call, path, listed };
      if (!box.isCall && !box.open) answer.region_ticks = box.end - box.begin;
      const step = calls.stepOf(call);
      if (step !== undefined) answer.step = step;
      return answer;
    }
    throw new Error('this call is not in the page');
  }

  unpackMessages({ from, kinds, messages }) {
    const numbers = new PackedNumbers(messages);
    const found = [];
    while (numbers.more) {
      const sent = this.unpackEnd(numbers, from);
      const received = this.unpackEnd(numbers, sent[0] === null ? from : sent[2]);
      found.push([...sent, ...received, ...kinds[numbers.next()]]);
    }
    return found;
  }

  unpackEnd(numbers, from) {
    const row = numbers.next();
    if (row === 0) return [null, null, null];
    const call = numbers.next();
    return [row - 1, call, from + numbers.signed()];
  }

  async messages(rows, from, to) {
    const wanted = new Set(rows);
    const part = this.data.timeline.messages.find((kept) => kept.from <= from && kept.to >= Math.min(to, this.data.timeline.window[1]));
    if (!part) return { too_many: false, messages: [] };
    if (!part.unpacked) part.unpacked = this.unpackMessages(part);
    const messages = part.unpacked.filter(([row, , sent, other, , received]) =>
      (row === null || wanted.has(row)) && (other === null || wanted.has(other)) &&
      [[row, sent], [other, received]].some(([end, tick]) => end !== null && tick >= from && tick <= to));
    return messages.length > 2000 ? { too_many: true, messages: [] } : { too_many: false, messages };
  }

  /** The messages of a call, as the server tells them. */
  async received(row, call) {
    const { trace } = this.data;
    const known = new Map();
    for (const part of this.data.timeline.messages) {
      if (!part.unpacked) part.unpacked = this.unpackMessages(part);
      for (const item of part.unpacked) {
        if ((item[0] === row && item[1] === call) || (item[3] === row && item[4] === call)) known.set(item.join(), item);
      }
    }
    const end = (at, number) => {
      const box = at === null ? undefined : this.parts.map((part) => part.rows.get(at)?.find(number)).find(Boolean);
      return box && { location: trace.rows[at][0], call: number, name: box.name, begin: box.begin / trace.ticks_per_second,
        duration: (box.end - box.begin) / trace.ticks_per_second, box };
    };
    const messages = [...known.values()].map(([from, send, sent, to, receive, , bytes, tag, communicator]) => {
      const received = end(to, receive);
      const message = { sender: from === null ? undefined : trace.rows[from][1], receiver: to === null ? undefined : trace.rows[to][1],
        bytes, tag, communicator, sent: end(from, send), received };
      if (received && sent !== null) message.late = Math.max(0, Math.min(sent, received.box.end) - received.box.begin) / trace.ticks_per_second;
      return message;
    }).filter((message) => message.sent || message.received);
    return { messages };
  }

  /** Sums of the rows that are kept call by call; `rows` of the answer says how many that are. */
  async statistics(rows, from, to) {
    const names = new Map();
    const uses = new Array(12).fill(0);
    let known = 0;
    for (const row of rows) {
      const part = this.partOf(row, from, to);
      if (!part) continue;
      ++known;
      const calls = part.rows.get(row);
      calls.spend((begin, end, use) => { uses[use] += Math.max(0, Math.min(end, to) - Math.max(begin, from)); });
      for (const box of calls.boxes) {
        if (box.begin > to) break;
        if (!box.isCall || box.end < from) continue;
        if (!names.has(box.name)) names.set(box.name, { name: box.name, use: box.use, calls: 0, ticks: 0, least: Infinity, most: 0 });
        const sum = names.get(box.name);
        sum.ticks += Math.max(0, Math.min(box.end, to) - Math.max(box.begin, from));
        if (box.begin < from || box.begin >= to) continue;
        ++sum.calls;
        sum.least = Math.min(sum.least, box.end - box.begin);
        sum.most = Math.max(sum.most, box.end - box.begin);
      }
    }
    return { from, to, rows: known, names: [...names.values()].filter((sum) => sum.calls || sum.ticks), uses };
  }

  async steps(row, from, to) {
    const { steps, count, every } = this.data.timeline.steps;
    const part = this.partOf(row, from, to);
    if (part && part.rows.get(row).steps.length) {
      const calls = part.rows.get(row);
      const found = calls.steps.map((step) => [step.step, calls.find(step.first)]).filter(([, box]) => box !== undefined && box.begin >= from && box.begin < to)
        .map(([step, box]) => [step, box.begin]);
      if (found.length <= 400) return { count, every: 1, steps: found };
    }
    return { count, every, steps: steps.filter(([, begin]) => begin >= from && begin < to) };
  }

  async find(rows, search) {
    let best = null;
    const name = search.name.toLowerCase();
    for (const row of rows) {
      for (const part of this.parts) {
        const calls = part.rows.get(row);
        for (const box of calls ? calls.boxes : []) {
          if (!box.name.toLowerCase().includes(name) || box.end - box.begin < search.least) continue;
          if (search.backwards ? box.begin >= search.tick : box.begin <= search.tick) continue;
          if (!best || (search.backwards ? box.begin > best.begin : box.begin < best.begin)) {
            best = { found: true, row, call: box.call, name: box.name, begin: box.begin, duration: box.end - box.begin };
          }
          if (!search.backwards) break;
        }
      }
    }
    return best || { found: false };
  }

  async document(name) {
    return this.data.documents[name] || { unavailable: 'not in this page; trace_inspect serve shows it' };
  }
}
