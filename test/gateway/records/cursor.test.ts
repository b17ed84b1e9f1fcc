import { expect, test } from 'vitest'
import { encodeCursor } from '../../../src/gateway/records/cursor.js'
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
