'use strict';

/**
 * What one memory request of one warp costs: the rules of emulator/engine/count/cost.cpp in
 * JavaScript. tests/docs compares both over thousands of settings. Nothing here knows of the page.
 *
 * @namespace
 */
const ExplorerModel = (() => {
  const kWarp = 32, kSector = 32, kLine = 128, kBanks = 32, kBank = 4;
  const kSharedBytes = 227 * 1024;  // the most that a block of an H100 or H200 can have

  /** Every setting: what it is at first, and what it may be. */
  const settings = {
    memory: {first: 'global', choices: ['global', 'shared']},
    access: {first: 'load', choices: ['load', 'store', 'atomic']},
    bytes: {first: 4, choices: [1, 2, 4, 8, 16]},  // of an element
    base: {first: 0, least: 0, most: 127},         // bytes from a line to the array's first element
    offset: {first: 0, least: 0, most: 4096},      // elements
    stride: {first: 1, least: 0, most: 1024},      // elements from a column to the next
    pitch: {first: 0, least: 0, most: 8192},       // elements from a row to the next
    blockX: {first: 32, least: 1, most: 1024},     // threads
    blockY: {first: 1, least: 1, most: 1024},
    column: {first: 'x', choices: ['x', 'y']},     // the thread's coordinate that is the column
    order: {first: 'straight', choices: ['straight', 'xor', 'times', 'shared']},
    by: {first: 1, least: 0, most: 32},            // the number that goes with the order
    lanes: {first: 32, least: 1, most: 32},        // how many are active, from lane 0 on
  };

  /** Settings as links have them: what each is at first, and the ways to a link and back. */
  function links(settings) {
    const defaults = Object.fromEntries(
        Object.entries(settings).map(([name, setting]) => [name, setting.first]));

    /** The settings that differ from the first ones: "stride=2&bytes=8". */
    function toHash(s) {
      return Object.keys(settings)
          .filter((name) => s[name] !== defaults[name])
          .map((name) => `${name}=${s[name]}`)
          .join('&');
    }

    /** One setting from text; undefined if it is none. */
    function read(name, text) {
      const setting = settings[name];
      if (setting.choices) return setting.choices.find((choice) => String(choice) === text);
      return /^\d+$/.test(text) && +text >= setting.least && +text <= setting.most ? +text : undefined;
    }

    /** The settings of a link; what it does not say, or says wrong, is as at first. */
    function fromHash(hash) {
      const s = {...defaults};
      for (const pair of hash.replace(/^#/, '').split('&')) {
        const [name, text] = pair.split('=');
        if (!Object.prototype.hasOwnProperty.call(settings, name) || text === undefined) continue;
        const value = read(name, text);
        if (value !== undefined) s[name] = value;
      }
      return s;
    }

    return {defaults, toHash, read, fromHash};
  }

  const {defaults, toHash, read, fromHash} = links(settings);

  /** The lane whose element `lane` takes. */
  function taken(s, lane) {
    switch (s.order) {
      case 'xor': return lane ^ s.by;
      case 'times': return lane * s.by % kWarp;
      case 'shared': return Math.floor(lane / Math.max(1, s.by));
      default: return lane;
    }
  }

  /** Warp 0's active lanes: {lane, x, y, row, col, index, address}, the address from a line's start. */
  function accesses(s) {
    const result = [];
    for (let lane = 0; lane < Math.min(s.lanes, kWarp, s.blockX * s.blockY); ++lane) {
      const place = taken(s, lane);
      const x = place % s.blockX, y = Math.floor(place / s.blockX);
      const [col, row] = s.column === 'x' ? [x, y] : [y, x];
      const index = s.offset + row * s.pitch + col * s.stride;
      result.push({lane, x, y, row, col, index, address: s.base + index * s.bytes});
    }
    return result;
  }

  /** Why a device would refuse the request; empty if it would not. */
  function problem(s) {
    if (s.blockX * s.blockY > 1024)
      return `A block has at most 1024 threads; ${s.blockX} x ${s.blockY} are ${s.blockX * s.blockY}.`;
    if (s.access === 'atomic' && s.bytes !== 4 && s.bytes !== 8)
      return 'Atomic operations are on elements of 4 or 8 bytes here.';
    if (s.base % s.bytes !== 0)
      return `Misaligned: elements of ${s.bytes} bytes must begin at a multiple of ${s.bytes}. ` +
          'A device stops the kernel with cudaErrorMisalignedAddress.';
    const end = Math.max(...accesses(s).map((access) => access.address)) + s.bytes;
    if (s.memory === 'shared' && end > kSharedBytes)
      return `Out of bounds: a block has at most ${kSharedBytes / 1024} KiB of shared memory, ` +
          `and this needs ${Math.ceil(end / 1024)}.`;
    return '';
  }

  const blocks = (list, size, bytes) =>
      new Set(list.flatMap(({address}) => {
        const touched = [];
        for (let block = Math.floor(address / size); block * size < address + bytes; ++block)
          touched.push(block);
        return touched;
      }));

  /** Sector -> how often it is visited: atomics on one word follow one another. */
  function sectorVisits(s, list) {
    const visits = new Map();
    if (s.access !== 'atomic') {
      for (const sector of blocks(list, kSector, s.bytes)) visits.set(sector, 1);
      return visits;
    }
    const perAddress = new Map();
    for (const {address} of list) perAddress.set(address, (perAddress.get(address) || 0) + 1);
    for (const [address, lanes] of perAddress) {
      const sector = Math.floor(address / kSector);
      visits.set(sector, Math.max(visits.get(sector) || 0, lanes));
    }
    return visits;
  }

  /** Global memory: sectors, lines, distinct bytes, and the parts of the moved bytes that are of use. */
  function globalCost(s) {
    const list = accesses(s);
    const visits = sectorVisits(s, list);
    let sectors = 0;
    for (const count of visits.values()) sectors += count;
    const lines = blocks(list, kLine, s.bytes).size;
    const bytes = blocks(list, 1, s.bytes).size;
    return {
      requests: 1, sectors, lines, bytes,
      efficiencyPct: 100 * bytes / (kSector * sectors),
      lineEfficiencyPct: 100 * bytes / (kLine * lines),
    };
  }

  /** Whether every active lane wants the same as the lane `distance` away, or that one is inactive. */
  function agree(byLane, lanes, distance) {
    return lanes.every((lane) => {
      const other = byLane.get(lane ^ distance);
      return !lanes.includes(lane ^ distance) || other === byLane.get(lane);
    });
  }

  /** Lanes in `count` equal parts of the warp. */
  function parts(lanes, count) {
    const size = kWarp / count;
    return Array.from({length: count}, (_, part) =>
        lanes.filter((lane) => Math.floor(lane / size) === part));
  }

  /**
   * The passes through the banks: [pass][bank], each the word and its lanes, or null where the bank
   * is idle. Which word goes in which pass is a choice of ours; how many passes there are is not.
   */
  function passes(s) {
    const list = accesses(s);
    const byLane = new Map(list.map(({lane, address}) => [lane, address]));
    const lanes = [...byLane.keys()];
    const together = (some) => s.access === 'load' && (agree(byLane, some, 1) || agree(byLane, some, 2));
    const wide = Math.max(1, s.bytes / kBank);  // 1, 2 or 4 groups of lanes
    const groups = wide > 1 && together(lanes) ? wide / 2 : wide;
    const result = [];
    for (const group of parts(lanes, groups)) {
      const first = result.length;
      const words = [];
      for (const lane of group) {
        const address = byLane.get(lane);
        for (let word = Math.floor(address / kBank); word * kBank < address + s.bytes; ++word) {
          const same = s.access === 'atomic' ? undefined : words.find((other) => other.word === word);
          if (same) same.lanes.push(lane); else words.push({word, lanes: [lane]});
        }
      }
      for (const word of words) {
        const bank = word.word % kBanks;
        let pass = first;
        while (pass < result.length && result[pass][bank]) ++pass;
        if (pass === result.length) result.push(new Array(kBanks).fill(null));
        result[pass][bank] = word;
      }
    }
    return result;
  }

  /** Shared memory: passes, and how many the same lanes need if no two words meet in a bank. */
  function sharedCost(s) {
    const list = accesses(s);
    const byLane = new Map(list.map(({lane, address}) => [lane, address]));
    const lanes = [...byLane.keys()];
    const wide = Math.max(1, s.bytes / kBank);
    let ideal = 0;
    // Every pair of groups is judged for itself, and asked for no more than the bytes need.
    for (const both of parts(lanes, Math.ceil(wide / 2))) {
      if (both.length === 0) continue;
      const half = kWarp / wide;
      const first = both.filter((lane) => lane % (2 * half) < half);
      const onePass = wide === 1 || first.length === 0 || first.length === both.length ||
          s.access === 'load' && (agree(byLane, both, 1) || agree(byLane, both, 2));
      ideal += onePass ? 1 : 2;
    }
    const wavefronts = passes(s).length;
    return {
      requests: 1, wavefronts,
      wavefrontsIdeal: Math.min(ideal, Math.ceil(lanes.length * s.bytes / (kBanks * kBank))),
    };
  }

  /** The cost of a request without a problem. */
  function cost(s) { return s.memory === 'shared' ? sharedCost(s) : globalCost(s); }

  /** The access as a kernel would write it. */
  function code(s) {
    const types = {1: 'char', 2: 'short', 4: 'float', 8: 'float2', 16: 'float4'};
    const counters = {4: 'int', 8: 'unsigned long long'};
    const type = s.access === 'atomic' ? counters[s.bytes] || types[s.bytes] : types[s.bytes];
    const ordered = (lane) => ({
      straight: lane, xor: `(${lane} ^ ${s.by})`, times: `(${lane} * ${s.by} % warpSize)`,
      shared: `${lane} / ${Math.max(1, s.by)}`,
    })[s.order];
    const isLine = s.blockY === 1 && s.column === 'x' && s.blockX >= kWarp;
    const lines = [`// block: dim3(${s.blockX}, ${s.blockY})`];
    if (s.memory === 'shared') lines.push(`extern __shared__ ${type} data[];`);
    let col = ordered('threadIdx.x'), row = '';
    if (!isLine) {
      let x = 'threadIdx.x', y = 'threadIdx.y';
      if (s.order !== 'straight') {
        lines.push(`const int t = ${ordered('(threadIdx.y * blockDim.x + threadIdx.x)')};`);
        [x, y] = ['t % blockDim.x', 't / blockDim.x'];
      }
      lines.push(`const int col = ${s.column === 'x' ? x : y}, row = ${s.column === 'x' ? y : x};`);
      [col, row] = ['col', 'row'];
    }
    const terms = [];
    if (s.offset > 0) terms.push(String(s.offset));
    if (row && s.pitch > 0) terms.push(s.pitch === 1 ? row : `${row} * ${s.pitch}`);
    if (s.stride > 0) terms.push(s.stride === 1 ? col : `${col} * ${s.stride}`);
    const element = `data[${terms.join(' + ') || '0'}]`;
    const statement = {load: `value = ${element};`, store: `${element} = value;`,
                       atomic: `atomicAdd(&${element}, 1);`}[s.access];
    if (s.lanes < Math.min(kWarp, s.blockX * s.blockY)) {
      lines.push(`if (${isLine ? 'threadIdx.x' : 'threadIdx.y * blockDim.x + threadIdx.x'} < ${s.lanes})`,
                 `  ${statement}`);
    } else {
      lines.push(statement);
    }
    return lines.join('\n');
  }

  /** Requests that the course's kernels make. */
  const presets = [
    ['02_coalescing', 'copy_strided', 'stride 1', {}],
    ['02_coalescing', 'copy_strided', 'stride 2', {stride: 2}],
    ['02_coalescing', 'copy_strided', 'stride 32', {stride: 32}],
    ['02_coalescing', 'copy_permuted', '', {order: 'times', by: 5}],
    ['02_coalescing', 'copy_broadcast', '', {order: 'shared', by: 32}],
    ['02_coalescing', 'copy_doubles', '', {bytes: 8}],
    ['02_coalescing', 'sgemm_naive', 'A, down a column',
     {blockX: 32, blockY: 32, column: 'y', pitch: 512}],
    ['02_coalescing', 'sgemm_coalesced_2d', 'B, along a row', {blockX: 32, blockY: 32, pitch: 512}],
    ['03_alignment', 'read_offset', 'offset 8', {offset: 8}],
    ['03_alignment', 'read_offset', 'offset 11', {offset: 11}],
    ['03_alignment', 'write_offset', 'offset 11', {access: 'store', offset: 11}],
    ['06_aos_soa', 'aos_update_x', 'one of two fields', {stride: 2}],
    ['06_aos_soa', 'aos3_update', 'one of three fields', {stride: 3}],
    ['06_aos_soa', 'aos_aligned_update', 'both fields at once', {bytes: 8}],
    ['07_unrolling', 'read_offset_float4', '', {bytes: 16}],
    ['08_warp_primitives', 'tickets_plain', 'one counter for all',
     {access: 'atomic', order: 'shared', by: 32}],
    ['08_warp_primitives', 'transpose_shared', 'read',
     {memory: 'shared', blockX: 4, blockY: 8, column: 'y', pitch: 8}],
    ['06_aos_soa', 'aos3_staged_update', 'every third word', {memory: 'shared', stride: 3}],
  ].map(([chapter, kernel, what, changes]) => ({chapter, kernel, what, settings: {...defaults, ...changes}}));

  /** What many kernels do, and no kernel of the course in its own words. */
  const patterns = [
    ['a tile of 32 x 32, down a column', {memory: 'shared', column: 'y', pitch: 32}],
    ['the same, rows padded to 33', {memory: 'shared', column: 'y', pitch: 33}],
    ['16 bytes a lane, rows of 32', {memory: 'shared', bytes: 16, column: 'y', pitch: 8}],
    ['a counter in shared memory', {memory: 'shared', access: 'atomic', order: 'shared', by: 32}],
    ['one lane alone', {lanes: 1}],
  ].map(([what, changes]) => ({what, settings: {...defaults, ...changes}}));

  return {settings, defaults, accesses, problem, sectorVisits, passes, cost, toHash, fromHash, read,
          links, code, presets, patterns, kWarp, kSector, kLine, kBanks, kBank};
})();

if (typeof module !== 'undefined') module.exports = ExplorerModel;
