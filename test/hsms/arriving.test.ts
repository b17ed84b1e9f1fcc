import { expect, test } from 'vitest'
import { dataBytes, HsmsWire } from '../support/hsms-wire.js'
import { blockOf, Secs1Wire } from '../support/secs1-wire.js'

const KIB = 1024

test('bytes of a long HSMS message that has arrived in part are told, and that there are none any more', () => {
  const wire = HsmsWire.connected('passive')
  const told = (): number[] => wire.seen.flatMap((seen) => (seen.kind === 'arriving' ? [seen.bytes] : []))
  const bytes = dataBytes({ body: new Uint8Array(200 * KIB) })
  wire.feed({ kind: 'bytes', bytes: bytes.subarray(0, 60 * KIB) })
  expect(told()).toEqual([])
  wire.feed({ kind: 'bytes', bytes: bytes.subarray(60 * KIB, 100 * KIB) })
  expect(told()).toEqual([100 * KIB])
  wire.feed({ kind: 'bytes', bytes: bytes.subarray(100 * KIB) })
  expect(told()).toEqual([100 * KIB, 0])
  wire.feed({ kind: 'bytes', bytes: bytes.subarray(0, 100 * KIB) })
  wire.feed({ kind: 'disconnected', detail: 'gone' })
  expect(told()).toEqual([100 * KIB, 0, 100 * KIB, 0])
})

test('the same of SECS-I', () => {
  const wire = new Secs1Wire()
  const told = (): number[] => wire.of('arriving').map(({ bytes }) => bytes)
  const blocks = Math.ceil((64 * KIB) / 244)
  for (let number = 1; number <= blocks; number += 1)
    wire.peer('ENQ', blockOf({ number, isLast: false }, new Uint8Array(244)))
  expect(told()).toEqual([blocks * 244])
  wire.wait(45_000) // T4
  expect(told()).toEqual([blocks * 244, 0])
})
