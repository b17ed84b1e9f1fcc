import { expect, test } from 'vitest'
import { RECORD_MIGRATIONS } from '../../src/daemon/record-versions.js'
import { ofNow } from '../../src/store/store.js'

/** Records as versions wrote them, of what a step changes. */
const EARLIER: Readonly<Record<string, readonly object[]>> = {
  equipment: [
    { id: 'eq_1', transport: 'secs1-serial', serial_port: '/dev/ttyS0', ip_address: '0.0.0.0', port: 0 },
    { id: 'eq_2', ip_address: '10.0.0.1', port: 5000 },
    { id: 'eq_3', transport: 'hsms', ip_address: '10.0.0.1', port: 5000, tap: null },
  ],
}

test.each(Object.entries(RECORD_MIGRATIONS))(
  'a record of %s that has its form of now stays as it is: processes of an earlier version may write others beside it',
  (name, migrations) => {
    const once = ofNow(EARLIER[name] ?? [{ id: 'one' }], migrations)
    expect(ofNow(once, migrations)).toEqual(once)
    for (const from of migrations.keys()) expect(ofNow(once, migrations.slice(from))).toEqual(once)
  },
)

test('equipment at a serial port has no address, whichever version wrote it', () => {
  const [serial] = ofNow(EARLIER['equipment'] ?? [], RECORD_MIGRATIONS['equipment'] ?? [])
  expect(serial).toMatchObject({ ip_address: null, port: null, serial_port: '/dev/ttyS0' })
})
