import { expect, test } from 'vitest'
import { decodeCursor, decodeEntryCursor, encodeCursor } from '../../../src/gateway/records/cursor.js'
import { LiveGateway } from '../../support/live-gateway.js'

test.each(['events', 'messages', 'alarms', 'equipment'] as const)(
  'a cursor of %s that no page can have given is refused',
  async (list) => {
    const { gateway } = await LiveGateway.open()
    const positions = ['abc', '0', '-1', '1e3', '1.5', ' 1', '01', '999999999999999', '1/eq_1', '2026/eq_1']
    const made = positions.map((position) => encodeCursor({ list }, position))
    for (const cursor of ['', 'x'.repeat(513), ...made]) {
      await expect(gateway[list].list({ cursor }), cursor).rejects.toMatchObject({ code: 'invalid_cursor' })
    }
  },
)

test('a page may begin at the newest entry, and not after it', () => {
  const list = { list: 'events' }
  const cursor = encodeCursor(list, '5')
  expect(decodeEntryCursor(cursor, list, 5)).toBe(5)
  expect(() => decodeEntryCursor(cursor, list, 4)).toThrow()
})

test('a cursor goes on in the list that gave it, whatever the order of its filters and the length of its pages', () => {
  const given = { list: 'events', type: 'alarm', order: 'desc', limit: 5, from: undefined }
  const cursor = encodeCursor(given, '7')
  for (const same of [
    { type: 'alarm', list: 'events' },
    { ...given, limit: 9, cursor },
  ])
    expect(decodeEntryCursor(cursor, same, 9)).toBe(7)
  for (const other of [{ list: 'events' }, { ...given, type: 'state' }, { ...given, order: 'asc' }])
    expect(() => decodeEntryCursor(cursor, other, 9)).toThrow()
})

/** Lists, each with the digest that its cursors have had since they were first given. */
const MARKS: readonly (readonly [filters: object, mark: string])[] = [
  [{ list: 'events', type: 'alarm' }, 'MoP9F-zkwVrX'],
  [{ list: 'events', type: 'state' }, '_PPLoxgPIYH2'],
  [{ list: 'alarms', type: 'alarm' }, 'OSs_LleZctfo'],
  [{ list: 'events' }, '_X3DXK_w0rv4'],
]

test.each(MARKS)('a cursor of %j has its digest, whichever list was read before', (filters, mark) => {
  const own = (given: object): string => Buffer.from(encodeCursor(given, '7'), 'base64url').toString()
  for (const [other, otherMark] of MARKS) {
    expect([own(other), own(filters), own(filters), own(other)]).toEqual(
      [otherMark, mark, mark, otherMark].map((each) => `${each}.7`),
    )
  }
})

test('a cursor may have 4096 characters', () => {
  const list = { list: 'names' }
  const longest = encodeCursor(list, 'x'.repeat(3059))
  expect(longest).toHaveLength(4096)
  expect(decodeCursor(longest, list, /^x+$/)).toHaveLength(3059)
  expect(() => decodeCursor(encodeCursor(list, 'x'.repeat(3060)), list, /^x+$/)).toThrow()
})
