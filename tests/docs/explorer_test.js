'use strict';

/**
 * The explorer's model against the emulator, setting by setting, with all that the lessons' live
 * figures can show; then its links and presets, and what else the figures say.
 *
 *     node explorer_test.js build/emulator/tests/explorer_requests build/emulator/tests/shuffle_sums
 */

const assert = require('assert');
const {execFileSync} = require('child_process');
const fs = require('fs');
const path = require('path');

const root = path.join(__dirname, '../..');
const model = require(path.join(root, 'docs/explorer/model.js'));
const shuffle = require(path.join(root, 'docs/explorer/shuffle.js'));
const figure = require(path.join(root, 'docs/explorer/figure.js'));

const pictures = JSON.parse(fs.readFileSync(path.join(root, 'docs/pictures/pictures.json'), 'utf8'));
const live = Object.entries(pictures).filter(([, picture]) => picture.live)
    .map(([name, picture]) => ({name, picture, ...picture.live}));
const shown = live.filter(({kind}) => kind !== 'shuffles').flatMap((described) => figure.reachable(described));

let failures = 0;
function test(name, body) {
  try {
    body();
  } catch (error) {
    ++failures;
    console.error(`FAILED: ${name}\n  ${error.message}`);
  }
}

const input = shown.map((s) => Object.keys(model.settings).map((name) => s[name]).join(' ') + '\n').join('');
const output = execFileSync(process.argv[2], {input, maxBuffer: 1 << 28, encoding: 'utf8'});
const linesOf = (text) => text.trim().split('\n').map((line) => JSON.parse(line));
const requests = linesOf(output);
const sums = linesOf(execFileSync(process.argv[3], {maxBuffer: 1 << 26, encoding: 'utf8'}));

test('the model costs every request as the emulator counts it', () => {
  for (const {settings, counted} of requests) {
    const expected = {...counted};
    if (settings.memory === 'global') {
      expected.efficiencyPct = 100 * counted.bytes / (32 * counted.sectors);
      expected.lineEfficiencyPct = 100 * counted.bytes / (128 * counted.lines);
    }
    assert.strictEqual(model.problem(settings), '', JSON.stringify(settings));
    assert.deepStrictEqual(model.cost(settings), expected, JSON.stringify(settings));
  }
});

test('the grid has thousands of settings, and every kind of cost', () => {
  assert(requests.length > 5000, `${requests.length} settings`);
  const kinds = new Set(requests.map(({settings: s, counted: c}) =>
      [s.memory, s.access, s.bytes, c.wavefronts > c.wavefrontsIdeal, c.sectors > 16].join()));
  assert(kinds.size >= 35, `${kinds.size} kinds`);
});

test('a picture of passes shows every lane once per word', () => {
  for (const {settings} of requests) {
    if (settings.memory !== 'shared') continue;
    const lanes = model.passes(settings).flat().filter(Boolean).flatMap((word) => word.lanes);
    const words = Math.max(1, settings.bytes / model.kBank);
    assert.strictEqual(lanes.length, words * model.accesses(settings).length, JSON.stringify(settings));
  }
});

test('a link leads back to its settings', () => {
  for (const {settings} of requests)
    assert.deepStrictEqual(model.fromHash('#' + model.toHash(settings)), settings);
  assert.strictEqual(model.toHash(model.defaults), '');
});

test('what a link says wrong is as at first', () => {
  for (const hash of ['#stride=-1', '#stride=x', '#stride=99999', '#bytes=3', '#memory=tape', '#lanes=0',
                      '#lanes', '#constructor=1', '#=&&=', '#<b>', '#by=33'])
    assert.deepStrictEqual(model.fromHash(hash), model.defaults, hash);
});

test('what a device refuses has a reason', () => {
  const problem = (changes) => model.problem({...model.defaults, ...changes});
  assert.match(problem({base: 2}), /Misaligned: elements of 4 bytes/);
  assert.match(problem({bytes: 16, base: 8}), /Misaligned/);
  assert.match(problem({blockX: 1024, blockY: 2}), /at most 1024 threads/);
  assert.match(problem({access: 'atomic', bytes: 16}), /4 or 8 bytes/);
  assert.match(problem({memory: 'shared', pitch: 8192, column: 'y'}), /at most 227 KiB/);
  assert.strictEqual(problem({base: 4}), '');
});

test('presets are requests of kernels that there are', () => {
  for (const {chapter, kernel, settings} of model.presets) {
    const source = fs.readFileSync(path.join(root, 'chapters', chapter, 'kernels.cuh'), 'utf8');
    assert(source.includes(`__global__ void ${kernel}(`), `${chapter} has no ${kernel}`);
    assert.strictEqual(model.problem(settings), '');
  }
});

test('presets cost what the course says', () => {
  const cost = (kernel, what) =>
      model.cost(model.presets.find((preset) => preset.kernel === kernel && preset.what === what).settings);
  assert.strictEqual(cost('copy_strided', 'stride 32').sectors, 32);
  assert.strictEqual(cost('copy_permuted', '').sectors, 4);
  assert.strictEqual(cost('copy_broadcast', '').sectors, 1);
  assert.strictEqual(cost('sgemm_naive', 'A, down a column').sectors, 32);
  assert.strictEqual(cost('sgemm_coalesced_2d', 'B, along a row').sectors, 4);
  assert.strictEqual(cost('read_offset', 'offset 11').sectors, 5);
  assert.strictEqual(cost('read_offset', 'offset 8').lines, 2);
  assert.strictEqual(cost('aos_update_x', 'one of two fields').efficiencyPct, 50);
  assert.strictEqual(cost('tickets_plain', 'one counter for all').sectors, 32);
  assert.strictEqual(cost('transpose_shared', 'read').wavefronts, 1);
  const [tile, padded] = model.patterns.map(({settings}) => model.cost(settings).wavefronts);
  assert.deepStrictEqual([tile, padded], [32, 1]);
});

test('code says what the settings mean', () => {
  const last = (changes) => model.code({...model.defaults, ...changes}).split('\n').pop();
  assert.strictEqual(last({}), 'value = data[threadIdx.x];');
  assert.strictEqual(last({offset: 11, stride: 2}), 'value = data[11 + threadIdx.x * 2];');
  assert.strictEqual(last({order: 'xor', by: 5, access: 'store'}), 'data[(threadIdx.x ^ 5)] = value;');
  assert.strictEqual(last({order: 'shared', by: 32, access: 'atomic'}),
                     'atomicAdd(&data[threadIdx.x / 32], 1);');
  assert.strictEqual(last({blockY: 32, column: 'y', pitch: 512}), 'value = data[row * 512 + col];');
  assert.strictEqual(last({lanes: 20, stride: 0}), '  value = data[0];');
  assert.match(model.code({...model.defaults, lanes: 20}), /^if \(threadIdx\.x < 20\)$/m);
});

test('the emulator was asked for all that a reader can get to', () => {
  assert(live.length >= 3, `only ${live.length} live figures`);
  assert(shown.length > 500, `only ${shown.length} settings`);
  assert.deepStrictEqual(requests.slice(0, shown.length).map(({settings}) => settings), shown);
});

test('lanes hold what shuffles bring them on the emulator, and are undefined where its checker says so', () => {
  for (const {settings, undefinedReads, held} of sums) {
    const rows = shuffle.held(settings), what = JSON.stringify(settings);
    let reads = 0;
    for (let step = 1; step <= settings.steps; ++step)
      for (let lane = 0; lane < settings.lanes; ++lane)
        if (shuffle.sourceOf(settings, step, lane) >= settings.lanes) ++reads;
    assert.strictEqual(undefinedReads, reads * model.kWarp, what);  // once for each value
    rows[settings.steps].forEach((counts, lane) => { if (counts) assert.deepStrictEqual(counts, held[lane], `${what}, lane ${lane}`); });
    assert.strictEqual(rows[settings.steps].some((counts) => !counts), reads > 0, what);
  }
});

test('the emulator was asked for all that shuffles can show', () => {
  const asked = new Set(sums.map(({settings}) => shuffle.toHash(settings)));
  const described = live.filter(({kind}) => kind === 'shuffles');
  assert(described.length > 0);
  for (const one of described)
    for (const s of figure.reachable(one)) assert(asked.has(shuffle.toHash(s)), JSON.stringify(s));
});

test('states of the live figures cost what the text says', () => {
  for (const described of live) {
    for (const state of described.states) {
      const s = figure.settingsOf(described, state);
      const cost = described.kind === 'shuffles' ? Object.fromEntries(figure.kindOf(described).figures(s)) : model.cost(s);
      for (const [name, expected] of Object.entries(state.cost || {}))
        assert.strictEqual(cost[name], expected, `${described.name}, ${state.words}: ${name}`);
    }
    assert(described.states.filter(({cost}) => cost).length >= 4, described.name);
  }
});

test('the code of a live figure stands in its chapter, and means what is drawn', () => {
  for (const described of live) {
    const chapter = path.join(root, 'chapters', fs.readdirSync(path.join(root, 'chapters'))
        .find((folder) => folder.startsWith(described.name.slice(0, 3))));
    const sources = fs.readdirSync(chapter).filter((file) => /\.cuh?$/.test(file))
        .map((file) => fs.readFileSync(path.join(chapter, file), 'utf8'));
    for (const s of figure.reachable(described))
      assert(figure.codeOf(described, s).some(({term}) => term !== null), `${described.name} has no word to light`);
    const codes = [described.code].flatMap((code) => typeof code === 'string' ? [code] : Object.values(code));
    for (const code of codes)
      assert(sources.some((source) => source.split('\n').some((line) => line.trim() === code)), code);
    if (described.kind === 'shuffles') continue;
    for (const s of figure.reachable(described)) {
      for (const {lane, index} of model.accesses(s)) {
        const [row, col] = Array.from(figure.valued(described, s, lane).matchAll(/\[([-+*\/%\d ]+)\]/g),
                                      ([, expression]) => Math.floor(Function(`return ${expression}`)()));
        assert.strictEqual(col === undefined ? row : row * s.pitch + col, index, `${described.name}: ${figure.valued(described, s, lane)}`);
      }
    }
  }
});

test('a lane that is pulled gets as near as the slider lets it', () => {
  const [copies, offsets, tile] = ['02_copies', '03_offsets', '08_transposition'].map((name) => pictures[name].live);
  const pulled = (described, hash, lane, element) =>
      model.toHash(figure.pulled(described, figure.settingsOf(described, {settings: hash}), lane, element));
  assert.strictEqual(pulled(copies, 'stride=2', 1, 3), 'stride=3');
  assert.strictEqual(pulled(copies, 'stride=2', 10, 24), 'stride=2');
  assert.strictEqual(pulled(copies, 'stride=2', 31, 5000), 'stride=32');
  assert.strictEqual(pulled(copies, 'stride=2', 0, 9), 'stride=2');
  assert.strictEqual(pulled(copies, 'order=times&by=5', 1, 10), 'stride=2&order=times&by=5');
  assert.strictEqual(pulled(offsets, '', 31, 42), 'offset=11');
  assert.strictEqual(pulled(offsets, 'offset=11', 5, 0), '');
  assert.match(pulled(tile, '', 2, 64), /pitch=32/);
  for (const described of live.filter(({kind}) => kind !== 'shuffles'))
    for (const s of figure.reachable(described))
      for (const {lane, index} of model.accesses(s))
        assert.strictEqual(model.toHash(figure.pulled(described, s, lane, index)), model.toHash(s), 'nobody has moved');
});

test('a live figure says of a lane where its element lies', () => {
  const words = (name, hash, lane) => {
    const described = pictures[name].live;
    return figure.laneWords(described, figure.settingsOf(described, {settings: hash}), lane);
  };
  assert.strictEqual(words('02_copies', 'stride=2', 13), 'Lane 13: in[13 * 2] is element 26: bytes 104 to 107, in sector 3.');
  assert.strictEqual(words('02_copies', 'order=times&by=5', 13), 'Lane 13: in[1 * 1] is element 1: bytes 4 to 7, in sector 0.');
  assert.strictEqual(words('03_offsets', 'bytes=1&offset=11', 31), 'Lane 31: a[31 + 11] is element 42: byte 42, in sector 1.');
  const xor = '__shfl_xor_sync(0xffffffff, sum, 8)', down = '__shfl_down_sync(0x1fffff, sum, 16)';
  assert.strictEqual(words('08_sums', 'steps=2', 1), `Lane 1: ${xor}; after 2 shuffles, it holds the sum of lanes 1, 9, 17, 25.`);
  assert.strictEqual(words('08_sums', 'form=down&steps=1&lanes=21', 5),
                     `Lane 5: ${down}; undefined since shuffle 1, which read from lane 21: the mask does not name it.`);
  assert.match(words('08_sums', 'form=down&lanes=21', 0), /; undefined since shuffle 2, which brought what is undefined in lane 8\.$/);
  assert.match(words('08_sums', 'steps=0', 7), /; before the first shuffle, it holds its own value\.$/);
  assert.match(words('08_sums', 'form=down', 31), /the sum of lane 31 \(32 times\)\.$/);
  assert.strictEqual(words('08_transposition', 'pitch=32&lanes=3', 2),
                     'Lane 2: tile[2 % 4][2 / 4] is word 64, in bank 0; wavefront 3.');
});

console.log(`${requests.length + sums.length} settings compared with the emulator`);
process.exitCode = failures === 0 ? 0 : 1;
