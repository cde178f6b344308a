// The site as files: every page that can be reached, what it is made of and where it leads, read
// without a browser.

import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';

const value = /"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)/;
const attribute = new RegExp(String.raw`([^\s"'<>/=]+)(?:\s*=\s*(?:${value.source}))?`, 'g');
const tag = new RegExp(String.raw`<([a-z][a-z0-9-]*)((?:\s+${attribute.source})*)\s*/?>`, 'gi');
const unread = /<!--[^]*?-->|(?<=<(script|style)\b[^>]*>)[^]*?(?=<\/\1>)/gi;  // comments, scripts, styles
const entities = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' '};

function unescaped(text) {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    hex ? String.fromCodePoint(parseInt(hex, 16)) : decimal ? String.fromCodePoint(Number(decimal)) : entities[name] ?? whole);
}

/// The elements of a page: name and attributes, in the order of the text.
function elementsOf(html) {
  return Array.from(html.matchAll(tag), ([, name, attributes]) => ({
    name: name.toLowerCase(),
    ...Object.fromEntries(Array.from(attributes.matchAll(attribute), ([, key, ...values]) =>
      [key.toLowerCase() === 'name' ? 'anchor' : key.toLowerCase(), unescaped(values.find((one) => one !== undefined) ?? '')])),
  }));
}

/// The whole address of a link; the link itself where it is none.
function absolute(link, address) {
  try {
    return new URL(link, address).href;
  } catch {
    return link;
  }
}

/// What a page says of itself. Links and resources are whole addresses.
function pageOf(text, address) {
  const html = text.replace(unread, '');
  const elements = elementsOf(html);
  const named = (name) => elements.filter((element) => element.name === name);
  const shown = (markup = '') => unescaped(markup.replace(/<[^>]*>/g, '')).replace(/\s+/g, ' ').trim();
  return {
    title: shown(html.match(/<title>([^]*?)<\/title>/i)?.[1]),
    headings: named('h1').length,
    text: shown(html.match(/<main\b[^>]*>([^]*)<\/main>/i)?.[1]).length,
    ids: elements.flatMap(({name, id, anchor}) => id ? [id] : name === 'a' && anchor ? [anchor] : []),
    next: named('a').filter(({rel}) => rel === 'next').map(({href}) => absolute(href, address))[0] ?? null,
    links: named('a').filter(({href}) => href !== undefined).map(({href}) => absolute(href, address)),
    images: named('img').map(({src, alt}) => ({src: absolute(src, address), alt: alt ?? ''})),
    resources: [
      ...elements.filter(({src}) => src).map(({src}) => src),
      ...named('link').map(({href}) => href),
      ...named('source').flatMap(({srcset}) => (srcset ?? '').split(',').map((one) => one.trim().split(/\s/)[0])),
    ].filter(Boolean).map((link) => absolute(link, address)),
  };
}

/// The pages below `origin`, whose files are in the folder `site`.
export class Files {
  constructor(site, origin) {
    this.site = site;
    this.origin = origin;
  }

  /// The path of the file that a link of the site leads to; null for a link to elsewhere.
  fileOf(link) {
    return link.startsWith(this.origin) ? decodeURIComponent(new URL(link).pathname).replace(/\/$/, '/index.html') : null;
  }

  exists(path) {
    return stat(join(this.site, path)).then(() => true, () => false);
  }

  /// Every page that can be reached from the first one, by path.
  async pages() {
    const pages = new Map();
    const paths = ['/index.html'];
    const known = new Set(paths);
    for (const path of paths) {
      const page = pageOf(await readFile(join(this.site, path), 'utf8'), this.origin + path);
      pages.set(path, page);
      for (const link of page.links) {
        const next = this.fileOf(link);
        if (!next?.endsWith('.html') || known.has(next) || !await this.exists(next)) continue;
        known.add(next);
        paths.push(next);
      }
    }
    return pages;
  }
}
