// The code of a ladder's steps: what has changed since the step before, or the whole source. In a
// lesson, a switch stands above the change that the text shows, or at the end of a step's section.
'use strict';

const LadderSteps = (() => {
  const kContext = 3;  // unchanged lines around a change
  const kFewestHidden = 2;
  let loading = null;

  function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  /** The steps of the ladder: a script, so that they load from a disk, too. */
  function load(source) {
    loading ??= new Promise((resolve, reject) => {
      const script = make('script', {src: source, onload: () => resolve(window.courseLadder), onerror: reject});
      document.head.append(script);
    });
    return loading;
  }

  const textOf = (line) => make('div', {innerHTML: line.slice(1)}).textContent;

  /** The function that line `at` of a step lies in, if any: what begins at the left and is called so. */
  function functionAt(lines, at) {
    for (let i = at; i >= 0; --i) {
      const text = textOf(lines[i]);
      if (lines[i][0] === '-' || /^ {5}|[;=]$|^\s*(for|if|while|else|return|reach|#)\b|\bfor_tiles\b/.test(text)) continue;
      if (i < at && /^\}/.test(text)) return '';
      const names = Array.from(text.matchAll(/(\w+)\(/g), ([, name]) => name).filter((name) => !name.startsWith('__'));
      if (/^(__global__|__device__|inline|template|\w+ \w+\()|^ {4}\w+\(/.test(text) && names.length > 0) return names[0];
    }
    return '';
  }

  function lineOf(line, hasMarks) {
    const mark = line[0] === '/' ? ' ' : line[0];
    const element = make('div', {className: `line${mark === '+' ? ' added' : mark === '-' ? ' removed' : ''}`});
    element.innerHTML = (hasMarks ? mark : '') + line.slice(1);
    return element;
  }

  /** A row in the place of lines that are as before; who presses it sees them. */
  function gapOf(lines, at, end) {
    const count = end - at, where = functionAt(lines, end - 1);
    const button = make('button', {type: 'button', className: 'gap-button'},
      `${count} lines as before${where ? `, in ${where}` : ''}`);
    const gap = make('div', {className: 'line gap'}, button);
    button.addEventListener('click', () => {
      const shown = lines.slice(at, end).map((line) => lineOf(line, true));
      const fragment = gap.parentElement;
      gap.replaceWith(...shown);
      fragment.tabIndex = 0;
      fragment.focus({preventScroll: true});
    });
    return gap;
  }

  function changeOf(step) {
    const code = step.lines.filter((line) => line[0] !== '/');
    const isBlank = (line) => line === undefined || line === ' ';
    const lines = code.filter((line, at) => !isBlank(line) || !isBlank(code[at - 1]));
    const isNear = (at) => lines.slice(Math.max(0, at - kContext), at + kContext + 1).some((line) => /[-+]/.test(line[0]));
    const rows = [];
    for (let at = 0; at < lines.length;) {
      let end = at;
      while (end < lines.length && !isNear(end)) ++end;
      if (end - at >= kFewestHidden) {
        rows.push(gapOf(lines, at, end));
        at = end;
      } else {
        rows.push(lineOf(lines[at++], true));
      }
    }
    return rows;
  }

  const wholeOf = (step) => step.lines.filter((line) => line[0] !== '-').map((line) => lineOf(line, false));

  /** Fills a fragment of code with the change of a step or, for "whole", its source. */
  function fill(fragment, step, view) {
    fragment.classList.toggle('diff', view === 'change');
    fragment.replaceChildren(...(view === 'change' ? changeOf(step) : wholeOf(step)));
    fragment.scrollTop = fragment.scrollLeft = 0;
  }

  /**
   * Makes the switch between both views. `choose` is called with the view that is wanted, or null
   * if none is, which only a switch with `canBeOff` allows.
   */
  function makeSwitch({label, view, canBeOff, choose}) {
    const buttons = [['change', 'The change'], ['whole', 'Whole source']].map(([name, words]) => {
      const button = make('button', {type: 'button', ariaPressed: String(name === view)}, words);
      button.dataset.view = name;
      button.addEventListener('click', () => {
        const isOff = button.ariaPressed === 'true';
        if (isOff && !canBeOff) return;
        for (const one of buttons) one.ariaPressed = String(one === button && !isOff);
        choose(isOff ? null : name);
      });
      return button;
    });
    return make('span', {className: 'step-switch', role: 'group', ariaLabel: label}, ...buttons);
  }

  document.querySelectorAll('.step-code').forEach((host) => {
    const {step: number, steps: source} = host.dataset;
    const caption = host.closest('.code-caption');
    let fragment = host === caption ? null : caption.nextElementSibling.querySelector('.fragment');
    const isOfText = fragment !== null;
    async function choose(view) {
      if (view === null) {
        fragment.parentElement.remove();
        fragment = null;
        return;
      }
      const step = (await load(source)).find((one) => one.number === number);
      if (!fragment) {
        fragment = make('div', {className: 'fragment'});
        caption.after(fragment);
        addCopyButton(fragment);
      }
      fill(fragment, step, view);
      markScrollable();
    }
    host.append(makeSwitch({label: `Code of step ${number}`, view: isOfText ? 'change' : null, canBeOff: !isOfText, choose}));
  });

  return {fill, load, make, makeSwitch};
})();
