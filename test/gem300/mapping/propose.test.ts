import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { compileMapping } from '../../../src/gem300/mapping/compiled-mapping.js'
import type { Mapping } from '../../../src/gem300/mapping/mapping.js'
import { type EventMeaning, meaningsOf } from '../../../src/gem300/mapping/propose/event-meanings.js'
import { proposalText, proposeMapping } from '../../../src/gem300/mapping/propose/propose-mapping.js'
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

/** The mapping that is proposed by these names of status variables, and of data variables. */
function proposed(status: readonly string[], data: readonly string[] = [], events: readonly string[] = []) {
  const variables = [...status, ...data].map((name, at) => ({
    id: String(at + 1),
    name,
    isStatus: at < status.length,
  }))
  const reported = variables.filter(({ isStatus }) => !isStatus).map(({ id }) => id)
  const names = {
    variables,
    events: events.map((name, at) => ({ id: String(at + 100), name, variables: reported })),
  }
  const mapping = parse(proposalText(proposeMapping(names), names, 'tool')) as Mapping | null
  expect(compileMapping(mapping ?? {}).faults).toEqual([])
  return mapping ?? {}
}

test.each<[how: string, status: readonly string[], rows: readonly object[]]>([
  [
    'lists of all modules',
    ['EPTNameList', 'EPTStateList', 'EPTTaskNameList', 'EPTStateTime', 'PreviousEPTState'],
    [{ variables: { id: 'EPTNameList', state: 'EPTStateList', task: 'EPTTaskNameList' } }],
  ],
  [
    'variables of each module',
    ['PM1/EPTState', 'PM1/TaskName', 'PM1/BlockedReason', 'TM.EPTState', 'PM1/PreviousEPTState'],
    [
      {
        object: 'PM1',
        variables: { state: 'PM1/EPTState', task: 'PM1/TaskName', blocked_reason: 'PM1/BlockedReason' },
      },
      { object: 'TM', variables: { state: 'TM.EPTState' } },
    ],
  ],
  [
    'modules with numbers',
    ['EPTState_1', 'TaskName_1', 'EPTState_2'],
    [
      { object: '1', variables: { state: 'EPTState_1', task: 'TaskName_1' } },
      { object: '2', variables: { state: 'EPTState_2' } },
    ],
  ],
  [
    'the equipment alone',
    ['E116_EPTState', 'EqpName'],
    [{ variables: { id: 'EqpName', state: 'E116_EPTState' } }],
  ],
  ['a list without names', ['EPTStateList', 'EPTTaskNameList'], []],
])('Of %s a row asks for the performance', (_, status, rows) => {
  const { status: found = [] } = proposed(status)
  expect(found).toEqual(rows.map((row) => ({ state: 'performance', ...row })))
})

test('A module with a number is the same object in its events and in what is asked', () => {
  const { events = [], status = [] } = proposed(['EPTState_1'], ['EPTState'], ['EPTStateChange_1'])
  expect(events).toMatchObject([{ event: 'EPTStateChange_1', state: 'performance.state', object: '1' }])
  expect(status).toMatchObject([{ object: '1' }])
})

test('A text of errors is of a job where its name or the events of jobs say so', () => {
  const events = ['PRJobStateChange']
  const job = ['PRJobID', 'PRJobState']
  expect(proposed([], [...job, 'PRJobErrText'], events).variables?.['job']).toHaveProperty(
    'error',
    'PRJobErrText',
  )
  expect(proposed([], [...job, 'ERRTEXT'], events).variables?.['job']).toHaveProperty('error', 'ERRTEXT')
  expect(proposed(['ERRTEXT'], job, events).variables?.['job']).not.toHaveProperty('error')
})
