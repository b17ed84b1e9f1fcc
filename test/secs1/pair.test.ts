import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHARACTER, decodeBlock } from '../../src/secs1/block.js'
import { DEFAULT_SECS1_TIMERS } from '../../src/secs1/settings.js'
import { type Random, seededRandom } from '../support/random.js'
import { type Noise, Secs1Pair, type Side } from './secs1-pair.js'

const SIDES = ['host', 'equipment'] as const

const bodyOf = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + seed * 7 + (at >> 8)) & 0xff)

/** A damaged block costs a second, so that many pass within T3. */
const QUICK = { ...DEFAULT_SECS1_TIMERS, t1: 100, t2: 300 }

const isSame = (one: Uint8Array | undefined, two: Uint8Array): boolean =>
  one !== undefined && Buffer.compare(one, two) === 0

test('a primary and its reply pass, of one block and of many, in both directions', () => {
  const pair = new Secs1Pair()
  pair.reply = ({ body }) => body
  for (const [at, length] of [0, 1, 243, 244, 245, 488, 489, 20_000].entries()) {
    for (const side of SIDES) {
      const body = bodyOf(length, at)
      const systemBytes = pair.ask(side, { stream: 7, function: 3, body }) as number
      pair.run(pair.now + 40_000)
      const outcome = pair.ended[side].get(systemBytes)
      expect(outcome?.kind).toBe('replied')
      expect(outcome && 'reply' in outcome && isSame(outcome.reply.body, body)).toBe(true)
    }
  }
  expect(pair.faults).toEqual({ host: [], equipment: [] })
})

/** Each byte is dropped, doubled or changed once in so many, but for what the checksum of a block cannot show. */
const noise =
  (random: Random, oneIn: number): Noise =>
  (bytes) => {
    for (;;) {
      const changed = Uint8Array.from(
        [...bytes].flatMap((byte) => {
          if (random(oneIn) > 0) return [byte]
          return [[], [byte, byte], [byte ^ (1 + random(255))]][random(3)] as number[]
        }),
      )
      const isBlock = changed.length > 1 && bytes.length > 1
      if (!isBlock || !decodeBlock(changed) || isSame(changed, bytes)) return changed
    }
  }

test('300 messages of 1 to 20,000 bytes pass a line that damages 1 byte in 500: none lost, none twice', () => {
  const random = seededRandom(4)
  const pair = new Secs1Pair({ retries: 31, timers: QUICK }, noise(random, 500))
  pair.reply = ({ body }) => body.slice(0, 20)
  const sent: Record<Side, { systemBytes: number; body: Uint8Array }[]> = { host: [], equipment: [] }
  for (let count = 0; count < 300; ) {
    const side = SIDES[random(2)] as Side
    const body = bodyOf(1 + random(20_000), count)
    const systemBytes = pair.ask(side, { stream: 7, function: 3, body })
    if (systemBytes === undefined) {
      pair.run(pair.now + 1_000)
      continue
    }
    sent[side].push({ systemBytes, body })
    count += 1
  }
  pair.run(pair.now + 24 * 3_600_000)
  expect(pair.faults).toEqual({ host: [], equipment: [] })
  for (const [side, other] of [SIDES, [...SIDES].reverse()] as [Side, Side][]) {
    const arrived = pair.received[other]
    expect(arrived.length).toBe(sent[side].length)
    expect(sent[side].every(({ body }, at) => isSame(arrived[at]?.body, body))).toBe(true)
    const kinds = sent[side].map(({ systemBytes }) => pair.ended[side].get(systemBytes)?.kind)
    expect(new Set(kinds)).toEqual(new Set(['replied']))
  }
})

/** What is done to the writes on the line, one after the other; `pass` once they are used up. */
const fate = fc.constantFrom('pass', 'lose', 'damage', 'double')

test('any pattern of losses ends with the message delivered once, or with an error; never twice', () => {
  fc.assert(
    fc.property(
      fc.array(fate, { maxLength: 60 }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 900 }),
      fc.boolean(),
      (fates, retries, length, isEquipmentMaster) => {
        let at = 0
        const pair = new Secs1Pair(
          { retries },
          (bytes) => {
            const what = fates[at++] ?? 'pass'
            if (what === 'lose') return new Uint8Array()
            if (what === 'damage')
              return bytes.map((byte, n) => (n === bytes.length - 1 ? byte ^ 0x40 : byte))
            return what === 'double' && bytes.length === 1 ? Uint8Array.of(...bytes, ...bytes) : bytes
          },
          1,
          isEquipmentMaster,
        )
        pair.reply = ({ body }) => body
        const asked = SIDES.map((side) => ({
          side,
          other: side === 'host' ? ('equipment' as const) : ('host' as const),
          systemBytes: pair.ask(side, { stream: 7, function: 3, body: bodyOf(length, 1) }) as number,
        }))
        pair.run(pair.now + 3_600_000)
        for (const { side, other, systemBytes } of asked) {
          const count = pair.received[other].length
          expect(count).toBeLessThanOrEqual(1)
          const outcome = pair.ended[side].get(systemBytes)?.kind
          expect(outcome).toBeDefined()
          if (outcome === 'replied') expect(count).toBe(1)
          else expect([...pair.faults.host, ...pair.faults.equipment].length).toBeGreaterThan(0)
        }
      },
    ),
    { numRuns: 150 },
  )
})

test('where both ask at once, the master sends first', () => {
  for (const isEquipmentMaster of [true, false]) {
    const order: Side[] = []
    const pair = new Secs1Pair(
      {},
      (bytes, side) => {
        if (bytes.length > 1) order.push(side)
        return bytes
      },
      1,
      isEquipmentMaster,
    )
    for (const side of SIDES) pair.ask(side, { stream: 1, function: 1, body: new Uint8Array() })
    pair.run(1_000)
    expect(order).toEqual(isEquipmentMaster ? ['equipment', 'host'] : ['host', 'equipment'])
  }
})

test('two masters cannot agree: the error says that nobody answers ENQ', () => {
  const pair = new Secs1Pair({ isMaster: true })
  for (const side of SIDES) pair.ask(side, { stream: 1, function: 1, body: new Uint8Array() })
  pair.run(45_000)
  expect(pair.faults.host[0] ?? pair.faults.equipment[0]).toContain('ENQ')
})

test('a noisy line has its counts', () => {
  const pair = new Secs1Pair({}, (bytes) =>
    bytes[0] === CHARACTER.ACK ? Uint8Array.of(CHARACTER.NAK) : bytes,
  )
  pair.ask('host', { stream: 1, function: 1, body: new Uint8Array() })
  pair.run(1_000)
  expect(pair.protocols.host.counts.line).toMatchObject({ blocksOut: 4, naksIn: 4, retries: 3 })
  expect(pair.protocols.equipment.counts.line).toMatchObject({ blocksIn: 4, duplicates: 3 })
  expect(pair.received.equipment).toHaveLength(1)
  expect(pair.faults.host).toEqual([
    'retry_limit: the peer refuses a block (NAK), also after 3 retries (RTY)',
  ])
})
