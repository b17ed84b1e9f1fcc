import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COMMUNICATION_STATES } from '../src/gem/communication-states.js'
import { OBSERVED_CONTROL_STATES } from '../src/gem/control-states.js'
import { EQUIPMENT_CONTROL_STATES } from '../src/gem/equipment/control/control-states.js'
import { LIMIT_ZONES } from '../src/gem/equipment/limits/limits.js'
import {
  SPOOL_LOAD_STATES,
  SPOOL_STATES,
  SPOOL_UNLOAD_STATES,
} from '../src/gem/equipment/spool/spool-states.js'
import {
  CARRIER_ACCESSING_TRANSITIONS,
  CARRIER_ID_TRANSITIONS,
  SLOT_MAP_TRANSITIONS,
} from '../src/gem300/carrier.js'
import { CONTROL_JOB_TRANSITIONS } from '../src/gem300/control-job.js'
import { EPT_TRANSITIONS } from '../src/gem300/performance.js'
import {
  ACCESS_MODE_TRANSITIONS,
  ASSOCIATION_TRANSITIONS,
  PORT_TRANSFER_TRANSITIONS,
  RESERVATION_TRANSITIONS,
} from '../src/gem300/port.js'
import { PROCESS_JOB_TRANSITIONS } from '../src/gem300/process-job.js'
import {
  SUBSTRATE_ID_TRANSITIONS,
  SUBSTRATE_LOCATION_TRANSITIONS,
  SUBSTRATE_PROCESSING_TRANSITIONS,
  SUBSTRATE_TRANSITIONS,
} from '../src/gem300/substrate.js'
import type { Transition } from '../src/gem300/transition.js'
import { CONNECTION_STATES } from '../src/hsms/connection-states.js'
import type { StateTable } from '../src/kit/state-table.js'

/** A state table as a Mermaid state diagram; triggers that lead the same way share an arrow. */
function diagramOf<State extends string, Trigger extends string>(
  table: StateTable<State, Trigger>,
  initial: State,
  /** Whether what leads back to its own state is drawn. */
  loops = false,
): string {
  const arrows = new Map<string, string[]>()
  for (const [from, row] of Object.entries<Readonly<Partial<Record<Trigger, State>>>>(table)) {
    for (const [trigger, to] of Object.entries<State | undefined>(row)) {
      if (to === undefined || (to === from && !loops)) continue
      const arrow = `${from} --> ${to}`
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), trigger])
    }
  }
  const lines = [...arrows].map(([arrow, triggers]) => `  ${arrow}: ${triggers.join(', ')}`)
  return ['```mermaid', 'stateDiagram-v2', `  [*] --> ${initial}`, ...lines, '```'].join('\n')
}

/** The table of these transitions, each trigger with the number before it. */
function numberedTable<State extends string, Trigger extends string>(
  transitions: readonly Transition<State, Trigger>[],
): StateTable<State, `${number} ${Trigger}`> {
  const table = {} as Record<State, Record<string, State>>
  const rowOf = (state: State): Record<string, State> => {
    table[state] ??= {}
    return table[state]
  }
  for (const { number, from, on, to } of transitions) {
    for (const state of from) rowOf(state)[`${number} ${on}`] = to
    rowOf(to)
  }
  return table as StateTable<State, `${number} ${Trigger}`>
}

/** Transitions with the numbers of their standard, as a Mermaid state diagram. */
const numberedDiagramOf = <State extends string, Trigger extends string>(
  transitions: readonly Transition<State, Trigger>[],
  initial: State,
): string => diagramOf(numberedTable(transitions), initial, true)

const page = readFileSync('docs/state-machines.md', 'utf8')

test.each([
  ['HSMS connection', diagramOf(CONNECTION_STATES, 'NOT_CONNECTED')],
  ['GEM communication', diagramOf(COMMUNICATION_STATES, 'DISABLED')],
  ['GEM control as a host sees it', diagramOf(OBSERVED_CONTROL_STATES, 'UNKNOWN')],
  ['GEM control of the simulated equipment', diagramOf(EQUIPMENT_CONTROL_STATES, 'EQUIPMENT_OFFLINE')],
  ['spool', diagramOf(SPOOL_STATES, 'SPOOL_INACTIVE')],
  ['load of the spool', diagramOf(SPOOL_LOAD_STATES, 'SPOOL_NOT_FULL')],
  ['output of the spool', diagramOf(SPOOL_UNLOAD_STATES, 'NO_SPOOL_OUTPUT')],
  ['limit', diagramOf(LIMIT_ZONES, 'NO_ZONE')],
  ['port transfer', numberedDiagramOf(PORT_TRANSFER_TRANSITIONS, 'NO_STATE')],
  ['access mode', numberedDiagramOf(ACCESS_MODE_TRANSITIONS, 'NO_STATE')],
  ['reservation', numberedDiagramOf(RESERVATION_TRANSITIONS, 'NO_STATE')],
  ['association', numberedDiagramOf(ASSOCIATION_TRANSITIONS, 'NO_STATE')],
  ['carrier ID', numberedDiagramOf(CARRIER_ID_TRANSITIONS, 'NO_STATE')],
  ['slot map', numberedDiagramOf(SLOT_MAP_TRANSITIONS, 'NO_STATE')],
  ['carrier accessing', numberedDiagramOf(CARRIER_ACCESSING_TRANSITIONS, 'NO_STATE')],
  ['process job', numberedDiagramOf(PROCESS_JOB_TRANSITIONS, 'NO_STATE')],
  ['control job', numberedDiagramOf(CONTROL_JOB_TRANSITIONS, 'NO_STATE')],
  ['substrate', numberedDiagramOf(SUBSTRATE_TRANSITIONS, 'NO_STATE')],
  ['substrate processing', numberedDiagramOf(SUBSTRATE_PROCESSING_TRANSITIONS, 'NO_STATE')],
  ['substrate ID', numberedDiagramOf(SUBSTRATE_ID_TRANSITIONS, 'NO_STATE')],
  ['substrate location', numberedDiagramOf(SUBSTRATE_LOCATION_TRANSITIONS, 'UNOCCUPIED')],
  ['equipment performance', numberedDiagramOf(EPT_TRANSITIONS, 'NO_STATE')],
])('The diagram of the %s states is what its table says', (_, diagram) => {
  expect(page).toContain(diagram)
})
