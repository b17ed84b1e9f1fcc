import { describe, expect, test } from 'vitest'
import { compileMapping } from '../../../src/gem300/mapping/compiled-mapping.js'
import type { Mapping } from '../../../src/gem300/mapping/mapping.js'
import { reportsFor } from '../../../src/gem300/mapping/reports-for.js'
import { type NamedValue, toldBySource } from '../../../src/gem300/mapping/told-by-source.js'
import { A, type Item, L, U1, U4 } from '../../../src/secs2/item.js'

const faultsOf = (mapping: Mapping): string[] =>
  compileMapping(mapping).faults.map(({ pointer, detail }) => `${pointer} ${detail}`)

const CARRIER = {
  carrier: { id: 'CarrierID', id_status: 'CarrierIDStatus', slot_map_status: 'SlotMapStatus' },
}

describe('What is wrong is said with its place', () => {
  test.each<[string, Mapping, RegExp]>([
    [
      'a state',
      { events: [{ event: 1, state: 'carrier.door' }] },
      /^\/events\/0\/state carrier.door is no state: there is carrier.accessing_status/,
    ],
    [
      'a kind',
      { events: [{ event: 1, state: 'wafer' }] },
      /^\/events\/0\/state wafer is no state: there is port, carrier/,
    ],
    [
      'a following state',
      { variables: CARRIER, events: [{ event: 1, state: 'carrier.id_status', to: 'OPEN' }] },
      /^\/events\/0\/to OPEN is none of ID_NOT_READ, WAITING_FOR_HOST/,
    ],
    [
      'a state of two machines',
      { variables: CARRIER, events: [{ event: 1, state: 'carrier', to: 'WAITING_FOR_HOST' }] },
      /^\/events\/0\/to WAITING_FOR_HOST is a state of carrier.id_status and carrier.slot_map_status: say which/,
    ],
    [
      'a transition that is none',
      { variables: CARRIER, events: [{ event: 1, state: 'carrier', transition: 30 }] },
      /^\/events\/0\/transition there is no transition 30/,
    ],
    [
      'a transition of two machines',
      { events: [{ event: 1, state: 'port', transition: 2, port: 1 }] },
      /^\/events\/0\/transition 2 is a transition of transfer and access_mode/,
    ],
    [
      'a transition that leads to several states',
      { events: [{ event: 1, state: 'port.transfer', transition: 5, port: 1 }] },
      /^\/events\/0\/transition transition 5 leads to READY_TO_LOAD or READY_TO_UNLOAD: give `to`, or the variable `transfer`/,
    ],
    [
      'a state that nothing says',
      { variables: { job: { id: 'J' } }, events: [{ event: 1, state: 'job.state' }] },
      /^\/events\/0\/state the state is not said: give `to`, `transition`, or the variable `state`/,
    ],
    [
      'an object that nothing says',
      { events: [{ event: 1, state: 'job.state', to: 'PAUSED' }] },
      /^\/events\/0 which job it is about is not said/,
    ],
    ['nothing at all', { events: [{ event: 1 }] }, /^\/events\/0 says nothing/],
    [
      'the same twice',
      {
        events: [
          { event: 1, occurrence: 'carrier_placed' },
          { event: '1', occurrence: 'carrier_placed' },
        ],
      },
      /^\/events\/1 1 has said this already, in \/events\/0/,
    ],
    [
      'a variable',
      { variables: { job: { door: 'D' } } },
      /^\/variables\/job\/door door is nothing of a job: there is id, state, recipe/,
    ],
    ['a kind of variables', { variables: { wafer: { id: 'D' } } }, /^\/variables\/wafer wafer is none of/],
    [
      'a port of a job',
      { events: [{ event: 1, state: 'job.state', to: 'PAUSED', port: 1, object: 'J' }] },
      /^\/events\/0\/port a job has no port/,
    ],
    [
      'a table',
      { settings: { job: 'mine' } },
      /^\/settings\/job mine is no table: there is standard, executing_5/,
    ],
    [
      'a word',
      { settings: { substrate: { 1: 'GONE' } } },
      /^\/settings\/substrate\/1 GONE is none of AT_SOURCE/,
    ],
    ['a number', { settings: { slots: { one: 'EMPTY' } } }, /^\/settings\/slots\/one one is no number/],
    [
      'a style of S3F25',
      { settings: { port_actions: 'mine' } },
      /^\/settings\/port_actions mine is none of standard/,
    ],
    [
      'an action',
      { settings: { port_actions: { open: { action: 'Open' } } } },
      /^\/settings\/port_actions\/open open is none of in_service/,
    ],
    [
      'a parameter beyond Latin-1',
      { settings: { port_actions: { reserve: { action: 'R', parameters: { Who: 'Ā' } } } } },
      /^\/settings\/port_actions\/reserve\/parameters "Ā" has .*Latin-1/,
    ],
    [
      'an ignored attribute',
      { settings: { ignored_attributes: ['carrier'] } },
      /^\/settings\/ignored_attributes\/0 carrier is no state/,
    ],
  ])('%s', (_, mapping, fault) => {
    const faults = faultsOf(mapping)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(fault)
  })
})

test('Settings are the variants of the equipment', () => {
  const { mapping, faults } = compileMapping({
    settings: {
      job: 'executing_5',
      substrate: { 7: 'AT_WORK' },
      slots: 'present',
      slot_format: 'U2',
      port_actions: { in_service: { action: 'Go', parameters: { How: 2, Who: 'HOST', Long: 70000 } } },
      port_type: 'Port',
      create_specifier: '',
      job_creation: 'S16F11',
    },
  })
  expect(faults).toEqual([])
  const { variants } = mapping
  expect(variants.processJob[5]).toBe('EXECUTING')
  expect(variants).toMatchObject({
    substrate: { 7: 'AT_WORK' },
    slotFormat: 'U2',
    portType: 'Port',
    createSpecifier: '',
    jobCreation: 'S16F11',
  })
  expect(variants.portActions.in_service).toEqual({
    PORTACTION: 'Go',
    PARAMS: [
      { PARAMNAME: 'How', PARAMVAL: U1(2) },
      { PARAMNAME: 'Who', PARAMVAL: A('HOST') },
      { PARAMNAME: 'Long', PARAMVAL: U4(70000) },
    ],
  })
  expect(variants.portActions.out_of_service.PORTACTION).toBe('ChangeServiceStatus')
})

/** What the first event of a mapping tells with these values by name; the carrier at port 1 is FOUP1. */
function told(mapping: Mapping, values: Readonly<Record<string, Item>>) {
  const { mapping: compiled, faults } = compileMapping(mapping)
  expect(faults).toEqual([])
  const [, source] = compiled.events[0] ?? []
  if (!source) throw new Error('no event')
  const named = Object.entries(values).map(([name, item]): NamedValue => ({ vid: null, name, item }))
  const view = { variants: compiled.variants }
  return toldBySource(source, named, view, (port) => (port === '1' ? 'FOUP1' : undefined))
}

const job = { job: { id: 'PRJobID', state: 'PRJobState' } }

describe('An event tells', () => {
  test('by its name which state follows, and by its variables which object', () => {
    const mapping = { variables: CARRIER, events: [{ event: 'x', state: 'carrier', transition: 14 }] }
    expect(told(mapping, { CarrierID: A('FOUP7') }).objects).toMatchObject([
      { kind: 'carrier', id: 'FOUP7', states: { slot_map_status: 'WAITING_FOR_HOST' } },
    ])
    // The carrier is in a later state already: further transitions were passed through.
    expect(
      told(mapping, { CarrierID: A('FOUP7'), 'Slot map status': U1(2), CarrierIDStatus: U1(0) }).objects,
    ).toMatchObject([{ states: { slot_map_status: 'SLOT_MAP_VERIFICATION_OK' } }])
    expect(told(mapping, { CarrierID: A('FOUP7'), SlotMapStatus: U1(77) }).objects[0]?.states).toEqual({
      slot_map_status: 'WAITING_FOR_HOST',
    })
  })

  test('the state by a variable, and with 255 the end', () => {
    const mapping = { variables: job, events: [{ event: 1, state: 'job.state' }] }
    const by = (state: Item) => told(mapping, { PRJobID: A('J'), PRJobState: state }).objects
    expect(by(U1(3))).toMatchObject([{ kind: 'job', id: 'J', states: { state: 'PROCESSING' } }])
    expect(by(U4(5))).toMatchObject([{ states: { state: 'unknown (5)' } }])
    expect(by(U1(255))).toMatchObject([{ id: 'J', isGone: true }])
    expect(told(mapping, { PRJobID: A('J') }).objects).toMatchObject([{ id: 'J', states: {} }])
    expect(told(mapping, { PRJobState: U1(3) }).objects).toEqual([])
  })

  test('all states of an object where only the object is named', () => {
    const mapping = { variables: CARRIER, events: [{ event: 1, state: 'carrier' }] }
    const values = { CarrierID: A('F'), CarrierIDStatus: U1(2), SlotMapStatus: U1(0) }
    expect(told(mapping, values).objects[0]?.states).toEqual({
      id_status: 'ID_VERIFICATION_OK',
      slot_map_status: 'SLOT_MAP_NOT_READ',
    })
  })

  test('the port by its name, and asks where no carrier is known there', () => {
    const at = (port: number): Mapping => ({
      events: [{ event: 1, state: 'carrier.slot_map_status', to: 'WAITING_FOR_HOST', port }],
    })
    expect(told(at(1), {})).toEqual({
      objects: [
        {
          kind: 'carrier',
          id: 'FOUP1',
          states: { slot_map_status: 'WAITING_FOR_HOST' },
          details: { port: '1' },
        },
      ],
      carrierAt: [],
    })
    expect(told(at(2), {})).toEqual({ objects: [], carrierAt: ['2'] })
    expect(
      told({ events: [{ event: 1, state: 'port.transfer', to: 'READY_TO_LOAD', port: 2 }] }, {}).objects,
    ).toMatchObject([{ kind: 'port', id: '2', states: { transfer: 'READY_TO_LOAD' } }])
    // The variable says that the carrier has no ID.
    expect(told({ ...at(1), variables: CARRIER }, { CarrierID: A('') })).toEqual({
      objects: [],
      carrierAt: [],
    })
  })

  test('of many substrates in lists', () => {
    const mapping: Mapping = {
      variables: { substrate: { id: 'IDs', state: 'States', location: 'Places' } },
      events: [{ event: 1, state: 'substrate.state' }],
    }
    const values = { IDs: L(A('W1'), A('W2')), States: L(U1(1), U1(2)), Places: L(A('PM1'), A('LP1')) }
    expect(told(mapping, values).objects).toMatchObject([
      { kind: 'substrate', id: 'W1', states: { state: 'AT_WORK' }, details: { location: 'PM1' } },
      { id: 'W2', states: { state: 'AT_DESTINATION' } },
    ])
  })

  test('of all ports in one list, and of a module by its name', () => {
    const ports: Mapping = {
      variables: { port: { transfer: 'PortTransferStateList' } },
      events: [{ event: 1, state: 'port.transfer' }],
    }
    expect(told(ports, { PortTransferStateList: L(U1(2), U1(1)) }).objects).toMatchObject([
      { id: '1', states: { transfer: 'READY_TO_LOAD' } },
      { id: '2', states: { transfer: 'TRANSFER_BLOCKED' } },
    ])
    const module: Mapping = {
      variables: { performance: { state: 'EPTState', task: 'TaskName', task_type: 'TaskType' } },
      events: [{ event: 1, state: 'performance.state', object: 'PM1' }],
    }
    expect(told(module, { EPTState: U1(1), TaskName: A('R'), TaskType: U1(2) }).objects).toMatchObject([
      {
        kind: 'performance',
        id: 'PM1',
        states: { state: 'BUSY' },
        details: { task: 'R', task_type: 'PROCESS' },
      },
    ])
  })

  test('a slot map as a line', () => {
    const mapping: Mapping = {
      variables: { carrier: { id: 'C', slot_map: 'SlotMap', reason: 'Reason' } },
      events: [{ event: 1, state: 'carrier', transition: 14 }],
    }
    const values = { C: A('F'), SlotMap: L(U1(3), U1(1), U1(4)), Reason: U1(3) }
    expect(told(mapping, values).objects[0]?.details).toEqual({
      slot_map: 'o.D',
      reason: 'IMPROPER_SUBSTRATE_POSITION',
    })
  })
})

test('Reports have what each kind of object needs, and events their reports', () => {
  const mapping: Mapping = {
    variables: { ...job, carrier: { id: 'CarrierID', port: 7, slot_map: 'SlotMap' }, port: { id: 7 } },
    events: [
      { event: 'PRJobStateChange', state: 'job.state' },
      { event: 14, state: 'carrier', transition: 14 },
      { event: 14, state: 'port.association', to: 'ASSOCIATED' },
      { event: 'Own', state: 'carrier', transition: 15, variables: { id: 'OtherID' } },
      { event: 'LP1 READY', state: 'port.transfer', to: 'READY_TO_LOAD', port: 1 },
      { event: 'Placed', occurrence: 'carrier_placed' },
    ],
  }
  const { reports, events } = reportsFor(mapping)
  const variables = new Map(reports.map((one) => [one.id, one.variables]))
  const of = (event: string | number) =>
    events.find((one) => one.event === event)?.reports.map((id) => variables.get(id))
  expect(of('PRJobStateChange')).toEqual([['PRJobID', 'PRJobState']])
  expect(of(14)).toEqual([['CarrierID', 7, 'SlotMap'], [7]])
  expect(of('Own')).toEqual([['OtherID', 7, 'SlotMap']])
  expect(of('LP1 READY')).toEqual([])
  expect(of('Placed')).toEqual([[7]])
})

test('A NUL in a text or a name is a fault with its place', () => {
  const variables = { job: { id: 'PR\0JobID', 'a\0': 1 } }
  const { faults } = compileMapping({
    variables,
    events: [{ event: 'A\0', state: 'job.state', to: 'PROCESSING' }],
  })
  const pointers = faults.filter(({ detail }) => detail.includes('NUL')).map(({ pointer }) => pointer)
  expect(pointers).toEqual(['/variables/job/id', '/variables/job', '/events/0/event'])
})
