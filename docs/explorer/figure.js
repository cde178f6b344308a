'use strict';

/**
 * What a figure of a lesson can show, and what becomes of it when a reader pulls: everything about
 * the "live" part of a picture in docs/pictures/pictures.json that needs no page. tests/docs asks
 * the emulator about every state that a reader can get to.
 *
 *   kind      "request": bytes of global memory; "banks": words of shared memory; "shuffles": what
 *             lanes add up
 *   code      the line of the source that does it; for shuffles, one for each form
 *   element   the part of it that names the element, or makes the exchange
 *   terms     its words that have a value: the name of a setting, or what a lane has ("lane", "x")
 *   always    settings that every state has, as the explorer's links have them
 *   states    what the text speaks of: words, settings, and the costs that the text names;
 *             the first is shown at first
 *   sliders   settings that the reader moves: from `least` to `most`, or one of `values`
 *   facts     which numbers stand below
 *
 * @namespace
 */
const ExplorerFigure = (() => {
  const inNode = typeof module !== 'undefined';
  const model = inNode ? require('./model.js') : ExplorerModel;
  const shuffle = inNode ? require('./shuffle.js') : ExplorerShuffle;

  const {plural, ...parts} = inNode ? require('./parts.js') : ExplorerParts;

  /** All that a slider can be set to, in order. */
  const valuesOf = (slider) => slider.values ||
      Array.from({length: slider.most - slider.least + 1}, (_, i) => slider.least + i);

  /** The settings with one slider as near to `wanted` as it gets. */
  function moved(s, slider, wanted) {
    const nearest = valuesOf(slider).reduce(
        (best, value) => Math.abs(value - wanted) < Math.abs(best - wanted) ? value : best);
    return {...s, [slider.name]: nearest};
  }

  const accessOf = (s, lane) => model.accesses(s).find((access) => access.lane === lane);

  /** The wavefronts in which a lane's words come, from 1. */
  const wavefrontsOf = (s, lane) =>
      model.passes(s).flatMap((banks, pass) => banks.some((word) => word && word.lanes.includes(lane)) ? [pass + 1] : []);

  /** A request to memory; a lane is pulled to an element. */
  const memory = {
    links: model,
    lanes: (s) => model.accesses(s).map(({lane}) => lane),
    code: (figure) => figure.code,
    element: (figure) => figure.element,
    value: (s, lane, term) => accessOf(s, lane)[term] ?? s[term],
    figures: (s) => parts.figures(s, model.cost(s)),
    verdict: (s) => parts.verdict(s, model.cost(s)),

    pulled(figure, s, lane, element) {
      const access = accessOf(s, lane);
      const steps = {stride: access.col, pitch: access.row, offset: 1};
      const slider = figure.sliders.find(({name}) => steps[name] > 0);
      return slider ? moved(s, slider, s[slider.name] + (element - access.index) / steps[slider.name]) : s;
    },

    words(s, lane) {
      const {index, address} = accessOf(s, lane);
      const last = address + s.bytes - 1;
      if (s.memory !== 'shared') {
        const bytes = s.bytes > 1 ? `bytes ${address} to ${last}` : `byte ${address}`;
        return `is element ${index}: ${bytes}, in sector ${Math.floor(address / model.kSector)}.`;
      }
      const word = Math.floor(address / model.kBank);
      return `is word ${word}, in bank ${word % model.kBanks}; wavefront ${wavefrontsOf(s, lane).join(' and ')}.`;
    },
  };

  /** "lanes 0-3, 12 (2 times)" for counts of lanes. */
  function summands(counts) {
    const once = counts.flatMap((count, of) => count === 1 ? [of] : []);
    const often = counts.flatMap((count, of) => count > 1 ? [`${of} (${count} times)`] : []);
    return `${once.length + often.length === 1 ? 'lane' : 'lanes'} ${[...(once.length > 0 ? [parts.ranges(once)] : []), ...often].join(', ')}`;
  }

  /** Shuffles that add up a warp; a lane is pulled to the number of shuffles that are done. */
  const shuffles = {
    links: shuffle,
    lanes: (s) => Array.from({length: s.lanes}, (_, lane) => lane),
    // A mask of all lanes and one of some have different names in the source.
    code: (figure, s) => withMask(figure.code[s.form], s),
    element: (figure, s) => withMask(figure.element[s.form], s),
    value: (s, lane, term) => term === 'mask' ? shuffle.maskOf(s) : shuffle.offsetOf(s, Math.max(1, s.steps)),
    pulled: (figure, s, lane, steps) => moved(s, figure.sliders.find(({name}) => name === 'steps'), steps),

    words(s, lane) {
      const rows = shuffle.held(s), counts = rows[s.steps][lane];
      if (s.steps === 0) return '; before the first shuffle, it holds its own value.';
      if (counts) return `; after ${plural(s.steps, 'shuffle')}, it holds the sum of ${summands(counts)}.`;
      const step = rows.findIndex((row) => !row[lane]), source = shuffle.sourceOf(s, step, lane);
      return source < s.lanes ? `; undefined since shuffle ${step}, which brought what is undefined in lane ${source}.` :
                                `; undefined since shuffle ${step}, which read from lane ${source}: the mask does not name it.`;
    },

    states(s) {
      const rows = shuffle.held(s);
      return Array.from({length: s.lanes}, (_, lane) => shuffle.stateOf(s, lane, rows[s.steps][lane]));
    },

    figures(s) {
      const states = shuffles.states(s), count = (state) => states.filter((one) => one === state).length;
      return [['shuffles', s.steps], ['lanes with the sum', count('whole')], ['with repeats', count('repeated')],
              ['undefined', count('undefined')]];
    },

    verdict(s) {
      const states = shuffles.states(s), count = (state) => states.filter((one) => one === state).length;
      const what = s.form === 'up' ? 'the sum of itself and all lanes below' : 'the sum of all';
      const holders = count('whole');
      return `After ${plural(s.steps, 'shuffle')}, ${holders} of ${plural(s.lanes, 'lane')} ${holders === 1 ? 'holds' : 'hold'} ${what}.` +
          (count('undefined') > 0 ? ` What ${plural(count('undefined'), 'lane')} ` +
               `${count('undefined') === 1 ? 'holds' : 'hold'} is undefined.` : '');
    },
  };

  const withMask = (text, s) => text.replace(/\b(kWholeWarp|mask)\b/, s.lanes === model.kWarp ? 'kWholeWarp' : 'mask');

  const kinds = {request: memory, banks: memory, shuffles};
  const kindOf = (figure) => kinds[figure.kind];

  /** The settings of one of the figure's states. */
  const settingsOf = (figure, state) =>
      kindOf(figure).links.fromHash([figure.always, state.settings].filter(Boolean).join('&'));

  const toHash = (figure, s) => kindOf(figure).links.toHash(s);

  /** Every setting that a reader can get to. */
  function reachable(figure) {
    const found = new Map();
    for (const state of figure.states) {
      let all = [settingsOf(figure, state)];
      for (const slider of figure.sliders)
        all = all.flatMap((s) => valuesOf(slider).map((value) => ({...s, [slider.name]: value})));
      for (const s of [settingsOf(figure, state), ...all]) found.set(toHash(figure, s), s);
    }
    return [...found.values()];
  }

  /** The settings once somebody has pulled a lane to a place of the picture. */
  const pulled = (figure, s, lane, to) => kindOf(figure).pulled(figure, s, lane, to);

  /** A text of the figure in pieces: {text, term}, where the term is null between the words. */
  function pieces(figure, text) {
    const words = new RegExp(`\\b(${Object.keys(figure.terms).join('|')})\\b`);
    return text.split(words).map((piece, i) => ({text: piece, term: i % 2 === 1 ? figure.terms[piece] : null}))
        .filter((piece) => piece.text !== '');
  }

  /** The code in pieces; what stands outside of the element has no terms. */
  function codeOf(figure, s) {
    const {code, element} = kindOf(figure);
    const [before, ...after] = code(figure, s).split(element(figure, s));
    return [{text: before, term: null}, ...pieces(figure, element(figure, s)), {text: after.join(element(figure, s)), term: null}];
  }

  /** The element's expression with the values that a lane has. */
  const valued = (figure, s, lane) => pieces(figure, kindOf(figure).element(figure, s))
      .map(({text, term}) => term === null ? text : String(kindOf(figure).value(s, lane, term))).join('');

  /** What a lane asks for, or holds, in a sentence. */
  function laneWords(figure, s, lane) {
    const words = kindOf(figure).words(s, lane);
    return `Lane ${lane}: ${valued(figure, s, lane)}${words.startsWith(';') ? '' : ' '}${words}`;
  }

  return {valuesOf, kindOf, settingsOf, toHash, reachable, pulled, codeOf, valued, laneWords};
})();

if (typeof module !== 'undefined') module.exports = ExplorerFigure;
