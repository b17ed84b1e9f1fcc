import { expect, test } from 'vitest'
import { decodeEntryCursor, encodeCursor } from '../../../src/gateway/records/cursor.js'
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
