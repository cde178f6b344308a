'use strict';

/**
 * What the lanes of a warp hold while they add up by shuffles: of which lanes, and how often of
 * each. tests/docs asks the emulator about every setting. Nothing here knows of the page.
 *
 * @namespace
 */
const ExplorerShuffle = (() => {
  const base = typeof module !== 'undefined' ? require('./model.js') : ExplorerModel;
  const {kWarp} = base;
  const kSteps = 5;

  const {defaults, toHash, fromHash} = base.links({
    form: {first: 'xor', choices: ['xor', 'down', 'up']},
    steps: {first: kSteps, least: 0, most: kSteps},
    lanes: {first: kWarp, least: 1, most: kWarp},  // that the mask names, from lane 0 on
  });

  /** How far away the lane is that a step reads from; steps count from 1. */
  const offsetOf = (s, step) => s.form === 'up' ? 1 << (step - 1) : kWarp >> step;

  /** The lane that a lane reads from, whether the mask names it or not; null if it adds nothing. */
  function sourceOf(s, step, lane) {
    const offset = offsetOf(s, step);
    switch (s.form) {
      case 'xor': return lane ^ offset;
      case 'down': return lane + offset < kWarp ? lane + offset : lane;  // nobody there: its own
      default: return lane >= offset ? lane - offset : null;             // the source has an if
    }
  }

  /** [step][lane]: how often each lane's value is in what it holds, or null where that is undefined. */
  function held(s) {
    const rows = [Array.from({length: s.lanes}, (_, lane) => Array.from({length: kWarp}, (_, of) => of === lane ? 1 : 0))];
    for (let step = 1; step <= s.steps; ++step) {
      const before = rows[step - 1];
      rows.push(before.map((own, lane) => {
        const source = sourceOf(s, step, lane);
        if (source === null) return own;
        if (!own || source >= s.lanes || !before[source]) return null;
        return own.map((count, of) => count + before[source][of]);
      }));
    }
    return rows;
  }

  /** The lanes whose values a lane is to have in the end. */
  const wantedOf = (s, lane) => s.form === 'up' ? lane + 1 : s.lanes;

  /** "undefined", "whole" (each wanted lane once), "repeated" (some lane more than once) or "part". */
  function stateOf(s, lane, counts) {
    if (!counts) return 'undefined';
    if (counts.some((count) => count > 1)) return 'repeated';
    const wanted = wantedOf(s, lane);
    return counts.every((count, of) => count === (of < wanted ? 1 : 0)) ? 'whole' : 'part';
  }

  /** [step]: the lanes that what `lane` holds after the last step has come through. */
  function treeOf(s, lane) {
    const rows = [new Set([lane])];
    for (let step = s.steps; step > 0; --step) {
      const sources = [...rows[0]].map((one) => sourceOf(s, step, one)).filter((one) => one !== null);
      rows.unshift(new Set([...rows[0], ...sources]));
    }
    return rows;
  }

  const maskOf = (s) => `0x${(2 ** s.lanes - 1).toString(16)}`;

  return {defaults, toHash, fromHash, kSteps, offsetOf, sourceOf, held, stateOf, treeOf, maskOf};
})();

if (typeof module !== 'undefined') module.exports = ExplorerShuffle;
