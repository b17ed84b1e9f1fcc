import type { OutMessage, SinkWorld } from '../../src/gateway/sinks/kinds/kind.js'
import { systemClock } from '../../src/kit/clock.js'

/** What a kind of sink works with in a test: no equipment, and targets on this machine. */
export const sinkWorld = (parts: Partial<SinkWorld> = {}): SinkWorld => ({
  clock: systemClock,
  localTargets: true,
  folder: '/nonexistent',
  equipment: () => undefined,
  selected: () => [],
  identityAt: () => undefined,
  ...parts,
})

/** A message whose text is these members as JSON. */
export const outMessage = (n: number, members: object = { n }): OutMessage => ({
  id: `j-${n}`,
  type: 'secsctl.alarm_set',
  text: JSON.stringify(members),
})
