import { UNKNOWN_STATE } from '../../../contract/state-changes.js'
import type { KnownObject as ShownObject } from '../../../contract/topics/gem300/mapping.js'
import { firstState } from '../../../gem300/object-states.js'
import type { Gateway } from '../../open-gateway.js'
import type { ModuleTime } from '../performance/module-stretches.js'
import { lastKnown, moduleTimes } from '../performance/module-times.js'
import { type KnownObject, shownObject } from './known-objects.js'

const STATE = firstState('performance')

/** Objects as the API shows them: the state of a module is not known where it may have changed since it was told. */
export async function shownAsOfNow(
  equipmentId: string,
  objects: readonly KnownObject[],
  gateway: Pick<Gateway, 'events' | 'objects' | 'clock'>,
): Promise<ShownObject[]> {
  if (!objects.some(({ kind }) => kind === 'performance')) return objects.map(shownObject)
  const now = gateway.clock.date().getTime()
  // What was told in this millisecond is of it, too.
  const { modules } = await moduleTimes(equipmentId, { from: now, to: now + 1 }, gateway)
  return objects.map((one) => {
    const time = one.kind === 'performance' ? modules.get(one.id) : undefined
    return time ? shownModule(one, time) : shownObject(one)
  })
}

function shownModule(object: KnownObject, time: ModuleTime): ShownObject {
  const shown = shownObject(object)
  const last_known = lastKnown(time)
  const told = shown.states[STATE]
  if (!last_known || !told) return shown
  const state = { ...told, state: UNKNOWN_STATE, since: last_known.until, last_known }
  // What it did then is not known either.
  return { ...shown, states: { [STATE]: state }, details: {} }
}
