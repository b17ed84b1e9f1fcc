import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EquipmentClaims } from '../../../src/gateway/records/equipment-claims.js'
import { type EquipmentRecord, newEquipmentRecord } from '../../../src/gateway/records/equipment-record.js'

const record = (id: string, change: Partial<EquipmentRecord> = {}): EquipmentRecord => ({
  ...newEquipmentRecord(id, { name: id, ip_address: '192.0.2.1', port: 5000 }, '2026-01-01T00:00:00.000Z'),
  ...change,
})

const few = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
const TAP = { pause_seconds: 1, reads: 'all', writes: false } as const
/** Records that often have something in common. */
const changes: fc.Arbitrary<Partial<EquipmentRecord>> = fc.record({
  name: few('a', 'é', 'e\u0301', 'b', 'c', 'd'),
  mode: few<EquipmentRecord['mode']>('active', 'passive', 'passive'),
  ip_address: few('192.0.2.1', '192.0.2.2'),
  port: few(5000, 5001, 5002),
  serial_port: few<string | null>(null, null, null, '/dev/ttyS0', '/dev/ttyS1'),
  tap: few<EquipmentRecord['tap']>(
    null,
    null,
    { ...TAP, host_address: '192.0.2.1', host_port: 5000, listen_port: 5001 },
    { ...TAP, host_address: '192.0.2.2', host_port: 5001, listen_port: null },
  ),
})
const many = (ids: readonly string[]) =>
  fc.array(fc.tuple(few(...ids), changes), { maxLength: 6 }).map((rows) => {
    const byId = new Map(rows.map(([id, change]) => [id, record(id, change)]))
    return [...byId.values()]
  })

test('what records of a list have in common is what a comparison of each with each finds', () => {
  fc.assert(
    fc.property(
      many(['r1', 'r2', 'r3', 'r4', 'r5']),
      many(['r4', 'r5', 'w1', 'w2', 'w3']),
      fc.subarray(['r1', 'r2', 'r3', 'r4', 'r5']),
      (registered, wanted, reached) => {
        const ids = new Set(wanted.map(({ id }) => id))
        const reaches = (id: string): boolean => ids.has(id) || reached.includes(id)
        const expected = wanted.map((one, at) => {
          const before = registered.filter(({ id }) => id === one.id)
          const others = [...registered.filter(({ id }) => !ids.has(id)), ...wanted.slice(0, at)]
          for (const other of others) {
            const [clash] = new EquipmentClaims(() => [other, ...before]).clashes([one], reaches)
            if (clash) return clash.message
          }
          return undefined
        })
        const found = new EquipmentClaims(() => registered).clashes(wanted, reaches)
        expect(found.map((clash) => clash?.message)).toEqual(expected)
      },
    ),
    { numRuns: 2000 },
  )
})

test.each<[string, (at: number) => Partial<EquipmentRecord>]>([
  ['one place each', (at) => ({ port: at })],
  ['one port for all that dial in', (at) => ({ mode: 'active', ip_address: `10.0.${at >> 8}.${at & 255}` })],
  ['one place for all', () => ({})],
  ['one name for all', (at) => ({ name: 'a', port: at })],
])('of a long list no record is compared with all others: %s', async (_, changeOf) => {
  let comparisons = 0
  const records = Array.from({ length: 2000 }, (_, at) => {
    const made = record(`e${at}`, changeOf(at))
    return Object.defineProperty(made, 'name', {
      get: () => {
        comparisons++
        return changeOf(at).name ?? `e${at}`
      },
    })
  })
  const claims = new EquipmentClaims(() => [])
  await claims.holdAll(
    () => ({ records }),
    undefined,
    async () => {
      comparisons = 0
      claims.clashes(records)
    },
  )
  expect(comparisons).toBeLessThan(20 * records.length)
})
