import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Counters } from '../../src/hsms/counters/counters.js'
import { HsmsProtocol } from '../../src/hsms/hsms-protocol.js'
import { Transactions } from '../../src/hsms/transactions.js'
import { SETTINGS } from '../support/hsms-pair.js'
import { dataBytes, HsmsWire, message } from '../support/hsms-wire.js'

const LAST = 2 ** 32 - 1
const beginningAt = (start: number) => new Transactions(64, start, new Counters(), () => {})

test('system bytes begin where the random number says', () => {
  const first = (random: number) => new HsmsProtocol(SETTINGS, () => random).reserve()
  expect([first(0), first(0.5), first(1 - 2 ** -32)]).toEqual([0, 2 ** 31, LAST])
})

test('system bytes rise, wrap, and pass over those that are reserved or open', () => {
  const transactions = beginningAt(1 - 2 ** -32)
  expect(transactions.reserve()).toBe(LAST)
  expect(transactions.reserve()).toBe(0)
  const wrapped = beginningAt(0)
  wrapped.begin(message({ systemBytes: 0 }), 0, 1)
  wrapped.begin(message({ systemBytes: 1 }), 0, 1)
  expect([wrapped.reserve(), wrapped.systemBytes(), wrapped.reserve()]).toEqual([2, 3, 4])
})

test('no more than maxOpen are reserved or open, and each end makes room', () => {
  const wire = HsmsWire.selected('active', { maxOpen: 2 })
  const open = wire.request()
  const reserved = wire.protocol.reserve()
  if (reserved === undefined) throw new Error('there was room for two')
  expect(wire.protocol.reserve()).toBeUndefined()
  wire.protocol.release(reserved)
  expect(wire.protocol.reserve()).toBeDefined()
  expect(wire.protocol.reserve()).toBeUndefined()
  wire.receive(dataBytes({ function: 2, wait: false, systemBytes: open }))
  expect(wire.protocol.reserve()).toBeDefined()
})

test('a primary without W-bit uses its reservation up, sent or not', () => {
  for (const wire of [
    HsmsWire.selected('active', { maxOpen: 1 }),
    HsmsWire.connected('active', { maxOpen: 1 }),
  ]) {
    const systemBytes = wire.protocol.reserve()
    if (systemBytes === undefined) throw new Error('there was room for one')
    wire.feed({ kind: 'send', message: message({ systemBytes, wait: false }) })
    expect(wire.protocol.reserve()).toBeDefined()
  }
})

test('a secondary leaves a reservation with the same system bytes alone', () => {
  const wire = HsmsWire.selected('active', { maxOpen: 1 })
  const systemBytes = wire.protocol.reserve()
  if (systemBytes === undefined) throw new Error('there was room for one')
  wire.feed({ kind: 'send', message: message({ systemBytes, function: 2, wait: false }) })
  expect(wire.protocol.reserve()).toBeUndefined()
})

test('a request while not selected is lost at once, and nothing is written', () => {
  const wire = HsmsWire.connected('passive')
  wire.request()
  expect(wire.of('ended')).toMatchObject([{ outcome: { kind: 'lost' } }])
  expect(wire.written()).toEqual([])
})

test('a request without a reservation is a bug of the caller', () => {
  const wire = HsmsWire.selected('active')
  expect(() => wire.feed({ kind: 'request', message: message({ systemBytes: 77 }) })).toThrow('not reserved')
})

test('a message goes out with the header it has', () => {
  const wire = HsmsWire.selected('active')
  const systemBytes = wire.request({ stream: 127, function: 255, body: Uint8Array.of(1, 0) })
  expect(wire.take()).toEqual({
    header: { sessionId: 1, byte2: 0xff, byte3: 255, pType: 0, sType: 0, systemBytes },
    body: Uint8Array.of(1, 0),
  })
})

test('the first to time out is always one with the least deadline, whatever began and ended', () => {
  const step = fc.oneof(fc.record({ at: fc.nat(20) }), fc.record({ end: fc.nat(30) }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const ended: number[] = []
      const transactions = new Transactions(64, 0, new Counters(), (output) => {
        if (output.kind === 'ended') ended.push(output.systemBytes)
      })
      let open: { readonly systemBytes: number; readonly at: number }[] = []
      for (const [systemBytes, one] of steps.entries()) {
        if ('at' in one) {
          transactions.begin(message({ systemBytes }), 0, one.at)
          open.push({ systemBytes, at: one.at })
        } else {
          transactions.end(open[one.end]?.systemBytes ?? 99, { kind: 'lost' })
          open = open.toSpliced(one.end, 1)
        }
        const least = Math.min(...open.map(({ at }) => at))
        expect(transactions.earliest?.systemBytes).toBe(open.find(({ at }) => at === least)?.systemBytes)
      }
      ended.splice(0)
      while (transactions.earliest) transactions.expire()
      expect(ended).toEqual(open.toSorted((a, b) => a.at - b.at).map(({ systemBytes }) => systemBytes))
    }),
  )
})
