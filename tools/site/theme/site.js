// The behaviour of pages: colours, the list of pages on small screens, copying code, search.
'use strict';

const byId = (id) => document.getElementById(id);

// --- colours ---------------------------------------------------------------------------------------

const themeToggle = byId('theme-toggle');

function setTheme(dark) {
  const classes = document.documentElement.classList;
  classes.toggle('dark-mode', dark);
  classes.toggle('light-mode', !dark);
  themeToggle.setAttribute('aria-pressed', String(dark));
}

setTheme(document.documentElement.classList.contains('dark-mode'));
themeToggle.addEventListener('click', () => {
  const dark = !document.documentElement.classList.contains('dark-mode');
  setTheme(dark);
  try { localStorage.setItem('theme', dark ? 'dark' : 'light'); } catch (error) { /* no storage */ }
});

// --- the list of pages on small screens --------------------------------------------------------------

const navToggle = byId('nav-toggle');

function showNavigation(open) {
  byId('site-nav').classList.toggle('open', open);
  navToggle.setAttribute('aria-expanded', String(open));
}

navToggle.addEventListener('click', () => showNavigation(navToggle.getAttribute('aria-expanded') === 'false'));

// --- code and tables -----------------------------------------------------------------------------------

/// Returns what a reader would type: the new side of a diff, with a comment where lines are left
/// out.
function textOfCode(fragment) {
  const copy = fragment.cloneNode(true);
  copy.querySelectorAll('.lineno, .ttc, .removed').forEach((node) => node.remove());
  const column = fragment.classList.contains('diff') ? 1 : 0;
  const textOf = (line) => line.classList.contains('gap') ? '// ...' : line.textContent.slice(column);
  return Array.from(copy.querySelectorAll('.line'), (line) => textOf(line).replace(/\u00a0/g, ' ').trimEnd()).join('\n');
}

/// Puts a fragment of code, wherever it stands, into a box with a button that copies it.
function addCopyButton(fragment) {
  const box = document.createElement('div');
  box.className = 'code-box';
  fragment.replaceWith(box);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(textOfCode(fragment));
      button.textContent = 'Copied';
    } catch (error) {
      button.textContent = 'Not allowed';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 1200);
  });
  box.append(fragment, button);
}

// The output of a program is not for copying.
document.querySelectorAll('div.fragment:not(.printed)').forEach(addCopyButton);

// --- the sections of a page ----------------------------------------------------------------------------

// Beside the text, the list is open; above it, it would push the text off the screen.
const contentsList = document.querySelector('.contents-list details');
const besideTheText = matchMedia('(min-width: 1360px)');

function showContents() {
  if (contentsList) contentsList.open = besideTheText.matches;
}

showContents();
besideTheText.addEventListener('change', showContents);

// --- paper ---------------------------------------------------------------------------------------------

// Paper is white, and printed folds cannot be opened.
let afterPrint = [];
addEventListener('beforeprint', () => {
  const isDark = document.documentElement.classList.contains('dark-mode');
  const folded = document.querySelectorAll('main details:not([open], .as-printed)');
  folded.forEach((details) => { details.open = true; });
  if (isDark) setTheme(false);
  afterPrint.push(() => {
    folded.forEach((details) => { details.open = false; });
    if (isDark) setTheme(true);
  });
});
addEventListener('afterprint', () => {
  afterPrint.forEach((restore) => restore());
  afterPrint = [];
});

// Everything that scrolls must be reachable by keyboard.
function markScrollable() {
  document.querySelectorAll('.fragment, .table-scroll, .memproto, tbody, .textblock p:has(> img:only-child), .dots-scroll, .walk-scroll').forEach((element) => {
    const scrolls = ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
    if (scrolls && element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
}
markScrollable();
addEventListener('resize', markScrollable);

// --- search --------------------------------------------------------------------------------------------

const searchField = byId('search-field');
const searchResults = byId('search-results');
const maxResults = 24;
const kindNames = {lesson: '', reference: 'reference', source: 'source'};
const kindBonus = {lesson: 6, reference: 3, source: 0};
let indexLoading = null;

/// Loads a part of the index: a script, so that it loads from a disk, too.
function loadPart(address, variable) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve(window[variable]);
    script.onerror = reject;
    document.head.append(script);
  });
}

/// The index of the course and that of the reference, when they are first needed.
function loadIndex() {
  indexLoading ??= Promise.all([
    loadPart('search_index.js', 'courseSearchIndex'),
    loadPart('search_reference.js', 'courseSearchReference'),
  ]).then((parts) => parts.flat().map((entry) => ({
    ...entry,
    lowerTitle: entry.title.toLowerCase(),
    lowerSection: entry.section.toLowerCase(),
    lowerText: entry.text.toLowerCase(),
  })));
  return indexLoading;
}

/// Returns how well an entry matches: 0 if a word is missing.
function score(entry, words) {
  let sum = 0;
  for (const word of words) {
    const inTitle = entry.lowerTitle.includes(word);
    const inSection = entry.lowerSection.includes(word);
    const first = entry.lowerText.indexOf(word);
    if (!inTitle && !inSection && first < 0) return 0;
    const count = first < 0 ? 0 : Math.min(entry.lowerText.split(word).length - 1, 8);
    sum += (inSection ? 14 : 0) + (entry.lowerSection.startsWith(word) ? 10 : 0) + (inTitle ? 8 : 0) + count;
  }
  return sum + kindBonus[entry.kind];
}

/// Whether one letter makes a word another: it is missing, too much, a different one, or has changed
/// places with its neighbour.
function isOneLetterApart(a, b) {
  const shorter = Math.min(a.length, b.length);
  let start = 0, end = 0;
  while (start < shorter && a[start] === b[start]) ++start;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) ++end;
  const [left, right] = [a, b].map((word) => word.slice(start, word.length - end));
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === [...right].reverse().join(''));
}

/// Returns the words with those that no page has replaced by the lessons' most frequent word that is
/// one letter apart, if there is one.
function corrected(words, entries) {
  return words.map((word) => {
    const isThere = ({lowerTitle, lowerSection, lowerText}) => [lowerTitle, lowerSection, lowerText].some((text) => text.includes(word));
    if (word.length < 4 || entries.some(isThere)) return word;
    const counts = new Map();
    for (const {kind, lowerText} of entries) {
      if (kind !== 'lesson') continue;
      for (const one of lowerText.match(/[a-z_]{3,}/g) ?? []) counts.set(one, (counts.get(one) ?? 0) + 1);
    }
    const near = [...counts].filter(([one]) => isOneLetterApart(one, word)).sort(([, a], [, b]) => b - a);
    return near.length > 0 ? near[0][0] : word;
  });
}

/// Returns the text around the first word; for a source, the line that contains it, with its
/// number.
function excerpt(entry, words) {
  const at = Math.max(0, ...words.map((word) => entry.lowerText.indexOf(word)));
  if (entry.kind === 'source') {
    const start = entry.text.lastIndexOf('\n', at - 1) + 1;
    const end = entry.text.indexOf('\n', at);
    const line = entry.text.slice(0, start).split('\n').length;
    return {text: entry.text.slice(start, end < 0 ? undefined : end).trim(), anchor: '#l' + String(line).padStart(5, '0')};
  }
  const start = at > 60 ? entry.text.indexOf(' ', at - 60) + 1 : 0;
  return {text: (start > 0 ? '…' : '') + entry.text.slice(start, at + 120).trim() + '…', anchor: ''};
}

/// Returns `text` as nodes, with the words marked.
function marked(text, words) {
  const pattern = new RegExp('(' + words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|') + ')', 'i');
  return text.split(pattern).map((part, i) => {
    if (i % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

function element(tag, className, ...children) {
  const node = document.createElement(tag);
  node.className = className;
  node.append(...children);
  return node;
}

function closeResults() {
  searchResults.hidden = true;
  searchField.setAttribute('aria-expanded', 'false');
  searchField.removeAttribute('aria-activedescendant');
}

/// Says something above the results, which are options of a list.
function addNote(text) {
  const note = element('div', 'none', text);
  note.setAttribute('role', 'option');
  note.setAttribute('aria-disabled', 'true');
  searchResults.prepend(note);
}

async function search() {
  const typed = searchField.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (typed.length === 0) { closeResults(); return; }
  const entries = await loadIndex();
  const words = corrected(typed, entries);
  const found = entries.map((entry) => ({entry, score: score(entry, words)}))
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score);
  searchResults.replaceChildren(...found.slice(0, maxResults).map(({entry}, i) => {
    const {text, anchor} = excerpt(entry, words);
    const link = element('a', '',
      element('div', 'where', element('span', '', ...marked(entry.section ? entry.title + ' › ' + entry.section : entry.title, words)),
        element('span', 'kind', kindNames[entry.kind])),
      element('div', 'text', ...marked(text, words)));
    link.href = entry.address + anchor;
    link.id = 'search-result-' + i;
    link.setAttribute('role', 'option');
    link.setAttribute('aria-selected', 'false');
    link.addEventListener('click', closeResults);
    return link;
  }));
  const others = words.filter((word, i) => word !== typed[i]);
  if (found.length === 0) addNote('Nothing has all of these words.');
  else if (others.length > 0) addNote(`Results for ${others.join(', ')}`);
  searchResults.hidden = false;
  searchField.setAttribute('aria-expanded', 'true');
}

function moveSelection(step) {
  const links = Array.from(searchResults.querySelectorAll('a'));
  if (links.length === 0) return;
  const now = links.findIndex((link) => link.getAttribute('aria-selected') === 'true');
  const next = (now + step + links.length + (now < 0 && step < 0 ? 1 : 0)) % links.length;
  links.forEach((link, i) => link.setAttribute('aria-selected', String(i === next)));
  links[next].scrollIntoView({block: 'nearest'});
  searchField.setAttribute('aria-activedescendant', links[next].id);
}

searchField.addEventListener('focus', loadIndex);
searchField.addEventListener('input', search);
searchField.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') moveSelection(1);
  else if (event.key === 'ArrowUp') moveSelection(-1);
  else if (event.key === 'Escape') { searchField.value = ''; closeResults(); searchField.blur(); }
  else if (event.key === 'Enter') (searchResults.querySelector('[aria-selected="true"]') || searchResults.querySelector('a'))?.click();
  else return;
  event.preventDefault();
});
document.addEventListener('click', (event) => {
  if (!byId('site-search').contains(event.target)) closeResults();
});
document.addEventListener('keydown', (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    searchField.focus();
  }
  if (event.key === 'Escape') showNavigation(false);
});
