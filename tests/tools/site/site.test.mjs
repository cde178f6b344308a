// The site as a reader meets it: every page that can be reached as a file, and in a real browser the
// pages of the course and one page of each other kind; with COURSE_LONG_TESTS=1 every page.
//
// axe-core looks at one page of each kind in a wide window, and at the colours of one of each kind of
// element there, in light and dark; with COURSE_LONG_TESTS=1 at all of every page, in both widths.
//
// What a reader does with pointer, keys and finger is done in Chromium and in Firefox, which is driven
// by WebDriver BiDi. What a page looks like on paper, without scripts and in dark surroundings is looked
// at in Chromium alone: the driver cannot ask these of Firefox.
//
// Pages are compared with small pictures of them, in the folder screenshots: three pages in one width, or
// with COURSE_LONG_TESTS=1 eight in three widths, in light and dark. COURSE_NEW_SCREENSHOTS=1 takes them
// anew; look at the pages before.
//
// Environment: SITE, the folder with index.html; PACKAGES, the folder with node_modules; CHROMIUM and
// FIREFOX, the programs, FIREFOX empty where there is none; EXPLORER, "yes" where the project has the
// explorer page. Run by browser.sh.

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once as event} from 'node:events';
import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {availableParallelism, tmpdir} from 'node:os';
import {extname, join, normalize} from 'node:path';
import {createInterface} from 'node:readline';
import {after, before, test} from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {gzipSync} from 'node:zlib';

import {Files} from './files.mjs';
import {compareScreen} from './screenshots.mjs';

const {SITE, PACKAGES, CHROMIUM, FIREFOX, EXPLORER} = process.env;
const sourceRoot = fileURLToPath(new URL('../../..', import.meta.url));
const isLong = process.env.COURSE_LONG_TESTS === '1';
const require = createRequire(join(PACKAGES, 'package.json'));
const {chromium, firefox} = require('playwright-core');
const axeSource = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');

const narrow = {width: 390, height: 844};
const wide = {width: 1280, height: 900};
const phone = {viewport: narrow, hasTouch: true, isMobile: true};
const pagesAtATime = availableParallelism();
const hangsAfterMs = 120_000;
const subPath = /^\/some\/place(?=\/)/;  // the site stands there as well
const types = {'.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml',
  '.png': 'image/png', '.json': 'application/json', '.woff2': 'font/woff2'};

let server, browser, origin, files;
const running = new Map();  // browsers, by name

before(async () => {
  server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname)).replace(subPath, '');
    try {
      const file = join(SITE, path.endsWith('/') ? path + 'index.html' : path);
      const text = await readFile(file);
      const cached = extname(file) === '.html' ? {} : {'Cache-Control': 'max-age=3600'};
      response.writeHead(200, {'Content-Type': types[extname(file)] ?? 'text/plain; charset=utf-8', ...cached}).end(text);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  files = new Files(SITE, origin);
  // Pages of one site can share processes; a new one for every page costs as much as the page itself.
  // Chromium holds one more ready: without it in the limit, two pages would share one and take turns.
  running.set('Chromium', await chromium.launch({executablePath: CHROMIUM,
    args: ['--no-sandbox', `--renderer-process-limit=${pagesAtATime + 1}`, '--disable-gpu', '--disable-gpu-compositing']}));
  if (FIREFOX) {
    running.set('Firefox', await firefox.launch({executablePath: FIREFOX, channel: 'moz-firefox', firefoxUserPrefs: {
      'dom.events.testing.asyncClipboard': true,  // tests may read what was copied
      'dom.w3c_touch_events.enabled': 1,
    }}));
  }
  browser = running.get('Chromium');
});

after(async () => {
  for (const one of running.values()) await one.close();
  server?.close();
});

/// A test of what a reader does, once in each browser: the body is told which.
function testInEach(name, options, body) {
  for (const which of ['Chromium', 'Firefox']) {
    const skip = options.skip || (which === 'Firefox' && !FIREFOX && 'there is no Firefox');
    test(`${name} (${which})`, {...options, skip}, async () => {
      browser = running.get(which);
      try {
        await body(which);
      } finally {
        browser = running.get('Chromium');
      }
    });
  }
}

/// Asserts that a list of faults is empty, and says the first of them.
function none(faults) {
  const shown = 20;
  assert.equal(faults.slice(0, shown).join('\n'), '');
}

async function openContext({isMobile, permissions, ...options} = {}) {
  // Firefox has no mobile pages, and lets every page of these tests use the clipboard.
  const ofChromium = browser === running.get('Chromium') ? {isMobile, permissions} : {};
  const context = await browser.newContext({viewport: wide, ...options, ...ofChromium});
  context.setDefaultTimeout(hangsAfterMs);
  return context;
}

/// A page of the context whose faults (console errors, failed and foreign requests) are collected.
async function openPageIn(context) {
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) faults.push(message.text()); });
  page.on('pageerror', (error) => faults.push(String(error)));
  // Firefox lets go of the icon of a page that is left at once.
  page.on('requestfailed', (request) => { if (!request.url().endsWith('/icon.svg')) faults.push(`failed: ${request.url()}`); });
  page.on('request', (request) => {
    if (!/^(data|blob|file):/.test(request.url()) && !request.url().startsWith(origin)) faults.push(`foreign: ${request.url()}`);
  });
  page.on('response', (response) => { if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`); });
  return {page, context, faults};
}

/// The same in a context of its own.
async function openPage(options = {}) {
  return openPageIn(await openContext(options));
}

/// Calls visit(page, faults, path) for each of the paths, as many at a time as there are cores.
async function visitEach(paths, options, visit) {
  const context = await openContext(options);
  let next = 0;
  const worker = async () => {
    const {page, faults} = await openPageIn(context);
    while (next < paths.length) {
      const path = paths[next++];
      faults.length = 0;
      await page.goto(origin + path, {waitUntil: 'load'});
      await visit(page, faults, path);
    }
  };
  try {
    await Promise.all(Array.from({length: pagesAtATime}, worker));
  } finally {
    await context.close();
  }
}

/// What the tests need to know of a page.
function inspect() {
  const neighbour = (relation) => {
    const link = document.querySelector(`.pager [rel="${relation}"]`);
    return link?.checkVisibility() ? link.href : null;
  };
  const wideElements = Array.from(document.querySelectorAll('body *'))
    .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .slice(0, 3).map((element) => `${element.tagName}.${element.className}`);
  return {
    width: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    wideElements,
    headings: document.querySelectorAll('h1').length,
    // What ladder.js adds is looked at elsewhere.
    links: Array.from(document.querySelectorAll('a[href]')).filter((link) => !link.closest('ladder-walk')).map((link) => link.href),
    images: Array.from(document.images).filter((image) => !image.closest('ladder-walk'))
      .map((image) => ({src: image.src, seen: image.naturalWidth > 0})),
    text: document.querySelector('main')?.innerText.length ?? 0,
    previous: neighbour('prev'),
    next: neighbour('next'),
    current: document.querySelectorAll('#site-nav [aria-current="page"]').length,
  };
}

/// What `make` returns, made when it is first asked for.
function once(make) {
  let result = null;
  return () => (result ??= make());
}

/// Every page that can be reached, by path, as its file has it.
const written = once(() => files.pages());

/// Pages of one kind are made alike, and their names tell it: of "timing_8hpp_source.html" the ending,
/// of "counted_02_coalescing.html" the beginning. Any other page is of its own kind.
function kindOf(path) {
  const ending = path.match(/(_source)\.html$/) ?? path.match(/(_8)[a-z]+\.html$/);
  const beginning = path.match(/^\/(chapter|class|counted|struct|namespace)/);
  return (ending ?? beginning)?.[1] ?? path;
}

/// Of each kind of page the first by name.
const oneOfEachKind = once(async () => {
  const first = new Map();
  for (const path of [...(await written()).keys()].sort()) if (!first.has(kindOf(path))) first.set(kindOf(path), path);
  return [...first.values()];
});

/// The pages in reading order: what the navigation lists above "Reference".
const readingOrder = once(async () => {
  const {page, context} = await openPage();
  await page.goto(origin + '/index.html');
  const paths = await page.evaluate(() => Array.from(document.querySelectorAll('#site-nav a'), (link) => ({
    path: new URL(link.href).pathname,
    part: link.closest('ul').previousElementSibling.textContent,
  })));
  await context.close();
  return paths.filter(({part}) => part !== 'Reference').map(({path}) => path);
});

/// The pages that are looked at in a browser.
async function pathsToSee() {
  if (isLong) return [...(await written()).keys()];
  return [...new Set([...await readingOrder(), ...await oneOfEachKind()])];
}

/// What inspect() says of those on a small screen, and their faults, by path.
const seen = once(async () => {
  const pages = new Map();
  await visitEach(await pathsToSee(), {viewport: narrow}, async (page, faults, path) => {
    pages.set(path, {...await page.evaluate(inspect), faults: [...faults]});
  });
  return pages;
});

test('every page has a title and a text, and asks for nothing that is missing or elsewhere', async () => {
  const pages = await written();
  assert.ok(pages.size > 50, `only ${pages.size} pages were found`);
  const faults = new Set();
  for (const [path, page] of pages) {
    assert.equal(page.headings, 1, `${path} has ${page.headings} main headings`);
    assert.ok(page.text > 20, `${path} is empty`);
    assert.ok(page.title && !page.title.includes('$'), `${path}: ${page.title}`);
    for (const resource of page.resources) {
      if (resource.startsWith('data:')) continue;
      const file = files.fileOf(resource);
      if (file === null || !await files.exists(file)) faults.add(`${path}: ${resource}`);
    }
  }
  none([...faults]);
});

test('pages load in the browser without an error, a missing resource or a request to elsewhere', async () => {
  const pages = await seen();
  none([...pages].flatMap(([path, page]) => page.faults.map((fault) => `${path}: ${fault}`)));
  for (const [path, page] of pages) {
    assert.equal(page.headings, 1, `${path} has ${page.headings} main headings`);
    assert.ok(page.text > 20, `${path} is empty`);
  }
});

test('the browser finds no other links and images in a page than its file has', async () => {
  const pages = await written();
  for (const [path, page] of await seen()) {
    const file = pages.get(path);
    // The explorer draws links to its own settings.
    const addresses = (links) => [...new Set(links)].filter((link) => !link.includes('/explorer/index.html#')).sort();
    assert.deepEqual(addresses(page.links), addresses(file.links), path);
    assert.deepEqual(page.images.map(({src}) => src), file.images.map(({src}) => src), path);
  }
});

test('no link and no anchor is broken', async () => {
  const pages = await written();
  const ids = new Map([...pages].map(([path, page]) => [path, new Set(page.ids)]));
  const broken = new Set();
  for (const [path, page] of pages) {
    for (const link of page.links) {
      if (link.startsWith('javascript:')) continue;
      const target = files.fileOf(link);
      if (target === null) {
        if (!/^https?:/.test(link)) broken.add(`${path}: ${link}`);
        continue;
      }
      // The explorer's settings stand behind # as well.
      const anchor = target.includes('explorer') ? '' : decodeURIComponent(new URL(link).hash.slice(1));
      if (ids.has(target)) {
        if (anchor && !ids.get(target).has(anchor)) broken.add(`${path}: ${target}#${anchor}`);
      } else if (!await files.exists(target)) {
        broken.add(`${path}: ${target}`);
      }
    }
  }
  none([...broken]);
});

test('no link leads to a text that a browser shows as it was written', async () => {
  const faults = [];
  for (const [path, page] of await written())
    for (const link of page.links)
      if (files.fileOf(link)?.endsWith('.md')) faults.push(`${path}: ${link}`);
  none(faults);
});

/// Pages that only lead on to another one: the address of each.
async function oldAddresses() {
  const names = (await readdir(SITE)).filter((name) => name.endsWith('.html'));
  const texts = await Promise.all(names.map((name) => readFile(join(SITE, name), 'utf8')));
  const refresh = /<meta http-equiv="refresh" content="0; url=([^"]*)">/;
  return new Map(names.map((name, i) => [name, texts[i].match(refresh)?.[1]]).filter(([, to]) => to));
}

test('there is no page that no link leads to', async () => {
  const pages = await written();
  const made = (await readdir(SITE)).filter((name) => name.endsWith('.html'));
  const leading = await oldAddresses();
  none(made.filter((name) => !pages.has('/' + name) && !leading.has(name)));
});

test('lessons are the site\'s own pages, and of Doxygen there are only those that document something', async () => {
  const pages = await written();
  const doxygens = /doxygen|jquery|dynsections/;
  const isOfReference = (path) => /(_8\w+|_source)\.html$|^\/(class|struct|union|namespace)/.test(path);
  for (const [path, {resources}] of pages)
    if (!isOfReference(path)) none(resources.filter((one) => doxygens.test(one)).map((one) => `${path}: ${one}`));
  none([...pages.keys()].filter((path) => /^\/(dir_|hierarchy|annotated|classes|files|functions|globals)|-members\.html$/.test(path)));
  for (const path of ['/sources.html', '/kernels.html'])
    assert.ok(pages.get(path).links.filter((link) => isOfReference(files.fileOf(link) ?? '')).length > 50, path);
});

test('code of lessons and of their diffs has colours, and its names lead to the reference', async () => {
  const {page, context} = await openPage();
  await page.goto(origin + '/chapter_09_sgemm_ladder_1_tiles.html');
  const {words, diffs, names} = await page.evaluate(() => {
    const all = (selector) => Array.from(document.querySelectorAll(`.fragment ${selector}`));
    return {words: all('.line > span').length, diffs: all('.line:is(.added, .removed) > span').length,
      names: all('.line > a').map((link) => [link.textContent, link.href])};
  });
  assert.ok(words > 50 && diffs > 50, `${words} words, ${diffs} of them in diffs`);
  assert.ok(names.some(([name, address]) => name === 'as_float4' && /problem_8cuh\.html#\w/.test(address)));
  await context.close();
});

test('old addresses lead to pages that are there, and keep the anchor', async () => {
  const pages = await written();
  const leading = await oldAddresses();
  assert.ok(leading.size > 12, `only ${leading.size}`);
  none([...leading].filter(([, to]) => !pages.has('/' + to)));
  const {page, context} = await openPage();
  await page.goto(origin + '/chapter_05_aos_soa.html#exercises');
  await page.waitForURL(origin + '/chapter_06_aos_soa.html#exercises');
  await context.close();
});

test('no page scrolls sideways on a screen of 390 pixels', async () => {
  const pages = await seen();
  const wideOnes = [...pages].filter(([, page]) => page.width > 0)
    .map(([path, page]) => `${path}: ${page.width} px, ${page.wideElements.join(' ')}`);
  none(wideOnes);
});

test('every image is shown and says in words what it shows', async () => {
  for (const [path, page] of await written())
    for (const image of page.images) assert.ok(image.alt.length > 10, `${path}: ${image.src} has no text`);
  for (const [path, page] of await seen())
    for (const image of page.images) assert.ok(image.seen, `${path}: ${image.src}`);
});

test('a picture has its room before it has come', async () => {
  const faults = [];
  for (const path of (await readingOrder()).filter((one) => one.startsWith('/chapter_'))) {
    const html = await readFile(join(SITE, path), 'utf8');
    for (const [image] of html.matchAll(/<img [^>]*>/g)) if (!/ width="\d+" height="\d+"/.test(image)) faults.push(`${path}: ${image}`);
  }
  none(faults);
});

test('the pictures of a chapter are numbered in reading order, and a list leads to each', async () => {
  const pages = await written();
  const order = await readingOrder();
  const numbers = order.flatMap((path) => pages.get(path).ids.filter((id) => /^figure-\d\d-\d+$/.test(id)));
  const shown = order.filter((path) => path.startsWith('/chapter_')).flatMap((path) => pages.get(path).images).length;
  assert.equal(numbers.length, shown);
  const counts = new Map();
  for (const id of numbers) {
    const [, chapter, number] = id.match(/^figure-(\d\d)-(\d+)$/);
    assert.equal(Number(number), (counts.get(chapter) ?? 0) + 1, id);
    counts.set(chapter, Number(number));
  }
  const listed = pages.get('/figures.html').links.filter((link) => link.includes('#figure-')).map((link) => new URL(link).hash.slice(1));
  assert.deepEqual(listed, numbers);
  const {page, context} = await openPage();
  await page.goto(origin + '/chapter_02_coalescing.html#figure-02-2');
  const figure = page.locator('figure.picture:target');
  assert.match(await figure.locator('> figcaption').innerText(), /^Figure 02\.2/);
  await context.close();
});

test('no text lies outside its picture', async () => {
  const pictures = new Set([...(await written()).values()].flatMap((page) => page.images.map(({src}) => src))
    .filter((src) => src.endsWith('.svg') && files.fileOf(src)).map((src) => files.fileOf(src)));
  assert.ok(pictures.size > 40, `only ${pictures.size} pictures`);
  const faults = [];
  let texts = 0;
  await visitEach([...pictures], {}, async (page, _, path) => {
    const {count, outside} = await page.evaluate(() => {
      const picture = document.documentElement.getBoundingClientRect();
      const all = Array.from(document.querySelectorAll('text'));
      return {count: all.length, outside: all.filter((text) => {
        const box = text.getBoundingClientRect();
        return box.left < picture.left || box.top < picture.top || box.right > picture.right || box.bottom > picture.bottom;
      }).map((text) => text.textContent)};
    });
    texts += count;
    for (const text of outside) faults.push(`${path}: ${text}`);
  });
  none(faults);
  assert.ok(texts > 1000, `only ${texts} texts`);
});

testInEach('before and next lead through the whole course and back', {}, async (which) => {
  const order = await readingOrder();
  assert.ok(order.filter((path) => path.includes('chapter_')).length >= 8);
  const pages = await seen();
  const course = order.filter((path) => !path.includes('explorer'));
  for (const [i, path] of course.entries()) {
    const {previous, next, current} = pages.get(path);
    assert.equal(previous, i > 0 ? origin + course[i - 1] : null, path);
    assert.equal(next, i + 1 < course.length ? origin + course[i + 1] : null, path);
    assert.equal(current, 1, path);
  }
  const {page, context} = await openPage();
  await page.goto(origin + course[0]);
  await page.click('.pager [rel="next"]');
  await page.waitForURL(origin + course[1]);
  await page.click('.pager [rel="prev"]');
  await page.waitForURL(origin + course[0]);
  await context.close();
});

test('who follows "next" reads every lesson once, and the end of a chapter before the next chapter', async () => {
  const pages = await written();
  const visits = [];
  for (let path = '/index.html'; path; path = pages.get(path).next && files.fileOf(pages.get(path).next)) {
    assert.ok(!visits.includes(path), `${path} comes twice`);
    visits.push(path);
  }
  const lessons = [...pages.keys()].filter((path) => /^\/chapter_\d/.test(path)).sort();
  assert.ok(lessons.length > 15, `only ${lessons.length} lessons`);
  assert.deepEqual(visits.filter((path) => path.startsWith('/chapter_')).sort(), lessons);
  // Exercises end a lesson: nobody passes a chapter without them.
  const chapterOf = (path) => path.match(/^\/chapter_(\d\d)/)?.[1];
  const withExercises = visits.filter((path) => chapterOf(path) && pages.get(path).ids.includes('exercises'));
  assert.deepEqual(withExercises.map(chapterOf), [...new Set(lessons.map(chapterOf))]);
});

test('a figure tells in words what it was read from, in text and in generated tables, without scripts', async () => {
  const {page, context} = await openPage({javaScriptEnabled: false});
  const tips = (selector) => page.locator(selector).evaluateAll((figures) => figures.map((figure) => figure.title));
  const origin_ = /(^|\n)(Measured on an NVIDIA .* with CUDA \d+\.\d+, \d{4}-\d\d-\d\d.*\.|Counted by the course's emulator\.|Published: .*|Worked out: .*|Given, not measured\.|From docs\/measurements\/\w+\.json: .*)(\n|$)/;
  for (const path of isLong ? [...(await written()).keys()].filter((one) => one.includes('chapter_')) : ['/chapter_09_sgemm.html']) {
    await page.goto(origin + path);
    for (const tip of await tips('.figure')) assert.match(tip, origin_, path);
  }
  await page.goto(origin + '/chapter_09_sgemm_looking_back.html');
  assert.ok((await tips('p .figure')).some((tip) => /\ngeometric mean over \d+ sets? of .*: time of cuBLAS beside/.test(tip) || /geometric mean over/.test(tip)));
  await page.goto(origin + '/chapter_09_sgemm_results.html');
  const {chapters, measured_again: again} = JSON.parse(await readFile(join(sourceRoot, 'docs/measurements/h200.json'), 'utf8'));
  const {gflop_per_s: speed} = chapters['09_sgemm'].find(({kernel, parameters: {step, m, n, k}}) =>
    kernel === 'sizes' && step === 'cublas' && [m, n, k].every((side) => side === 1024));
  assert.ok((await tips('td.figure')).includes('side 1024, cuBLAS\n= a / 1000\n' +
    `a: speed of cublas at m = n = k = 1024: ${speed.toLocaleString('en')} GFLOP/s\n` +
    `Measured on an NVIDIA H200 with CUDA 13.0, ${again['09_sgemm']}.`));
  await context.close();
});

/// The popover of a page, and what it says.
const popoverOf = (page) => page.locator('#tip');

testInEach('the origin of a number is shown on hover, on focus and on a tap, and goes away again', {}, async (which) => {
  const {page, context, faults} = await openPage(phone);
  await page.goto(origin + '/chapter_02_coalescing.html');
  const tip = popoverOf(page);
  const figure = page.locator('p .figure').filter({visible: true}).first();
  await figure.evaluate((element) => element.scrollIntoView({block: 'center'}));
  const words = /^[\d.,]+\n[^]*(Measured on an NVIDIA H200|Counted by the course's emulator)/;
  const isInside = () => tip.evaluate((element) => {
    const {left, right, top, bottom} = element.getBoundingClientRect();
    return left >= 0 && right <= document.documentElement.clientWidth && top >= 0 && bottom <= innerHeight;
  });
  assert.ok(await tip.isHidden());

  await figure.hover();
  await tip.waitFor();
  assert.match(await tip.innerText(), words);
  assert.ok(await isInside());
  await page.mouse.move(1, 1);
  await tip.waitFor({state: 'hidden'});

  await tap(figure);
  await tip.waitFor();
  assert.match(await tip.innerText(), words);
  assert.equal(await figure.getAttribute('aria-describedby'), 'tip');
  await page.keyboard.press('Escape');
  assert.ok(await tip.isHidden());
  await tap(figure);
  await tip.waitFor();
  await tap(page.locator('#main h2').filter({visible: true}).first());
  assert.ok(await tip.isHidden());

  // The numbers of a paragraph or table are one stop of the Tab key; arrows lead through them.
  const stops = await page.evaluate(() => Array.from(document.querySelectorAll('table.prose'), (table) => ({
    figures: table.querySelectorAll('.figure').length, stops: table.querySelectorAll('.figure[tabindex="0"]').length,
  })).filter(({figures}) => figures > 1));
  assert.ok(stops.length > 0);
  for (const {stops: count} of stops) assert.equal(count, 1);
  const cells = page.locator('table.prose:has(.figure)').filter({visible: true}).first().locator('.figure');
  await page.keyboard.press('Shift');
  await cells.first().focus();
  await tip.waitFor();
  const first = await tip.innerText();
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await tip.innerText(), first);
  assert.ok(await cells.nth(1).evaluate((cell) => cell === document.activeElement));
  await page.keyboard.press('ArrowLeft');
  assert.equal(await tip.innerText(), first);
  assert.ok(await isInside());
  none(faults);
  await context.close();
});

testInEach('a word of the glossary says what it means where it is introduced', {}, async (which) => {
  const {page, context, faults} = await openPage(phone);
  await page.goto(origin + '/chapter_02_coalescing.html');
  const tip = popoverOf(page);
  const word = page.locator('a.term', {hasText: 'sectors'}).first();
  await word.evaluate((element) => element.scrollIntoView({block: 'center'}));
  await word.hover();
  await tip.waitFor();
  const glossary = await readFile(join(sourceRoot, 'docs/glossary.md'), 'utf8');
  const [, beginning] = glossary.match(/^### Sector\n\n(\w+ \w+ \w+)/m);
  assert.match(await tip.innerText(), new RegExp(`^Sector\\s+${beginning}`));
  await page.mouse.move(1, 1);
  await tip.waitFor({state: 'hidden'});
  await tap(word);
  await tip.waitFor();
  assert.match(page.url(), /chapter_02/, 'a tap explains, and does not lead away');
  await tip.locator('a').click();
  await page.waitForURL(/glossary\.html#sector$/);
  await page.goto(origin + '/chapter_02_coalescing.html');
  await word.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/glossary\.html#sector$/);
  none(faults);
  await context.close();
});

test('each kernel of a chapter leads to its documentation and to its first line', async () => {
  const {page, context} = await openPage();
  await page.goto(origin + '/chapter_02_coalescing.html');
  await page.click('table.kernels tr:has-text("sgemm_naive") td:first-child a');
  await page.waitForURL(/kernels_8cuh\.html#/);
  const title = `[id="${new URL(page.url()).hash.slice(1)}"] + .memtitle`;
  assert.match(await page.locator(title).innerText(), /sgemm_naive\(\)/);
  assert.match(await page.locator(`${title} + .memitem`).innerText(), /Transposed on purpose/);
  await page.goBack();
  await page.click('table.kernels tr:has-text("sgemm_naive") td:nth-child(3) a');
  const line = page.locator('.line:has(a:target)');
  assert.match(await line.innerText(), /__global__ void sgemm_naive\(/);
  assert.equal(await line.locator('span.keyword', {hasText: '__global__'}).count(), 1);
  await context.close();
});

test('each kernel of a chapter leads to what was counted, line by line', async () => {
  const {page, context} = await openPage();
  await page.goto(origin + '/chapter_02_coalescing.html');
  await page.click('table.kernels tr:has-text("sgemm_naive") td:last-child a');
  await page.waitForURL(/counted_02_coalescing_sgemm_naive\.html$/);
  const listing = page.locator('#profile-sgemm_naive');
  assert.match(await listing.innerText(), /32 sectors\s+4\s+12\.5 %/);
  assert.match(await listing.locator('.profile-worst').innerText(), /sum \+= A\[row \* k \+ p\]/);
  await context.close();
});

test('a counted kernel has a page of at most 3,500 elements, which leads to its lesson and to its neighbours', async () => {
  const pages = await written();
  const counted = [...pages.keys()].filter((path) => path.startsWith('/counted_')).sort();
  assert.ok(counted.length > 100, `only ${counted.length} pages`);
  for (const path of counted) {
    const elements = (await readFile(join(SITE, path), 'utf8')).match(/<[a-z]/g).length;
    assert.ok(elements <= 3500, `${path}: ${elements} elements`);
    const {links} = pages.get(path);
    if (!(await readFile(join(SITE, path), 'utf8')).includes('part 2 of')) assert.ok(links.some((link) => /\/chapter_/.test(link)), path);
  }
  // Who follows "next" from a chapter's first kernel comes past all of them.
  const list = pages.get('/counted_09_sgemm.html').links.map((link) => files.fileOf(link)).filter((path) => path?.startsWith('/counted_09_sgemm_'));
  const visited = [];
  for (let path = list[0]; path; path = pages.get(path).next && files.fileOf(pages.get(path).next)) visited.push(path);
  for (const path of list) assert.ok(visited.includes(path), path);
  assert.deepEqual(new Set(visited.map((path) => path.replace(/_\d\.html$/, '.html'))), new Set(list));
});

testInEach('the addresses of kernels that once shared a page lead to their own', {}, async (which) => {
  const {page, context, faults} = await openPage();
  await page.goto(origin + '/counted_08_sgemm.html#tuned::sgemm');
  await page.waitForURL(/counted_09_sgemm\.html#tuned::sgemm$/);
  const row = page.locator('tr:target');
  assert.match(await row.innerText(), /^tuned::sgemm/);
  await row.locator('a').click();
  await page.waitForURL(/counted_09_sgemm_tuned_sgemm\.html$/);
  assert.equal(await page.locator('section.profile').count(), 1);
  await page.goto(origin + '/counted_02_coalescing.html#profile-sgemm_coalesced_2d-115');
  await page.waitForURL(/counted_02_coalescing_sgemm_coalesced_2d\.html#profile-sgemm_coalesced_2d-115$/);
  none(faults);
  await context.close();
});

testInEach('the search finds __shfl_down_sync in the lesson, the reference and the source', {}, async (which) => {
  const {page, context, faults} = await openPage();
  await page.goto(origin + '/index.html');
  await page.keyboard.press('/');
  await page.keyboard.type('__shfl_down_sync');
  const results = page.locator('#search-results a');
  await results.first().waitFor();
  const addresses = await results.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.match(addresses[0], /^chapter_08_warp_primitives\.html/);
  assert.ok(addresses.some((address) => /kernels_8cuh\.html#/.test(address)), addresses.join(' '));
  const source = addresses.findIndex((address) => /kernels_8cuh_source\.html#l\d{5}$/.test(address));
  assert.ok(source >= 0, addresses.join(' '));
  await results.nth(source).click();
  assert.match(await page.locator('.line:has(a:target)').innerText(), /__shfl_down_sync/);

  await page.fill('#search-field', 'sector wavefront bank');
  await results.first().waitFor();
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator('#search-results [aria-selected="true"]').count(), 1);
  await page.fill('#search-field', 'qqxyzzy');
  await page.locator('#search-results .none').waitFor();
  await page.keyboard.press('Escape');
  assert.ok(await page.locator('#search-results').isHidden());
  none(faults);
  await context.close();
});

testInEach('the search forgives one wrong letter, and says so', {}, async () => {
  const {page, context, faults} = await openPage();
  await page.goto(origin + '/index.html');
  for (const [typed, meant] of [['coalesing', 'coalescing'], ['wavefornt', 'wavefront'], ['ocupancy', 'occupancy']]) {
    await page.fill('#search-field', typed);
    await page.locator('#search-results .none', {hasText: `Results for ${meant}`}).waitFor();
    assert.match((await page.locator('#search-results a').first().innerText()).toLowerCase(), new RegExp(meant));
  }
  await page.evaluate(axeSource);
  none(await seriousViolations(page, {}, () => document.querySelectorAll('#search-results')));
  await page.fill('#search-field', 'coalescing');
  await page.locator('#search-results .none').waitFor({state: 'detached'});
  assert.doesNotMatch(await page.locator('#search-results a .text').first().innerText(), /^\u2026\s/);
  none(faults);
  await context.close();
});

testInEach('the colours can be chosen, and the choice stays', {}, async (which) => {
  const {page, context} = await openPage({colorScheme: 'light'});
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.goto(origin + '/index.html');
  const light = await background();
  await page.click('#theme-toggle');
  const dark = await background();
  assert.notEqual(dark, light);
  await page.goto(origin + '/glossary.html');
  assert.equal(await background(), dark);
  assert.equal(await page.getAttribute('#theme-toggle', 'aria-pressed'), 'true');
  await context.close();
});

testInEach('on a small screen the list of pages opens and closes', {}, async (which) => {
  const {page, context} = await openPage({viewport: narrow});
  await page.goto(origin + '/index.html');
  const navigation = page.locator('#site-nav');
  assert.ok(await navigation.isHidden());
  await page.click('#nav-toggle');
  assert.ok(await navigation.isVisible());
  await page.keyboard.press('Escape');
  assert.ok(await navigation.isHidden());
  await page.click('#nav-toggle');
  await navigation.locator('text=Glossary').click();
  assert.match(page.url(), /glossary\.html$/);
  assert.ok(await navigation.isHidden());
  await context.close();
});

testInEach('code is copied as it is written, without line numbers', {}, async (which) => {
  const {page, context} = await openPage({permissions: ['clipboard-read', 'clipboard-write']});
  await page.goto(origin + '/02__coalescing_2kernels_8cuh_source.html');
  await page.hover('.code-box');
  await page.click('.code-box .copy');
  await page.locator('.copy', {hasText: 'Copied'}).waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /^#pragma once\n\n\/\/\/ Copies every stride-th element/);
  await context.close();
});

/// Presses the Copy button of a box, and returns what was copied.
async function copied(page, box) {
  await box.hover();
  await box.locator('.copy').click();
  await box.locator('.copy', {hasText: 'Copied'}).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/// The lines of a source as its page on this site shows them.
function sourceLines(page, address) {
  return page.evaluate(async (url) => {
    const source = new DOMParser().parseFromString(await (await fetch(url)).text(), 'text/html');
    return Array.from(source.querySelectorAll('.fragment .line'), (line) => {
      line.querySelectorAll('.lineno, .ttc').forEach((node) => node.remove());
      return line.textContent.trimEnd();
    });
  }, address);
}

testInEach('what is copied of a diff stands so in the new source', {}, async (which) => {
  const {page, context} = await openPage({permissions: ['clipboard-read', 'clipboard-write']});
  let compared = 0;
  for (const lesson of ['chapter_02_coalescing', 'chapter_09_sgemm_ladder_1_tiles', 'chapter_09_sgemm_ladder_4_everybody_works']) {
    await page.goto(`${origin}/${lesson}.html`);
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true; }));
    const boxes = page.locator('.code-box:has(.diff)');
    for (let i = 0; i < await boxes.count(); ++i) {
      const box = boxes.nth(i);
      const address = await box.evaluate((element) => element.previousElementSibling.querySelector('a:last-of-type').href);
      const source = await sourceLines(page, address);
      // Line by line, for the lesson leaves comments out.
      let at = 0;
      for (const line of (await copied(page, box)).split('\n')) {
        if (line === '// ...' || line === '') continue;
        const found = source.indexOf(line, at);
        assert.ok(found >= 0, `${address} does not have, behind line ${at}: ${line}`);
        at = found + 1;
      }
      assert.ok(await box.locator('.line.added').count() > 0);
      ++compared;
    }
  }
  assert.ok(compared >= 9, `only ${compared} diffs`);
  await context.close();
});

test('on a touch screen no Copy button covers code, and what was printed has none', async () => {
  const lessons = (await readingOrder()).filter((path) => path.includes('chapter_'));
  let buttons = 0;
  await visitEach(lessons, {viewport: narrow, hasTouch: true, isMobile: true}, async (page, _, path) => {
    const {count, covering, coveringWords, printed} = await page.evaluate(() => {
      document.querySelectorAll('details').forEach((details) => { details.open = true; });
      const boxes = Array.from(document.querySelectorAll('.code-box'));
      return {
        count: boxes.filter((box) => getComputedStyle(box.querySelector('.copy')).opacity === '1').length,
        covering: boxes.filter((box) => box.querySelector('.copy').getBoundingClientRect().bottom >
          box.querySelector('.line').getBoundingClientRect().top).length,
        printed: document.querySelectorAll('.code-box .printed').length,
        // Nor does one cover the words above the code.
        coveringWords: boxes.filter((box) => {
          const caption = box.previousElementSibling;
          if (!caption?.matches('.code-caption')) return false;
          const words = document.createRange(), button = box.querySelector('.copy').getBoundingClientRect();
          words.selectNodeContents(caption);
          return Array.from(words.getClientRects()).some((one) => one.width > 0 && one.right > button.left && one.left < button.right &&
            one.bottom > button.top + 1 && one.top < button.bottom - 1);
        }).length,
      };
    });
    assert.equal(covering, 0, path);
    assert.equal(coveringWords, 0, path);
    assert.equal(printed, 0, path);
    buttons += count;
  });
  assert.ok(buttons > 100, `only ${buttons} buttons`);
});

testInEach('on a small screen the text of a page begins on the first screen', {}, async (which) => {
  const course = (await readingOrder()).filter((path) => !/explorer|index/.test(path));
  await visitEach(course, {viewport: narrow}, async (page, _, path) => {
    const {list, heading, open, top} = await page.evaluate(() => {
      const list = document.querySelector('.contents-list');
      const first = Array.from(document.querySelectorAll('.textblock > :is(p, ol, ul)')).find((element) => element.innerText.length > 60);
      return {list: list.getBoundingClientRect().height, open: list.querySelector('details').open,
        heading: parseFloat(getComputedStyle(list.querySelector('h2')).fontSize), top: first.getBoundingClientRect().top};
    });
    assert.ok(!open && list < 60, `${path}: the contents are ${list} px high`);
    assert.ok(heading <= 13, `${path}: their heading has ${heading} px`);
    assert.ok(top < narrow.height - 48, `${path}: the text begins at ${top} px`);
  });
  const {page, context} = await openPage({viewport: {width: 1440, height: 900}});
  await page.goto(origin + '/chapter_02_coalescing.html');
  const isOpen = () => page.evaluate(() => document.querySelector('.contents-list details').open);
  assert.ok(await isOpen(), 'there is room for the contents beside the text');
  await page.setViewportSize(narrow);
  await page.waitForFunction(() => !document.querySelector('.contents-list details').open);
  await page.click('.contents-list summary');
  assert.ok(await isOpen());
  await page.click('.contents-list a');
  assert.match(page.url(), /#\w/);
  await context.close();
});

/// The lessons' texts, with the paths of their pages.
const lessonTexts = once(async () => {
  const texts = [];
  for (const chapter of (await readdir(join(sourceRoot, 'chapters'))).sort()) {
    const names = await readdir(join(sourceRoot, 'chapters', chapter)).catch(() => []);
    for (const name of names.filter((one) => one.endsWith('.md')).sort()) {
      const page = `/chapter_${chapter}${name === 'README.md' ? '' : `_${name.slice(0, -'.md'.length)}`}.html`;
      texts.push({page, text: await readFile(join(sourceRoot, 'chapters', chapter, name), 'utf8')});
    }
  }
  return texts;
});

/// The profiles and the outputs with tables of the lessons' texts, by page: what each prints.
const printedIn = once(async () => {
  const pages = new Map();
  for (const {page, text} of await lessonTexts()) {
    const blocks = Array.from(text.matchAll(/^<!-- (output|profile): [^]*?-->\n```text\n([^]*?)^```$/gm), ([, kind, printed]) => ({kind, printed}))
      .filter(({kind, printed}) => kind === 'profile' || /^  -+(  -+)*$/m.test(printed));
    if (blocks.length > 0) pages.set(page, blocks);
  }
  return pages;
});

testInEach('what programs print is in tables, and the text is one click away', {}, async (which) => {
  const pages = await printedIn();
  assert.ok([...pages.values()].flat().length > 28);
  // Browsers and screens differ in what a click does, not in what stands in the page.
  const few = new Map([...pages].slice(0, 2));
  for (const options of [{viewport: wide}, phone]) {
    for (const [path, blocks] of isLong || (which === 'Chromium' && options !== phone) ? pages : few) {
      const {page, context, faults} = await openPage(options);
      await page.goto(origin + path);
      const folds = page.locator('.as-printed');
      assert.equal(await folds.count(), blocks.length, path);
      // What hides the fold itself is another fold of the text.
      await page.evaluate(() => document.querySelectorAll('details:not(.as-printed)').forEach((one) => { one.open = true; }));
      for (const [at, {kind, printed}] of blocks.entries()) {
        const fold = folds.nth(at), text = fold.locator('.printed');
        assert.ok(!await text.isVisible(), path);
        await fold.locator('summary').click();
        assert.ok(await text.isVisible(), path);
        assert.equal((await text.textContent()).trimEnd(), printed.trimEnd(), path);
        const numbers = (all) => all.replaceAll(',', '').match(/\d+(\.\d+)?/g) ?? [];
        const {shown, wider} = await fold.evaluate((element, selector) => {
          let text = '', wider = 0;
          for (let one = element; !one.matches('.code-caption'); one = one.previousElementSibling) {
            const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), parts = [];
            while (one !== element && texts.nextNode()) parts.push(texts.currentNode.data);
            text = `${parts.join(' ')} ${text}`;
            if (one.matches(selector)) wider = Math.max(wider, one.getBoundingClientRect().right - document.documentElement.clientWidth);
          }
          return {shown: text, wider};
        }, kind === 'profile' ? '.profile-box' : '.table-scroll');
        assert.ok(wider <= 0, path);
        assert.deepEqual(numbers(shown), numbers(printed.replace(/\w+\/\.\.\//g, '')), `${path}: ${kind} ${at}`);
      }
      none(faults);
      await context.close();
    }
  }
});

test('on a phone each number of a printed table stands behind its name, inside the screen', async () => {
  await visitEach([...(await printedIn()).keys()], phone, async (page, _, path) => {
    const {cells, outside, nameless} = await page.evaluate(() => {
      document.querySelectorAll('details').forEach((details) => { details.open = true; });
      const cells = Array.from(document.querySelectorAll('td[data-head]')).filter((cell) => cell.textContent);
      return {
        cells: cells.length,
        outside: cells.filter((cell) => cell.getBoundingClientRect().right > document.documentElement.clientWidth).length,
        nameless: cells.filter((cell) => getComputedStyle(cell, '::before').content === 'none').length,
      };
    });
    assert.ok(cells > 0, path);
    assert.equal(outside, 0, path);
    assert.equal(nameless, 0, path);
  });
});

test('a lesson has at most 2,500 elements and 150 KB without its pictures', async () => {
  const lessons = (await readingOrder()).filter((path) => path.includes('chapter_'));
  await visitEach(lessons, {}, async (page, _, path) => {
    const {elements, resources} = await page.evaluate(() => ({
      elements: document.querySelectorAll('*').length,
      resources: performance.getEntriesByType('resource').map(({name}) => name),
    }));
    // The page of results is one table of numbers.
    assert.ok(elements <= (path.includes('results') ? 2600 : 2500), `${path}: ${elements} elements`);
    let bytes = 0;
    for (const one of [origin + path, ...resources.filter((name) => /\.(js|css)$/.test(name))])
      bytes += gzipSync(await readFile(join(SITE, files.fileOf(one)))).length;
    assert.ok(bytes < 150 * 1024, `${path}: ${bytes} bytes`);
  });
});

/// A page of each of eight kinds.
const eightKinds = ['index', 'chapter_02_coalescing', 'chapter_09_sgemm_ladder_1_tiles', 'ladder_09_sgemm', 'glossary',
  'counted_02_coalescing_sgemm_naive', '02__coalescing_2kernels_8cuh', 'explorer/index'];

test('pages look as they did', {skip: EXPLORER !== 'yes' && 'there is no explorer'}, async () => {
  const folder = join(sourceRoot, 'tests/tools/site/screenshots'), isNew = process.env.COURSE_NEW_SCREENSHOTS === '1';
  const isWhole = isLong || isNew;
  const screens = (isWhole ? [[1440, 900], [1024, 768], [390, 844]] : [[1024, 768]]).flatMap(([width, height]) =>
    (isWhole ? ['light', 'dark'] : ['light']).map((colorScheme) => ({viewport: {width, height}, colorScheme, reducedMotion: 'reduce'})));
  const kinds = isWhole ? eightKinds : ['index', 'chapter_02_coalescing', 'ladder_09_sgemm'];
  if (isNew) await mkdir(folder, {recursive: true});
  const {page: paper, context: drawer} = await openPage();
  const faults = [], sizes = [];
  for (const options of screens) {
    const isPhone = options.viewport.width < 500;
    const {page, context} = await openPage({...options, hasTouch: isPhone, isMobile: isPhone});
    for (const kind of kinds) {
      await page.goto(`${origin}/${kind}.html`, {waitUntil: 'load'});
      await page.waitForFunction(() => !document.querySelector('ladder-walk') || document.querySelector('.walk-bars'));
      const name = `${kind.replace('/', '_')}_${options.viewport.width}_${options.colorScheme}`;
      const fault = await compareScreen(page, paper, folder, name, isNew);
      if (fault) faults.push(fault);
      // A page without its list of pages, and one whose text is gone, look otherwise.
      if (!isNew && options === screens[0] && kind === 'chapter_02_coalescing') {
        for (const spoiled of ['#site-nav { display: none }', 'main { visibility: hidden }', ':root { filter: invert(1) }']) {
          const style = await page.addStyleTag({content: spoiled});
          assert.notEqual(await compareScreen(page, paper, folder, name, false), null, spoiled);
          await style.evaluate((element) => element.remove());
        }
        // Other words do not.
        await page.evaluate(() => document.querySelectorAll('.textblock > p').forEach((one) => {
          one.innerHTML = one.innerHTML.split(' ').reverse().join(' ').slice(20);
        }));
        const reworded = await compareScreen(page, paper, folder, name, false);
        if (reworded) faults.push(`with other words: ${reworded}`);
      }
    }
    await context.close();
  }
  await drawer.close();
  none(faults);
});

/// The site behind another server, which compresses texts as those on the net do.
async function compressing() {
  const compressed = createServer(async (request, response) => {
    try {
      const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
      const text = await readFile(join(SITE, path)), type = types[extname(path)] ?? 'text/plain; charset=utf-8';
      const isText = /^text|javascript|json|svg/.test(type);
      response.writeHead(200, {'Content-Type': type, 'Cache-Control': 'max-age=3600', ...(isText ? {'Content-Encoding': 'gzip'} : {})})
        .end(isText ? gzipSync(text) : text);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => compressed.listen(0, '127.0.0.1', resolve));
  return compressed;
}

const measuring = join(PACKAGES, 'measuring/node_modules/lighthouse/core/index.js');
const cannotMeasure = !isLong ? 'a long test' : !existsSync(measuring) && 'Lighthouse is not installed';

test('Lighthouse finds eight pages fast, accessible and sound, on a phone', {skip: cannotMeasure || (EXPLORER !== 'yes' && 'there is no explorer')}, async () => {
  const {default: lighthouse} = await import(pathToFileURL(measuring).href);
  const compressed = await compressing();
  const profile = await mkdtemp(join(tmpdir(), 'lighthouse-'));
  const driven = spawn(CHROMIUM, ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    {stdio: ['ignore', 'ignore', 'pipe']});
  try {
    const lines = createInterface({input: driven.stderr});
    const port = await new Promise((resolve) => lines.on('line', (line) => {
      const found = line.match(/DevTools listening on ws:\/\/[^:]+:(\d+)/);
      if (found) resolve(Number(found[1]));
    }));
    const faults = [];
    for (const kind of eightKinds) {
      const {lhr} = await lighthouse(`http://127.0.0.1:${compressed.address().port}/${kind}.html`,
        {port, output: 'json', logLevel: 'error', onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo']});
      const scores = Object.fromEntries(Object.values(lhr.categories).map(({id, score}) => [id, Math.round(100 * score)]));
      console.log(kind, JSON.stringify(scores));
      // How fast a page is depends on what else the machine does; the rest does not.
      const least = {performance: 90, accessibility: 95, 'best-practices': 95, seo: 90};
      for (const [id, score] of Object.entries(scores))
        if (score < least[id]) faults.push(`${kind}: ${id} ${score}: ${Object.values(lhr.audits).filter(({score: one, scoreDisplayMode}) => one !== null && one < 0.9 && scoreDisplayMode !== 'informative').map(({title}) => title).join('; ')}`);
    }
    none(faults);
  } finally {
    driven.kill();
    await event(driven, 'exit');
    compressed.close();
    await rm(profile, {recursive: true, force: true, maxRetries: 5});
  }
});

/// Whether a colour like "rgb(1, 2, 3)" is nearer to white than to black.
const isLight = (colour) => {
  const parts = colour.match(/[\d.]+/g).map(Number);
  return parts[3] === 0 || parts[0] + parts[1] + parts[2] > 382;
};

test('paper is light, with whole lines of code, coloured diffs, and nothing folded', async () => {
  const a4Width = 718;  // pixels between the margins
  const {page, context} = await openPage({colorScheme: 'dark', viewport: {width: a4Width, height: 1000}});
  for (const path of ['chapter_02_coalescing', 'chapter_09_sgemm_ladder_1_tiles', 'chapter_09_sgemm_results', 'counted_02_coalescing']) {
    await page.goto(`${origin}/${path}.html`);
    const state = () => page.evaluate(() => ({
      dark: document.documentElement.className.includes('dark-mode'),
      folded: document.querySelectorAll('main details:not([open], .as-printed)').length,
    }));
    const before = await state();
    assert.ok(before.dark);
    // What a page is while it is printed, asked for by the last to hear of it.
    await page.evaluate(() => addEventListener('beforeprint', () => {
      const style = (selector) => Array.from(document.querySelectorAll(selector), (element) => getComputedStyle(element));
      window.printed = {
        folded: document.querySelectorAll('main details:not([open], .as-printed)').length,
        paper: getComputedStyle(document.body).backgroundColor,
        behindLines: [...new Set(style('.line:is(.added, .removed)').map(({backgroundColor}) => backgroundColor))],
        inks: [...new Set(style('main p, main .line, main td, main h2').map(({color}) => color))],
        scheme: getComputedStyle(document.documentElement).colorScheme,
      };
    }));
    await page.pdf({format: 'A4'});
    const {folded, paper, behindLines, inks, scheme} = await page.evaluate(() => window.printed);
    assert.equal(folded, 0, path);
    assert.ok(isLight(paper), `${path}: the paper is ${paper}`);
    assert.deepEqual(inks.filter((ink) => isLight(ink)), [], path);
    assert.deepEqual(behindLines.filter((colour) => !isLight(colour)), [], path);
    assert.equal(scheme, 'light', path);
    assert.deepEqual(await state(), before, `${path} is not as before`);

    await page.emulateMedia({media: 'print'});
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const {cut, twice, faded} = await page.evaluate(() => ({
      cut: Array.from(document.querySelectorAll('main *'))
        .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
        .map((element) => `${element.tagName} ${element.textContent.slice(0, 60)}`),
      twice: document.querySelector('.as-printed')?.checkVisibility(),
      faded: Array.from(document.querySelectorAll('.line:is(.added, .removed)'))
        .filter((line) => getComputedStyle(line).printColorAdjust !== 'exact' ||
          getComputedStyle(line).backgroundColor === 'rgba(0, 0, 0, 0)').length,
    }));
    none(cut.map((what) => `${path}: ${what}`));
    assert.equal(faded, 0, path);
    assert.ok(!twice, `${path} has what was printed twice`);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({media: null});
  }
  await context.close();
});

testInEach('the pages work from a disk, without a server', {}, async (which) => {
  const {page, context, faults} = await openPage();
  await page.goto(pathToFileURL(join(SITE, 'index.html')).href);
  await page.fill('#search-field', '__shfl_down_sync');
  await page.locator('#search-results a').first().waitFor();
  none(faults);
  await context.close();
});

test('a page that is watched loads itself again when a file was saved, and not when the site could not be made', async (test) => {
  const folder = await mkdtemp(join(tmpdir(), 'watched site '));
  test.after(() => rm(folder, {recursive: true}));
  const source = join(folder, 'docs/text.md'), made = join(folder, 'site/index.html');
  await mkdir(join(folder, 'docs'));
  await mkdir(join(folder, 'site'));
  const save = async (text) => {  // in one step: nobody reads half of it
    await writeFile(`${source}.new`, `<body><main>${text}</main></body>`);
    await rename(`${source}.new`, source);
  };
  await save('first');
  await writeFile(made, await readFile(source));
  // What makes this site fails where the text is "wrong".
  const make = `! grep -q wrong '${source}' && cp '${source}' '${made}'`;
  const watch = spawn('python3', ['-u', join(sourceRoot, 'tools/site/watch.py'), join(folder, 'site'), folder, '--', 'sh', '-c', make],
    {stdio: ['ignore', 'pipe', 'inherit']});
  test.after(() => watch.kill());
  const [line] = await event(createInterface({input: watch.stdout}), 'line');
  const url = line.match(/\((http:.*)\)/)[1];
  const context = await openContext();
  const page = await context.newPage();
  await page.goto(url);
  const shows = (text) => page.waitForFunction((wanted) => document.querySelector('main')?.textContent === wanted, text);
  await shows('first');
  await save('second');
  await shows('second');
  await save('wrong');
  await new Promise((done) => setTimeout(done, 2000));
  await shows('second');
  await save('third');
  await shows('third');
  assert.doesNotMatch(await readFile(made, 'utf8'), /script/, 'what is made stays as it is');
  await context.close();
});

testInEach('the explorer reacts, and leads back', {skip: EXPLORER !== 'yes' && 'there is no explorer'}, async (which) => {
  const {page, context, faults} = await openPage({colorScheme: 'light'});
  await page.goto(origin + '/index.html');
  await page.click('#theme-toggle');
  await page.click('#site-nav a:has-text("Explorer")');
  const figures = () => page.locator('#figures').innerText();
  await page.fill('#stride', '1');
  const before = {figures: await figures(), picture: await page.locator('#picture').innerHTML()};
  assert.match(before.figures, /sectors\s*4\b/);
  await page.fill('#stride', '2');
  assert.match(await figures(), /sectors\s*8\b/);
  assert.notEqual(await page.locator('#picture').innerHTML(), before.picture);
  await page.selectOption('#memory', 'shared');
  assert.match(await figures(), /wavefronts/);
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.match(paper, /^rgb\((\d|[1-4]\d), /, 'the explorer is not dark');
  await page.click('nav a');
  await page.waitForURL(origin + '/index.html');
  none(faults);
  await context.close();
});

testInEach('no figure of the explorer says otherwise than its sentence', {skip: EXPLORER !== 'yes' && 'there is no explorer'}, async (which) => {
  const {page, context, faults} = await openPage();
  let compared = 0;
  for (const stride of [0, 1, 2, 8, 32]) {
    for (const access of ['load', 'store', 'atomic']) {
      await page.goto('about:blank');  // else only the part behind # changes, and nothing is loaded
      await page.goto(`${origin}/explorer/index.html#stride=${stride}&access=${access}`);
      const verdict = await page.locator('#verdict').innerText();
      const figures = new Map(await page.locator('#figures div').evaluateAll((boxes) =>
        boxes.map((box) => [box.querySelector('dt').innerText, box.querySelector('dd').innerText])));
      // Whatever has a unit in the sentence is the figure of that name.
      for (const [pattern, name] of [[/ask for (\d+) byte/, 'bytes asked for'], [/(\d+) bytes move/, 'bytes moved'],
        [/and (\d+) line/, 'lines'], [/in (\d+) sectors? and/, 'sectors'], [/move, ([\d.]+ ?%)/, 'efficiency']]) {
        const said = verdict.match(pattern)?.[1];
        assert.equal(said === undefined, !figures.has(name) || (/visited/.test(verdict) && name !== 'bytes asked for'), `${name}: ${verdict}`);
        if (said === undefined) continue;
        assert.equal(figures.get(name), said, `${name}, stride ${stride}, ${access}: ${verdict}`);
        ++compared;
      }
      assert.ok(!figures.has('bytes'), 'bytes of what?');
    }
  }
  assert.ok(compared > 50, `only ${compared} figures were compared`);
  none(faults);
  await context.close();
});

testInEach('the first screen says what this is, and where to begin', {}, async (which) => {
  for (const viewport of [{width: 1440, height: 900}, {width: 1024, height: 768}, narrow]) {
    const {page, context} = await openPage({viewport});
    await page.goto(origin + '/index.html');
    const bottoms = await page.locator('.promise, .begin a').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
    assert.equal(bottoms.length, EXPLORER === 'yes' ? 3 : 2);
    for (const bottom of bottoms) assert.ok(bottom < viewport.height, `at ${viewport.width} px, ${bottom} px down`);
    const ladder = await page.locator('.ladder').boundingBox();
    assert.ok(ladder.y + ladder.height < viewport.height, `at ${viewport.width} px, the ladder ends ${ladder.y + ladder.height} px down`);
    assert.equal(await page.locator('.proofs li').count(), 3);
    await context.close();
  }
});

test('the ladder of the home page has the measured speeds, and bars that grow to their lengths', async () => {
  const plots = JSON.parse(await readFile(join(sourceRoot, 'docs/plots/plots.json'), 'utf8'));
  const {only, yardstick} = plots.pictures.find(({name}) => name === 'sgemm_rungs');
  const {chapters} = JSON.parse(await readFile(join(sourceRoot, 'docs/measurements/h200.json'), 'utf8'));
  const speeds = [...only, yardstick].map((wanted) => chapters['09_sgemm'].find(({kernel, parameters: {step, m, n, k}}) =>
    kernel === 'sizes' && step === wanted && [m, n, k].every((side) => side === 4096)).gflop_per_s);
  assert.ok(speeds.length <= 8);
  for (const options of [{}, {javaScriptEnabled: false}, {reducedMotion: 'reduce'}]) {
    const {page, context} = await openPage(options);
    await page.goto(origin + '/index.html');
    const rungs = page.locator('.rungs li');
    assert.deepEqual(await rungs.locator('.rung-speed').allInnerTexts(), speeds.map((speed) => Math.round(speed).toLocaleString('en')));
    const widths = () => rungs.locator('.rung').evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    if (options.javaScriptEnabled === undefined) await page.waitForFunction(() => !document.getAnimations().length && !document.querySelector('.waiting'));
    const all = await widths(), longest = Math.max(...all);
    all.forEach((width, i) => assert.ok(Math.abs(width / longest - speeds[i] / Math.max(...speeds)) < 0.01, `bar ${i}: ${width} px`));
    await context.close();
  }
  // Its caption and the text below it say that the last step is ahead of the library.
  assert.ok(speeds.at(-2) > speeds.at(-1));
  const {page, context} = await openPage();
  await page.goto(origin + '/index.html');
  const gain = Math.round(speeds.at(-2) / speeds[0]);
  assert.match(await page.locator('.ladder figcaption').innerText(), new RegExp(`${gain} times as fast`));
  await page.click('.rungs a >> nth=1');
  await page.waitForURL(/ladder_1_tiles\.html#02-coalesced/);
  await page.goBack();
  await page.click('.all-steps a');
  await page.waitForURL(/ladder_09_sgemm\.html$/);
  await context.close();
});

testInEach('large tables are filtered and shaded, by keys, mouse and finger', {}, async (which) => {
  for (const options of [{}, phone]) {
    const {page, context, faults} = await openPage(options);
    await page.goto(origin + '/chapter_09_sgemm_results.html');
    await page.evaluate(() => document.querySelectorAll('main details').forEach((fold) => { fold.open = true; }));
    const tools = page.locator('.table-tools').filter({visible: true}).first();
    const table = page.locator('.table-tools + .table-scroll table').filter({visible: true}).first();
    const rows = table.locator('tbody tr'), count = await rows.count();
    assert.ok(count >= 12);
    const name = (await rows.nth(3).locator('td').first().innerText()).trim();
    await tools.locator('input').focus();
    await page.keyboard.type(name.toUpperCase());
    const shown = await rows.filter({visible: true}).allInnerTexts();
    assert.ok(shown.length >= 1 && shown.length < count);
    for (const row of shown) assert.ok(row.toLowerCase().includes(name.toLowerCase()), row);
    assert.equal(await tools.locator('output').innerText(), `${shown.length} of ${count} rows`);
    await tools.locator('input').fill('');
    assert.equal(await rows.filter({visible: true}).count(), count);

    const button = tools.locator('button');
    assert.equal(await table.locator('.heat').count(), 0);
    await (options.hasTouch ? tap(button) : button.click());
    const cells = await table.locator('.heat').evaluateAll((all) => all.map((cell) => ({
      column: cell.cellIndex, value: Number(cell.textContent.replaceAll(',', '')), heat: Number(cell.style.getPropertyValue('--heat')),
    })));
    assert.ok(cells.length > count);
    const column = cells.filter((cell) => cell.column === cells[0].column).sort((a, b) => a.value - b.value);
    column.reduce((less, more) => { assert.ok(less.heat <= more.heat); return more; });
    await button.focus();
    await page.keyboard.press('Enter');
    assert.equal(await table.locator('.heat').count(), 0);
    none(faults);
    await context.close();
  }
});

testInEach('a heat map has each step at each size, without scripts, too, and compares within rows', {}, async (which) => {
  const {chapters} = JSON.parse(await readFile(join(sourceRoot, 'docs/measurements/h200.json'), 'utf8'));
  const names = [...(await ladderSteps()).map(({step}) => step).slice(0, 16), 'cublas'];
  const speedOf = (name, [m, n, k]) => chapters['09_sgemm'].find(({kernel, parameters}) => kernel === 'sizes' && parameters.step === name &&
    parameters.m === m && parameters.n === n && parameters.k === k).gflop_per_s / 1000;
  for (const options of which === 'Chromium' ? [{}, {javaScriptEnabled: false}, phone] : [{}, phone]) {
    const {page, context, faults} = await openPage(options);
    await page.goto(origin + '/chapter_09_sgemm_results.html');
    const table = page.locator('table.heat');
    assert.equal(await table.count(), 1);
    const rows = await table.locator('tbody tr').evaluateAll((all) => all.map((row) => Array.from(row.cells, (cell) => ({
      text: cell.textContent.trim(), heat: Number(cell.style.getPropertyValue('--heat')), isBest: cell.matches('.best'),
      colour: getComputedStyle(cell).backgroundColor}))));
    assert.equal(rows.length, 13);
    for (const [first, ...cells] of rows) {
      const [m, n = m, k = m] = first.text.match(/\d+/g).map(Number);
      const speeds = names.map((name) => speedOf(name, [m, n, k]));
      assert.equal(cells.length, names.length, first.text);
      cells.forEach(({text}, i) => assert.ok(Math.abs(Number(text) - speeds[i]) < 0.06, `${first.text}, ${names[i]}: ${text}`));
      for (const {text, isBest} of cells) assert.equal(isBest, Number(text) === Math.max(...cells.map((one) => Number(one.text))));
    }
    const all = rows.flatMap(([, ...cells]) => cells).sort((a, b) => Number(a.text) - Number(b.text));
    all.reduce((less, more) => { assert.ok(less.heat <= more.heat); return more; });
    assert.equal(all.at(-1).heat, 1);
    assert.notEqual(all[0].colour, all.at(-1).colour);
    if (options.javaScriptEnabled !== false) {
      const button = page.locator('.table-tools button', {hasText: 'Compare within each row'});
      await (options.hasTouch ? tap(button) : button.click());
      const best = () => table.locator('td.best').evaluateAll((cells) => cells.map((cell) => Number(cell.style.getPropertyValue('--heat'))));
      assert.ok((await best()).every((heat) => heat === 1));
      await button.focus();
      await page.keyboard.press('Enter');
      assert.ok((await best()).some((heat) => heat < 1));
      const field = page.locator('.table-tools:has(+ .table-scroll table.heat) input');
      await field.fill('8192');
      assert.equal(await table.locator('tbody tr').filter({visible: true}).count(), 2);
    }
    none(faults);
    await context.close();
  }
});

testInEach('dots stand where their numbers are, and are filtered by name and group', {}, async (which) => {
  for (const options of which === 'Chromium' ? [{}, {javaScriptEnabled: false}, phone] : [{}, phone]) {
    const {page, context, faults} = await openPage(options);
    await page.goto(origin + '/chapter_09_sgemm_results.html');
    const plots = page.locator('figure.dots'), plot = plots.first(), dots = plot.locator('.dot');
    assert.equal(await plots.count(), 2);
    const shapes = await page.locator('table.prose:has(th:text-is("times cuBLAS")) tbody tr').evaluateAll((rows) => rows
      .filter((row) => row.cells.length === 6).map((row) => Array.from(row.cells, (cell) => cell.textContent.trim().replaceAll(',', ''))));
    assert.equal(shapes.length, 78);
    for (const [at, columns] of [[0, [3, 4]], [1, [4, 5]]]) {
      const drawn = await plots.nth(at).locator('.dot').evaluateAll((all) => all.map((dot) => ({
        name: dot.dataset.tip.split('\n')[0], x: Number(dot.getAttribute('cx')), y: Number(dot.getAttribute('cy')),
        isInside: dot.getBBox().x >= 0 && dot.getBBox().y >= 0})));
      assert.deepEqual(drawn.map(({name}) => name), shapes.map(([name]) => name));
      // On a logarithmic axis, places are a line of the numbers' logarithms.
      for (const [axis, column, places] of [['x', columns[0], drawn.map(({x}) => x)], ['y', columns[1], drawn.map(({y}) => y)]]) {
        const logs = shapes.map((row) => Math.log(Number(row[column])));
        const least = logs.indexOf(Math.min(...logs)), most = logs.indexOf(Math.max(...logs));
        logs.forEach((log, i) => {
          const place = places[least] + (places[most] - places[least]) * (log - logs[least]) / (logs[most] - logs[least]);
          assert.ok(Math.abs(place - places[i]) < 0.2, `${axis} of ${shapes[i][0]}`);
        });
      }
      assert.ok(drawn.every(({isInside}) => isInside));
    }
    if (options.javaScriptEnabled !== false) {
      const press = (button) => options.hasTouch ? tap(button) : button.click();
      const shown = (of) => of.locator('.dot:not(.faded)').count();
      await plot.locator('input').focus();
      await page.keyboard.type('4096 16');
      const wanted = shapes.filter(([name]) => ['4096', '16'].every((word) => name.split(' ').includes(word))).length;
      assert.ok(wanted > 1);
      assert.equal(await shown(plot), wanted);
      assert.equal(await plot.locator('output').innerText(), `${wanted} of 78 shapes`);
      assert.equal(await shown(plots.nth(1)), wanted, 'the other plot shows the same');
      await plot.locator('input').fill('');
      const group = plot.locator('.dots-key button').first();
      await press(group);
      assert.equal(await group.getAttribute('aria-pressed'), 'false');
      assert.equal(await shown(plot), 18);
      await group.focus();
      await page.keyboard.press('Enter');
      assert.equal(await shown(plot), 78);
      await dots.first().focus();
      await popoverOf(page).waitFor();
      assert.match(await popoverOf(page).innerText(), /^128 x 128 x 128\s+predicted, \u00b5s: 3\.2\s+measured, \u00b5s: 2\.8$/);
    }
    none(faults);
    await context.close();
  }
});

test('every page has a description of its own, an icon, and what a shared link shows', async () => {
  const descriptions = new Map();
  for (const path of (await written()).keys()) {
    const html = await readFile(join(SITE, path), 'utf8');
    if (path.startsWith('/explorer/')) continue;
    const [, description] = html.match(/<meta name="description" content="([^"]*)"/) ?? [];
    assert.ok(description?.length > 20 && description.length < 320, `${path}: ${description}`);
    assert.equal(html.match(/<meta property="og:description" content="([^"]*)"/)[1], description, path);
    assert.equal(html.match(/<meta property="og:title" content="([^"]*)"/)[1], html.match(/<title>([^]*?)<\/title>/)[1], path);
    descriptions.set(description, [...descriptions.get(description) ?? [], path]);
  }
  const lessons = [...descriptions.values()].map((paths) => paths.filter((path) => path.startsWith('/chapter_')));
  none(lessons.filter(({length}) => length > 1).map((paths) => paths.join(' ')));
  const html = await readFile(join(SITE, 'index.html'), 'utf8');
  const [, image] = html.match(/<meta property="og:image" content="https:[^"]*\/([^"/]*)"/);
  const png = await readFile(join(SITE, image));
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
  assert.ok(png.length < 120 * 1024, `${png.length} bytes`);
  const [, icon] = html.match(/<link rel="icon" href="([^"]*)"/);
  assert.match(await readFile(join(SITE, icon), 'utf8'), /^<svg /);
});

testInEach('a rail says which step of the ladder this is, shows no speed ahead, and leads to each step', {}, async (which) => {
  for (const options of [{}, phone]) {
    const {page, context, faults} = await openPage(options);
    await page.goto(origin + '/chapter_09_sgemm_ladder_3_loading_ahead.html');
    const rail = page.locator('.rail'), where = rail.locator('.rail-where'), steps = rail.locator('ol a');
    const count = (await readdir(join(sourceRoot, 'chapters/09_sgemm/steps'))).filter((name) => /^\d\d_/.test(name)).length;
    assert.equal(await steps.count(), count);
    assert.equal(await where.innerText(), `Steps 8 to 12 of ${count}`);
    assert.equal(await rail.locator('.climbed').count(), 7);
    await page.locator('h2', {hasText: /^10 double buffer/}).evaluate((heading) => heading.scrollIntoView());
    await page.waitForFunction(() => /^Step 10 of/.test(document.querySelector('.rail-where').textContent));
    assert.match(await where.innerText(), /^Step 10 of \d+: double buffer, \d+\.\d TFLOP\/s$/);
    assert.equal(await rail.locator('.climbed').count(), 10);
    assert.ok(await rail.evaluate((element) => element.getBoundingClientRect().top < 100), 'it stays in sight');
    const heading = await page.locator('h2', {hasText: /^10 double buffer/}).boundingBox();
    const {y, height} = await rail.boundingBox();
    assert.ok(heading.y >= y + height, 'and covers no heading that a link leads to');
    const heights = await steps.evaluateAll((links) => links.map((link) => parseFloat(getComputedStyle(link, '::before').height)));
    assert.ok(heights.slice(10).every((one) => one === 0), 'what lies ahead is not told');
    await steps.nth(3).focus();
    await page.keyboard.press('ArrowRight');
    assert.ok(await steps.nth(4).evaluate((link) => link === document.activeElement));
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    assert.ok(await steps.last().evaluate((link) => link === document.activeElement));
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.waitForURL(/ladder_1_tiles\.html#01-naive/);
    const last = page.locator('.rail ol a').last();
    if (options.hasTouch) {
      await tap(last);
      assert.match(await popoverOf(page).innerText(), /^17 any shape\s/);
      await popoverOf(page).locator('a').click();
    } else {
      await last.click();
    }
    await page.waitForURL(/ladder_5_any_shape\.html#17-any-shape/);
    none(faults);
    await context.close();
  }
});

/// The steps of the ladder: number, name and source of each.
const ladderSteps = once(async () => {
  const folder = join(sourceRoot, 'chapters/09_sgemm/steps');
  const names = (await readdir(folder)).filter((name) => /^\d\d_/.test(name)).sort();
  return Promise.all(names.map(async (file) => ({
    file, number: file.slice(0, 2), step: file.slice(3, -'.cuh'.length), source: await readFile(join(folder, file), 'utf8'),
  })));
});

/// The lines of a fragment of code as they are shown.
const linesOf = (fragment) => fragment.locator('.line').evaluateAll((lines) => lines.map((line) => line.textContent.trimEnd()));

testInEach('the code of a step is its change or its whole source, by mouse, keys and finger', {}, async (which) => {
  const steps = await ladderSteps();
  for (const options of [{}, phone]) {
    const {page, context, faults} = await openPage({...options, permissions: ['clipboard-read', 'clipboard-write']});
    const press = (button) => options.hasTouch ? tap(button) : button.click();
    await page.goto(origin + '/chapter_09_sgemm_ladder_1_tiles.html');
    await openFolds(page);
    const caption = page.locator('.code-caption:has([data-step="07"])'), box = caption.locator('+ .code-box');
    const [change, whole] = [0, 1].map((at) => caption.locator('.step-switch button').nth(at));
    const fragment = box.locator('.fragment'), {source} = steps[6];
    assert.equal(await change.getAttribute('aria-pressed'), 'true');
    const written = await linesOf(fragment);
    await press(whole);
    await page.waitForFunction((element) => !element.classList.contains('diff'), await fragment.elementHandle());
    assert.equal((await linesOf(fragment)).join('\n'), source.trimEnd());
    assert.equal(await whole.getAttribute('aria-pressed'), 'true');
    assert.equal(await change.getAttribute('aria-pressed'), 'false');
    const marked = await fragment.locator('.line.added').count();
    assert.equal(marked, written.filter((line) => line.startsWith('+')).length, 'new lines are marked in the whole, too');
    assert.ok(await fragment.locator('.line > span').count() > 100, 'it has colours');
    if (!options.hasTouch) assert.equal(await copied(page, box), source.trimEnd());

    await change.focus();
    await page.keyboard.press('Enter');
    assert.equal(await fragment.locator('.line.added').count(), marked);
    const gaps = fragment.locator('.gap-button'), before = await gaps.count();
    assert.ok(before > 0);
    const words = await gaps.first().innerText();
    assert.match(words, /^\S*\s*\d+ lines as before/);
    assert.match((await gaps.allInnerTexts()).join(), /in sgemm/, 'the context of a change is named');
    const count = await fragment.locator('.line').count();
    await gaps.first().focus();
    await page.keyboard.press('Enter');
    assert.equal(await gaps.count(), before - 1);
    assert.equal(await fragment.locator('.line').count(), count - 1 + Number(words.match(/\d+/)[0]));
    // What was shown by the text is all there.
    const shown = new Set(await linesOf(fragment));
    none(written.filter((line) => /^[-+]/.test(line) && !shown.has(line)));

    // A section whose text shows no change of the code ends with the same switch.
    await page.goto(origin + '/chapter_09_sgemm_ladder_3_loading_ahead.html');
    const last = page.locator('div.step-code[data-step="11"]'), button = last.locator('button').nth(1);
    assert.equal(await last.locator('[aria-pressed="true"]').count(), 0);
    await press(button);
    const added = page.locator('div.step-code[data-step="11"] + .code-box .fragment');
    await added.waitFor();
    assert.equal((await linesOf(added)).join('\n'), steps[10].source.trimEnd());
    await press(button);
    assert.equal(await added.count(), 0);
    none(faults);
    await context.close();
  }
});

test('each step of the ladder has its code on its page, without scripts as a link', async () => {
  const pages = await written(), numbers = [];
  const {page, context} = await openPage({javaScriptEnabled: false});
  for (const path of (await readingOrder()).filter((one) => one.includes('_ladder_'))) {
    await page.goto(origin + path);
    await openFolds(page);
    const hosts = await page.locator('.step-code').evaluateAll((all) => all.map((host) => ({
      number: host.dataset.step, links: Array.from(host.closest('.code-caption').querySelectorAll('a'), (link) => link.href),
    })));
    for (const {number, links} of hosts) {
      numbers.push(number);
      assert.ok(links.some((link) => new RegExp(`/${number}__\\w+_8cuh_source\\.html`).test(link) && pages.has(files.fileOf(link))), `${number}: ${links}`);
    }
    assert.equal(await page.locator('.step-switch').count(), 0);
  }
  assert.deepEqual(numbers, (await ladderSteps()).map(({number}) => number));
  await context.close();
});

testInEach('a slider leads through the steps, with their numbers, code and pictures', {}, async (which) => {
  const steps = await ladderSteps();
  const {chapters} = JSON.parse(await readFile(join(sourceRoot, 'docs/measurements/h200.json'), 'utf8'));
  const speeds = steps.map(({step: wanted}) => chapters['09_sgemm'].find(({kernel, parameters: {step, m, n, k}}) =>
    kernel === 'sizes' && step === wanted && [m, n, k].every((side) => side === 4096)).gflop_per_s / 1000);
  for (const options of [{viewport: wide}, phone]) {
    const {page, context, faults} = await openPage(options);
    await page.goto(origin + '/ladder_09_sgemm.html');
    const links = new Set();
    const walk = page.locator('ladder-walk'), slider = walk.locator('input'), fragment = walk.locator('.fragment');
    await slider.focus();
    const factsNow = () => walk.locator('.walk-facts > div').evaluateAll((facts) =>
      Object.fromEntries(facts.map((fact) => [fact.querySelector('dt').textContent, fact.querySelector('dd').textContent])));
    for (const [at, {number, source}] of steps.entries()) {
      if (at > 0) await page.keyboard.press('ArrowRight');
      assert.equal(await walk.locator('.walk-where').innerText(), `Step ${at + 1} of ${steps.length}`);
      assert.match(await slider.getAttribute('aria-valuetext'), new RegExp(`^Step ${at + 1} of ${steps.length}: `));
      const facts = await factsNow();
      assert.ok(Math.abs(Number(facts['TFLOP/s']) - speeds[at]) < 0.06, `${number}: ${facts['TFLOP/s']}, not ${speeds[at]}`);
      if (at > 0) assert.match(page.url(), new RegExp(`#step-${number}$`));
      assert.ok(await walk.locator('.walk-pictures img').count() > 0, number);
      assert.equal(await walk.locator('.walk-waits dd').count() > 0, true, number);
      for (const link of await walk.locator('a').evaluateAll((links) => links.map(({href}) => href))) links.add(link);
      for (const words of await walk.locator('.walk-crop:first-child img').evaluateAll((images) => images.map(({alt}) => alt))) assert.ok(words.length > 20, words);
      const all = await walk.locator('.walk-code .line').count();
      assert.ok(all > 3, number);
      if (at === 6 || at === steps.length - 1) {
        await walk.locator('.step-switch button', {hasText: 'Whole source'}).click();
        assert.equal((await linesOf(fragment)).join('\n'), source.trimEnd());
        await walk.locator('.step-switch button', {hasText: 'The change'}).click();
        await slider.focus();
      }
    }
    const pages = await written();
    for (const link of links) {
      const target = pages.get(files.fileOf(link)), anchor = decodeURIComponent(new URL(link).hash.slice(1));
      assert.ok(target && (!anchor || target.ids.includes(anchor)), `${link} leads nowhere`);
    }
    assert.ok(links.size > 3 * steps.length);
    // The pictures are strips of those of the lessons, and none is empty.
    await page.goto('about:blank');
    await page.goto(origin + '/ladder_09_sgemm.html#step-07');
    await page.waitForFunction(() => /^Step 7 /.test(document.querySelector('.walk-where')?.textContent));
    const strips = await walk.locator('.walk-crop').evaluateAll((crops) => crops.map((crop) => {
      const image = crop.querySelector('img').getBoundingClientRect(), box = crop.getBoundingClientRect();
      return {above: box.top - image.top, below: image.bottom - box.bottom, height: box.height, ratio: image.height / image.width};
    }));
    assert.ok(strips.length >= 4);
    for (const {above, below, height, ratio} of strips) assert.ok(above >= 0 && below >= -1 && height > 15 && ratio > 0.3, JSON.stringify(strips));

    await walk.locator('.walk-bars').evaluate((bars) => bars.scrollIntoView({block: 'center'}));
    const {x, y, width, height} = await walk.locator('.walk-bars span').nth(11).boundingBox();
    if (options.hasTouch) await moveFinger(page, {x: x + width / 2, y: y + height / 2});
    else await page.mouse.click(x + width / 2, y + height / 2);
    await page.waitForFunction(() => /^Step 12 /.test(document.querySelector('.walk-where').textContent));
    await walk.locator('.walk-buttons button', {hasText: 'Step before'}).click();
    assert.equal(await walk.locator('.walk-where').innerText(), `Step 11 of ${steps.length}`);
    // A number says where it comes from, here as in the table.
    const number = walk.locator('.walk-facts .figure').first();
    await number.focus();
    await popoverOf(page).waitFor();
    assert.match(await popoverOf(page).innerText(), /^11 TMA, time[^]*Measured on an NVIDIA H200/);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
    none(faults);
    await context.close();
  }
  const {page, context} = await openPage({javaScriptEnabled: false});
  await page.goto(origin + '/ladder_09_sgemm.html');
  assert.equal(await page.locator('table.steps tbody tr').filter({visible: true}).count(), steps.length, 'without scripts, it is a table');
  await context.close();
});

test('every page says which edition it is of, how to cite it, and where to report a mistake', async () => {
  const changes = await readFile(join(sourceRoot, 'CHANGELOG.md'), 'utf8');
  const [, version, date] = changes.match(/^## (\d+\.\d+\.\d+), (\d{4}-\d\d-\d\d)$/m);
  const {page, context} = await openPage();
  await page.goto(origin + '/kernels.html');
  const footer = page.locator('#site-footer');
  assert.ok((await footer.innerText()).includes(`edition ${version} of ${date}, MIT licence`));
  assert.match(await footer.locator('a').getAttribute('href'), /^https:.*\/issues$/);
  await footer.locator('summary').click();
  assert.ok((await footer.locator('details p').innerText()).includes(`Edition ${version} of ${date}`));
  await context.close();
});

test('text is large, its lines have some 68 letters, and its numbers are quiet until somebody points', async () => {
  const {page, context} = await openPage({viewport: {width: 1440, height: 900}});
  for (const lesson of ['chapter_02_coalescing', 'chapter_09_sgemm_ladder_1_tiles', 'teaching']) {
    await page.goto(`${origin}/${lesson}.html`);
    const lines = await page.evaluate(() => Array.from(document.querySelectorAll('.textblock > p:not(.noted)'), (paragraph) => ({
      letters: paragraph.innerText.length,
      rows: paragraph.getBoundingClientRect().height / parseFloat(getComputedStyle(paragraph).lineHeight),
      size: parseFloat(getComputedStyle(paragraph).fontSize),
    })).filter(({letters}) => letters > 240));
    assert.ok(lines.length >= 3, lesson);
    const letters = lines.reduce((sum, line) => sum + line.letters, 0) / lines.reduce((sum, line) => sum + line.rows, 0);
    assert.ok(letters > 58 && letters < 74, `${lesson}: ${letters} letters a line`);
    for (const {size} of lines) assert.equal(size, 18, lesson);
  }
  await page.goto(`${origin}/chapter_02_coalescing.html`);
  const figure = page.locator('p .figure').first();
  const underline = () => figure.evaluate((element) => getComputedStyle(element).borderBottomColor);
  await page.mouse.move(0, 0);
  assert.equal(await underline(), 'rgba(0, 0, 0, 0)');
  await figure.hover();
  assert.notEqual(await underline(), 'rgba(0, 0, 0, 0)');
  await context.close();
});

testInEach('text has its own face, from a disk, too, and the face is at most 60 KB', {}, async (which) => {
  const faces = (await readdir(SITE)).filter((name) => name.endsWith('.woff2'));
  assert.equal(faces.length, 3);
  let bytes = 0;
  for (const name of faces) bytes += (await readFile(join(SITE, name))).length;
  assert.ok(bytes <= 60 * 1024, `${bytes} bytes`);
  for (const root of [pathToFileURL(SITE).href, origin]) {
    const {page, context, faults} = await openPage();
    await page.goto(`${root}/chapter_02_coalescing.html`);
    const loaded = await page.evaluate(async () => {
      await document.fonts.ready;
      return Array.from(document.fonts).filter(({family, status}) => /Serif 4/.test(family) && status === 'loaded').map(({weight, style}) => `${weight} ${style}`).sort();
    });
    assert.deepEqual(loaded, ['400 italic', '400 normal', '600 normal'], root);
    const faceOf = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).fontFamily);
    for (const selector of ['.textblock > p', 'h1', '.textblock > h2']) assert.match(await faceOf(selector), /^"Source Serif 4"/);
    for (const selector of ['table.prose td', '.code-caption', '#site-nav a', '.contents-list a', 'nav.contents-list h2'])
      assert.doesNotMatch(await faceOf(selector), /Serif 4/, selector);
    none(faults);
    await context.close();
  }
});

test('short asides stand in the margin of a wide screen, beside their paragraph, and in brackets elsewhere', async () => {
  let asides = 0;
  for (const viewport of [{width: 1440, height: 900}, narrow]) {
    await visitEach((await readingOrder()).filter((path) => path.startsWith('/chapter_')), {viewport}, async (page, _, path) => {
      await openFolds(page);
      const found = await page.evaluate(() => Array.from(document.querySelectorAll(':is(.textblock, .textblock details) > p.noted'), (paragraph) => {
        const [text, aside] = Array.from(paragraph.children, (one) => one.getBoundingClientRect());
        const next = paragraph.nextElementSibling?.getBoundingClientRect();
        return {words: paragraph.lastElementChild.innerText, right: text.right, left: aside.left, above: aside.top - text.top,
          bottom: aside.bottom, next: next?.height > 0 ? next.top : null, end: aside.right, screen: document.documentElement.clientWidth};
      }));
      for (const {words, right, left, above, bottom, next, end, screen} of found) {
        assert.ok(end <= screen, `${path}: ${words}`);
        assert.ok(next === null || bottom <= next, `${path}: ${words}`);
        if (viewport === narrow) {
          assert.match(words, /^\([^]*\)$/, path);
        } else {
          assert.ok(left > right && Math.abs(above) < 8, `${path}: ${words}`);
          assert.doesNotMatch(words, /^\(/, path);
          assert.ok(words.length <= 220, path);
          ++asides;
        }
      }
    });
  }
  assert.ok(asides > 30, `only ${asides}`);
});

test('the letters of pictures have at least 9 pixels on a phone, and who has only keys can move them', async () => {
  const pages = await written(), smallest = new Map();
  const isPicture = (src) => src.endsWith('.svg') && files.fileOf(src);
  const pictures = new Set([...pages.values()].flatMap((page) => page.images.map(({src}) => src)).filter(isPicture).map((src) => files.fileOf(src)));
  await visitEach([...pictures], {}, async (page, _, path) => {
    smallest.set(path, await page.evaluate(() => Math.min(...Array.from(document.querySelectorAll('text'), (text) => parseFloat(getComputedStyle(text).fontSize)), 99)));
  });
  const paths = [...pages].filter(([, page]) => page.images.some(({src}) => isPicture(src))).map(([path]) => path);
  assert.ok(paths.length > 15, `only ${paths.length}`);
  const faults = [];
  await visitEach([...paths, '/ladder_09_sgemm.html'], phone, async (page, _, path) => {
    await openFolds(page);
    await page.waitForFunction(() => !document.querySelector('ladder-walk') || document.querySelector('.walk-crop'));
    await page.evaluate(() => dispatchEvent(new Event('resize')));
    const images = await page.evaluate(() => Array.from(document.images).filter((image) => image.checkVisibility()).map((image) => {
      const box = image.closest('p, .walk-scroll');
      return {src: image.src, scale: image.getBoundingClientRect().width / image.naturalWidth,
        isReached: !box || box.scrollWidth <= box.clientWidth || box.tabIndex === 0};
    }));
    for (const {src, scale, isReached} of images.filter((one) => isPicture(one.src))) {
      const pixels = smallest.get(files.fileOf(src)) * scale;
      if (pixels < 8.99) faults.push(`${path}: ${src} has letters of ${pixels} px`);
      if (!isReached) faults.push(`${path}: ${src} cannot be scrolled by keys`);
    }
  });
  none(faults);
});

testInEach('of a table that is wider than a phone the first column stays in sight', {}, async (which) => {
  const {page, context} = await openPage(phone);
  await page.goto(origin + '/chapter_09_sgemm_results.html');
  await openFolds(page);
  const moved = await page.evaluate(() => Array.from(document.querySelectorAll('.table-scroll'))
    .filter((box) => box.scrollWidth > box.clientWidth).map((box) => {
      box.scrollLeft = 1000;
      const cells = Array.from(box.querySelectorAll('tr'), (row) => row.cells[0].getBoundingClientRect());
      const {left, width} = box.getBoundingClientRect();
      return {scrolled: box.scrollLeft, stays: cells.every((cell) => Math.abs(cell.left - left) < 2), part: Math.max(...cells.map((cell) => cell.width)) / width};
    }));
  assert.ok(moved.length >= 5, `only ${moved.length} wide tables`);
  const cards = await page.evaluate(() => Array.from(document.querySelectorAll('table.cards'), (table) => ({
    fits: table.scrollWidth <= table.parentElement.clientWidth,
    nameless: Array.from(table.querySelectorAll('td:not(:first-child, :empty)')).filter((cell) => !getComputedStyle(cell, '::before').content.includes(':')).length,
    outside: Array.from(table.querySelectorAll('td')).filter((cell) => cell.getBoundingClientRect().right > document.documentElement.clientWidth).length})));
  assert.ok(cards.length >= 2, 'tables with sentences are cards');
  for (const card of cards) assert.deepEqual(card, {fits: true, nameless: 0, outside: 0});
  for (const {scrolled, stays, part} of moved) {
    assert.ok(scrolled > 0 && stays);
    assert.ok(part < 0.55, `the first column takes ${part} of the screen`);
  }
  await context.close();
});

/// The lessons with figures that the reader moves.
const liveLessons = ['chapter_02_coalescing', 'chapter_03_alignment', 'chapter_08_warp_primitives'];

/// The state that a figure is in, as the explorer's links have it.
const stateOf = (figure) => figure.getAttribute('data-state');

/// The numbers below a figure, by name.
const factsOf = (figure) => figure.evaluate((element) => Object.fromEntries(Array.from(element.querySelectorAll('.live-facts div'),
  (fact) => [fact.querySelector('dt').textContent, fact.querySelector('dd').textContent])));

/// Moves a finger over the screen along points, from where it comes down to where it is lifted.
async function moveFinger(page, ...points) {
  if (browser === running.get('Chromium')) {
    const device = await page.context().newCDPSession(page);
    const touch = (type, ...touchPoints) => device.send('Input.dispatchTouchEvent', {type, touchPoints});
    await touch('touchStart', points[0]);
    for (const point of points.slice(1)) await touch('touchMove', point);
    await touch('touchEnd');
    return;
  }
  // The driver has no touch for WebDriver BiDi, but its connection knows the protocol's own word.
  const {_session: session} = page._connection.toImpl(page).delegate;
  const [first, ...others] = points.map(({x, y}) => ({type: 'pointerMove', x: Math.round(x), y: Math.round(y)}));
  await session.send('input.performActions', {context: session.sessionId, actions: [{
    type: 'pointer', id: 'finger', parameters: {pointerType: 'touch'},
    actions: [first, {type: 'pointerDown', button: 0}, ...others, {type: 'pointerUp', button: 0}],
  }]});
}

/// Taps something with a finger.
async function tap(thing) {
  await thing.evaluate((element) => element.scrollIntoView({block: 'center'}));
  const {x, y, width, height} = await thing.boundingBox();
  await moveFinger(thing.page(), {x: x + width / 2, y: y + height / 2});
}

/// The middle of what a lane asks for, on the screen, and the width of an element.
async function graspOf(figure, lane) {
  await figure.locator('.live-picture').evaluate((picture) => picture.scrollIntoView({block: 'center'}));
  const {x, y, width, height} = await figure.locator(`.use[data-lane="${lane}"]`).boundingBox();
  return {x: x + width / 2, y: y + height / 2, width};
}

const openFolds = (page) => page.locator('main details').evaluateAll((folds) => folds.forEach((fold) => { fold.open = true; }));

testInEach('live figures show each state of the text, inside their picture, wide and narrow', {skip: EXPLORER !== 'yes' && 'there is no explorer'}, async (which) => {
  let compared = 0;
  for (const options of [{viewport: wide}, phone]) {
    const {page, context, faults} = await openPage(options);
    for (const lesson of liveLessons) {
      await page.goto(`${origin}/${lesson}.html`);
      await openFolds(page);
      const figures = page.locator('live-figure');
      assert.ok(await figures.count() > 0, lesson);
      for (let i = 0; i < await figures.count(); ++i) {
        const figure = figures.nth(i);
        const {states} = JSON.parse(await figure.getAttribute('data-figure'));
        for (const [at, {words, cost}] of states.entries()) {
          const button = figure.locator('.live-states button').nth(at);
          await button.click();
          const facts = await factsOf(figure);
          // The rest is read in one go: a question to the browser costs more than its answer.
          const {label, pressed, pressedOnes, outside, scale, wider, touched} = await figure.evaluate((element, index) => {
            const chosen = element.querySelectorAll('.live-states button')[index];
            const svg = element.querySelector('.live-picture svg'), picture = svg.getBoundingClientRect();
            const isOutside = (box) => box.left < picture.left - 1 || box.top < picture.top - 1 ||
              box.right > picture.right + 1 || box.bottom > picture.bottom + 1;
            return {
              label: chosen.innerText,
              pressed: chosen.getAttribute('aria-pressed'),
              pressedOnes: element.querySelectorAll('[aria-pressed="true"]').length,
              outside: Array.from(svg.querySelectorAll('*')).filter((shape) => isOutside(shape.getBoundingClientRect()))
                .map((shape) => `${shape.tagName} ${shape.textContent}`),
              scale: picture.width / svg.viewBox.baseVal.width,
              wider: element.querySelector('.live-view').scrollWidth - element.querySelector('.live-view').clientWidth,
              touched: svg.querySelectorAll('.use').length,
            };
          }, at);
          assert.equal(label, words);
          assert.equal(pressed, 'true', words);
          assert.equal(pressedOnes, 1, words);
          for (const [name, value] of Object.entries(cost ?? {})) {
            const fact = facts[name.replace('efficiencyPct', 'efficiency')];
            if (fact === undefined) continue;
            assert.equal(parseFloat(fact), value, `${lesson}, ${words}: ${name}`);
            ++compared;
          }
          none(outside.map((what) => `${lesson}, ${words}: ${what}`));
          assert.equal(scale, 1, 'letters are as large as they are meant to be');
          assert.ok(wider <= 0 && touched > 0, `${lesson}, ${words}`);
        }
      }
    }
    none(faults);
    await context.close();
  }
  assert.ok(compared > 30, `only ${compared} numbers`);
});

testInEach('a live figure is moved by mouse, keys and finger', {skip: EXPLORER !== 'yes' && 'there is no explorer'}, async (which) => {
  for (const options of [{viewport: wide}, phone]) {
    const {page, context, faults} = await openPage(options);
    await page.goto(`${origin}/chapter_02_coalescing.html`);
    const figure = page.locator('live-figure').first(), picture = figure.locator('.live-picture');
    assert.equal(await stateOf(figure), 'stride=2');

    const from = await graspOf(figure, 1);
    const to = {x: from.x + 2 * from.width, y: from.y};
    if (options.hasTouch) {
      await moveFinger(page, from, {x: from.x + from.width, y: from.y}, to);
    } else {
      await page.mouse.move(from.x, from.y);
      assert.match(await figure.locator('.live-lane').innerText(), /^Lane 1: in\[1 \* 2\] is element 2: bytes 8 to 11, in sector 0\.$/);
      assert.equal(await figure.locator('.live-picture .around').count(), 1, 'the sector of the lane is marked');
      assert.equal(await figure.locator('.live-code .lit').count(), 2, 'so are the words of the code');
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, {steps: 4});
      await page.mouse.up();
    }
    assert.equal(await stateOf(figure), 'stride=4');
    assert.equal((await factsOf(figure)).sectors, '16');

    await picture.focus();
    await page.keyboard.press('ArrowDown');
    assert.equal(await stateOf(figure), 'stride=3');
    assert.equal((await factsOf(figure)).sectors, '12');
    await page.keyboard.press('Home');
    for (let i = 0; i < 3; ++i) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    assert.match(await picture.getAttribute('aria-valuetext'), /^Lane 2: in\[2 \* 3\] is element 6: bytes 24 to 27/);
    await page.keyboard.press('End');
    assert.match(await figure.locator('.live-lane').innerText(), /^Lane 31: in\[31 \* 3\] is element 93/);

    const slider = figure.locator('[data-setting="stride"]');
    await slider.focus();
    assert.deepEqual(await figure.locator('.live-code .lit').allInnerTexts(), ['stride']);
    for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowRight');
    assert.equal(await stateOf(figure), 'stride=8');
    assert.match(await figure.locator('.live-verdict').innerText(), /32 sectors and 8 lines: 1024 bytes move, 12\.5 % of them of use/);
    await figure.locator('[data-setting="bytes"]').focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await stateOf(figure), 'bytes=8&stride=8');
    none(faults);
    await context.close();
  }
});

testInEach('words of shared memory are pulled into other banks', {skip: EXPLORER !== 'yes' && 'there is no explorer'}, async (which) => {
  const {page, context, faults} = await openPage();
  await page.goto(`${origin}/chapter_08_warp_primitives.html`);
  await openFolds(page);
  const figure = page.locator('live-figure:has([data-setting="pitch"])');
  await figure.locator('button', {hasText: 'a column of 32 x 32'}).click();
  await figure.locator('[data-setting="pitch"]').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal((await factsOf(figure)).wavefronts, '1');
  await figure.locator('button', {hasText: 'words 0, 32 and 64'}).click();
  assert.equal(await figure.locator('.later').count(), 3, 'two words wait, and the legend says so');
  const from = await graspOf(figure, 1);
  await page.mouse.move(from.x, from.y);
  assert.equal(await figure.locator('.band').count(), 1);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width, from.y);
  await page.mouse.up();
  assert.match(await stateOf(figure), /pitch=33/);
  assert.equal((await factsOf(figure)).wavefronts, '1');
  none(faults);
  await context.close();
});

test('on paper and without scripts a live figure is the still picture', {skip: EXPLORER !== 'yes' && 'there is no explorer'}, async () => {
  for (const javaScriptEnabled of [true, false]) {
    const {page, context} = await openPage({javaScriptEnabled});
    await page.goto(`${origin}/chapter_02_coalescing.html`);
    const figure = page.locator('live-figure').first();
    assert.equal(await figure.locator('img').isVisible(), !javaScriptEnabled, 'on the screen');
    if (javaScriptEnabled) {
      await page.emulateMedia({media: 'print'});
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    }
    assert.ok(await figure.locator('img').isVisible());
    assert.equal(await figure.locator('.live-picture, .live-states, .live-sliders, .live-facts').filter({visible: true}).count(), 0);
    await context.close();
  }
});

/// The rules of axe-core that depend on colours.
const aboutColours = ['color-contrast', 'link-in-text-block'];
const coloursAlone = {runOnly: {type: 'rule', values: aboutColours}};
const allButColours = {rules: Object.fromEntries(aboutColours.map((rule) => [rule, {enabled: false}]))};

/// Of the elements of a page that look alike, the first: of those with a text whose names, classes and
/// states are the same, and those of all elements around them. A rule about colours says the same of all
/// of them.
function oneOfEachLook() {
  const looks = new Map();  // from an element to the number of its look
  const numbers = new Map();
  const lookOf = (element) => {
    if (!element) return 0;
    if (!looks.has(element)) {
      const row = element.tagName === 'TR' ? element.rowIndex % 2 : '';
      const own = [element.tagName, element.className, row, element.getAttribute('style'), element.getAttribute('aria-current')];
      const look = `${lookOf(element.parentElement)} ${own.join(' ')}`;
      if (!numbers.has(look)) numbers.set(look, numbers.size + 1);
      looks.set(element, numbers.get(look));
    }
    return looks.get(element);
  };
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const first = new Map();
  for (const element of document.querySelectorAll('body *')) {
    if (!hasText(element) && !element.matches('input, select, textarea')) continue;
    if (!first.has(lookOf(element))) first.set(lookOf(element), element);
  }
  return [...first.values()];
}

/// What axe-core finds serious in a page as it is shown: by some of its rules, in the whole document or
/// in the elements that `choose` returns there.
async function seriousViolations(page, rules, choose = () => document) {
  const {violations} = await page.evaluate(`(async () => axe.run((${choose})(), {resultTypes: ['violations'], ...${JSON.stringify(rules)}}))()`);
  return violations.filter(({impact}) => ['serious', 'critical'].includes(impact))
    .map(({id, nodes}) => `${id}: ${nodes.length} x ${nodes[0].html.slice(0, 160)}`);
}

test('nothing that axe-core calls serious is on any kind of page, in light and dark', async () => {
  const kinds = await oneOfEachKind();
  if (EXPLORER === 'yes') kinds.push(`/${liveLessons[0]}.html`);
  assert.ok(kinds.length > 15, `only ${kinds.length} kinds of pages`);
  const violations = [];
  const paths = isLong ? await pathsToSee() : kinds;
  for (const viewport of isLong ? [wide, narrow] : [wide]) {
    await visitEach(paths, {viewport}, async (page, faults, path) => {
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({colorScheme});
        await page.reload({waitUntil: 'load'});  // a page takes its colours when it is loaded
        const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(isLight(background), colorScheme === 'light', `${path}, ${colorScheme}: ${background}`);
        await page.evaluate(axeSource);
        const found = await seriousViolations(page, coloursAlone, isLong ? undefined : oneOfEachLook);
        // All else is the same in both.
        if (colorScheme === 'light') found.push(...await seriousViolations(page, allButColours));
        for (const violation of found) violations.push(`${colorScheme}, ${viewport.width} px, ${path}: ${violation}`);
      }
    });
  }
  none(violations);
});

test('nothing that axe-core calls serious is in a step of the ladder, a switch or a chart, in light and dark', async () => {
  for (const viewport of isLong ? [wide, narrow] : [narrow]) {
    for (const colorScheme of ['light', 'dark']) {
      const rules = colorScheme === 'light' ? {} : coloursAlone;
      const {page, context} = await openPage({viewport, colorScheme});
      await page.goto(origin + '/ladder_09_sgemm.html#step-07');
      await page.locator('.walk-pictures img').first().waitFor();
      await page.evaluate(axeSource);
      none(await seriousViolations(page, rules, () => document.querySelectorAll('ladder-walk')));
      await page.goto(origin + '/chapter_09_sgemm_ladder_1_tiles.html');
      const caption = page.locator('.code-caption:has([data-step="02"])');
      await caption.locator('button').nth(1).click();
      await caption.locator('+ .code-box .fragment:not(.diff)').waitFor();
      await caption.locator('button').first().click();
      await page.evaluate(axeSource);
      none(await seriousViolations(page, rules, () => document.querySelectorAll('.code-caption:has(.step-switch), .code-caption:has([data-step="02"]) + .code-box')));
      await page.goto(origin + '/chapter_09_sgemm_results.html');
      await page.locator('figure.dots button').first().click();
      await page.evaluate(axeSource);
      none(await seriousViolations(page, rules, () => document.querySelectorAll('.dots, .heat, .table-tools')));
      await context.close();
    }
  }
});

/// What the site's script makes of numbers, without a browser.
const Guess = require(join(SITE, 'predictions.js'));

test('a guess is read as readers write numbers, and what is no number has a fault', () => {
  const cases = [['12', 12], [' 1e6 ', 1e6], ['1,000', 1000], ['1,234,567.5', 1234567.5], ['2.5x', 2.5], ['2,5 times', 2.5],
    ['0,125', 0.125], ['1.234,5', 1234.5], ['1 234,5', 1234.5], ['1.000.000', 1e6], ['67\u00a0000\u202f000', 67e6], ['.5', 0.5], ['12.', 12],
    ['-3', -3], ['\u22123', -3], ['+3', 3], ['~7', 7], ['about 7', 7], ['1.5e-3', 0.0015], ['1,5E3 \u00d7', 1500], ["1'000", 1000]];
  for (const [text, value] of cases) assert.deepEqual(Guess.read(text, 'times'), {value}, text);
  for (const [text, unit] of [['33 %', 'percent'], ['33%', 'percent slower'], ['12 \u00b5s', 'microseconds'], ['12 us', 'microseconds'],
    ['1 sector', 'sectors'], ['7 KiB', 'KiB'], ['8 TFLOPS', 'TFLOP/s at most'], ['8 tflop/s at most', 'TFLOP/s at most']])
    assert.ok('value' in Guess.read(text, unit), text);
  for (const text of ['', '  ', 'many', '1,2,3', '1.2.3', '3 to 5', '3-5', '1e999', '12 %', '12 sectors', 'e6', '-', '1,00,000', '0x10'])
    assert.match(Guess.read(text, 'times').fault ?? '', /\w/, text);
});

test('how far a guess is off is said in words', () => {
  const judged = (guess, value, near, unit = 'times', number = String(value)) => {
    const {near: isNear, words, more} = Guess.judged(guess, {value, number, unit, near});
    return `${isNear ? '+' : '-'} ${words} ${more}`.trim().replace(/\u00a0/g, ' ');
  };
  assert.equal(judged(12.4, 12.432, 50, 'times', '12.4'), '+ Exactly right.');
  assert.equal(judged(11, 12.5, 50), '+ 12 % too low: near enough.');
  assert.equal(judged(110, 100, 10), '+ 10 % too high: near enough.');
  assert.equal(judged(111, 100, 10), '- 11 % too high. Up to 10 % off is near enough.');
  assert.equal(judged(996, 1000, 10), '+ Less than 1 % too low: near enough.');
  assert.equal(judged(300, 100, 10), '- Three times too high. Up to 10 % off is near enough.');
  assert.equal(judged(200, 100, 10), '- Twice as much as it is. Up to 10 % off is near enough.');
  assert.equal(judged(50, 100, 10), '- Half of what it is. Up to 10 % off is near enough.');
  assert.equal(judged(240, 100, 10), '- 2.4 times too high. Up to 10 % off is near enough.');
  assert.equal(judged(1, 1234, 10), '- 1,200 times too low. Up to 10 % off is near enough.');
  assert.equal(judged(-4, 4, 60), '- The other way round. Up to 60 % off is near enough.');
  assert.equal(judged(5, 5, 0), '+ Exactly right.');
  assert.equal(judged(5.2, 5, 0), '- 4 % too high. This one can be counted.');
  assert.equal(judged(4, 5, 0, 'sectors'), '- One too few. This one can be counted.');
  assert.equal(judged(7, 5, 0, 'sectors'), '- Two too many. This one can be counted.');
  assert.equal(judged(50, 0, 0, 'percent'), '- 50 too high. This one can be counted.');
  assert.equal(Guess.withUnit('1', 'times'), '1\u00a0time');
  assert.equal(Guess.withUnit('33', 'percent slower'), '33\u00a0% slower');
  assert.equal(Guess.shown(1e6), '1,000,000');
});

/// What the lessons' texts ask to predict: from a page's path to {key, unit, near}, in order.
const asked = once(async () => {
  const pages = new Map();
  for (const {page, text} of await lessonTexts()) {
    const ones = Array.from(text.matchAll(/^<!-- predict: (\w+); ([^;]+); (?:(\d+) %|exact) -->$/gm),
      ([, figure, unit, near]) => ({key: `${page.slice(1, -'.html'.length)}/${figure}`, unit, near: near ?? '0'}));
    if (ones.length > 0) pages.set(page, ones);
  }
  return pages;
});

test('each prediction of a lesson stands on its page once, with the number that its answer shows', async () => {
  const pages = await asked();
  assert.ok([...pages.values()].flat().length > 45);
  assert.ok(pages.size > 15);
  await visitEach([...pages.keys()], {}, async (page, faults, path) => {
    const found = await page.locator('.prediction').evaluateAll((boxes) => boxes.map((box) => ({...box.dataset,
      form: box.querySelectorAll('form').length, folds: box.querySelectorAll('details').length,
      answer: box.querySelector('details').textContent,
      figure: Array.from(box.querySelectorAll('details .figure'), (figure) => figure.textContent)})));
    assert.deepEqual(found.map(({key, unit, near}) => ({key, unit, near})), pages.get(path), path);
    for (const {key, value, number, form, folds, figure} of found) {
      assert.ok(figure.includes(number), `${key}: the answer does not show ${number}`);
      const digits = number.replace(/,/g, '');
      assert.equal(Number(value).toFixed(digits.split('.')[1]?.length ?? 0), digits, key);
      assert.equal(form, 1, key);
      assert.equal(folds, 1, key);
    }
    none(faults);
  });
});

/// A prediction of the page: its parts, and what a reader does with it.
function predictionOf(page, at) {
  const box = page.locator('.prediction').nth(at);
  return {box, field: box.locator('input'), fault: box.locator('.guess-fault'), result: box.locator('.guess-result'),
    answer: box.locator(':scope > details'), commit: box.locator('.commit'), skip: box.locator('.guess .as-link'),
    isOpen: async () => await box.locator(':scope > details > :nth-child(2)').isVisible()};
}

const focused = (page) => page.evaluate(() => document.activeElement.className);

testInEach('a prediction is made by keys, mouse and finger, and is remembered', {}, async (which) => {
  for (const options of [{viewport: wide}, phone]) {
    const {page, context, faults} = await openPage(options);
    const lesson = `${origin}/chapter_00_first_kernel.html`;
    await page.goto(lesson);
    const [first, second, third] = [0, 1, 2].map((at) => predictionOf(page, at));
    const press = (button) => options.hasTouch ? tap(button) : button.click();
    assert.ok(!await first.isOpen());
    assert.ok(await page.locator('.tally').isHidden());
    assert.equal(await first.result.getAttribute('role'), 'status', 'it is announced');

    // Keys alone: a fault keeps what was written, and the guess opens the answer.
    await first.field.focus();
    await page.keyboard.type('some');
    await page.keyboard.press('Enter');
    assert.match(await first.fault.innerText(), /number/);
    assert.equal(await first.field.inputValue(), 'some');
    assert.equal(await first.field.getAttribute('aria-invalid'), 'true');
    assert.ok(!await first.isOpen());
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('2');
    assert.ok(await first.fault.isHidden(), 'the fault goes when somebody writes');
    await page.keyboard.press('Enter');
    assert.ok(await first.isOpen());
    assert.equal(await focused(page), 'guess-result');
    assert.match(await first.result.innerText(), /^One too low\. This one can be counted\.\s+your guess\s+2.times\s+it is\s+3.times$/);
    assert.match(await first.answer.innerText(), /^3 times: a and b go there/);
    const widths = await first.result.locator('.bar').evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    assert.ok(Math.abs(widths[0] / widths[1] - 2 / 3) < 0.02, `bars of ${widths}`);

    // A pointer.
    await second.field.fill('192 threads');
    await press(second.commit);
    assert.match(await second.result.innerText(), /^Exactly right\./);
    assert.ok(await page.locator('.tally').isHidden(), 'one is left');
    await press(third.skip);
    assert.equal((await third.result.innerText()).replace(/\s/g, ' '), 'It is 168 microseconds.');
    assert.ok(await third.isOpen());
    assert.match(await page.locator('.tally').innerText(), /^Near enough in 1 of 3, 1 without a guess\.\s+Try again$/);

    // Remembered, and forgotten if the reader wants that.
    await page.reload();
    assert.ok(await first.isOpen());
    assert.match(await first.result.innerText(), /^One too low/);
    assert.notEqual(await focused(page), 'guess-result');
    await page.goto(origin + '/index.html');
    assert.match(await page.locator('table.chapters tr:has-text("00 a first kernel") .done').innerText(), /^1 of 3 near$/);
    await page.goto(lesson);
    await press(page.locator('.tally button'));
    for (const one of [first, second, third]) {
      assert.ok(!await one.isOpen());
      assert.equal(await one.field.inputValue(), '');
    }
    assert.ok(await first.field.evaluate((field) => field === document.activeElement));
    await page.reload();
    assert.ok(!await first.isOpen());
    none(faults);
    await context.close();
  }
});

testInEach('predictions work where nothing can be stored, and where something else is', {}, async (which) => {
  const forbid = () => Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }});
  const fill = () => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; };
  const spoil = (text) => { if (location.protocol === 'http:') localStorage.setItem('warp-by-warp', text); };
  const spoiled = ['{"gues', '[]', '7', '{"guesses":{"chapter_00_first_kernel/crossings":3},"read":[]}'];
  const wrong = (isLong ? spoiled : spoiled.slice(-1)).map((one) => [spoil, one]);
  for (const [prepare, text] of [[forbid], [fill], ...wrong]) {
    const {page, context, faults} = await openPage();
    await page.addInitScript(prepare, text);
    await page.goto(origin + '/chapter_00_first_kernel.html');
    for (const at of [0, 1, 2]) {
      await predictionOf(page, at).field.fill('168');
      await page.keyboard.press('Enter');
      assert.ok(await predictionOf(page, at).isOpen(), `${prepare} ${text}`);
    }
    assert.match(await page.locator('.tally').innerText(), /^Near enough in 1 of 3\./);
    await page.goto(origin + '/index.html');
    assert.equal(await page.locator('.begin a').count() > 0, true);
    none(faults);
    await context.close();
  }
});

testInEach('guesses are remembered on a disk, and below another path', {}, async (which) => {
  for (const root of [pathToFileURL(SITE).href, `${origin}/some/place`]) {
    const {page, context, faults} = await openPage();
    await page.goto(`${root}/chapter_03_alignment.html`);
    await predictionOf(page, 0).field.fill('5');
    await page.keyboard.press('Enter');
    await page.goto(`${root}/chapter_02_coalescing.html`);
    assert.ok(!await predictionOf(page, 0).isOpen());
    await page.goto(`${root}/chapter_03_alignment.html`);
    assert.ok(await predictionOf(page, 0).isOpen(), root);
    none(faults);
    await context.close();
  }
});

testInEach('every prediction knows its own value, and fits on a phone when it is open', {}, async (which) => {
  const pages = [...(await asked()).keys()];
  const some = isLong ? pages : ['/chapter_06_aos_soa.html', '/chapter_09_sgemm_ladder_1_tiles.html'];
  for (const path of some) {
    // A window of its own: what two write in the same moment need not both be kept.
    const {page, context, faults} = await openPage(phone);
    await page.goto(origin + path);
    for (const wrong of [false, true]) {
      const count = await page.locator('.prediction').count();
      const pastEdge = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      const targets = await page.locator('.guess-field, .guess button').evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).filter(({width, height}) => width < 44 || height < 44).length);
      assert.equal(targets, 0, `${path}: something is too small for a finger`);
      for (let at = 0; at < count; ++at) {
        const {box, field, result} = predictionOf(page, at);
        const {value, number} = await box.evaluate((element) => ({...element.dataset}));
        await field.fill(wrong ? String(1000 * Number(value) + 1000) : number);
        await field.press('Enter');
        const text = await result.innerText();
        assert.equal(/Exactly right/.test(text), !wrong, `${path}, ${at}: ${text}`);
        if (wrong) assert.match(text, /too high/, `${path}, ${at}`);
        const outside = await box.evaluate((element) => Array.from(element.querySelectorAll('.guess-result *'))
          .filter((one) => one.getBoundingClientRect().right > element.getBoundingClientRect().right).length);
        assert.equal(outside, 0, `${path}, ${at}`);
      }
      assert.ok(await pastEdge() <= 0, path);
      assert.match(await page.locator('.tally').innerText(), new RegExp(`^Near enough in ${wrong ? 0 : count} of ${count}\\.`));
      await tap(page.locator('.tally button'));
    }
    none(faults);
    await context.close();
  }
});

test('on paper and without scripts a prediction is the question and its answer', async () => {
  const parts = '.guess, .guess-result, .tally, .tick, .done, .last-place, .kept';
  for (const javaScriptEnabled of [true, false]) {
    const {page, context} = await openPage({javaScriptEnabled});
    await page.goto(`${origin}/chapter_00_first_kernel.html`);
    const {box, field, answer} = predictionOf(page, 0);
    const summary = answer.locator('summary');
    if (javaScriptEnabled) {
      await field.fill('3');
      await field.press('Enter');  // this one is open, the others are not
      await page.emulateMedia({media: 'print'});
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      for (const at of [0, 1, 2]) assert.ok(await predictionOf(page, at).isOpen(), 'its answer is printed');
    } else {
      assert.ok(!await predictionOf(page, 0).isOpen());
      await summary.click();
      assert.ok(await predictionOf(page, 0).isOpen());
    }
    assert.ok(await summary.isVisible());
    assert.equal(await page.locator(parts).filter({visible: true}).count(), 0);
    if (javaScriptEnabled) {
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      await page.emulateMedia({media: null});
      assert.ok(await predictionOf(page, 0).isOpen() && !await predictionOf(page, 1).isOpen(), 'as before');
    }
    assert.ok(await box.locator('ol').isVisible());
    await context.close();
  }
});

testInEach('chapters that were read have ticks, and the home page leads back to the last place', {}, async (which) => {
  const {page, context, faults} = await openPage();
  await page.goto(origin + '/index.html');
  assert.equal(await page.locator('.tick, .done, .last-place, .kept').count(), 0, 'nothing is remembered yet');
  const scrollTo = async (selector) => {
    await page.locator(selector).evaluate((element) => element.scrollIntoView());
    await page.waitForFunction((wanted) => {
      const last = JSON.parse(localStorage.getItem('warp-by-warp') ?? '{}').last;
      return location.pathname.includes(last?.page) && (`#${last.anchor}` === wanted || wanted === '.pager' && last.isEnd);
    }, selector);
  };
  await page.goto(origin + '/chapter_03_alignment.html');
  await scrollTo('#exercises');
  await page.goto(origin + '/index.html');
  assert.equal(await page.locator('#site-nav .tick').count(), 0);
  assert.match(await page.locator('.last-place').innerText(), /^You were last at 03 alignment: Exercises\.$/);
  await page.click('.last-place a');
  await page.waitForURL(/chapter_03_alignment\.html#exercises$/);
  await scrollTo('.pager');
  assert.equal(await page.locator('#site-nav [aria-current] .tick').count(), 1);
  await page.goto(origin + '/index.html');
  assert.match(await page.locator('.last-place').innerText(), /^You have read 03 alignment\. Next comes 04 read-only cache\.$/);
  assert.equal((await page.locator('table.chapters .done').allTextContents()).join(), '\u2713read');
  await page.goto(origin + '/chapter_09_sgemm_results.html');
  await scrollTo('.pager');
  await page.goto(origin + '/index.html');
  assert.match((await page.locator('table.chapters .done').allInnerTexts()).join(), /1 of \d pages read/);
  await page.evaluate(axeSource);
  none(await seriousViolations(page, {}));
  await page.click('.kept button');
  assert.equal(await page.locator('.tick, .done, .last-place, .kept').count(), 0);
  await page.reload();
  assert.equal(await page.locator('.tick, .done, .last-place, .kept').count(), 0);
  none(faults);
  await context.close();
});

test('nothing that axe-core calls serious is in a prediction, in light and dark', async () => {
  for (const viewport of isLong ? [wide, narrow] : [narrow]) {
    for (const colorScheme of ['light', 'dark']) {
      const {page, context} = await openPage({viewport, colorScheme});
      await page.goto(origin + '/chapter_00_first_kernel.html');
      await page.evaluate(axeSource);
      for (const [at, guess] of ['500', '192', 'many'].entries()) {
        await predictionOf(page, at).field.fill(guess);
        await page.keyboard.press('Enter');
      }
      const rules = colorScheme === 'light' ? {} : coloursAlone;
      none(await seriousViolations(page, rules, () => document.querySelectorAll('.prediction')));
      await predictionOf(page, 2).skip.click();
      none(await seriousViolations(page, rules, () => document.querySelectorAll('.tally')));
      await context.close();
    }
  }
});
