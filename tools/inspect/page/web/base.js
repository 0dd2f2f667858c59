// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
'use strict';

// What all views share: elements, numbers in words, colours, what is selected and the address.

// As lib/base/utf8.cpp has it: control characters, marks of direction, separators of lines, byte order mark.
const UNPRINTABLE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text with symbols for characters that would change how the rest of the page is read. */
function shown(text) {
  return text.replace(UNPRINTABLE, (c) => c < ' ' ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : c === '\x7f' ? '\u2421' : '\ufffd');
}

/** A field as csv_field() of lib/base/csv_table.cpp writes it; tests/data/csv_fields.json has the cases of both. */
function csvField(value) {
  let text = String(value ?? '').replace(UNPRINTABLE, '?');
  const bare = text.replace(/^ +/, '');
  const isNumber = /^\+?-?(?:(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|inf(?:inity)?|nan(?:\(\w*\))?)$/i.test(bare);
  if (bare.length > 1 && /^[-=+@]/.test(bare) && !isNumber) text = `'${text}`;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An element: el('td', {class: 'x', onclick: f}, 'text', child, ...). */
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : shown(String(value)));
  }
  for (const child of children.flat()) {
    if (child !== undefined && child !== null) node.append(child instanceof Node ? child : shown(String(child)));
  }
  return node;
}

function svgEl(tag, attributes, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  node.append(...children.map((child) => (child instanceof Node ? child : shown(String(child)))));
  return node;
}

// Numbers as the terminal writes them (tools/common/text.cpp); tests/data/numbers.tsv has the cases of both. Details
// of one call or window are `precise`: four significant digits.

const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/** Decimals, with halves rounded to even as C++ does; toFixed() rounds them up. */
function fixed(number, places) {
  if (Math.abs(number * 2 ** (places + 1)) % 2 !== 1) return number.toFixed(places);
  const low = Math.floor(Math.abs(number) * 10 ** places);
  return (Math.sign(number) * (low + low % 2) / 10 ** places).toFixed(places);
}

function scaledText(number, precise) {
  if (precise) return trimmed(Math.abs(number) < 1000 ? number.toPrecision(4) : number.toFixed(0));
  return fixed(number, Math.abs(number) < 99.95 ? 1 : 0);
}

function prefixedText(number, unit) {
  let power = 0;
  if (Math.abs(number) >= 1000) {
    while (Math.abs(number) >= 999.5 && power < PREFIXES.length - 1) { number /= 1000; ++power; }
  }
  const text = power === 0 && Number.isInteger(number) ? String(number) : scaledText(number);
  return `${text} ${PREFIXES[power]}${unit}`.trimEnd();
}

/** 999, 12.4 M; means have a decimal below 100. */
function countText(count) { return count === undefined || count === null ? '' : prefixedText(count, ''); }

/** 1 loop, 12 loops. */
function counted(count, word) { return `${countText(count)} ${word}${count === 1 ? '' : 's'}`; }

/** 337 B, 1.9 GB; null: beyond 64 bits. */
function byteText(bytes) { return bytes === undefined ? '' : bytes === null ? 'overflow' : prefixedText(bytes, 'B'); }

/** 1.2 us, 20.0 ms, 5400 s. */
function timeText(seconds, precise) {
  if (seconds === undefined || seconds === null || Number.isNaN(seconds)) return '';
  if (seconds === 0) return '0 s';
  const [unit, scale] = [['ns', 1e-9], ['us', 1e-6], ['ms', 1e-3]].find(([, scale]) => Math.abs(seconds) / scale < 999.5) || ['s', 1];
  return `${scaledText(seconds / scale, precise)} ${unit}`;
}

function trimmed(number) { return number.includes('.') ? number.replace(/\.?0+$/, '') : number; }

function shareText(share) { return Number.isFinite(share) ? `${fixed(100 * share, 1)} %` : ''; }

/** A moment in seconds, as exact as a window of this width needs. */
function momentText(seconds, width) {
  const unit = width >= 1 || Math.abs(seconds) >= 100 ? ['s', 1] : Math.max(width * 30, Math.abs(seconds)) >= 1 ? ['s', 1]
    : Math.max(width, Math.abs(seconds)) >= 1e-3 ? ['ms', 1e3] : Math.max(width, Math.abs(seconds)) >= 1e-6 ? ['us', 1e6] : ['ns', 1e9];
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(width * unit[1])) + 2));
  return `${(seconds * unit[1]).toFixed(digits)} ${unit[0]}`;
}

/** A duration in words as seconds: "1 ms", "20us"; NaN if it is none. */
function parsedTime(text) {
  const found = /^\s*([0-9]*\.?[0-9]+(?:e[-+]?[0-9]+)?)\s*(ns|us|µs|ms|s|min)?\s*$/i.exec(text);
  if (!found) return NaN;
  return Number(found[1]) * { ns: 1e-9, us: 1e-6, 'µs': 1e-6, ms: 1e-3, s: 1, min: 60 }[(found[2] || 's').toLowerCase()];
}

/** Colours of the style sheet, read again when the theme changes. */
const Colours = {
  uses: [], known: {},
  read() {
    const style = getComputedStyle(document.documentElement);
    this.uses = Array.from({ length: 12 }, (_, use) => style.getPropertyValue(`--use${use}`).trim());
    for (const name of ['back', 'panel', 'line', 'text', 'dim', 'accent', 'accent-back', 'mark', 'hover', 'ink', 'steps', 'arrow', 'heat']) {
      this.known[name] = style.getPropertyValue(`--${name}`).trim();
    }
    this.ofNames = new Map();
    this.patterns = new Map();
  },
  /** Stripes to be painted over a colour. */
  hatching(context) { return this.pattern(context, null); },
  /** The colour of an activity, with stripes if it is a wait, or `waits`. */
  fill(context, use, waits) { return waits ?? WAITING_USES.includes(use) ? this.pattern(context, this.uses[use]) : this.uses[use]; },
  pattern(context, colour) {
    if (!this.patterns.has(colour)) {
      const tile = document.createElement('canvas');
      tile.width = tile.height = 6;
      const ink = tile.getContext('2d');
      if (colour) { ink.fillStyle = colour; ink.fillRect(0, 0, 6, 6); }
      ink.strokeStyle = this.known.back;
      ink.globalAlpha = 0.75;
      ink.lineWidth = 1.5;
      ink.beginPath();
      for (const at of [-6, 0, 6]) { ink.moveTo(at - 1, 7); ink.lineTo(at + 7, -1); }
      ink.stroke();
      this.patterns.set(colour, context.createPattern(tile, 'repeat'));
    }
    return this.patterns.get(colour);
  },
  /** Of a region: that of its activity; the program's own regions have shades of computation by name. */
  of(use, name) {
    if (use !== 0) return this.uses[use];
    let colour = this.ofNames.get(name);
    if (!colour) {
      let hash = 7;
      for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
      const dark = document.documentElement.classList.contains('dark');
      colour = `hsl(${205 + (hash * 47) % 30} ${14 + hash % 14}% ${dark ? 26 + hash % 17 : 74 + hash % 15}%)`;
      this.ofNames.set(name, colour);
    }
    return colour;
  },
};

/** Activities that are waits (TimeUse): they are hatched. */
const WAITING_USES = [7, 9];
/** Activities of functions by name, as the traces tell them. */
const functionUses = new Map();
function useOfName(name) { return functionUses.get(name) ?? (name.startsWith('MPI_') ? 4 : 0); }

/** A swatch of a colour key; `waits`: hatched. */
function swatch(use, waits) {
  return el('i', { class: `swatch${waits ?? WAITING_USES.includes(use) ? ' waits' : ''}`, style: `background-color: var(--use${use})` });
}

/** Round values from the least to the most, about `count` of them. */
function axisTicks(least, most, count) {
  const raw = (most - least) / Math.max(2, count) || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const sizes = [1, 2, 5, 10].map((i) => i * power);
  const step = sizes.find((size) => size >= raw * 0.999 && size <= most - least) || sizes.findLast((size) => size <= most - least) || raw;
  const ticks = [];
  for (let i = Math.ceil(least / step - 1e-9); i * step <= most + step * 1e-9; ++i) ticks.push(i * step);
  return ticks;
}

/**
 * The axes of a plot in the area {left, right, top, bottom}: `y` is {least, most, text(value)}, or {labels: [[y, text], ...]};
 * `x` has [x, text] from left to right, of which those are written that have room.
 */
function paintAxes(context, area, y, x) {
  const labels = y.labels || axisTicks(y.least, y.most, (area.bottom - area.top) / 34)
    .map((value) => [area.bottom - (value - y.least) / (y.most - y.least) * (area.bottom - area.top), y.text(value)]);
  context.font = '11px system-ui, "DejaVu Sans", sans-serif';
  context.textBaseline = 'middle';
  context.lineWidth = 1;
  context.strokeStyle = Colours.known.line;
  context.beginPath();
  for (const [at] of labels) { context.moveTo(area.left - 4, Math.round(at) + 0.5); context.lineTo(area.right, Math.round(at) + 0.5); }
  context.moveTo(area.left - 0.5, area.top);
  context.lineTo(area.left - 0.5, area.bottom + 0.5);
  if (x.length) context.lineTo(area.right, area.bottom + 0.5);
  context.stroke();
  context.fillStyle = Colours.known.dim;
  context.textAlign = 'right';
  for (const [at, text] of labels) context.fillText(text, area.left - 7, at);
  context.textAlign = 'left';
  let right = -Infinity;
  for (const [at, text] of x) {
    const { width } = context.measureText(text);
    const left = Math.max(0, area.left - 6, Math.min(at - width / 2, area.right - width));
    if (left < right + 10) continue;
    context.fillRect(Math.round(at), area.bottom, 1, 4);
    context.fillText(text, left, area.bottom + 12);
    right = left + width;
  }
}

/** Width for the labels of a vertical axis. */
function axisRoom(context, texts) {
  context.font = '11px system-ui, "DejaVu Sans", sans-serif';
  return Math.ceil(Math.max(...texts.map((text) => context.measureText(text).width))) + 10;
}

/** Tells others that something happened. */
class Bus {
  constructor() { this.listeners = new Map(); }
  on(what, listener) {
    if (!this.listeners.has(what)) this.listeners.set(what, []);
    this.listeners.get(what).push(listener);
  }
  tell(what, detail) { for (const listener of this.listeners.get(what) || []) listener(detail); }
}

/**
 * What is looked at and selected, the same in all views, and in the address: view, from and to (ticks),
 * window (selected ticks), call (a name), rows (a set), box ([row, call]), step.
 */
class Selection extends Bus {
  constructor() {
    super();
    this.view = 'timeline';
    this.from = this.to = null;
    this.window = null;
    this.call = '';
    this.rows = new Set();
    this.box = null;
    this.step = null;
    this.timer = 0;
  }

  set(changes, quietly) {
    let changed = false;
    for (const [name, value] of Object.entries(changes)) {
      if (this[name] === value) continue;
      this[name] = value;
      changed = true;
      this.tell(name, value);
    }
    if (changed && !quietly) this.write();
  }

  write() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => history.replaceState(null, '', `#${this.text()}`), 120);
  }

  text() {
    const parts = new URLSearchParams();
    parts.set('view', this.view);
    if (this.from !== null) parts.set('time', `${Math.round(this.from)}-${Math.round(this.to)}`);
    if (this.window) parts.set('window', this.window.map(Math.round).join('-'));
    if (this.call) parts.set('call', this.call);
    if (this.rows.size) parts.set('rows', [...this.rows].join(','));
    if (this.box) parts.set('box', this.box.join(','));
    if (this.step !== null) parts.set('step', this.step);
    return parts.toString();
  }

  read(fragment) {
    const parts = new URLSearchParams(fragment.replace(/^#/, ''));
    const pair = (text) => {
      const found = /^(\d+)-(\d+)$/.exec(text || '');
      return found && Number(found[1]) < Number(found[2]) ? [Number(found[1]), Number(found[2])] : null;
    };
    const numbers = (text) => (text || '').split(',').filter((item) => /^\d+$/.test(item)).map(Number);
    const changes = { call: parts.get('call') || '', window: pair(parts.get('window')), rows: new Set(numbers(parts.get('rows'))) };
    if (parts.get('view')) changes.view = parts.get('view');
    const time = pair(parts.get('time'));
    if (time) [changes.from, changes.to] = time;
    const box = numbers(parts.get('box'));
    changes.box = box.length === 2 || box.length === 3 ? box : null;
    const step = numbers(parts.get('step'));
    changes.step = step.length === 1 ? step[0] : null;
    this.set(changes, true);
  }
}

/** Attributes of an element that a click or Enter activates. */
function activated(act) {
  return { tabindex: 0, onclick: act, onkeydown: (event) => { if (event.key === 'Enter' && event.target === event.currentTarget) { event.preventDefault(); act(event); } } };
}

/** The box beside the pointer. */
const Tooltip = {
  show(event, content) {
    const box = document.getElementById('tooltip');
    box.replaceChildren(...[content].flat());
    box.hidden = false;
    const { width, height } = box.getBoundingClientRect();
    const left = event.clientX + 16 + width > innerWidth ? event.clientX - width - 12 : event.clientX + 16;
    const top = event.clientY + 14 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 14;
    box.style.left = `${Math.max(4, left)}px`;
    box.style.top = `${Math.max(4, top)}px`;
  },
  hide() { document.getElementById('tooltip').hidden = true; },
};

/** Rows of two columns for a tooltip. */
function factTable(facts) {
  return el('table', {}, facts.filter(([, value]) => value !== '' && value !== undefined && value !== null)
    .map(([name, value]) => el('tr', {}, el('td', {}, name), el('td', {}, value))));
}

/** Sets a canvas up for its size on the screen; returns its context and size. */
function prepared(canvas) {
  const ratio = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { context, width, height };
}

function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}
