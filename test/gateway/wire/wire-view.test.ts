import { expect, test, vi } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import type { Reading } from '../../../src/gateway/records/reading.js'
import { viewPassed, WireViews } from '../../../src/gateway/wire/wire-view.js'
import { nextTurn } from '../../../src/kit/turns.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, U4 } from '../../../src/secs2/item.js'
import { ItemReader } from '../../../src/secs2/item-reader.js'
import { dataPassing } from '../../support/wire-records.js'

const READING = { catalogue: STANDARD_CATALOGUE } as Reading
const LONG = encodeBody({ format: 'L', items: Array.from({ length: 200_000 }, (_, at) => U4(at)) })

test('a long body is decoded once for all readers, and in many turns of the event loop', async () => {
  const views = new WireViews()
  const record = dataPassing('in', { body: LONG })
  const decoding = vi.spyOn(ItemReader.prototype, 'inParts')
  const atOnce = vi.spyOn(ItemReader.prototype, 'items')
  let isOver = false
  const shown = Promise.all([1, 2, 3].map((at) => views.view({ ...record, at }, READING))).finally(() => {
    isOver = true
  })
  let turns = 0
  for (; !isOver; turns += 1) await nextTurn()
  expect(turns).toBeGreaterThan(20)
  expect(decoding).toHaveBeenCalledTimes(1)
  expect(atOnce.mock.calls.every(([count]) => count < 10_000)).toBe(true)
  vi.restoreAllMocks()
  expect(await shown).toEqual([1, 2, 3].map((at) => viewPassed({ ...record, at }, READING)))
})

test('a long body that is no SECS-II says so, and a short one is shown at once', async () => {
  const views = new WireViews()
  const broken = dataPassing('in', { body: new Uint8Array(100_000).fill(0xff) })
  expect(await views.view({ ...broken, at: 1 }, READING)).toEqual(viewPassed({ ...broken, at: 1 }, READING))
  const short = dataPassing('in', { body: encodeBody(A('x')) })
  expect(views.view({ ...short, at: 1 }, READING)).toEqual(viewPassed({ ...short, at: 1 }, READING))
})
