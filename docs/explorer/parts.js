'use strict';

/**
 * What the explorer and the figures of the lessons have in common: elements, marks and words.
 *
 * @namespace
 */
const ExplorerParts = (() => {
  const model = typeof module !== 'undefined' ? require('./model.js') : ExplorerModel;

  /** An element of the page. */
  function make(name, attributes = {}, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }

  /** An element of a picture, at the end of `parent`. */
  function draw(parent, name, attributes, text) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    parent.append(node);
    return node;
  }

  const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
  const percent = (value) => `${Number(value.toFixed(1))} %`;

  /** "0-3, 7" for 0, 1, 2, 3 and 7. */
  function ranges(numbers) {
    const sorted = [...numbers].sort((a, b) => a - b), texts = [];
    for (let i = 0; i < sorted.length;) {
      let last = i;
      while (sorted[last + 1] === sorted[last] + 1) ++last;
      texts.push(last > i ? `${sorted[i]}\u2013${sorted[last]}` : `${sorted[i]}`);
      i = last + 1;
    }
    return texts.join(', ');
  }

  /** The lanes' numbers if they fit into so many pixels, else how many lanes there are, else nothing. */
  function laneLabel(lanes, width) {
    const letter = 6.4;
    for (const text of [ranges(lanes), `\u00d7${lanes.length}`])
      if (text.length * letter <= width - 1 && (lanes.length > 1 || !text.startsWith('\u00d7'))) return text;
    return '';
  }

  const differentSectors = (s) => model.sectorVisits(s, model.accesses(s)).size;

  /** Whether atomics visit a sector more than once. */
  const isRepeated = (s, cost) => cost.sectors > differentSectors(s);

  /** Of sectors that are visited once. */
  const movedBytes = (cost) => cost.sectors * model.kSector;

  /** What a request of these settings costs, in a sentence. */
  function verdict(s, cost) {
    const active = model.accesses(s).length;
    if (s.memory === 'shared') {
      const more = cost.wavefronts - cost.wavefrontsIdeal;
      return `One request of ${plural(active, 'lane')} takes ${plural(cost.wavefronts, 'wavefront')}. ` +
          (more > 0 ? `Without bank conflicts, ${cost.wavefrontsIdeal} would do.` : 'There is no bank conflict.');
    }
    const asked = `${plural(active, 'lane')} ${active === 1 ? 'asks' : 'ask'} for ${plural(cost.bytes, 'byte')} in `;
    if (isRepeated(s, cost))
      return `${asked}${plural(differentSectors(s), 'sector')}. Atomics on one word follow one another: sectors are visited ` +
          `${cost.sectors} times.`;
    return `${asked}${plural(cost.sectors, 'sector')} and ${plural(cost.lines, 'line')}: ` +
        `${movedBytes(cost)} bytes move, ${percent(cost.efficiencyPct)} of them of use.`;
  }

  /** The same as pairs of a name and a number. */
  function figures(s, cost) {
    return s.memory === 'shared' ?
        [['wavefronts', cost.wavefronts], ['ideal', cost.wavefrontsIdeal],
         ['efficiency', percent(100 * cost.wavefrontsIdeal / cost.wavefronts)]] :
        [['sectors', cost.sectors], ['lines', cost.lines], ['bytes asked for', cost.bytes],
         ...(isRepeated(s, cost) ? [] : [['bytes moved', movedBytes(cost)]]), ['efficiency', percent(cost.efficiencyPct)],
         ['efficiency by line', percent(cost.lineEfficiencyPct)]];
  }

  return {make, draw, plural, ranges, laneLabel, verdict, figures};
})();

if (typeof module !== 'undefined') module.exports = ExplorerParts;
