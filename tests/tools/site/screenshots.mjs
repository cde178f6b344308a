// What pages look like, coarsely: their first screen as a small picture, a pixel for a square of it,
// which is compared with one that was kept. Words may change; columns, colours and pictures may not
// go astray.

import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

const square = 24;  // pixels of the screen
const mostApart = 12;  // of 255, that a square may be lighter or darker, or of another colour
const fewestAlike = 0.95;  // of all squares

/// Every text in the one face that the site brings along, so that all machines show the same.
const oneFace = `html {
  --font-family: var(--text-family) !important; --font-family-monospace: var(--text-family) !important;
}`;

/// Makes a small picture of the page's first screen: in the page itself, which can read a PNG.
async function shrunk(page, screen) {
  return page.evaluate(async ({png, size}) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.width / size);
    canvas.height = Math.round(image.height / size);
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/png').replace(/^.*,/, '');
  }, {png: screen.toString('base64'), size: square});
}

/// The part of the squares that are alike in two such pictures; 0 if they differ in size.
async function alike(page, one, other) {
  return page.evaluate(async ({pictures, apart}) => {
    const [first, second] = await Promise.all(pictures.map(async (png) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = image.height;
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    }));
    if (first.width !== second.width || first.height !== second.height) return 0;
    let count = 0;
    for (let at = 0; at < first.data.length; at += 4) {
      const differences = [0, 1, 2].map((i) => Math.abs(first.data[at + i] - second.data[at + i]));
      if (Math.max(...differences) <= apart) ++count;
    }
    return count / (first.data.length / 4);
  }, {pictures: [one, other], apart: mostApart});
}

/// Compares the first screen of a page with the picture of that name in `folder`, or writes it there.
/// Returns what is wrong; null if nothing is. `paper` is an empty page that may do the arithmetic.
export async function compareScreen(page, paper, folder, name, isNew) {
  await page.addStyleTag({content: oneFace});
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => Promise.all(Array.from(document.images, (image) =>
    image.getBoundingClientRect().top > innerHeight ? null : image.decode().catch(() => null))));
  const screen = await page.screenshot({animations: 'disabled', caret: 'hide'});
  const small = await shrunk(paper, screen);
  const file = join(folder, `${name}.png`);
  if (isNew) {
    await writeFile(file, Buffer.from(small, 'base64'));
    return null;
  }
  const part = await alike(paper, small, (await readFile(file)).toString('base64'));
  return part >= fewestAlike ? null : `${name}: only ${Math.round(100 * part)} % look as before`;
}
