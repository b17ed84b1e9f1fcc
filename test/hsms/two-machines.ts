import fc from 'fast-check'
import { expect } from 'vitest'
import { Random } from '../../stress/random.js'
import { SETTINGS } from '../support/hsms-pair.js'
import { HsmsNetwork } from './hsms-network.js'

const TIMERS = { ...SETTINGS.timers, t3: 5_000, linktest: 15_000 }

const doing = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('host asks', 'equipment asks') },
  fc.constantFrom('gateway asks', 'gateway asks'),
  fc.constantFrom('cut', 'silence', 'host stops', 'equipment stops', 'host starts', 'equipment starts'),
)
const story = fc.array(fc.tuple(doing, fc.oneof(fc.nat(2_000), fc.nat(30_000))), { maxLength: 25 })

function act(network: HsmsNetwork, what: string): void {
  if (what === 'cut') return network.cut()
  if (what === 'silence') return network.silence()
  if (what === 'gateway asks') return network.askAtTap()
  const side = what.startsWith('host') ? 'host' : 'equipment'
  if (what.endsWith('asks')) return network.ask(side)
  network.feed(side, { kind: what.endsWith('stops') ? 'stop' : 'start' })
}

/**
 * Over a network that delays, cuts and dies both sides keep the laws and find each other again. Gives the number of replies
 * that a gateway at a tap between them got.
 */
export function twoMachinesFindEachOther(linktestMode: 'always' | 'idle'): number {
  let repliesToGateway = 0
  fc.assert(
    fc.property(story, fc.nat(), (steps, seed) => {
      const random = new Random(seed)
      const network = new HsmsNetwork(() => random.next(), { timers: TIMERS, linktestMode, maxOpen: 8 })
      const { host, equipment } = network.laws
      for (const side of ['equipment', 'host'] as const) network.feed(side, { kind: 'start' })
      for (const [what, wait] of steps) {
        network.advance(network.now + wait)
        act(network, what)
      }

      // However it went: left alone, each notices what is dead, and they select again.
      for (const side of ['equipment', 'host'] as const) network.feed(side, { kind: 'start' })
      network.advance(network.now + 120_000)
      expect([host.protocol.state, equipment.protocol.state]).toEqual(['SELECTED', 'SELECTED'])
      for (const { requests } of [host, equipment]) expect(requests.ended).toBe(requests.asked)

      network.ask('host')
      network.ask('equipment')
      for (const side of ['host', 'equipment'] as const) network.feed(side, { kind: 'stop' })
      network.advance(network.now + 120_000)
      for (const { protocol, requests } of [host, equipment]) {
        expect(protocol).toMatchObject({ state: 'NOT_CONNECTED', deadline: undefined })
        expect(requests.ended).toBe(requests.asked)
      }
      repliesToGateway += network.repliesToGateway
    }),
    { numRuns: 40 },
  )
  return repliesToGateway
}
