import { expect, test } from 'vitest'
import { type EventMeaning, meaningsOf } from '../../../src/gem300/mapping/propose/event-meanings.js'
import { proposeMapping } from '../../../src/gem300/mapping/propose/propose-mapping.js'
import { holdingsOf } from '../../../src/gem300/mapping/propose/variable-meanings.js'
import { EVENT_NAMES } from './supplier-names.js'

/** As in the list of names. */
function words({ kind, state, occurrence, to }: EventMeaning): string {
  if (occurrence !== undefined) return occurrence
  if (to.includes('NO_STATE')) return `${kind} NO_STATE`
  return `${kind}.${state} ${to.length === 0 ? 'any' : to.join('|')}`
}

const ALL = EVENT_NAMES.flatMap(([meaning, ...names]) => names.map((name) => [name, meaning] as const))

test('Nine tenths of the names that suppliers give are understood, and none that is certain is wrong', () => {
  const judged = ALL.map(([name, meaning]) => {
    const found = meaningsOf(name)
    const right = found.length === 1 && found[0] !== undefined && words(found[0]) === meaning
    return {
      name,
      meaning,
      found: found.map(words),
      right,
      certain: found.some(({ isCertain }) => isCertain),
    }
  })
  expect(ALL.length).toBeGreaterThan(185)
  expect(judged.filter(({ right, certain }) => certain && !right)).toEqual([])
  const wrong = judged.filter(({ right }) => !right)
  expect(wrong.length / ALL.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(0.1)
})

test.each<[name: string, port: string | undefined, ...meanings: readonly string[]]>([
  ['SUBSTRATE PROC STATE', undefined, 'substrate.processing'],
  ['SubstrateProcessingStatus', undefined, 'substrate.processing'],
  ['LP1 ASSOCIATION STATUS', '1', 'port.association'],
  ['LP2 ACCESSING STATUS', '2', 'carrier.accessing_status'],
  ['LP1 TRANSFER STATUS', '1', 'port.transfer'],
  ['LP1 RESERVATION STATUS', '1', 'port.reservation'],
  ['PortTransferStateLP1', '1', 'port.transfer'],
  ['PORT_TRANSFER_STATE_LP02', '2', 'port.transfer'],
  ['Carrier_LP2_SlotMapStatus', '2', 'carrier.slot_map_status'],
  ['E87_LoadPort 1_SlotMap', '1', 'carrier.slot_map'],
  ['CarrierIDStatus_Port3', '3', 'carrier.id_status'],
  ['LoadPortTransferState', undefined, 'port.transfer'],
  ['PJ STATUS', undefined, 'job.state'],
  ['SupportState', undefined],
  ['AlarmsSet', undefined],
])('The variable %s is of port %s and holds %j', (name, port, ...meanings) => {
  const found = holdingsOf(name)
  expect(found.meanings.map(({ kind, holds }) => `${kind}.${holds}`)).toEqual(meanings)
  if (meanings.length > 0) expect(found.port).toBe(port)
})

test('Events of the two ways in which a control job is ended early are told apart', () => {
  const names = ['CjExecutingToCompleted', 'CjStoppedToCompleted', 'CjAbortedToCompleted']
  const all = [
    names,
    names.map((name) => name.toUpperCase()),
    ['CJ ACTIVE TO COMPLETED STOP', 'CJ ACTIVE TO COMPLETED ABORT'],
  ]
  for (const given of all) {
    const { events } = proposeMapping({
      events: given.map((name, at) => ({ id: String(at), name, variables: ['9'] })),
      variables: [{ id: '9', name: 'CtrlJobID', isStatus: false }],
    })
    expect(events.map(({ name, line, isCertain }) => [name, line.to, isCertain])).toEqual(
      given.map((name) => [name, 'COMPLETED', true]),
    )
  }
})
