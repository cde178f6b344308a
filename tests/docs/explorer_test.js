'use strict';

/**
 * The explorer's model against the emulator, setting by setting; then its links and presets.
 *
 *     node explorer_test.js build/emulator/tests/explorer_requests
 */

const assert = require('assert');
const {execFileSync} = require('child_process');
const fs = require('fs');
const path = require('path');

const root = path.join(__dirname, '../..');
const model = require(path.join(root, 'docs/explorer/model.js'));

let failures = 0;
function test(name, body) {
  try {
    body();
  } catch (error) {
    ++failures;
    console.error(`FAILED: ${name}\n  ${error.message}`);
  }
}

const output = execFileSync(process.argv[2], {maxBuffer: 1 << 28, encoding: 'utf8'});
const requests = output.trim().split('\n').map((line) => JSON.parse(line));

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

console.log(`${requests.length} settings compared with the emulator`);
process.exitCode = failures === 0 ? 0 : 1;
