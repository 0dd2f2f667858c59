// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Measures the contrast of every text of a page with what is painted below it, as WCAG 2 defines it, and
// appends the result as JSON in an element "contrast": how many texts there are, and those below LEAST.
(() => {
  const LEAST = 4.5;
  const parse = (color) => {
    const parts = (color.match(/[\d.]+/g) || []).map(Number);
    if (parts.length < 3) return null; // "none", "transparent" in SVG
    return { rgb: parts.slice(0, 3).map((part) => part / 255), alpha: parts.length > 3 ? parts[3] : 1 };
  };
  const over = (top, alpha, below) => top.map((part, i) => part * alpha + below[i] * (1 - alpha));

  // What invert() and hue-rotate(180deg) make of a colour; other filters are not used.
  const clamp = (part) => Math.min(Math.max(part, 0), 1);
  const HALF_TURN = [[-0.574, 1.43, 0.144], [0.426, 0.43, 0.144], [0.426, 1.43, -0.856]];
  const filtered = (rgb, filter) => {
    const invert = /invert\(([\d.]+)\)/.exec(filter);
    if (invert) rgb = rgb.map((part) => part * (1 - 2 * invert[1]) + Number(invert[1]));
    if (/hue-rotate/.test(filter)) {
      rgb = HALF_TURN.map((row) => clamp(row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2]));
    }
    return rgb;
  };
  const shown = (rgb, element) => {
    for (let at = element; at; at = at.parentElement) {
      const filter = getComputedStyle(at).filter;
      if (filter && filter !== "none") rgb = filtered(rgb, filter);
    }
    return rgb;
  };

  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };

  const isPicture = (element) => element instanceof SVGElement;
  const opacity = (element) => {
    let product = 1;
    for (let at = element; at; at = at.parentElement) product *= Number(getComputedStyle(at).opacity);
    return product;
  };
  // The paint of an element itself; null if it has none.
  const paint = (element, isText) => {
    const style = getComputedStyle(element);
    const color = parse(isPicture(element) ? style.fill : isText ? style.color : style.backgroundColor);
    if (!color || (isPicture(element) && !isText && element.tagName === "svg")) return null;
    const share = isPicture(element) ? Number(style.fillOpacity) : 1;
    return { rgb: shown(color.rgb, element), alpha: color.alpha * share * opacity(element) };
  };
  const background = (element, x, y) => {
    const stack = document.elementsFromPoint(x, y);
    const layers = [];
    for (const below of stack.slice(Math.max(stack.indexOf(element), 0))) {
      if (below === element && isPicture(below)) continue;
      if (isPicture(below) && ["text", "tspan"].includes(below.tagName)) continue;
      const layer = paint(below, false);
      if (layer && layer.alpha > 0) layers.push(layer);
      if (layer && layer.alpha >= 1) break;
    }
    return layers.reduceRight((rgb, layer) => over(layer.rgb, layer.alpha, rgb), [1, 1, 1]);
  };

  const result = { texts: 0, poor: [] };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || ["title", "desc", "STYLE", "SCRIPT"].includes(element.tagName)) continue;
    if (!element.checkVisibility()) continue; // in a group that is closed
    element.scrollIntoView({ block: "center", inline: "center" });
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
    if (boxes.length === 0) continue;
    // Of a listing that is higher than the window, a line that can be seen.
    const box = boxes.find((line) => line.top >= 0 && line.bottom <= innerHeight) || boxes[0];
    const text = paint(element, true);
    if (!text) continue;
    const below = background(element, box.left + Math.min(box.width / 2, 20), box.top + box.height / 2);
    const ratio = contrast(over(text.rgb, text.alpha, below), below);
    ++result.texts;
    if (ratio < LEAST) result.poor.push([Math.round(ratio * 100) / 100, element.tagName, node.data.trim().slice(0, 60)]);
  }
  const place = document.createElement("pre");
  place.id = "contrast";
  place.textContent = JSON.stringify(result);
  document.body.append(place);
})();
