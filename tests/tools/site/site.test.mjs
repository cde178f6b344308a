// The site as a reader meets it: every page that can be reached, in a real browser.
//
// Environment: SITE, the folder with index.html; PACKAGES, the folder with node_modules; BROWSER, the
// program; EXPLORER, "yes" where the project has the explorer page. Run by tests/docs/browser.sh.

import assert from 'node:assert/strict';
import {readFile, stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {extname, join, normalize} from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';

const {SITE, PACKAGES, BROWSER, EXPLORER} = process.env;
const require = createRequire(join(PACKAGES, 'package.json'));
const {chromium} = require('playwright-core');
const axeSource = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');

const narrow = {width: 390, height: 844};
const wide = {width: 1280, height: 900};
const pagesAtATime = 4;
const types = {'.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml',
  '.png': 'image/png', '.json': 'application/json'};

let server, browser, origin;

before(async () => {
  server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    try {
      const file = join(SITE, path.endsWith('/') ? path + 'index.html' : path);
      const text = await readFile(file);
      response.writeHead(200, {'Content-Type': types[extname(file)] ?? 'text/plain; charset=utf-8'}).end(text);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await chromium.launch({executablePath: BROWSER, args: ['--no-sandbox']});
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

/// A page whose faults (console errors, failed and foreign requests) are collected.
async function openPage(options = {}) {
  const context = await browser.newContext({viewport: wide, ...options});
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

/// What the crawler needs to know of a page.
function inspect() {
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
  const queue = ['/index.html'];
  const known = new Set(queue);
  const visit = async (page, faults, path) => {
    faults.length = 0;
    await page.goto(origin + path, {waitUntil: 'load'});
    const seen = {...await page.evaluate(inspect), faults: [...faults]};
    pages.set(path, seen);
    for (const link of seen.links) {
      const next = fileOf(link);
      if (!next?.endsWith('.html') || known.has(next) || !await exists(next)) continue;
      known.add(next);
      queue.push(next);
    }
  };
  let busy = 0;
  const worker = async () => {
    const {page, context, faults} = await openPage({viewport: narrow});
    while (queue.length > 0 || busy > 0) {
      if (queue.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      ++busy;
      try {
        await visit(page, faults, queue.shift());
      } finally {
        --busy;
      }
    }
    await context.close();
  };
  await Promise.all(Array.from({length: pagesAtATime}, worker));
  return pages;
}

const crawled = (() => {
  let result = null;
  return () => (result ??= crawl());
})();

/// The pages in reading order: what the navigation lists above "Reference".
async function readingOrder() {
  const {page, context} = await openPage();
  await page.goto(origin + '/index.html');
  const paths = await page.evaluate(() => Array.from(document.querySelectorAll('#site-nav a'), (link) => ({
    path: new URL(link.href).pathname,
    part: link.closest('ul').previousElementSibling.textContent,
  })));
  await context.close();
  return paths.filter(({part}) => part !== 'Reference').map(({path}) => path);
}

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
  const {page, context} = await openPage();
  await page.goto(origin + order[0]);
  const pages = order.filter((path) => !path.includes('explorer'));
  for (const path of pages.slice(1)) {
    await page.click('.pager [rel="next"]');
    await page.waitForURL(origin + path);
    assert.equal(await page.locator('#site-nav [aria-current="page"]').count(), 1);
  }
  assert.equal(await page.locator('.pager [rel="next"]').count(), 0);
  for (const path of pages.slice(0, -1).reverse()) {
    await page.click('.pager [rel="prev"]');
    await page.waitForURL(origin + path);
  }
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

test('nothing that axe-core calls serious is on any kind of page, in light and dark', async () => {
  const order = await readingOrder();  // with the explorer, where there is one
  const kinds = ['/kernels.html', '/library.html', '/02__coalescing_2kernels_8cuh.html',
    '/02__coalescing_2kernels_8cuh_source.html', '/classcourse_1_1Program.html', '/timing_8hpp.html',
    '/counted_02_coalescing.html', '/counted_07_warp_primitives.html'];
  const violations = [];
  for (const colorScheme of ['light', 'dark']) {
    const {page, context} = await openPage({colorScheme});
    for (const path of [...order, ...kinds]) {
      await page.goto(origin + path);
      await page.evaluate(axeSource);
      const {violations: found} = await page.evaluate(() => axe.run(document, {resultTypes: ['violations']}));
      for (const {id, impact, nodes} of found)
        if (['serious', 'critical'].includes(impact))
          violations.push(`${colorScheme} ${path}: ${id}: ${nodes.length} x ${nodes[0].html.slice(0, 160)}`);
    }
    await context.close();
  }
  none(violations);
});
