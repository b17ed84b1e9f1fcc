import { expect, test } from 'vitest'
import { HsmsPorts } from '../../../src/gateway/link/hsms-ports.js'
import { IpNetworks } from '../../../src/kit/ip-networks.js'
import { Signal } from '../../../src/kit/signal.js'
import { ManualClock } from '../../support/manual-clock.js'

const KEY = { siteKey: new Uint8Array(32) }

/** The ports of a process that is `self`, or alone. */
const portsOf = (self: string | null, options: object = {}) => {
  const ownership = { self, changed: new Signal(), owns: () => true, ownerOf: () => undefined }
  const equipment = { changed: new Signal(), all: async () => [], get: async () => undefined }
  const parts = {
    ownership,
    equipment,
    clock: new ManualClock(),
    time: { now: () => 0 },
    hsmsHost: '127.0.0.1',
  }
  return new HsmsPorts({ ...parts, ...options } as never)
}

test.each<[self: string | null, options: object, isForwarded: boolean]>([
  [null, {}, false],
  [null, KEY, false],
  ['a', {}, false],
  ['a', KEY, true],
  ['a', { ...KEY, hsmsProxies: new IpNetworks(['10.0.0.0/8']) }, true],
])('the process %s with %j forwards connections: %s', (self, options, isForwarded) => {
  const ports = portsOf(self, options)
  expect(ports.forwarded !== undefined).toBe(isForwarded)
  expect(ports.refused).toEqual({ strangers: 0, surplus: 0, headers: 0, unowned: 0 })
  expect(ports.forwardedConnections).toBe(0)
})
