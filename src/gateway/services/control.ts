import type { WentOffline, WentOnline } from '../../contract/control.js'
import { Problem } from '../../contract/errors.js'
import type { SendQuery } from '../../contract/messages.js'
import { controlStateId } from '../../gem/host/peer-names.js'
import { type Clock, delay } from '../../kit/clock.js'
import type { Asking, Sessions } from './asking.js'
import { givenId } from './given-id.js'
import type { Knowledge } from './naming.js'
import type { EquipmentControl } from './services.js'

/** ONLACK: accepted, and already online. */
const ONLINE: readonly number[] = [0, 2]
/** Longest wait until the state is local or remote, in milliseconds. */
const STATE_WAIT = 5000
/** Longest wait for the host's own question for the state, in milliseconds. */
const HOST_WAIT = 1000
/** Milliseconds between two questions for the state. */
const STATE_PAUSE = 250
const IS_ONLINE: ReadonlySet<string> = new Set(['ONLINE_LOCAL', 'ONLINE_REMOTE'])

/** The control state of equipment as a host may change it: online (S1F17) and offline (S1F15). */
export class GemControl implements EquipmentControl {
  constructor(
    private readonly asking: Asking,
    private readonly sessions: Sessions,
    private readonly knowledge: Knowledge,
    private readonly clock: Clock,
  ) {}

  async online(equipmentId: string, options: SendQuery): Promise<WentOnline> {
    const { code, text, message_id, reply_id } = await this.asking.acknowledge(
      equipmentId,
      'S1F17',
      {},
      options,
    )
    const accepted = ONLINE.includes(code)
    if (accepted) await this.#untilOnline(equipmentId)
    const control_state = this.sessions.session(equipmentId).host.controlState
    return { accepted, onlack: code, onlack_text: text, control_state, message_id, reply_id }
  }

  async offline(equipmentId: string, options: SendQuery): Promise<WentOffline> {
    const { code, text, accepted, message_id, reply_id } = await this.asking.acknowledge(
      equipmentId,
      'S1F15',
      {},
      options,
    )
    const control_state = this.sessions.session(equipmentId).host.controlState
    return { accepted, oflack: code, oflack_text: text, control_state, message_id, reply_id }
  }

  /**
   * Some equipment accepts, and goes online a little later: asks for the state until it is online, after the host's
   * own question. Gives up after a while where the equipment does not report it.
   */
  async #untilOnline(equipmentId: string): Promise<void> {
    const { host } = this.sessions.session(equipmentId)
    const until = this.clock.now() + STATE_WAIT
    const left = (): number => until - this.clock.now()
    while (left() > 0) {
      const isAsked = await this.#within(Math.min(left(), HOST_WAIT), host.controlStateAsked())
      if (IS_ONLINE.has(host.controlState)) return
      const vid = controlStateId(this.knowledge.of(equipmentId))
      if (vid === undefined && isAsked) return
      if (vid !== undefined && !(await this.#asked(equipmentId, vid, left()))) return
      if (IS_ONLINE.has(host.controlState)) return
      await delay(this.clock, STATE_PAUSE)
    }
  }

  /** False where it does not answer. */
  async #asked(equipmentId: string, vid: string, within: number): Promise<boolean> {
    try {
      const timeout = Math.max(within, 100) / 1000
      await this.asking.ask(equipmentId, 'S1F3', { SVID: [givenId(vid)] }, { timeout })
      return true
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
  }

  /** False where the time is over before `work` is done. */
  async #within(milliseconds: number, work: Promise<void>): Promise<boolean> {
    const enough = new AbortController()
    const late = delay(this.clock, milliseconds, enough.signal).then(() => false)
    const isDone = await Promise.race([work.then(() => true), late])
    enough.abort()
    return isDone
  }
}
