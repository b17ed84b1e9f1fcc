import { describe, expect, test } from 'vitest'
import { eventOf, toolDefinitions } from '../../../src/simulator/gem300/definitions.js'
import { MACHINE_ROWS } from '../../../src/simulator/gem300/machine-rows.js'
import type { Notice } from '../../../src/simulator/gem300/notice.js'
import type { Tool } from '../../../src/simulator/gem300/tool.js'
import type { ToolSettings } from '../../../src/simulator/gem300/tool-settings.js'
import { SEED, seededRandom, withSeed } from '../../support/random.js'
import { RandomTool } from './random-tool.js'
import { TOOL_VARIANTS, toolModel } from './tool-variants.js'

const ACTS = 500
const TIMES = ['load_time: 0.05', 'set_up_time: 0.05', 'move_time: 0.02', 'process_time: 0.2'] as const

/** As `expect`, which takes too long for so many. */
function holds(is: boolean, what: string): void {
  if (!is) throw new Error(what)
}

/** The states of all objects as the notices tell them; throws for a transition that is in no table. */
function told(notices: readonly Notice[], states: Map<string, string>): void {
  for (const { what, subject } of notices) {
    if (typeof what === 'string') continue
    const { machine, number, from, to } = what
    const key = `${machine} ${subject}`
    const initial = machine === 'substrate_location' ? 'UNOCCUPIED' : 'NO_STATE'
    holds(from === (states.get(key) ?? initial), `${key}: ${number} from ${from}, not ${states.get(key)}`)
    const isKnown = MACHINE_ROWS[machine].transitions.some(
      (row) => row.number === number && row.from.includes(from) && row.to === to,
    )
    holds(isKnown, `${key}: ${number} from ${from} to ${to}`)
    if (to === initial) states.delete(key)
    else states.set(key, to)
    if (machine === 'substrate' && to === 'NO_STATE') states.delete(`substrate_processing ${subject}`)
  }
}

/** The same states of the tool itself. */
function actual({ ports, cluster, jobs, trackers }: Tool): Map<string, string> {
  const states = new Map<string, string>()
  const set = (subject: string, machine: { readonly name: string; readonly state: string }): void => {
    if (!/^(NO_STATE|UNOCCUPIED)$/.test(machine.state))
      states.set(`${machine.name} ${subject}`, machine.state)
  }
  for (const { number, transfer, access, reservation, association } of ports.ports)
    for (const machine of [transfer, access, reservation, association]) set(String(number), machine)
  for (const { id, idStatus, slotMapStatus, accessing } of ports.carriers.values())
    for (const machine of [idStatus, slotMapStatus, accessing]) set(id, machine)
  for (const { id, transport, processing } of cluster.substrates.values())
    for (const machine of [transport, processing]) set(id, machine)
  for (const { id, machine } of [...cluster.places, ...jobs.process.values(), ...jobs.control])
    set(id, machine)
  for (const { name, machine } of trackers.values()) set(name, machine)
  return states
}

function sameStates(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): void {
  for (const key of new Set([...one.keys(), ...other.keys()]))
    holds(one.get(key) === other.get(key), `${key}: told ${one.get(key)}, is ${other.get(key)}`)
}

function checkSubstrates({ ports, cluster, jobs }: Tool): void {
  for (const substrate of cluster.substrates.values()) {
    const { id, place, transport, carrier, slot } = substrate
    const places = cluster.places.filter(({ occupant }) => occupant === substrate)
    holds(
      places.length === (place ? 1 : 0) && places[0] === place,
      `${id} is at ${places.map((one) => one.id)}`,
    )
    holds((place !== undefined) === (transport.state === 'AT_WORK'), `${id} is ${transport.state}`)
    holds(ports.carriers.get(carrier.id) === carrier, `${id} has no carrier`)
    holds(carrier.slotMap?.[slot - 1] === 'CORRECTLY_OCCUPIED', `${id} has no slot`)
  }
  for (const { id, machine, occupant } of cluster.places)
    holds(machine.state === (occupant ? 'OCCUPIED' : 'UNOCCUPIED'), `${id} is ${machine.state}`)
  for (const carrier of ports.carriers.values()) {
    const filled = (carrier.slotMap ?? []).flatMap((slot, at) =>
      slot === 'CORRECTLY_OCCUPIED' ? [at + 1] : [],
    )
    const slots = cluster.of(carrier).map(({ slot }) => slot)
    holds(String(slots) === String(carrier.isVerified ? filled : []), `${carrier.id} holds ${slots}`)
    holds(!carrier.isDone || cluster.of(carrier).every(({ place }) => !place), `${carrier.id} is not whole`)
  }
  for (const job of jobs.process.values()) holds(!job.isOver || job.isEmpty, `${job.id} is not empty`)
}

function checkPorts({ ports, cluster, jobs, settings }: Tool): void {
  for (const { number, carrier, placed, association, transfer } of ports.ports) {
    const { state } = transfer
    holds(association.state === (carrier ? 'ASSOCIATED' : 'NOT_ASSOCIATED'), `port ${number}: association`)
    if (carrier)
      holds(carrier.port === number && ports.carriers.get(carrier.id) === carrier, `port ${number}`)
    holds(state !== 'READY_TO_LOAD' || !placed, `port ${number} is ready to load a second carrier`)
    if (state !== 'READY_TO_UNLOAD') continue
    holds(placed !== undefined, `port ${number} is ready to unload nothing`)
    holds(!carrier || cluster.of(carrier).every(({ place }) => !place), `${carrier?.id} is not whole`)
  }
  const process = [...jobs.process.values()]
  holds(process.filter(({ isOver }) => !isOver).length <= settings.queue, 'too many process jobs')
  holds(process.filter(({ isActive }) => isActive).length <= 1, 'two process jobs at once')
  holds(jobs.control.filter(({ isActive }) => isActive).length <= 1, 'two control jobs at once')
}

describe.each(TOOL_VARIANTS)('%s', (variant) => {
  const settings = toolModel(variant, ...TIMES).tool as ToolSettings
  const events = new Set(toolDefinitions(settings).events.map(({ name }) => name))

  test('whatever operator and host do, states follow the tables and substrates are in one place', () => {
    withSeed(SEED, (random) => {
      const run = new RandomTool(settings, random)
      const states = new Map<string, string>()
      const check = (): void => {
        told(run.notices, states)
        for (const notice of run.notices.splice(0)) {
          const event = eventOf(settings, notice)
          holds(event === undefined || events.has(event), `the event ${event} is not defined`)
        }
        sameStates(states, actual(run.tool))
        checkSubstrates(run.tool)
        checkPorts(run.tool)
      }
      for (let act = 0; act < ACTS; act++) {
        run.act()
        check()
      }
      run.clear()
      check()
      const { ports, jobs, cluster } = run.tool
      expect(ports.ports.map(({ transfer }) => transfer.state)).toEqual(['READY_TO_LOAD', 'READY_TO_LOAD'])
      expect([jobs.process.size, jobs.control.length, cluster.substrates.size]).toEqual([0, 0, 0])
    })
  })
})

test('the random acts reach most of what there is: without that the properties say nothing', () => {
  const seen = new Set<string>()
  for (let seed = 0; seed < 6; seed++) {
    const run = new RandomTool(toolModel(...TIMES).tool as ToolSettings, seededRandom(seed))
    for (let act = 0; act < ACTS; act++) run.act()
    for (const { what } of run.notices)
      if (typeof what === 'object') seen.add(`${what.machine} ${what.number}`)
  }
  const all = Object.entries(MACHINE_ROWS).flatMap(([name, { transitions }]) =>
    transitions.map(({ number }) => `${name} ${number}`),
  )
  const missed = [...new Set(all)].filter((one) => !seen.has(one))
  expect(missed.length, missed.join(', ')).toBeLessThan(20)
})
