import { expect, test } from 'vitest'
import { checksCapture } from '../../src/probe/hsms-checks/checks-capture.js'
import { framesAsMessages } from '../../src/probe/hsms-checks/frames-as-messages.js'
import { KEPT, Kept } from '../../src/probe/hsms-checks/kept.js'
import type { PassedBytes } from '../../src/probe/hsms-checks/raw-link.js'

const link = { local: '127.0.0.1:1', remote: '127.0.0.1:2', opened: 0 }
const passed = (at: number): PassedBytes => ({ link, at, direction: 'received', bytes: Uint8Array.of(1) })

test.each([0, 1, KEPT, 3 * KEPT - 1])('of %i messages of a check each is kept', (count) => {
  const kept = new Kept()
  for (let at = 0; at < count; at++) kept.add(passed(at))
  expect(kept.passed.map(({ at }) => at)).toEqual(Array.from({ length: count }, (_, at) => at))
})

test('of messages without end the first and the last are kept, and the number of the others stands between', () => {
  const kept = new Kept()
  const count = 200_000
  for (let at = 0; at < count; at++) kept.add(passed(at))
  const all = kept.passed
  expect(all.length).toBeLessThanOrEqual(3 * KEPT)
  expect(all.slice(0, KEPT).map(({ at }) => at)).toEqual(Array.from({ length: KEPT }, (_, at) => at))
  expect(all.at(-1)?.at).toBe(count - 1)
  const leftOut = all[KEPT]?.leftOut ?? 0
  expect(leftOut + all.length - 1).toBe(count)
  expect(all[KEPT + 1]?.at).toBe(KEPT + leftOut)
  expect(framesAsMessages(all, 7)[KEPT]).toMatchObject({
    id: String(7 + KEPT),
    label: `${leftOut} messages that are not kept`,
  })
  const blocks = (some: readonly PassedBytes[]): number =>
    [...checksCapture([{ links: [link], passed: some }], 'p', 'n')].length
  expect(blocks(all)).toBe(blocks(all.filter((one) => one.leftOut === undefined)))
})
