import type { StateTable } from '../../src/kit/state-table.js'

/** A state table as a Mermaid state diagram; triggers that lead the same way share an arrow. */
export function diagramOf<State extends string, Trigger extends string>(
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
