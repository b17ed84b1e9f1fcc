import { Problem } from '../../contract/errors.js'
import type { controlEndpoints } from '../../contract/topics/control.js'
import { controlStateId } from '../../gem/host/peer-names.js'
import { type Clock, delay } from '../../kit/clock.js'
import type { Handlers } from '../handler.js'
import type { Gateway } from '../open-gateway.js'
import { givenId } from './given-id.js'
import { verdict } from './verdict.js'

/** ONLACK: accepted, and already online. */
const ONLINE: readonly number[] = [0, 2]
/** Longest wait until the state is local or remote, in milliseconds. */
const STATE_WAIT = 5000
/** Longest wait for the host's own question for the state, in milliseconds. */
const HOST_WAIT = 1000
/** Milliseconds between two questions for the state. */
const STATE_PAUSE = 250
const IS_ONLINE: ReadonlySet<string> = new Set(['ONLINE_LOCAL', 'ONLINE_REMOTE'])

type World = Pick<Gateway, 'asking' | 'clock' | 'equipment' | 'naming'>

/** The control state of equipment as a host may change it: online (S1F17) and offline (S1F15). */
export const controlHandlers: Handlers<typeof controlEndpoints> = {
  async goOnline({ params: { id }, send }, gateway) {
    const said = await gateway.asking.acknowledge(id, 'S1F17', {}, send)
    const accepted = ONLINE.includes(said.code)
    if (accepted) await untilOnline(id, gateway)
    const control_state = gateway.equipment.session(id).host.controlState
    return { ...verdict('onlack', said), accepted, control_state }
  },

  async goOffline({ params: { id }, send }, { asking, equipment }) {
    const said = await asking.acknowledge(id, 'S1F15', {}, send)
    return { ...verdict('oflack', said), control_state: equipment.session(id).host.controlState }
  },
}

/**
 * Some equipment accepts, and goes online a little later: asks for the state until it is online, after the host's
 * own question. Gives up after a while where the equipment does not report it.
 */
async function untilOnline(id: string, gateway: World): Promise<void> {
  const { clock, naming } = gateway
  const { host } = gateway.equipment.session(id)
  const until = clock.now() + STATE_WAIT
  const left = (): number => until - clock.now()
  while (left() > 0) {
    const isAsked = await within(Math.min(left(), HOST_WAIT), host.controlStateAsked(), clock)
    if (IS_ONLINE.has(host.controlState)) return
    const vid = controlStateId(naming.of(id))
    if (vid === undefined && isAsked) return
    if (vid !== undefined && !(await asked(id, vid, left(), gateway))) return
    if (IS_ONLINE.has(host.controlState)) return
    await delay(clock, STATE_PAUSE)
  }
}

/** False where the equipment does not reply. */
async function asked(id: string, vid: string, ms: number, { asking }: World): Promise<boolean> {
  try {
    await asking.ask(id, 'S1F3', { SVID: [givenId(vid)] }, { timeout: Math.max(ms, 100) / 1000 })
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** False where the time is over before `work` is done. */
async function within(ms: number, work: Promise<void>, clock: Clock): Promise<boolean> {
  const enough = new AbortController()
  const late = delay(clock, ms, enough.signal).then(() => false)
  const isDone = await Promise.race([work.then(() => true), late])
  enough.abort()
  return isDone
}
