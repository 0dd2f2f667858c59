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
  statistics(rows, from, to, signal) { return this.ask('statistics', { rows: rowList(rows), ...wholeWindow(from, to) }, signal); }
  steps(row, from, to, signal) { return this.ask('steps', { rows: String(row), ...wholeWindow(from, to) }, signal); }
  find(rows, search) {
    return this.ask('find', { rows: rowList(rows), name: search.name, least: Math.round(search.least),
      tick: Math.max(0, Math.round(search.tick)), backwards: search.backwards ? 1 : 0 });
  }
  document(name, call) {
    const key = `${name} ${call || ''}`;
    if (!this.documents.has(key)) this.documents.set(key, this.ask('document', call ? { name, call } : { name }));
    return this.documents.get(key);
  }
  get exact() { return true; }
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

/** Shares of each use by column, from boxes in the order of their begin. */
function columnsOfBoxes(boxes, from, to, columns, base) {
  const uses = 12;
  const sums = new Float64Array(columns * uses);
  const width = (to - from) / columns;
  const add = (begin, end, use) => {
    begin = Math.max(begin, from);
    end = Math.min(end, to);
    for (let column = Math.floor((begin - from) / width); column < columns && from + column * width < end; ++column) {
      const left = Math.max(begin, from + column * width);
      const right = Math.min(end, from + (column + 1) * width);
      if (right > left) sums[column * uses + use] += right - left;
    }
  };
  let at = boxes.length ? Math.max(from, boxes[0].begin) : to;
  let last = at;
  let inner = 0;  // up to here time belongs to a region that counts
  for (const box of boxes) {
    last = Math.max(last, box.end);
    if (box.use === base || box.use === 0 || box.begin < inner) continue;
    if (box.begin > at) add(at, box.begin, base);
    add(box.begin, box.end, box.use);
    inner = at = Math.max(at, box.end);
  }
  if (boxes.length) add(at, last, base);
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

/** What is kept in a page: rows as calls where they fit, else as columns of a window. */
class FileSource {
  constructor(data) {
    this.data = data;
    this.names = data.timeline.names;
    this.rows = new Map(data.timeline.rows.map((row) => [row.row, row]));
  }

  get exact() { return this.data.timeline.exact; }

  async trace() { return this.data.trace; }

  /** The boxes of a row by rising begin, or null. */
  boxesOf(row) {
    const kept = this.rows.get(row);
    if (!kept || kept.calls === undefined) return null;
    if (!kept.boxes) kept.boxes = this.unpacked(kept);
    return kept.boxes;
  }

  /** Numbers as write_calls() of the page's writer packs them: seven bits per byte, lowest first. */
  unpacked(kept) {
    const bytes = bytesOf(kept.calls);
    let at = 0;
    const next = () => {
      let number = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++];
        number += (byte & 127) * scale;
        if (byte < 128) return number;
      }
    };
    const boxes = [];
    let begin = kept.begin;
    let call = 0;
    while (at < bytes.length) {
      begin += next();
      call += next();
      const kind = next();
      const depth = next();
      const length = next();
      const [name, use] = kept.kinds[kind];
      boxes.push({ call, name: this.names[name], begin, end: begin + length, depth, use, open: false });
    }
    return boxes;
  }

  async timeline(rows, from, to, columns, wantBoxes) {
    const answer = { from, to, columns, rows: [] };
    for (const row of rows) {
      const boxes = this.boxesOf(row);
      const kept = this.rows.get(row);
      if (!kept) continue;
      if (!boxes) {
        answer.rows.push(this.resampled(kept, from, to, columns));
        continue;
      }
      const seen = boxes.filter((box) => box.begin < to && (box.end > from || box.begin >= from));
      if (wantBoxes && seen.length <= 1500) answer.rows.push({ row, boxes: seen });
      else answer.rows.push({ row, exact: true, ...columnsOfBoxes(seen, from, to, columns, kept.base) });
    }
    return answer;
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
    const boxes = this.boxesOf(row) || [];
    const box = boxes.find((candidate) => candidate.call === call);
    if (!box) throw new Error('this call is not kept in the page');
    const path = boxes.filter((around) => around.depth < box.depth && around.begin <= box.begin && around.end >= box.end && around.call < box.call)
      .sort((a, b) => a.depth - b.depth).map((around) => around.name);
    const rate = this.data.trace.ticks_per_second;
    const answer = { row, call, path, listed: { name: box.name, begin: box.begin / rate, duration: (box.end - box.begin) / rate, records: [] } };
    const step = this.stepAt(box.begin);
    if (step !== null) answer.step = step;
    return answer;
  }

  stepAt(tick) {
    const steps = this.data.timeline.steps.steps;
    let found = null;
    for (const [step, begin] of steps) {
      if (begin > tick) break;
      found = step;
    }
    return this.data.timeline.steps.every === 1 ? found : null;
  }

  async messages(rows, from, to) {
    const wanted = new Set(rows);
    const messages = (this.data.timeline.messages || []).filter(([row, , sent, other, , received]) => {
      const ends = [[row, sent], [other, received]].filter(([end]) => end !== null);
      return ends.some(([end, tick]) => wanted.has(end) && tick >= from && tick <= to);
    });
    return messages.length > 2000 ? { too_many: true, messages: [] } : { too_many: false, messages };
  }

  async statistics(rows, from, to) {
    const names = new Map();
    const uses = new Array(12).fill(0);
    for (const row of rows) {
      const boxes = this.boxesOf(row);
      if (!boxes) continue;
      const seen = boxes.filter((box) => box.begin < to && box.end > from);
      const columns = columnsOfBoxes(seen, from, to, 1, this.rows.get(row).base);
      columns.uses.forEach((use, i) => { uses[use] += columns.shares[i] / 255 * (to - from); });
      for (const box of boxes) {
        if (box.begin > to) break;
        if (box.end < from || (!box.leaf && this.hasChildren(boxes, box))) continue;
        if (!names.has(box.name)) names.set(box.name, { name: box.name, use: box.use, calls: 0, ticks: 0, least: Infinity, most: 0 });
        const sum = names.get(box.name);
        sum.ticks += Math.max(0, Math.min(box.end, to) - Math.max(box.begin, from));
        if (box.begin < from || box.begin >= to) continue;
        ++sum.calls;
        sum.least = Math.min(sum.least, box.end - box.begin);
        sum.most = Math.max(sum.most, box.end - box.begin);
      }
    }
    return { from, to, rows: rows.length, names: [...names.values()].filter((sum) => sum.calls || sum.ticks), uses };
  }

  /** Regions that hold others are not calls. */
  hasChildren(boxes, box) {
    if (box.holds === undefined) {
      const next = boxes[boxes.indexOf(box) + 1];
      box.holds = next !== undefined && next.depth > box.depth;
    }
    return box.holds;
  }

  async steps(row, from, to) {
    const { steps, count, every } = this.data.timeline.steps;
    return { count, every, steps: steps.filter(([, begin]) => begin >= from && begin < to) };
  }

  async find(rows, search) {
    let best = null;
    const name = search.name.toLowerCase();
    for (const row of rows) {
      for (const box of this.boxesOf(row) || []) {
        if (!box.name.toLowerCase().includes(name) || box.end - box.begin < search.least) continue;
        if (search.backwards ? box.begin >= search.tick : box.begin <= search.tick) continue;
        if (!best || (search.backwards ? box.begin > best.begin : box.begin < best.begin)) {
          best = { found: true, row, call: box.call, name: box.name, begin: box.begin, duration: box.end - box.begin };
        }
        if (!search.backwards) break;
      }
    }
    return best || { found: false };
  }

  async document(name, call) {
    const kept = this.data.documents[call ? `${name} ${call}` : name];
    return kept || { unavailable: 'this is not kept in the page; trace_inspect serve shows it' };
  }
}
