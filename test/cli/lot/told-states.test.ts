import { expect, test } from 'vitest'
import type { LotPlan, LotView } from '../../../src/cli/lot/lot-plan.js'
import { overlaid, ToldStates } from '../../../src/cli/lot/told-states.js'
import type { Event } from '../../../src/contract/topics/events.js'

const PLAN = { port: 1, job: 'PJ-1', controlJob: 'CJ-1' } as LotPlan
const ASKED: LotView = {
  port: {
    port: '1',
    number: 1,
    transfer: 'TRANSFER_BLOCKED',
    access_mode: null,
    reservation: null,
    association: null,
    attributes: [],
  },
  carrier: {
    carrier_id: 'FOUP7',
    location: 'LP1',
    id_status: 'WAITING_FOR_HOST',
    slot_map_status: 'SLOT_MAP_NOT_READ',
    accessing_status: null,
    slots: [],
    attributes: [],
  },
  job: 'PROCESSING',
  controlJob: 'EXECUTING',
  givesObjects: true,
}

const told = (
  ...changes: readonly (readonly [
    id: number,
    name: string,
    object: string,
    state: string,
    to: string,
    details?: object,
  ])[]
) => {
  const states = new ToldStates()
  for (const [id, name, object_id, state, to, details] of changes)
    states.take({
      id: String(id),
      name,
      data: { object_id, state, to, message_id: `m${id}`, details },
    } as unknown as Event)
  return states
}
const seen = (states: ToldStates, after: number, ignored: readonly string[] = []) =>
  overlaid(PLAN, ASKED, states, { after, ignored })

test('what an event has told after the question holds, and what it told before does not', () => {
  const states = told(
    [5, 'job_state', 'PJ-1', 'state', 'SETTING_UP'],
    [20, 'carrier_state', 'FOUP7', 'id_status', 'ID_VERIFICATION_OK'],
    [21, 'port_state', '1', 'transfer', 'READY_TO_UNLOAD'],
    [22, 'port_state', '2', 'transfer', 'READY_TO_LOAD'],
  )
  const { view, sources } = seen(states, 10)
  expect(view).toMatchObject({
    job: 'PROCESSING',
    controlJob: 'EXECUTING',
    carrier: { id_status: 'ID_VERIFICATION_OK', slot_map_status: 'SLOT_MAP_NOT_READ' },
    port: { transfer: 'READY_TO_UNLOAD' },
  })
  expect(sources).toEqual({ 'carrier.id_status': 'm20', 'port.transfer': 'm21' })
})

test('a state that the equipment does not give, or gives wrong, is that of the event at any time', () => {
  const states = told(
    [5, 'carrier_state', 'FOUP7', 'accessing_status', 'IN_ACCESS'],
    [6, 'carrier_state', 'FOUP7', 'id_status', 'ID_VERIFICATION_OK', { slot_map: 'o.' }],
  )
  expect(seen(states, 10).view.carrier).toMatchObject({
    id_status: 'WAITING_FOR_HOST',
    accessing_status: 'IN_ACCESS',
  })
  const { carrier } = seen(states, 10, ['carrier.id_status']).view
  expect(carrier).toMatchObject({ id_status: 'ID_VERIFICATION_OK' })
  expect(carrier?.slots.map(({ state }) => state)).toEqual(['CORRECTLY_OCCUPIED', 'EMPTY'])
})

test('the end of an object is its absence', () => {
  const states = told(
    [20, 'job_state', 'PJ-1', 'state', 'NO_STATE'],
    [21, 'carrier_state', 'FOUP7', 'accessing_status', 'NO_STATE'],
  )
  expect(seen(states, 10).view).toMatchObject({ job: undefined, carrier: undefined, controlJob: 'EXECUTING' })
  expect(states.carriers(0)).toEqual([])
})

test('a carrier that came since is known by its events, and an event that comes late does not undo a later one', () => {
  const states = told(
    [21, 'carrier_state', 'FOUP8', 'id_status', 'WAITING_FOR_HOST', { location: 'LP2' }],
    [22, 'carrier_state', 'FOUP8', 'slot_map_status', 'WAITING_FOR_HOST'],
    [20, 'carrier_state', 'FOUP8', 'slot_map_status', 'SLOT_MAP_NOT_READ'],
  )
  expect(states.carriers(10)).toEqual([
    expect.objectContaining({
      carrier_id: 'FOUP8',
      location: 'LP2',
      id_status: 'WAITING_FOR_HOST',
      slot_map_status: 'WAITING_FOR_HOST',
      accessing_status: null,
    }),
  ])
  expect(states.carriers(22)).toEqual([])
  expect(states.last).toBe(22)
})
