// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The timeline of one trace on a canvas.

/** Fewer letters of a name say nothing: all begin with MPI_. */
const LEAST_LETTERS = 6;
const FONT = '12px system-ui, "DejaVu Sans", sans-serif';
const SMALL_FONT = '11px system-ui, "DejaVu Sans", sans-serif';
const GUTTER = 168;
const AXIS = 34;
const OVERVIEW = 34;
const ROW = 20;
const LEAST_ROW = 13;
const MOST_ROW = 400;
const COUNTER_ROW = 76;
const DEPTH = 13;
const MOST_DEPTHS = 7;
const GROUP_SAMPLES = 8;
const FEW_ROWS = 48;

class Timeline {
  /** `selection`: shared with all views. `peers`: the timelines of all files, in their order, this one too. */
  constructor(trace, source, selection, canvas, peers) {
    Object.assign(this, { trace, source, selection, canvas, peers });
    this.file = peers.length;
    peers.push(this);
    this.seconds = 1 / trace.ticks_per_second;
    this.home = trace.window;
    this.counter = null;        // a series of 'metric-series', with its window
    this.scroll = 0;
    this.data = new Map();      // by row: answers, the widest first
    this.depths = new Map();    // by row: levels that were seen
    this.setMessages([]);
    this.steps = { steps: [], count: 0 };
    this.by = trace.nodes.length > 1 ? 'node' : 'none';
    this.collapsed = new Set();
    this.pending = 0;
    this.arrows = true;
    this.hoverBox = null;
    this.dragged = null;
    this.group();
    if (trace.rows.length > FEW_ROWS) for (const item of this.groups.slice(1)) this.collapsed.add(item.name);
    this.arrange();
    this.listen();
    if (selection.from === null) selection.set({ from: this.home[0], to: this.home[1] }, true);
  }

  // ---- rows ----

  group() {
    const names = new Map();
    this.trace.rows.forEach(([, , node, kind], row) => {
      const name = this.by === 'node' ? this.trace.nodes[node] : this.by === 'class' ? `class ${kind}` : '';
      if (!names.has(name)) names.set(name, []);
      names.get(name).push(row);
    });
    this.groups = [...names].map(([name, rows]) => ({ name, rows }));
  }

  setGrouping(by) {
    this.by = by;
    this.collapsed.clear();
    this.group();
    this.arrange();
    this.refresh();
  }

  /** What stands below what: groups and their rows. */
  arrange() {
    this.lines = [];
    for (const { name, rows } of this.groups) {
      if (this.by !== 'none') {
        const closed = this.collapsed.has(name);
        const step = Math.max(1, Math.ceil(rows.length / GROUP_SAMPLES));
        this.lines.push({ group: name, rows, closed, samples: rows.filter((_, i) => i % step === 0) });
        if (closed) continue;
      }
      for (const row of rows) this.lines.push({ row });
    }
    const fixed = this.lines.reduce((sum, line) => sum + (line.row === undefined ? this.heightOf(line) : 0), 0);
    this.share = (this.room() - fixed) / Math.max(1, this.lines.filter((line) => line.row !== undefined).length);
    let top = 0;
    for (const line of this.lines) {
      line.top = top;
      line.height = this.heightOf(line);
      top += line.height;
    }
    this.total = top;
    this.scroll = Math.max(0, Math.min(this.scroll, top - this.room()));
  }

  /** Rows share the height; a selected one has room for its whole call stack. */
  heightOf(line) {
    if (line.row === undefined) return line.closed ? ROW + 6 : ROW;
    const whole = Math.min(this.depths.get(line.row) || 1, MOST_DEPTHS) * DEPTH + 5;
    return Math.max(LEAST_ROW, Math.min(this.share, MOST_ROW), this.selection.rows.has(line.row) ? whole : 0);
  }

  /** Levels of the call stack that a row of this height shows. */
  levelsOf(row, height) {
    return Math.max(1, Math.min(this.depths.get(row) || 1, MOST_DEPTHS, Math.floor((height - 4) / DEPTH)));
  }

  /** Where the rows end. */
  get bottom() { return AXIS + OVERVIEW + this.total - this.scroll; }

  room() { return Math.max(40, this.canvas.clientHeight - AXIS - OVERVIEW - (this.counter ? COUNTER_ROW : 0)); }

  visibleLines() {
    return this.lines.filter((line) => line.top + line.height > this.scroll && line.top < this.scroll + this.room());
  }

  visibleRows() {
    const rows = [];
    for (const line of this.visibleLines()) if (line.row !== undefined) rows.push(line.row);
    return rows.sort((a, b) => a - b);
  }

  labelOf(row) {
    const [label, rank] = this.trace.rows[row];
    return rank === null || label.includes(' ') ? label : /^\d+$/.test(label) ? `rank ${label}` : `thread ${label}`;
  }

  // ---- time ----

  get from() { return this.painted ? this.painted[0] : this.toOwn(this.selection.from); }
  get to() { return this.painted ? this.painted[1] : this.toOwn(this.selection.to); }

  // What is selected is in ticks of the first file. Others have clocks of their own; programs begin at the same place.
  get rate() { return this.trace.ticks_per_second / this.peers[0].trace.ticks_per_second; }
  toOwn(tick) { return this.file === 0 || tick === null ? tick : this.home[0] + (tick - this.peers[0].home[0]) * this.rate; }
  toShared(tick) { return this.file === 0 ? tick : this.peers[0].home[0] + (tick - this.home[0]) / this.rate; }
  /** Where the longest of all files ends. */
  reach() { return Math.max(...this.peers.map((peer) => this.toOwn(peer.toShared(peer.limit())))); }
  get width() { return Math.max(1, this.canvas.clientWidth - GUTTER); }
  xOf(tick) { return GUTTER + (tick - this.from) / (this.to - this.from) * this.width; }
  tickAt(x) { return this.from + (x - GUTTER) / this.width * (this.to - this.from); }
  limit() { return Math.max(this.trace.end, this.home[1]) * 1.02 + 10; }

  show(from, to) {
    const least = 8;
    if (to - from < least) { const middle = (from + to) / 2; from = middle - least / 2; to = middle + least / 2; }
    const reach = this.reach();
    const length = Math.min(to - from, reach);
    from = Math.max(0, Math.min(from, reach - length));
    const begin = Math.max(0, this.toShared(from));
    this.selection.set({ from: begin, to: begin + this.toShared(from + length) - this.toShared(from) });
    this.selection.tell('time');
  }

  zoom(factor, x) {
    const tick = this.tickAt(x === undefined ? GUTTER + this.width / 2 : Math.max(GUTTER, x));
    this.show(tick - (tick - this.from) * factor, tick + (this.to - tick) * factor);
  }

  pan(share) {
    const by = (this.to - this.from) * share;
    this.show(this.from + by, this.to + by);
  }

  reveal(row) {
    const hidden = this.groups.find((item) => item.rows.includes(row));
    if (hidden && this.by !== 'none' && this.collapsed.delete(hidden.name)) this.arrange();
    const line = this.lines.find((item) => item.row === row);
    if (!line) return;
    if (line.top < this.scroll || line.top + line.height > this.scroll + this.room()) {
      this.scroll = Math.max(0, Math.min(line.top - this.room() / 2, this.total - this.room()));
    }
  }

  // ---- data ----

  /** Asks for what is seen, after a moment without changes. */
  refresh() {
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), 25);
  }

  async load() {
    if (this.abort) this.abort.abort();
    const abort = this.abort = new AbortController();
    ++this.pending;
    try {
      await this.loadRows(abort.signal);
      await this.loadOverview(abort.signal);
      await this.loadGroups(abort.signal);
      if (this.abort === abort) await this.loadMore(abort.signal);
    } catch (error) {
      if (error.name !== 'AbortError') this.selection.tell('notice', `the timeline: ${error.message}`);
    } finally {
      --this.pending;
      this.draw();
    }
  }

  /** The window to ask for: a little more than is seen, so that small moves show something. */
  wider() {
    const margin = (this.to - this.from) * 0.25;
    return [Math.max(0, this.from - margin), this.to + margin, Math.min(4096, Math.ceil(this.width * 1.5 / 2) * 2)];
  }

  async loadRows(signal) {
    const rows = this.visibleRows();
    if (!rows.length) return;
    const [from, to, columns] = this.wider();
    const answer = await this.source.timeline(rows, from, to, columns, true, signal, [this.from, this.to]);
    this.keep(answer);
    if (answer.end > this.trace.end) this.trace.end = answer.end;
  }

  /** Columns of the whole run: the mean of some rows, apart from the exact answers about rows. */
  overviewData() { return this.overview && this.overview.to > this.limit() / 2 ? this.overview : undefined; }

  async loadOverview(signal) {
    if (this.overviewData()) return;
    const step = Math.ceil(this.trace.rows.length / GROUP_SAMPLES);
    const rows = this.trace.rows.map((_, row) => row).filter((row) => row % step === 0);
    if (!rows.length) return;
    const columns = Math.min(4096, Math.ceil(this.width / 2) * 2);
    const answer = await this.source.timeline(rows, 0, this.limit(), columns, false, signal);
    this.overview = { from: answer.from, to: answer.to, ...this.meanOf(answer, columns) };
  }

  async loadGroups(signal) {
    const [from, to, columns] = this.wider();
    for (const line of this.visibleLines()) {
      if (line.row !== undefined || !line.closed) continue;
      const answer = await this.source.timeline(line.samples, from, to, columns, false, signal);
      this.keepFor(`g${line.group}`, { from: answer.from, to: answer.to, columns, ...this.meanOf(answer, columns) });
      this.draw();
    }
  }

  meanOf(answer, columns) {
    const uses = [...new Set(answer.rows.flatMap((row) => row.uses || []))].sort((a, b) => a - b);
    const sums = new Float64Array(columns * uses.length);
    for (const row of answer.rows) {
      (row.uses || []).forEach((use, i) => {
        const place = uses.indexOf(use);
        for (let column = 0; column < columns; ++column) sums[column * uses.length + place] += row.shares[column * row.uses.length + i];
      });
    }
    return { uses, shares: sums.map((sum) => sum / Math.max(1, answer.rows.length)), exact: false };
  }

  keep(answer) {
    for (const row of answer.rows) {
      this.keepFor(row.row, { from: answer.from, to: answer.to, columns: answer.columns, ...row });
      if (!row.boxes) continue;
      let levels = 1;
      for (const box of row.boxes) levels = Math.max(levels, box.depth + 1);
      if (levels > (this.depths.get(row.row) || 1)) { this.depths.set(row.row, levels); this.stale = true; }
    }
    if (this.stale) { this.stale = false; this.arrange(); }
  }

  /** Keeps the widest answer and the last two. */
  keepFor(key, answer) {
    const kept = (this.data.get(key) || []).filter((old) => old.from !== answer.from || old.to !== answer.to);
    kept.push(answer);
    if (kept.length > 3) {
      let widest = 0;
      kept.forEach((old, i) => { if (old.to - old.from > kept[widest].to - kept[widest].from) widest = i; });
      kept.splice(widest === 0 ? 1 : 0, 1);
    }
    this.data.set(key, kept);
  }

  async loadMore(signal) {
    const rows = this.visibleRows();
    if (!rows.length) return;
    this.steps = await this.source.steps(rows[0], this.from, this.to, signal);
    this.draw();
    let boxes = 0;
    let complete = true;
    for (const row of rows) {
      const best = this.bestOf(row);
      if (!best || !best.boxes) complete = false;
      else boxes += best.boxes.length;
    }
    const wanted = this.arrows && complete && boxes <= 12000;
    this.setMessages(wanted ? (await this.source.messages(rows, this.from, this.to, signal)).messages : []);
  }

  /** Messages, and by row and receiving call when the last of its messages was sent. */
  setMessages(messages) {
    this.messages = messages;
    this.sent = new Map();
    for (const [, , sent, row, call] of messages) {
      if (row === null || sent === null) continue;
      if (!this.sent.has(row)) this.sent.set(row, new Map());
      this.sent.get(row).set(call, Math.max(sent, this.sent.get(row).get(call) || 0));
    }
  }

  /** The finest answer that covers what is seen. */
  bestOf(key) {
    let best = null;
    for (const kept of this.data.get(key) || []) {
      const covers = kept.from <= Math.max(this.from, 0) + 1 && kept.to >= Math.min(this.to, this.limit()) - 1;
      if (covers && (!best || kept.to - kept.from < best.to - best.from)) best = kept;
    }
    return best;
  }

  // ---- drawing ----

  draw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => { this.frame = 0; this.paint(); });
  }

  paint() {
    if (!this.canvas.clientWidth || this.from === null) return;
    const { context, width, height } = prepared(this.canvas);
    const colour = Colours.known;
    context.fillStyle = colour.back;
    context.fillRect(0, 0, width, height);
    context.font = FONT;
    context.textBaseline = 'middle';
    context.save();
    context.beginPath();
    context.rect(0, AXIS + OVERVIEW, width, this.room());
    context.clip();
    this.drawn = [];
    for (const line of this.visibleLines()) this.paintLine(context, line, AXIS + OVERVIEW + line.top - this.scroll);
    this.paintSteps(context, height);
    this.paintMessages(context);
    context.restore();
    if (this.counter) this.paintCounter(context, height - COUNTER_ROW);
    this.paintWindow(context, height);
    this.paintAxis(context);
    this.paintOverview(context);
    this.paintScroll(context, height);
    this.canvas.dataset.pending = this.pending;
  }

  paintLine(context, line, y) {
    const colour = Colours.known;
    const row = line.row;
    if (row === undefined) {
      context.fillStyle = colour.panel;
      context.fillRect(0, y, this.width + GUTTER, line.height);
    } else if (this.selection.rows.has(row)) {
      context.fillStyle = colour['accent-back'];
      context.fillRect(0, y, GUTTER, line.height);
    }
    context.save();
    context.beginPath();
    context.rect(GUTTER, y, this.width, line.height);
    context.clip();
    const key = row === undefined ? `g${line.group}` : row;
    if (row !== undefined || line.closed) {
      for (const kept of this.layersOf(key)) {
        if (kept.boxes) this.paintBoxes(context, row, kept.boxes, y, line.height);
        else this.paintColumns(context, kept, y + 2, line.height - 4);
      }
    }
    context.restore();
    context.fillStyle = row === undefined ? colour.text : colour.dim;
    const mark = row === undefined ? (line.closed ? '▸ ' : '▾ ') : '   ';
    const text = row === undefined ? `${line.group} (${line.rows.length})` : this.labelOf(row);
    if (line.height < 16) context.font = SMALL_FONT;
    context.fillText(this.fitted(context, mark + text, GUTTER - 14), 8, y + line.height / 2);
    context.font = FONT;
    context.strokeStyle = colour.line;
    context.globalAlpha = 0.5;
    context.beginPath();
    context.moveTo(0, y + line.height - 0.5);
    context.lineTo(GUTTER + this.width, y + line.height - 0.5);
    context.stroke();
    context.globalAlpha = 1;
  }

  /** The answers to draw, coarse ones below. */
  layersOf(key) {
    const best = this.bestOf(key);
    if (best) return [best];
    return (this.data.get(key) || []).slice().sort((a, b) => (b.to - b.from) - (a.to - a.from));
  }

  paintColumns(context, kept, y, height) {
    const count = kept.uses.length;
    const columns = count ? kept.shares.length / count : 0;
    const scale = (kept.to - kept.from) / columns;
    const order = kept.uses.map((_, i) => i).sort((a, b) => this.depthOfUse(kept.uses[b]) - this.depthOfUse(kept.uses[a]));
    const first = Math.max(0, Math.floor((this.from - kept.from) / scale));
    const last = Math.min(columns, Math.ceil((this.to - kept.from) / scale));
    const dim = this.selection.call !== '' ? 0.55 : 1;
    context.globalAlpha = dim;
    for (const i of order) {
      context.fillStyle = Colours.fill(context, kept.uses[i]);
      for (let column = first; column < last; ++column) {
        const share = kept.shares[column * count + i];
        if (!share) continue;
        let below = 0;
        for (const j of order) { if (j === i) break; below += kept.shares[column * count + j]; }
        const size = share / 255 * height;
        const left = Math.round(this.xOf(kept.from + column * scale));
        const right = Math.max(left + 1, Math.round(this.xOf(kept.from + (column + 1) * scale)));
        context.fillRect(left, y + height - below / 255 * height - size, right - left, size);
      }
    }
    context.globalAlpha = 1;
  }

  /** Computation is at the bottom. */
  depthOfUse(use) { return use === 0 ? 100 : use === 11 ? 99 : 50 - use; }

  paintBoxes(context, row, boxes, y, height) {
    const levels = this.levelsOf(row, height);
    const tall = (height - 3) / levels;
    const chosen = this.selection.call;
    const lastRight = new Array(levels).fill(-1);
    this.paintGround(context, row, boxes, y, height);
    const late = this.sent.get(row);
    for (const box of boxes) {
      const depth = Math.min(box.depth, levels - 1);
      let left = this.xOf(box.begin);
      let right = this.xOf(box.end);
      if (right < GUTTER || left > GUTTER + this.width) continue;
      left = Math.max(left, GUTTER - 2);
      right = Math.min(right, GUTTER + this.width + 2);
      const thin = right - left < 0.7;
      if (thin && left < lastRight[depth]) continue;
      if (thin) { right = left + 0.7; lastRight[depth] = right; }
      const top = y + 1 + depth * tall;
      context.globalAlpha = chosen && box.name !== chosen ? 0.32 : 1;
      context.fillStyle = WAITING_USES.includes(box.use) ? Colours.fill(context, box.use) : Colours.of(box.use, box.name);
      const gap = right - left > 4 ? 0.8 : 0;
      context.fillRect(left, top, right - left - gap, tall - 1);
      if (late && late.get(box.call) > box.begin) {
        context.fillStyle = Colours.hatching(context);
        context.fillRect(left, top, Math.max(0, Math.min(right, this.xOf(late.get(box.call))) - left - gap), tall - 1);
      }
      if (right - left > 34) {
        if (chosen && box.name !== chosen) {
          context.globalAlpha = 1;
          context.fillStyle = Colours.known.text;
        } else {
          context.fillStyle = this.inkOn(box);
        }
        if (tall < 15) context.font = SMALL_FONT;
        const text = this.fitted(context, box.name, right - left - 8, LEAST_LETTERS);
        if (text.length > 1) context.fillText(text, left + 4, top + tall / 2);
        context.font = FONT;
      }
      if (this.isChosen(row, box.call)) {
        context.globalAlpha = 1;
        context.strokeStyle = Colours.known.mark;
        context.lineWidth = 2;
        context.strokeRect(left - 1, top - 0.5, Math.max(4, right - left) + 1, tall);
        context.lineWidth = 1;
      }
    }
    context.globalAlpha = 1;
    this.drawn.push({ row, boxes, y, height, tall, levels });
  }

  /** What is in no region is computation, but not on a stream. */
  paintGround(context, row, boxes, y, height) {
    if (!boxes.length || this.trace.rows[row][4]) return;
    const left = Math.max(GUTTER, this.xOf(boxes[0].begin));
    const right = Math.min(GUTTER + this.width, this.xOf(boxes.reduce((end, box) => Math.max(end, box.end), 0)));
    context.fillStyle = Colours.uses[0];
    context.globalAlpha = 0.55;
    context.fillRect(left, y + 1, Math.max(0, right - left), height - 3);
    context.globalAlpha = 1;
  }

  inkOn(box) {
    const dark = document.documentElement.classList.contains('dark');
    if (box.use === 0 || box.use === 11) return dark ? Colours.known.text : Colours.known.ink;
    return Colours.known.ink;
  }

  /** The text, or its first letters, at least `least` of them, where there is room; else nothing. */
  fitted(context, text, room, least = 1) {
    text = shown(text);
    if (context.measureText(text).width <= room) return text;
    let low = 0;
    let high = text.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (context.measureText(`${text.slice(0, middle)}…`).width <= room) low = middle;
      else high = middle - 1;
    }
    return low >= least ? `${text.slice(0, low)}…` : '';
  }

  /** Of how many steps one is marked, for marks at least so many pixels apart: 1, 2, 5, 10 ... */
  stepStride(pixels) {
    const { steps } = this.steps;
    if (steps.length < 2) return 1;
    const [first, last] = [steps[0], steps[steps.length - 1]];
    const apart = (this.xOf(last[1]) - this.xOf(first[1])) / (last[0] - first[0]);
    for (let power = 1; power < 1e15; power *= 10) {
      for (const stride of [1, 2, 5]) if (apart * stride * power >= pixels) return stride * power;
    }
    return Infinity;
  }

  paintSteps(context, height) {
    const stride = this.stepStride(26);
    context.strokeStyle = Colours.known.steps;
    for (const [step, tick] of this.steps.steps) {
      const x = Math.round(this.xOf(tick)) + 0.5;
      const selected = this.selection.step === step;
      if (x < GUTTER || (step % stride !== 0 && !selected)) continue;
      context.lineWidth = selected ? 2.5 : 1;
      context.setLineDash(selected ? [] : [4, 3]);
      context.beginPath();
      context.moveTo(x, AXIS + OVERVIEW);
      context.lineTo(x, Math.min(height, this.bottom));
      context.stroke();
    }
    context.setLineDash([]);
    context.lineWidth = 1;
  }

  /** Messages between visible rows as lines {message, x, y, x2, y2} on the canvas. */
  arrowLines() {
    const middles = new Map();
    for (const line of this.visibleLines()) {
      if (line.row !== undefined) middles.set(line.row, AXIS + OVERVIEW + line.top - this.scroll + line.height / 2);
    }
    return this.messages.filter(([from, , , to]) => middles.has(from) && middles.has(to)).map((message) =>
      ({ message, x: this.xOf(message[2]), y: middles.get(message[0]), x2: this.xOf(message[5]), y2: middles.get(message[3]) }))
      .filter(({ x, x2 }) => x2 >= GUTTER && x <= GUTTER + this.width);
  }

  paintMessages(context) {
    const lines = this.arrowLines();
    for (const line of lines) {
      const { message, x, y, x2, y2 } = line;
      const chosen = this.isChosen(message[0], message[1]) || this.isChosen(message[3], message[4]);
      context.strokeStyle = context.fillStyle = chosen ? Colours.known.mark : Colours.known.arrow;
      context.globalAlpha = chosen || lines.length <= 400 ? 1 : 0.45;
      context.lineWidth = chosen ? 2 : 1;
      context.beginPath();
      context.moveTo(Math.max(x, GUTTER), y + (y2 - y) * (x < GUTTER ? (GUTTER - x) / (x2 - x) : 0));
      context.lineTo(x2, y2);
      context.stroke();
      const angle = Math.atan2(y2 - y, x2 - x);
      context.beginPath();
      context.moveTo(x2, y2);
      context.lineTo(x2 - 7 * Math.cos(angle - 0.35), y2 - 7 * Math.sin(angle - 0.35));
      context.lineTo(x2 - 7 * Math.cos(angle + 0.35), y2 - 7 * Math.sin(angle + 0.35));
      context.fill();
    }
    context.globalAlpha = 1;
    context.lineWidth = 1;
  }

  /** The arrow below the pointer, if it is nearer than a few pixels. */
  arrowAt(x, y) {
    let best = null;
    const lines = this.arrowLines();
    const near = lines.length > 400 ? 1.5 : 3;
    for (const line of lines) {
      const [dx, dy] = [line.x2 - line.x, line.y2 - line.y];
      const along = Math.max(0, Math.min(1, ((x - line.x) * dx + (y - line.y) * dy) / (dx * dx + dy * dy || 1)));
      const far = Math.hypot(x - line.x - along * dx, y - line.y - along * dy);
      if (far <= near && (!best || far < best.far)) best = { far, message: line.message };
    }
    return best && best.message;
  }

  /** A counter over time with its axis: the mean of the locations as a line, a band from the least to the most. */
  paintCounter(context, y) {
    const { item, from, to } = this.counter;
    const scale = seriesScale(item);
    const area = { left: GUTTER, right: GUTTER + this.width, top: y + 8, bottom: y + COUNTER_ROW - 8 };
    context.fillStyle = Colours.known.panel;
    context.fillRect(0, y, GUTTER + this.width, COUNTER_ROW);
    paintAxes(context, area, { least: scale.least, most: scale.most, text: (value) => numberText(value), room: 62 }, []);
    context.font = FONT;
    context.fillStyle = Colours.known.text;
    context.fillText(this.fitted(context, item.metric, GUTTER - 74), 8, y + COUNTER_ROW / 2 - 8);
    context.fillStyle = Colours.known.dim;
    context.fillText(this.fitted(context, scale.unit, GUTTER - 74), 8, y + COUNTER_ROW / 2 + 8);
    context.save();
    context.beginPath();
    context.rect(area.left, y, this.width, COUNTER_ROW);
    context.clip();
    paintSeries(context, item, (column) => this.xOf(from + (to - from) * column / item.columns.length),
      (value) => area.bottom - (value - scale.least) / (scale.most - scale.least) * (area.bottom - area.top));
    context.restore();
  }

  paintWindow(context, height) {
    if (!this.selection.window) return;
    const window = this.ownWindow();
    const left = Math.max(GUTTER, this.xOf(window[0]));
    const right = Math.min(GUTTER + this.width, this.xOf(window[1]));
    if (right < left) return;
    context.fillStyle = Colours.known.accent;
    context.globalAlpha = 0.13;
    context.fillRect(left, OVERVIEW, right - left, height);
    context.globalAlpha = 1;
    context.fillRect(left, OVERVIEW, 1, height);
    context.fillRect(right - 1, OVERVIEW, 1, height);
    const text = timeText((window[1] - window[0]) * this.seconds, true);
    if (right - left > context.measureText(text).width + 10) {
      context.fillText(text, (left + right) / 2 - context.measureText(text).width / 2, OVERVIEW + AXIS + 10);
    }
  }

  paintAxis(context) {
    const colour = Colours.known;
    context.fillStyle = colour.panel;
    context.fillRect(0, OVERVIEW, GUTTER + this.width, AXIS);
    context.fillStyle = colour.dim;
    const span = (this.to - this.from) * this.seconds;
    const raw = span / Math.max(2, this.width / 130);
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((i) => i * power).find((size) => size >= raw) || raw;
    const fits = (text, x) => x + context.measureText(text).width <= GUTTER + this.width;
    for (let i = Math.ceil(this.from * this.seconds / step); i * step <= this.to * this.seconds; ++i) {
      const x = this.xOf(i * step / this.seconds);
      const text = this.axisText(i * step, step);
      context.fillRect(x, OVERVIEW + AXIS - 6, 1, 6);
      if (fits(text, x + 4)) context.fillText(text, x + 4, OVERVIEW + 9);
    }
    this.paintMarks(context, OVERVIEW + AXIS - 3, (tick) => this.xOf(tick));
    const { steps, count } = this.steps;
    context.fillStyle = colour.mark;
    const stride = this.stepStride(52);
    for (const [number, tick] of steps) {
      const x = this.xOf(tick);
      if (x >= GUTTER && number % stride === 0 && fits(`${number}`, x + 3)) context.fillText(`${number}`, x + 3, OVERVIEW + AXIS - 9);
    }
    context.fillStyle = colour.dim;
    if (count) context.fillText(`${countText(count)} steps`, 8, OVERVIEW + AXIS / 2);
  }

  /** Where a page without a server keeps call by call what else are columns. */
  paintMarks(context, y, place) {
    context.fillStyle = Colours.known.accent;
    for (const [from, to] of this.source.marks) {
      const left = Math.max(GUTTER, place(from));
      const right = Math.min(GUTTER + this.width, place(to));
      if (right >= GUTTER && left <= GUTTER + this.width) context.fillRect(left, y, Math.max(3, right - left), 3);
    }
  }

  /** A moment on the axis, in the unit that suits all that is seen. */
  axisText(seconds, step) {
    const most = this.to * this.seconds;
    const [unit, scale] = most >= 1 ? ['s', 1] : most >= 1e-3 ? ['ms', 1e3] : ['us', 1e6];
    return `${(seconds * scale).toFixed(Math.max(0, -Math.floor(Math.log10(step * scale) + 1e-9)))} ${unit}`;
  }

  /** The whole run as a strip, with what is seen. */
  paintOverview(context) {
    const colour = Colours.known;
    context.fillStyle = colour.back;
    context.fillRect(0, 0, GUTTER + this.width, OVERVIEW);
    const end = this.limit();
    const kept = this.overviewData();
    if (kept) {
      this.painted = [0, end];
      context.globalAlpha = 0.8;
      this.paintColumns(context, kept, 6, OVERVIEW - 12);
      this.painted = null;
    }
    this.paintMarks(context, OVERVIEW - 5, (tick) => GUTTER + tick / end * this.width);
    const left = GUTTER + this.from / end * this.width;
    const right = GUTTER + Math.min(1, this.to / end) * this.width;
    context.globalAlpha = 1;
    context.strokeStyle = colour.line;
    context.strokeRect(GUTTER + 0.5, 5.5, this.width - 2, OVERVIEW - 11);
    context.fillStyle = colour.accent;
    context.globalAlpha = 0.18;
    context.fillRect(left, 3, Math.max(3, right - left), OVERVIEW - 6);
    context.globalAlpha = 1;
    context.strokeStyle = colour.accent;
    context.strokeRect(left + 0.5, 3.5, Math.max(3, right - left) - 1, OVERVIEW - 7);
    context.fillStyle = colour.dim;
    context.fillText(`shows ${timeText((this.to - this.from) * this.seconds, true)}`, 8, OVERVIEW / 2);
  }

  paintScroll(context, height) {
    const room = this.room();
    if (this.total <= room) return;
    const track = room;
    context.fillStyle = Colours.known.dim;
    context.globalAlpha = 0.45;
    context.fillRect(GUTTER + this.width - 7, AXIS + OVERVIEW + this.scroll / this.total * track, 6, Math.max(20, room / this.total * track));
    context.globalAlpha = 1;
  }

  // ---- pointer and keys ----

  listen() {
    const canvas = this.canvas;
    canvas.tabIndex = 0;
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event));
    canvas.addEventListener('pointerleave', () => { Tooltip.hide(); clearTimeout(this.hoverTimer); });
    canvas.addEventListener('dblclick', (event) => { if (event.offsetX > GUTTER) this.zoom(0.4, event.offsetX); });
    canvas.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => { this.arrange(); this.refresh(); }).observe(canvas);
    this.selection.on('time', () => this.refresh());
    for (const what of ['call', 'box', 'window', 'step']) this.selection.on(what, () => this.draw());
    this.selection.on('rows', () => { this.arrange(); this.draw(); });
  }

  wheel(event) {
    event.preventDefault();
    Tooltip.hide();
    if (event.offsetX < GUTTER || event.altKey) {
      this.scrollBy(event.deltaY);
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.pan((event.shiftKey ? event.deltaY : event.deltaX) / this.width);
    } else {
      this.zoom(Math.exp(Math.max(-300, Math.min(300, event.deltaY)) * 0.0022), event.offsetX);
    }
  }

  scrollBy(pixels) {
    this.scroll = Math.max(0, Math.min(this.scroll + pixels, this.total - this.room()));
    this.refresh();
  }

  down(event) {
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(event.pointerId);
    this.selection.tell('active', this);
    const mode = event.offsetY < OVERVIEW && event.offsetX > GUTTER ? 'overview'
      : event.offsetX < GUTTER ? 'rows'
        : event.shiftKey || event.offsetY < OVERVIEW + AXIS ? 'select' : 'pan';
    this.dragged = { mode, x: event.offsetX, y: event.offsetY, from: this.from, to: this.to, scroll: this.scroll, moved: false };
    if (mode === 'overview') this.overviewTo(event.offsetX);
    Tooltip.hide();
  }

  overviewTo(x) {
    const middle = (x - GUTTER) / this.width * this.limit();
    const half = (this.to - this.from) / 2;
    this.show(middle - half, middle + half);
  }

  move(event) {
    const drag = this.dragged;
    if (!drag) { this.hover(event); return; }
    const dx = event.offsetX - drag.x;
    const dy = event.offsetY - drag.y;
    if (Math.abs(dx) + Math.abs(dy) > 3) drag.moved = true;
    if (!drag.moved) return;
    if (drag.mode === 'overview') this.overviewTo(event.offsetX);
    if (drag.mode === 'select') {
      const ticks = [this.tickAt(Math.max(GUTTER, drag.x)), this.tickAt(Math.max(GUTTER, event.offsetX))].sort((a, b) => a - b);
      if (ticks[1] - ticks[0] >= 1) this.selection.set({ window: ticks.map((tick, i) => Math.max(i, Math.round(this.toShared(tick)))) });
    }
    if (drag.mode === 'pan' || drag.mode === 'rows') {
      this.scroll = Math.max(0, Math.min(drag.scroll - dy, this.total - this.room()));
      if (drag.mode === 'rows') { this.refresh(); return; }
      const by = -dx / this.width * (drag.to - drag.from);
      this.show(drag.from + by, drag.to + by);
    }
  }

  up(event) {
    const drag = this.dragged;
    this.dragged = null;
    if (!drag || drag.moved) return;
    if (drag.mode === 'rows') this.clickRow(event);
    else if (drag.mode === 'pan') this.clickBox(event);
    else if (drag.mode === 'select') this.selection.set({ window: null });
  }

  lineAt(y) {
    if (this.counter && y >= this.canvas.clientHeight - COUNTER_ROW) return { counter: this.counter };
    const at = y - AXIS - OVERVIEW + this.scroll;
    return y < AXIS + OVERVIEW ? undefined : this.lines.find((line) => at >= line.top && at < line.top + line.height);
  }

  clickRow(event) {
    const line = this.lineAt(event.offsetY);
    if (!line || line.counter) return;
    if (line.row === undefined) {
      if (!this.collapsed.delete(line.group)) this.collapsed.add(line.group);
      this.arrange();
      this.refresh();
      return;
    }
    const rows = new Set(event.ctrlKey || event.metaKey ? this.selection.rows : []);
    if (this.selection.rows.has(line.row)) rows.delete(line.row);
    else rows.add(line.row);
    this.selection.set({ rows });
  }

  clickBox(event) {
    if (this.lineAt(event.offsetY)?.counter) return;
    const message = this.arrowAt(event.offsetX, event.offsetY);
    if (message) {
      this.selection.set({ box: this.boxOf(message[3], message[4]), call: '' });
      return;
    }
    const found = this.boxAt(event.offsetX, event.offsetY);
    if (found) this.selection.set({ box: this.boxOf(found.row, found.box.call), call: found.box.name });
    else this.selection.set({ box: null, call: '' });
  }

  /** The innermost region below the pointer. */
  boxAt(x, y) {
    const drawn = (this.drawn || []).find((item) => y >= item.y && y < item.y + item.height);
    if (!drawn) return null;
    const tick = this.tickAt(x);
    const near = 2 / this.width * (this.to - this.from);
    const level = drawn.levels > 1 ? Math.floor((y - drawn.y - 1) / drawn.tall) : -1;
    let best = null;
    for (const box of drawn.boxes) {
      if (tick < box.begin - near || tick > box.end + near) continue;
      if (level >= 0 && Math.min(box.depth, drawn.levels - 1) !== level) continue;
      const exact = tick >= box.begin && tick <= box.end;
      if (!best || (exact && !best.exact) || (exact === best.exact && box.depth >= best.box.depth)) best = { row: drawn.row, box, exact };
    }
    return best;
  }

  hover(event) {
    clearTimeout(this.hoverTimer);
    this.hovered = null;
    const { offsetX: x, offsetY: y } = event;
    this.canvas.style.cursor = x < GUTTER || y < OVERVIEW ? 'pointer' : y < OVERVIEW + AXIS ? 'col-resize' : 'default';
    const line = this.lineAt(y);
    if (!line || x < GUTTER) { Tooltip.hide(); return; }
    if (line.counter) { Tooltip.show(event, seriesFacts(line.counter, this.tickAt(x), this.trace)); return; }
    const message = this.arrowAt(x, y);
    if (message) { this.tellMessage(event, message); return; }
    const found = line.row === undefined ? null : this.boxAt(x, y);
    if (found) this.tellBox(event, found);
    else this.tellColumn(event, line, this.tickAt(x));
  }

  tellBox(event, { row, box }) {
    const facts = this.factsOf(row, box);
    this.hovered = box;
    Tooltip.show(event, [el('b', {}, box.name), factTable(facts)]);
    if (box.told) { this.tellMore(event, box, facts, box.told); return; }
    this.hoverTimer = setTimeout(async () => {
      try {
        box.told = await this.source.call(row, box.call);
        if (this.hovered === box && !document.getElementById('tooltip').hidden) this.tellMore(event, box, facts, box.told);
      } catch (error) { /* the page does not keep it */ }
    }, 140);
  }

  tellMessage(event, message) {
    const [row, call, sent, to, receive, received, bytes, tag, communicator] = message;
    const title = el('b', {}, `${byteText(bytes)} from ${this.labelOf(row)} to ${this.labelOf(to)}`);
    const facts = [['tag', tag], ['communicator', communicator], ['sent', momentText(sent * this.seconds, (this.to - this.from) * this.seconds)],
      ['on its way', timeText((received - sent) * this.seconds, true)]];
    this.canvas.style.cursor = 'pointer';
    this.hovered = message;
    Tooltip.show(event, [title, factTable(facts)]);
    this.hoverTimer = setTimeout(async () => {
      const found = (await this.source.received(to, receive)).messages.find((item) => item.received && item.received.call === receive
        && item.sent.call === call && item.sent.location === this.trace.rows[row][0]);
      if (!found || this.hovered !== message || document.getElementById('tooltip').hidden) return;
      facts.push(['calls', `${found.sent.name} → ${found.received.name}`], ['step', found.step], ['receiver waited', found.late ? waitSentence(found) : 'no: it was sent before']);
      Tooltip.show(event, [title, factTable(facts)]);
    }, 140);
  }

  factsOf(row, box) {
    return [['where', this.labelOf(row)], ['begin', momentText(box.begin * this.seconds, (this.to - this.from) * this.seconds)],
      ['duration', box.open ? 'continues' : timeText((box.end - box.begin) * this.seconds, true)], ['class', this.trace.uses[box.use]]];
  }

  tellMore(event, box, facts, told) {
    Tooltip.show(event, [el('b', {}, box.name), factTable([...facts, ...moreFacts(told)])]);
  }

  tellColumn(event, line, tick) {
    const kept = this.bestOf(line.row === undefined ? `g${line.group}` : line.row);
    if (!kept || !kept.uses || (line.row === undefined && !line.closed)) { Tooltip.hide(); return; }
    const columns = kept.shares.length / Math.max(1, kept.uses.length);
    const column = Math.floor((tick - kept.from) / (kept.to - kept.from) * columns);
    const facts = kept.uses.map((use, i) => [this.trace.uses[use], kept.shares[column * kept.uses.length + i] / 255])
      .filter(([, share]) => share > 0).sort((a, b) => b[1] - a[1]).map(([name, share]) => [name, shareText(share)]);
    if (!facts.length) { Tooltip.hide(); return; }
    const length = (kept.to - kept.from) / columns * this.seconds;
    const who = line.row === undefined ? `${line.group}: mean of ${line.samples.length} of ${line.rows.length}` : this.labelOf(line.row);
    Tooltip.show(event, [el('b', {}, who), factTable([['at', momentText(tick * this.seconds, length * 20)], ['average over', timeText(length)], ...facts])]);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      w: () => this.zoom(0.6), '+': () => this.zoom(0.6), '=': () => this.zoom(0.6), s: () => this.zoom(1 / 0.6), '-': () => this.zoom(1 / 0.6),
      a: () => this.pan(-0.2), arrowleft: () => this.pan(-0.2), d: () => this.pan(0.2), arrowright: () => this.pan(0.2),
      arrowup: () => this.scrollBy(-ROW * 2), arrowdown: () => this.scrollBy(ROW * 2), pageup: () => this.scrollBy(-this.room()), pagedown: () => this.scrollBy(this.room()),
      home: () => this.showHome(), z: () => this.zoomToSelection(), '[': () => this.moveStep(-1), ']': () => this.moveStep(1),
    };
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** The window that is selected, in whole ticks of this file. */
  ownWindow() {
    const [begin, end] = this.selection.window.map((tick) => Math.max(0, Math.round(this.toOwn(tick))));
    return [begin, Math.max(begin + 1, end)];
  }

  /** All programs between MPI_Init and MPI_Finalize, from the beginning of the first to the end of the longest. */
  showHome() {
    const to = Math.max(...this.peers.map((peer) => peer.toShared(peer.home[1])));
    this.peers[0].show(this.peers[0].home[0], to);
  }

  /** The same with what comes before and after. */
  showProgram() {
    const [from, to] = [0, 1].map((end) => this.peers.map((peer) => peer.toShared(peer.trace.program[end])));
    this.peers[0].show(Math.min(...from), Math.max(...to));
  }

  /** A call as the selection has it: row and call, and the file if it is not the first. */
  boxOf(row, call) { return this.file === 0 ? [row, call] : [row, call, this.file]; }

  isChosen(row, call) {
    const { box } = this.selection;
    return box !== null && box[0] === row && box[1] === call && (box[2] || 0) === this.file;
  }

  zoomToSelection() {
    if (this.selection.window) this.peers[0].show(...this.selection.window);
    else if (this.selection.box) this.selection.tell('goto', this.selection.box);
  }

  async moveStep(by) {
    const row = this.visibleRows()[0];
    if (row === undefined) return;
    const all = await this.source.steps(row, 0, this.limit());
    if (!all.count) return;
    const middle = (this.from + this.to) / 2;
    let at = all.steps.findIndex(([, tick]) => tick > middle) - 1;
    if (at === -2) at = all.steps.length - 1;
    if (this.selection.step !== null) at = all.steps.findIndex(([step]) => step === this.selection.step);
    at = Math.max(0, Math.min(all.steps.length - 1, at + by));
    const begin = all.steps[at][1];
    const end = at + 1 < all.steps.length ? all.steps[at + 1][1] : this.home[1];
    this.selection.set({ step: all.steps[at][0] });
    const margin = (end - begin) * 0.15;
    this.show(begin - margin, end + margin);
  }
}

/** "1.9 ms for rank 10, 3.9 kB, tag 1024, sent 1.7 ms late": a message of trace_inspect messages that its receiver waited for. */
function waitSentence({ sender, bytes, tag, late, received }) {
  return `${timeText(received.duration)} for rank ${sender}, ${byteText(bytes)}, tag ${tag}, sent ${timeText(late)} late`;
}

/** What `calls` says of a call, as rows of a tooltip. */
function moreFacts(told) {
  const facts = [];
  if (told.path.length) facts.push(['in', told.path.join(' / ')]);
  if (told.region_ticks !== undefined && told.rate) facts.push(['duration', timeText(told.region_ticks / told.rate, true)]);
  if (told.step !== undefined) facts.push(['step', told.step]);
  for (const record of told.listed.records.slice(0, 6)) {
    const words = Object.entries(record.fields).map(([name, value]) =>
      `${name} ${Array.isArray(value) ? value.slice(0, 4).join(', ') + (value.length > 4 ? ', …' : '') : name === 'bytes' || name === 'sent' || name === 'received' ? byteText(value) : value}`);
    if (words.length) facts.push([record.type, words.join(', ')]);
  }
  const more = told.listed.records.length - 6;
  if (more > 0) facts.push(['', `and ${more} more records`]);
  return facts;
}
