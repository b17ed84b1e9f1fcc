import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ForwardingProof } from '../../../src/gateway/link/forwarding-proof.js'
import { addressOf, proxyHeader, readProxyHeader } from '../../../src/hsms/tcp/proxy-header.js'

const KEY = new Uint8Array(32).fill(7)
const ENDS = { local: '10.1.0.100:5000', remote: '10.1.0.7:40000' }

function at(start: number) {
  let now = start
  const time = { now: () => now }
  const advance = (ms: number): void => {
    now += ms
  }
  return { time, proof: new ForwardingProof(KEY, time), advance }
}

/** Why a header is no proof for this process. */
function faultOf(proof: ForwardingProof, bytes: Uint8Array, to = 'node-1'): string | undefined {
  const read = readProxyHeader(bytes)
  if (read.kind !== 'header' || read.header.command !== 'proxy') return read.kind
  return proof.fault(read.header, bytes, to)
}

test('a header for another process names the equipment, and is a proof for that process, once', () => {
  const { proof, time } = at(1_700_000_000_000)
  const header = new ForwardingProof(KEY, time).header(ENDS, 'node-1')
  const read = readProxyHeader(header)
  if (read.kind !== 'header' || read.header.command !== 'proxy') throw new Error(read.kind)
  expect([addressOf(read.header.source), read.header.source.port]).toEqual(['10.1.0.7', 40000])
  expect(faultOf(proof, header)).toBeUndefined()
  expect(faultOf(proof, header)).toContain('used before')
})

test('it is none for another process, such as the same after a restart, nor with another key', () => {
  const { proof, time } = at(1_700_000_000_000)
  expect(faultOf(proof, proof.header(ENDS, 'node-1'), 'node-2')).toContain(
    'not made by a gateway of this site',
  )
  const other = new ForwardingProof(new Uint8Array(32).fill(8), time)
  expect(faultOf(proof, other.header(ENDS, 'node-1'))).toContain('not made by a gateway of this site')
})

test('one bit that was changed makes it worthless', () => {
  const { proof } = at(1_700_000_000_000)
  const header = proof.header(ENDS, 'node-1')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: header.length * 8 - 1 }), (bit) => {
      const changed = Uint8Array.from(header)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(faultOf(proof, changed)).toBeDefined()
    }),
    { numRuns: 1_000 },
  )
})

test('it is believed for a minute by a time that is slower or faster, once, and never after that', () => {
  for (const skew of [-59_000, 59_000]) {
    const { proof, advance } = at(1_700_000_000_000)
    const header = at(1_700_000_000_000 + skew).proof.header(ENDS, 'node-1')
    expect(faultOf(proof, header), `${skew}`).toBeUndefined()
    for (let step = 0; step < 12; step += 1) {
      advance(12_000)
      expect(faultOf(proof, header), `${skew}, ${step}`).toBeDefined()
      // Others come meanwhile, with which old ones are forgotten.
      expect(faultOf(proof, proof.header(ENDS, 'node-1'))).toBeUndefined()
    }
  }
  const { proof } = at(1_700_000_000_000)
  const old = at(1_700_000_000_000 - 61_000).proof.header(ENDS, 'node-1')
  expect(faultOf(proof, old)).toContain('61 s ago')
})

test('a header with a TLV after the proof, or a proof of another length, is none', () => {
  const { proof } = at(1_700_000_000_000)
  const source = { bytes: Uint8Array.of(10, 1, 0, 7), port: 40000 }
  for (const extensions of [
    [{ type: 0xe0, value: new Uint8Array(39) }],
    [{ type: 0xe0, value: new Uint8Array(41) }],
    [
      { type: 0xe0, value: new Uint8Array(40) },
      { type: 4, value: new Uint8Array(1) },
    ],
  ]) {
    expect(faultOf(proof, proxyHeader({ source, destination: source, extensions }))).toContain('damaged')
  }
})
