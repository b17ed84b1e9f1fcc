import { afterEach, expect, test, vi } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import type { Reading } from '../../../src/gateway/records/reading.js'
import { viewInTurns, viewPassed } from '../../../src/gateway/wire/wire-view.js'
import { nextTurn } from '../../../src/kit/turns.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, U4 } from '../../../src/secs2/item.js'
import { ItemReader } from '../../../src/secs2/item-reader.js'
import { dataPassing } from '../../support/wire-records.js'

const READING = { catalogue: STANDARD_CATALOGUE } as Reading

afterEach(() => void vi.restoreAllMocks())

test('of a long body the head is shown, its other items are not made, and it is checked in many turns', async () => {
  const body = encodeBody({ format: 'L', items: Array.from({ length: 500_000 }, (_, at) => U4(at)) })
  const record = dataPassing('in', { body })
  const making = [vi.spyOn(ItemReader.prototype, 'inParts'), vi.spyOn(ItemReader.prototype, 'items')]
  const head = vi.spyOn(ItemReader.prototype, 'outermost')
  let isOver = false
  const shown = Promise.all([1, 2, 3].map((at) => viewInTurns({ ...record, at }, READING))).finally(() => {
    isOver = true
  })
  let turns = 0
  for (; !isOver; turns += 1) await nextTurn()
  expect(turns).toBeGreaterThan(10)
  for (const made of making) expect(made).not.toHaveBeenCalled()
  expect(head.mock.calls.length).toBeLessThan(3 * 10_000)
  for (const one of await shown)
    expect(one).toMatchObject({
      length: body.length + 10,
      cut: true,
      sml: expect.stringContaining('<L [500000]'),
    })
})

test('of a value of 16 MiB no more bytes are read than are shown', async () => {
  const body = encodeBody({ format: 'B', value: new Uint8Array(0xff_ff_00).fill(7) })
  const copying = vi.spyOn(Uint8Array.prototype, 'set')
  const shown = await viewInTurns({ ...dataPassing('in', { body }), at: 1 }, READING)
  expect(shown).toMatchObject({
    length: body.length + 10,
    cut: true,
    sml: expect.stringMatching(/<B 0x07 0x07/),
  })
  expect(copying).toHaveBeenCalled()
  for (const [copied] of copying.mock.calls) expect(copied.length).toBeLessThan(100_000)
})

test('a long body that is no SECS-II says so, also where the fault is at its end', async () => {
  const long = encodeBody({ format: 'L', items: Array.from({ length: 200_000 }, (_, at) => U4(at)) })
  for (const body of [
    new Uint8Array(100_000).fill(0xff),
    long.subarray(0, -1),
    new Uint8Array([...long, 0]),
  ]) {
    const shown = await viewInTurns({ ...dataPassing('in', { body }), at: 1 }, READING)
    expect(shown).toMatchObject({ sml: null, detail: expect.any(String) })
  }
})

test('a short body is shown the same', async () => {
  const short = { ...dataPassing('in', { body: encodeBody(A('x')) }), at: 1 }
  expect(await viewInTurns(short, READING)).toEqual(viewPassed(short, READING))
})
