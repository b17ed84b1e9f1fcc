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
import { CONNECTION_STATES } from '../src/hsms/connection-states.js'
import type { StateTable } from '../src/kit/state-table.js'

/** A state table as a Mermaid state diagram; triggers that lead the same way share an arrow. */
function diagramOf<State extends string, Trigger extends string>(
  table: StateTable<State, Trigger>,
  initial: State,
): string {
  const arrows = new Map<string, string[]>()
  for (const [from, row] of Object.entries<Readonly<Partial<Record<Trigger, State>>>>(table)) {
    for (const [trigger, to] of Object.entries<State | undefined>(row)) {
      if (to === undefined || to === from) continue
      const arrow = `${from} --> ${to}`
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), trigger])
    }
  }
  const lines = [...arrows].map(([arrow, triggers]) => `  ${arrow}: ${triggers.join(', ')}`)
  return ['```mermaid', 'stateDiagram-v2', `  [*] --> ${initial}`, ...lines, '```'].join('\n')
}

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
])('The diagram of the %s states is what its table says', (_, diagram) => {
  expect(page).toContain(diagram)
})
