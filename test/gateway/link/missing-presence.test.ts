import { expect, test } from 'vitest'
import { MissingPresence } from '../../../src/gateway/link/missing-presence.js'
import type { Entry } from '../../../src/store/entry.js'

const SILENT = [true, false] as const
const UNKNOWN = [false, true] as const
const OTHER = [false, false] as const

/** `shown`: how many S1F13 and S1F14 are on record; undefined where the record cannot be read. */
function scene() {
  const given: { shown: number | undefined } = { shown: 0 }
  const query = async (): Promise<Entry[]> => {
    if (given.shown === undefined) throw new Error('away')
    return Array<Entry>(given.shown)
  }
  return { given, missing: new MissingPresence('eq_1', { query }) }
}

test('equipment lacks S1F13 where it says so, or leaves two in turn without an answer', async () => {
  expect(await scene().missing.isMissing(...UNKNOWN)).toBe(true)
  const { missing } = scene()
  const found = []
  for (const one of [SILENT, OTHER, SILENT, SILENT]) found.push(await missing.isMissing(one[0], one[1]))
  expect(found).toEqual([false, false, false, true])
})

test('equipment that was known to lack it lacks it at the first silence', async () => {
  const { missing } = scene()
  await missing.isMissing(...UNKNOWN)
  expect(await missing.isMissing(...SILENT)).toBe(true)
})

test('equipment that has ever sent S1F13 or S1F14 never lacks it, nor does one of which that is not known', async () => {
  for (const shown of [1, undefined]) {
    const { given, missing } = scene()
    await missing.isMissing(...UNKNOWN)
    given.shown = shown
    expect(await missing.isMissing(...UNKNOWN)).toBe(false)
    given.shown = 0
    expect(await missing.isMissing(...SILENT)).toBe(false)
  }
})
