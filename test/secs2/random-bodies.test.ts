import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeItem } from '../../src/secs2/decode.js'
import { encodeItem } from '../../src/secs2/encode.js'
import { Secs2DecodeError } from '../../src/secs2/errors.js'
import type { Item } from '../../src/secs2/item.js'
import { MAX_DEPTH } from '../../src/secs2/limits.js'
import { type Random, SEED, withSeed } from '../support/random.js'
import { hexBytes, hexOf } from '../support/vectors.js'
import { randomItem } from './random-item.js'

const BODIES = 200_000

/** Most that one body may take, in milliseconds, and that a hundred of them may leave in memory, in bytes. */
const SLOWEST = 10
/** The same of 64 KiB, of which a reader that goes over them again for each item would take seconds. */
const SLOWEST_LONG = 100
const LARGEST = 64 * 2 ** 20

const LONGEST_RANDOM = 300

// So many errors are made here, and nobody looks where.
const { stackTraceLimit } = Error
beforeAll(() => {
  Error.stackTraceLimit = 0
})
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit
})

/** Format bytes that are taken, so that chance comes further than the first byte. */
const HEADS = Uint8Array.of(
  0x01,
  0x02,
  0x03,
  0x21,
  0x25,
  0x41,
  0x42,
  0x43,
  0x45,
  0x49,
  0x61,
  0x71,
  0x81,
  0x91,
  0xa1,
  0xa5,
  0xb1,
)

function randomBody(random: Random): Uint8Array {
  const body = new Uint8Array(random(LONGEST_RANDOM))
  const known = random(3) > 0
  for (let at = 0; at < body.length; at++) {
    body[at] = known && random(2) === 0 ? (HEADS[random(HEADS.length)] ?? 0) : random(known ? 6 : 256)
  }
  return body
}

/** A good body with bytes changed, and cut short or followed by more. */
function mutated(good: Uint8Array, random: Random): Uint8Array {
  const end = random(4) === 0 ? random(good.length + 1) : good.length + (random(8) === 0 ? random(4) : 0)
  const body = new Uint8Array(end)
  body.set(good.subarray(0, end))
  for (let changes = random(4); changes > 0 && end > 0; changes--) body[random(end)] = random(256)
  return body
}

/** Decoded, or undefined where it is refused as it should be. */
function decoded(body: Uint8Array): Item | undefined {
  try {
    return decodeItem(body)
  } catch (error) {
    if (!(error instanceof Secs2DecodeError)) throw error
    if (error.offset < 0 || error.offset > body.length) throw error
    return undefined
  }
}

function milliseconds(body: Uint8Array): number {
  const start = performance.now()
  decoded(body)
  return performance.now() - start
}

/** Others work on this machine: a body is slow when it is slow every time. */
function expectFast(body: Uint8Array, first: number, most = SLOWEST): void {
  let fastest = first
  for (let look = 0; look < 20 && fastest > most; look++) fastest = Math.min(fastest, milliseconds(body))
  expect(fastest, `${hexOf(body.subarray(0, 100))}, ${body.length} bytes`).toBeLessThanOrEqual(most)
}

/** Bytes of objects and of what arrays hold. */
function held(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function expectStable(item: Item, body: Uint8Array): void {
  const written = encodeItem(item)
  if (written.length > body.length || Buffer.compare(encodeItem(decodeItem(written)), written) !== 0) {
    expect.fail(`${hexOf(body)} is written as ${hexOf(written)}, which is read as another item`)
  }
}

test(`${BODIES} random and mutated bodies are read or refused, at once and with little`, () => {
  withSeed(SEED, (random) => {
    const good = Array.from({ length: 500 }, () => encodeItem(randomItem(random, true)))
    let before = held()
    let read = 0
    for (let made = 1; made <= BODIES; made++) {
      const body = made % 2 === 0 ? randomBody(random) : mutated(good[random(good.length)] ?? HEADS, random)
      const start = performance.now()
      const item = decoded(body)
      const spent = performance.now() - start
      if (spent > SLOWEST) expectFast(body, spent)
      if (item) {
        read++
        expectStable(item, body)
      }
      if (made % 100 === 0) {
        const after = held()
        if (after - before > LARGEST) expect.fail(`a hundred bodies took ${after - before} bytes`)
        before = after
      }
    }
    expect(read).toBeGreaterThan(BODIES / 10)
    expect(read).toBeLessThan((BODIES * 9) / 10)
  })
})

const SIZE = 2 ** 16

/** As many of `item` as 64 KiB hold, in one list. */
function listOf(item: string): Uint8Array {
  const one = hexBytes(item)
  const count = Math.floor((SIZE - 4) / one.length)
  return Buffer.concat([
    Buffer.from([0x03, count >> 16, count >> 8, count]),
    ...Array.from({ length: count }, () => one),
  ])
}

/** Lists in lists, each of which says that it has as many items as the bytes behind it could be. */
function boasting(): Uint8Array {
  const body = Buffer.alloc(SIZE)
  for (let at = 0; at + 4 <= 4 * MAX_DEPTH; at += 4)
    body.writeUInt32BE(0x0300_0000 + ((SIZE - at - 4) >> 1), at)
  return body
}

test.each([
  ['empty lists', listOf('0100')],
  ['texts of one character', listOf('410141')],
  ['arrays of no bytes', listOf('2100')],
  ['arrays of no numbers', listOf('8100')],
  ['arrays of two bytes', listOf('21020102')],
  ['arrays of two floats', listOf('91083f8000003f800000')],
  ['long integers', listOf('a108ffffffffffffffff')],
  ['lists that boast', boasting()],
])('64 KiB of %s are read or refused, at once and with little', (_, body) => {
  expectFast(body, milliseconds(body), SLOWEST_LONG)
  const before = held()
  decoded(body)
  expect(held() - before).toBeLessThan(LARGEST)
})
