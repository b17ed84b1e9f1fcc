import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import { EquipmentWires } from '../../../src/gateway/wire/wire-log.js'
import type { Passed } from '../../../src/gateway/wire/wire-reader.js'
import { dataPassing } from './wire-records.js'

const HSMS = {
  ...{ name: 'etcher', ip_address: '10.0.0.5', port: 5000, mode: 'passive' },
  ...{ transport: 'hsms', serial_port: null },
}
const ENDS = { local: '10.0.0.1:40000', remote: '10.0.0.5:5000' }
const FRAME = { ...dataPassing('in'), at: 3 }
const PASSED = [
  { kind: 'state', lost: 0, endpoints: ENDS, at: 1 },
  { kind: 'opened', ...ENDS, at: 2 },
  FRAME,
  { ...FRAME, at: 4 },
  { kind: 'closed', detail: '', at: 5 },
] as Passed[]

/** The wire of equipment with this record, on which this passes. */
function wiresOf(record: object = HSMS, passed: readonly Passed[] = PASSED) {
  async function* read() {
    yield* passed
  }
  const watch = { watch: () => read() }
  return new EquipmentWires({
    observed: () => ({ record, watch }) as never,
    readingOf: () => plainReading(STANDARD_CATALOGUE),
  })
}

async function all<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const part of parts) found.push(part)
  return found
}

const { signal } = new AbortController()

test.each([
  [0, ['watching']],
  [1, ['watching', 'opened', 'frame']],
  [2, ['watching', 'opened', 'frame', 'frame']],
  [3, ['watching', 'opened', 'frame', 'frame', 'closed']],
])('with %i messages the log has %j', async (count, kinds) => {
  const log = await all(wiresOf().follow('eq', count, signal))
  expect(log.map(({ kind }) => kind)).toEqual(kinds)
})

/** The text in a capture, byte for byte. */
const captured = async (...given: Parameters<typeof wiresOf>): Promise<string> =>
  Buffer.concat(await all(wiresOf(...given).capture('eq', 'secsctl', 9, signal))).toString('latin1')

test.each<[record: object, description: string]>([
  [{}, 'HSMS of etcher, dialled at 10.0.0.5:5000'],
  [{ mode: 'active' }, 'HSMS of etcher, dials in from 10.0.0.5'],
  [{ transport: 'secs1' }, 'SECS-I of etcher, dialled at 10.0.0.5:5000'],
  [{ transport: 'secs1', serial_port: '/dev/ttyS0' }, 'SECS-I of etcher, at the serial port /dev/ttyS0'],
])('a capture of equipment with %j is that of %s', async (record, description) => {
  expect(await captured({ ...HSMS, ...record })).toContain(description)
})

test('a capture has as many packets as passed, and says what it lost', async () => {
  const [state, opened] = PASSED as [Passed, Passed]
  const lengths = [[state], [state, opened], [state, opened, FRAME]].map(
    async (passed) => (await captured(HSMS, passed)).length,
  )
  const [none = 0, one = 0, two = 0] = await Promise.all(lengths)
  expect(one).toBeGreaterThan(none)
  expect(two).toBeGreaterThan(one)
  const lost = (count: number): Passed[] => [{ kind: 'state', lost: count, endpoints: ENDS, at: 1 }, FRAME]
  expect(await captured(HSMS, lost(7))).not.toBe(await captured(HSMS, lost(0)))
})
