import { expect, test } from 'vitest'
import type { Alarm } from '../../src/contract/topics/alarms.js'
import { heldRows } from '../../src/web/alarms/held-rows.js'

const alarm = (id: string, change: Partial<Alarm> = {}) =>
  ({ id, active: true, acknowledged: false, ...change }) as Alarm

test('rows that are held stay where they are, as the alarms are now; new ones are not among them', () => {
  const held = [alarm('3'), alarm('2'), alarm('1')]
  const open = [alarm('4'), alarm('3', { active: false }), alarm('1')]
  expect(
    heldRows(held, open).map(({ id, active, acknowledged }) => `${id} ${active} ${acknowledged}`),
  ).toEqual(['3 false false', '2 false true', '1 true false'])
})
