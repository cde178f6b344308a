// Predictions: the reader commits to a guess before the answer opens. Without this script, and on
// paper, the question and its folded answer stay as written.
'use strict';

/** Numbers as readers write them, and their distance from the true value. */
const Guess = (() => {
  /** Other ways to write a unit after a number. */
  const kAlso = {
    times: ['x', '\u00d7'],
    percent: ['%', 'per cent'],
    microseconds: ['us', '\u00b5s', '\u03bcs'],
    'tflop/s': ['tflops', 'tflop'],
  };

  const isUnit = (text, unit) => {
    const whole = unit.toLowerCase(), first = whole.split(' ')[0];
    const all = ['', whole, first, first.replace(/s$/, ''), ...(kAlso[first] || [])];
    return all.includes(text.toLowerCase());
  };

  /** Turns "1,234.5", "1.234,5", "1 234,5" or "2,5" into plain digits; null if it is ambiguous. */
  function plain(digits) {
    if (/^\d+\.?$|^\d*\.\d+$/.test(digits)) return digits;
    if (/^\d{1,3}( \d{3})+([.,]\d+)?$/.test(digits))
      return digits.replace(/ /g, '').replace(',', '.');
    if (/^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(digits)) return digits.replace(/,/g, '');
    if (/^[1-9]\d{0,2}((\.\d{3})+,\d+|(\.\d{3}){2,})$/.test(digits))
      return digits.replace(/\./g, '').replace(',', '.');
    return /^\d*,\d+$/.test(digits) ? digits.replace(',', '.') : null;
  }

  /** Parses what the reader has written: returns {value}, or {fault} in words. */
  function read(text, unit) {
    const tidy = text.replace(/[\s_'\u2019]+/g, ' ').replace(/\u2212/g, '-').trim();
    if (tidy === '') return {fault: 'A number first: a rough one will do.'};
    const parts =
        tidy.match(/^(?:about |[~\u2248] ?)?([+-]?) ?([\d., ]*\d\.?)(?:e([+-]?\d+))? ?([^\d]*)$/i);
    const digits = parts && plain(parts[2]);
    const value = digits ? Number(`${parts[1]}${digits}e${parts[3] || 0}`) : NaN;
    if (!Number.isFinite(value)) return {fault: 'One number, please: 12, 2.5, 1,000 or 1e6.'};
    if (!isUnit(parts[4].trim(), unit)) return {fault: `Just the number: the unit is ${unit}.`};
    return {value};
  }

  /** Formats a number for the reader: "1,000,000", "2.5". */
  function shown(value) {
    const size = Math.abs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-6)) return String(value);
    return value.toLocaleString('en-US', {maximumSignificantDigits: size >= 1e6 ? 15 : 6});
  }

  /** Formats a number with its unit: "1 piece", "33 % slower". */
  function withUnit(number, unit) {
    if (unit.startsWith('percent')) return number + unit.replace('percent', '\u00a0%');
    return `${number}\u00a0${number === '1' ? unit.replace(/^([a-z]+)s\b/, '$1') : unit}`;
  }

  const kWords = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine',
                  'ten', 'eleven', 'twelve'];

  /** Formats a count: "three", "2.4", "120". */
  function factorInWords(factor) {
    const whole = Math.round(factor);
    if (whole < kWords.length && Math.abs(factor / whole - 1) < 0.03) return kWords[whole];
    return factor < 9.95 ? factor.toFixed(1) : shown(Number(factor.toPrecision(2)));
  }

  /** Returns how far a guess is off: "12 % too low", "three times too high", "one too many". */
  function distance(guess, value, unit, isCounted) {
    const off = guess - value, direction = off > 0 ? 'too high' : 'too low';
    if (guess * value < 0) return 'the other way round';
    if (isCounted && Number.isInteger(off) && Math.abs(off) <= 3) {
      const isShare = /^(times|percent)/.test(unit);
      return `${kWords[Math.abs(off)]} ${isShare ? direction : off > 0 ? 'too many' : 'too few'}`;
    }
    if (value === 0) return `${shown(Math.abs(off))} ${direction}`;
    const factor = off > 0 ? guess / value : value / guess;
    if (!Number.isFinite(factor)) return direction;
    if (factor >= 1.95) {
      const words = factorInWords(factor);
      if (words === 'two') return off > 0 ? 'twice as much as it is' : 'half of what it is';
      return `${words} times ${direction}`;
    }
    const percent = Math.round(100 * Math.abs(off / value));
    return `${percent < 1 ? 'less than 1' : percent}\u00a0% ${direction}`;
  }

  /** Judges a guess: returns {near, words, more}. `number` is the value as it is shown. */
  function judged(guess, {value, number, unit, near}) {
    const digits = number.replace(/,/g, ''), decimals = (digits.split('.')[1] || '').length;
    const isShown = guess.toFixed(decimals) === Number(digits).toFixed(decimals);
    if (near > 0 ? isShown : guess === value)
      return {near: true, words: 'Exactly right.', more: ''};
    const words = distance(guess, value, unit, near === 0);
    const sentence = words[0].toUpperCase() + words.slice(1);
    if (near > 0 && Math.abs(guess - value) <= near / 100 * Math.abs(value) * (1 + 1e-9))
      return {near: true, words: `${sentence}: near enough.`, more: ''};
    const more = near > 0 ? `Up to ${near}\u00a0% off is near enough.` : 'This one can be counted.';
    return {near: false, words: `${sentence}.`, more};
  }

  return {read, shown, withUnit, judged};
})();

if (typeof module !== 'undefined') module.exports = Guess;

if (typeof document !== 'undefined') (() => {
  const progress = courseProgress;

  function make(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }

  /** A question with its form, its result and its answer. */
  class Prediction {
    constructor(box, at) {
      const {key, value, number, unit, near} = box.dataset;
      this.box = box;
      this.key = key;
      this.truth = {value: Number(value), number, unit, near: Number(near)};
      this.answer = box.querySelector(':scope > details');
      this.makeForm(at);
      this.result = make('div', {class: 'guess-result', role: 'status', tabindex: '-1'});
      this.answer.before(this.form, this.result);
      const question = box.firstElementChild;
      question.id = `question-${at}`;
      box.setAttribute('role', 'group');
      box.setAttribute('aria-labelledby', question.id);
      box.classList.add('asked');
    }

    makeForm(at) {
      this.field = make('input', {
        type: 'text', inputmode: 'decimal', enterkeyhint: 'done', autocomplete: 'off',
        spellcheck: 'false', placeholder: 'your guess', 'aria-describedby': `fault-${at}`,
      });
      const label = make('label', {class: 'guess-field'},
                         make('span', {class: 'aloud'}, 'Your guess, in '), this.field,
                         make('span', {class: 'guess-unit'}, this.truth.unit));
      this.fault = make('p', {class: 'guess-fault', id: `fault-${at}`, role: 'alert'});
      const skip = make('button', {type: 'button', class: 'as-link'}, 'Show me anyway');
      const commit = make('button', {class: 'commit'}, 'Commit');
      this.form = make('form', {class: 'guess'}, label, commit, skip, this.fault);
      this.form.noValidate = true;
      this.form.addEventListener('submit', (event) => {
        event.preventDefault();
        this.commit();
      });
      skip.addEventListener('click', () => this.open('', false));
      this.field.addEventListener('input', () => this.complain(''));
    }

    complain(fault) {
      this.fault.textContent = fault;
      if (fault) this.field.setAttribute('aria-invalid', 'true');
      else this.field.removeAttribute('aria-invalid');
    }

    commit() {
      const {value, fault} = Guess.read(this.field.value, this.truth.unit);
      this.complain(fault || '');
      if (fault) this.field.focus();
      else this.open(String(value), Guess.judged(value, this.truth).near);
    }

    /** Opens the answer for a guess; an empty guess means that the reader only looked. */
    open(guess, near) {
      progress.remember(this.key, guess, near);
      show();
      this.result.focus({preventScroll: true});
      this.result.scrollIntoView({block: 'nearest'});
    }

    /** Shows the form, or the result. */
    show() {
      const made = progress.guessed(this.key);
      const isOpen = made !== null;
      if (isOpen && made.guess === this.shownGuess) return;
      this.shownGuess = isOpen ? made.guess : null;
      this.box.classList.toggle('answered', isOpen);
      this.answer.open = isOpen;
      this.form.hidden = isOpen;
      this.result.replaceChildren(...(isOpen ? this.resultOf(made.guess) : []));
    }

    resultOf(text) {
      const {value, number, unit} = this.truth;
      const guess = text === '' ? NaN : Number(text);
      if (Number.isNaN(guess)) {
        const truth = make('strong', {}, Guess.withUnit(number, unit));
        return [make('p', {class: 'verdict'}, 'It is ', truth, '.')];
      }
      const {near, words, more} = Guess.judged(guess, this.truth);
      const verdict = make('p', {class: near ? 'verdict near' : 'verdict'},
                           make('strong', {}, words), more && ` ${more}`);
      const largest = Math.max(guess, value, 0);
      const row = (name, className, amount, shown) => {
        const bar = make('span', {class: `bar ${className}`});
        bar.style.width = largest > 0 ? `${100 * Math.max(amount, 0) / largest}%` : '0';
        return make('div', {}, make('dt', {}, name), make('dd', {},
          make('span', {class: 'amount'}, Guess.withUnit(shown, unit)),
          make('span', {class: 'bar-room', 'aria-hidden': 'true'}, bar)));
      };
      return [verdict, make('dl', {class: 'beside'},
                            row('your guess', 'ghost', guess, Guess.shown(guess)),
                            row('it is', 'true', value, number))];
    }

    clear() {
      this.field.value = '';
      this.complain('');
    }
  }

  const predictions = Array.from(document.querySelectorAll('.prediction'),
                                 (box, at) => new Prediction(box, at));
  const tally = make('div', {class: 'tally', hidden: ''});
  predictions[predictions.length - 1]?.box.after(tally);

  /** Shows "Near enough in 2 of 3" when the last answer is open. */
  function showTally() {
    const opened = predictions.filter(({key}) => progress.guessed(key));
    tally.hidden = !opened.includes(predictions[predictions.length - 1]);
    if (tally.hidden) return;
    const near = opened.filter(({key}) => progress.guessed(key).near === true).length;
    const unguessed = opened.filter(({key}) => progress.guessed(key).guess === '').length;
    const open = predictions.length - opened.length;
    const parts = [`Near enough in ${near} of ${opened.length}`];
    if (unguessed > 0) parts.push(`${unguessed} without a guess`);
    if (open > 0) parts.push(`${open} not opened yet`);
    const chapter = progress.scoreOfChapter();
    const elsewhere = chapter.opened > opened.length ?
        ` In this chapter: ${chapter.near} of ${chapter.opened}.` : '';
    const again = make('button', {type: 'button', class: 'as-link'}, 'Try again');
    again.addEventListener('click', () => {
      progress.forget(predictions.map(({key}) => key));
      predictions.forEach((one) => one.clear());
      show();
      predictions[0].field.focus();
    });
    tally.replaceChildren(make('p', {}, `${parts.join(', ')}.${elsewhere}`), again);
  }

  function show() {
    predictions.forEach((one) => one.show());
    showTally();
  }

  show();
  progress.whenElsewhere(show);
})();
