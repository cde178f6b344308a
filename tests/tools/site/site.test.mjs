// The site as a reader meets it: every page that can be reached, in a real browser.
//
// axe-core looks at the pages of the course in the light, and at the colours of one page of each kind in
// the dark; with COURSE_LONG_TESTS=1 at every page, in both widths and both colour schemes.
//
// Environment: SITE, the folder with index.html; PACKAGES, the folder with node_modules; BROWSER, the
// program; EXPLORER, "yes" where the project has the explorer page. Run by browser.sh.

import assert from 'node:assert/strict';
import {readFile, stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {availableParallelism} from 'node:os';
import {extname, join, normalize} from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';

const {SITE, PACKAGES, BROWSER, EXPLORER, COURSE_LONG_TESTS} = process.env;
const require = createRequire(join(PACKAGES, 'package.json'));
const {chromium} = require('playwright-core');
const axeSource = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');

const narrow = {width: 390, height: 844};
const wide = {width: 1280, height: 900};
const pagesAtATime = availableParallelism();
const hangsAfterMs = 120_000;
const types = {'.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml',
  '.png': 'image/png', '.json': 'application/json'};

let server, browser, origin;

before(async () => {
  server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
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
  // Pages of one site can share processes; a new one for every page costs as much as the page itself.
  browser = await chromium.launch({executablePath: BROWSER,
    args: ['--no-sandbox', `--renderer-process-limit=${pagesAtATime}`, '--disable-gpu', '--disable-gpu-compositing']});
});

after(async () => {
  await browser?.close();
  server?.close();
});

/// Asserts that a list of faults is empty, and says the first of them.
function none(faults) {
  const shown = 20;
  assert.equal(faults.slice(0, shown).join('\n'), '');
}

async function openContext(options = {}) {
  const context = await browser.newContext({viewport: wide, ...options});
  context.setDefaultTimeout(hangsAfterMs);
  return context;
}

/// A page of the context whose faults (console errors, failed and foreign requests) are collected.
async function openPageIn(context) {
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) faults.push(message.text()); });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('requestfailed', (request) => faults.push(`failed: ${request.url()}`));
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

/// Calls visit(page, faults, path) for each of the paths, as many at a time as there are cores. Visits
/// may add to the paths.
async function visitEach(paths, options, visit) {
  const context = await openContext(options);
  let next = 0, busy = 0;
  const worker = async () => {
    const {page, faults} = await openPageIn(context);
    while (next < paths.length || busy > 0) {
      if (next === paths.length) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      ++busy;
      try {
        await visit(page, faults, paths[next++]);
      } finally {
        --busy;
      }
    }
  };
  try {
    await Promise.all(Array.from({length: pagesAtATime}, worker));
  } finally {
    await context.close();
  }
}

/// What the crawler needs to know of a page.
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
    title: document.title,
    headings: document.querySelectorAll('h1').length,
    ids: Array.from(document.querySelectorAll('[id], a[name]'), (element) => element.id || element.name),
    links: Array.from(document.querySelectorAll('a[href]'), (link) => link.href),
    images: Array.from(document.images, (image) => ({src: image.src, seen: image.naturalWidth > 0, alt: image.alt})),
    text: document.querySelector('main')?.innerText.length ?? 0,
    previous: neighbour('prev'),
    next: neighbour('next'),
    current: document.querySelectorAll('#site-nav [aria-current="page"]').length,
  };
}

/// The path of the file that a link of the site leads to; null for a link to elsewhere.
function fileOf(link) {
  return link.startsWith(origin) ? decodeURIComponent(new URL(link).pathname).replace(/\/$/, '/index.html') : null;
}

const exists = (path) => stat(join(SITE, path)).then(() => true, () => false);

/// Every page that can be reached, by path: what inspect() says, and its faults.
async function crawl() {
  const pages = new Map();
  const paths = ['/index.html'];
  const known = new Set(paths);
  await visitEach(paths, {viewport: narrow}, async (page, faults, path) => {
    faults.length = 0;
    await page.goto(origin + path, {waitUntil: 'load'});
    const seen = {...await page.evaluate(inspect), faults: [...faults]};
    pages.set(path, seen);
    for (const link of seen.links) {
      const next = fileOf(link);
      if (!next?.endsWith('.html') || known.has(next) || !await exists(next)) continue;
      known.add(next);
      paths.push(next);
    }
  });
  return pages;
}

/// What `make` returns, made when it is first asked for.
function once(make) {
  let result = null;
  return () => (result ??= make());
}

const crawled = once(crawl);

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

test('every page loads without an error, a missing resource or a request to elsewhere', async () => {
  const pages = await crawled();
  assert.ok(pages.size > 50, `only ${pages.size} pages were found`);
  const faults = [...pages].flatMap(([path, page]) => page.faults.map((fault) => `${path}: ${fault}`));
  none(faults);
  for (const [path, page] of pages) {
    assert.equal(page.headings, 1, `${path} has ${page.headings} main headings`);
    assert.ok(page.text > 20, `${path} is empty`);
    assert.ok(!page.title.includes('$'), `${path}: ${page.title}`);
  }
});

test('no link and no anchor is broken', async () => {
  const pages = await crawled();
  const ids = new Map([...pages].map(([path, page]) => [path, new Set(page.ids)]));
  const broken = new Set();
  for (const [path, page] of pages) {
    for (const link of page.links) {
      if (link.startsWith('javascript:')) continue;
      const target = fileOf(link);
      if (target === null) {
        if (!/^https?:/.test(link)) broken.add(`${path}: ${link}`);
        continue;
      }
      // The explorer's settings stand behind # as well.
      const anchor = target.includes('explorer') ? '' : decodeURIComponent(new URL(link).hash.slice(1));
      if (ids.has(target)) {
        if (anchor && !ids.get(target).has(anchor)) broken.add(`${path}: ${target}#${anchor}`);
      } else if (!await exists(target)) {
        broken.add(`${path}: ${target}`);
      }
    }
  }
  none([...broken]);
});

test('no page scrolls sideways on a screen of 390 pixels', async () => {
  const pages = await crawled();
  const wideOnes = [...pages].filter(([, page]) => page.width > 0)
    .map(([path, page]) => `${path}: ${page.width} px, ${page.wideElements.join(' ')}`);
  none(wideOnes);
});

test('every image is shown and says in words what it shows', async () => {
  const pages = await crawled();
  for (const [path, page] of pages) {
    for (const image of page.images) {
      assert.ok(image.seen, `${path}: ${image.src}`);
      assert.ok(image.alt.length > 10, `${path}: ${image.src} has no text`);
    }
  }
});

test('before and next lead through the whole course and back', async () => {
  const order = await readingOrder();
  assert.ok(order.filter((path) => path.includes('chapter_')).length >= 8);
  const pages = await crawled();
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

test('a figure tells what it was read from, in text and in generated tables', async () => {
  const {page, context} = await openPage();
  await page.goto(origin + '/chapter_08_sgemm.html');
  const tips = (selector) => page.locator(selector).evaluateAll((figures) => figures.map((figure) => figure.title));
  for (const tip of await tips('.figure')) assert.match(tip, /, (measured|published|worked out): \S/);
  assert.ok((await tips('p .figure')).some((tip) => /^mean_times_cublas, measured: geomean\(/.test(tip)));
  assert.ok((await tips('td .figure')).includes(
    'cuBLAS, 1024, measured: h200/sizes(step=cublas,m=1024,n=1024,k=1024)/gflop_per_s / 1000'));
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
  await page.waitForURL(/counted_02_coalescing\.html#sgemm_naive$/);
  const listing = page.locator('#profile-sgemm_naive');
  assert.match(await listing.innerText(), /32 sectors\s+4\s+12\.5 %/);
  assert.match(await listing.locator('.profile-worst').innerText(), /sum \+= A\[row \* k \+ p\]/);
  await context.close();
});

test('the search finds __shfl_down_sync in the lesson, the reference and the source', async () => {
  const {page, context, faults} = await openPage();
  await page.goto(origin + '/index.html');
  await page.keyboard.press('/');
  await page.keyboard.type('__shfl_down_sync');
  const results = page.locator('#search-results a');
  await results.first().waitFor();
  const addresses = await results.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.match(addresses[0], /^chapter_07_warp_primitives\.html/);
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

test('the colours can be chosen, and the choice stays', async () => {
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

test('on a small screen the list of pages opens and closes', async () => {
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

test('code is copied as it is written, without line numbers', async () => {
  const {page, context} = await openPage({permissions: ['clipboard-read', 'clipboard-write']});
  await page.goto(origin + '/02__coalescing_2kernels_8cuh_source.html');
  await page.hover('.code-box');
  await page.click('.code-box .copy');
  await page.locator('.copy', {hasText: 'Copied'}).waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /^#pragma once\n\n\/\/\/ Copies every stride-th element/);
  await context.close();
});

test('the pages work from a disk, without a server', async () => {
  const {page, context, faults} = await openPage();
  await page.goto(pathToFileURL(join(SITE, 'index.html')).href);
  await page.fill('#search-field', '__shfl_down_sync');
  await page.locator('#search-results a').first().waitFor();
  none(faults);
  await context.close();
});

test('the explorer reacts, and leads back', {skip: EXPLORER !== 'yes' && 'there is no explorer'}, async () => {
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

/// Pages of one kind are made alike, and their names tell it: of "timing_8hpp_source.html" the ending,
/// of "counted_02_coalescing.html" the beginning. Any other page is of its own kind.
function kindOf(path) {
  const ending = path.match(/(_source|-members)\.html$/) ?? path.match(/(_8)[a-z]+\.html$/);
  const beginning = path.match(/^\/(chapter|class|counted|dir|functions|globals|struct)/);
  return (ending ?? beginning)?.[1] ?? path;
}

/// Of each kind of page the first by name.
function oneOfEachKind(pages) {
  const first = new Map();
  for (const path of [...pages.keys()].sort()) if (!first.has(kindOf(path))) first.set(kindOf(path), path);
  return [...first.values()];
}

/// The rules of axe-core that depend on colours.
const coloursAlone = {runOnly: {type: 'rule', values: ['color-contrast', 'link-in-text-block']}};

/// What axe-core finds serious on the pages, in one width and one colour scheme; by some rules or all.
async function seriousViolations(paths, options, rules = {}) {
  const violations = [];
  await visitEach(paths, options, async (page, faults, path) => {
    await page.goto(origin + path);
    await page.evaluate(axeSource);
    const {violations: found} = await page.evaluate((some) => axe.run(document, {resultTypes: ['violations'], ...some}), rules);
    for (const {id, impact, nodes} of found)
      if (['serious', 'critical'].includes(impact))
        violations.push(`${options.colorScheme}, ${options.viewport.width} px, ${path}: ${id}: ${nodes.length} x ${nodes[0].html.slice(0, 160)}`);
  });
  return violations;
}

test('nothing that axe-core calls serious is on any kind of page, in light and dark', async () => {
  const pages = await crawled();
  const order = await readingOrder();  // with the explorer, where there is one
  const kinds = oneOfEachKind(pages);
  assert.ok(kinds.length > 15, `only ${kinds.length} kinds of pages`);
  const violations = [];
  if (COURSE_LONG_TESTS === '1') {
    for (const viewport of [wide, narrow])
      for (const colorScheme of ['light', 'dark'])
        violations.push(...await seriousViolations([...pages.keys()], {colorScheme, viewport}));
  } else {
    const shown = [...new Set([...order, ...kinds])];
    violations.push(...await seriousViolations(shown, {colorScheme: 'light', viewport: wide}));
    // The markup is the same in the dark, and only its colours are not.
    violations.push(...await seriousViolations(kinds, {colorScheme: 'dark', viewport: wide}, coloursAlone));
  }
  none(violations);
});
