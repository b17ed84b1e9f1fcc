import { expect, test } from 'vitest'
import { dataBytes, HsmsWire } from '../support/hsms-wire.js'

const KIB = 1024

test('bytes of a long HSMS message that has arrived in part are told, and that there are none any more', () => {
  const wire = HsmsWire.connected('passive')
  const told = (): number[] => wire.seen.flatMap((seen) => (seen.kind === 'arriving' ? [seen.bytes] : []))
  const bytes = dataBytes({ body: new Uint8Array(200 * KIB) })
  wire.feed({ kind: 'bytes', bytes: bytes.subarray(0, 60 * KIB) })
  expect(told()).toEqual([])
  wire.feed({ kind: 'bytes', bytes: bytes.subarray(60 * KIB, 64 * KIB) })
  expect(told()).toEqual([64 * KIB])
  wire.feed({ kind: 'bytes', bytes: bytes.subarray(64 * KIB) })
  expect(told()).toEqual([64 * KIB, 0])
  wire.feed({ kind: 'bytes', bytes: bytes.subarray(0, 100 * KIB) })
  wire.feed({ kind: 'disconnected', detail: 'gone' })
  expect(told()).toEqual([64 * KIB, 0, 100 * KIB, 0])
})
