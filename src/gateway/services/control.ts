import type { WentOffline, WentOnline } from '../../contract/control.js'
import type { SendQuery } from '../../contract/messages.js'
import { type Clock, delay } from '../../kit/clock.js'
import type { Asking, Sessions } from './asking.js'
import type { EquipmentControl } from './services.js'

/** ONLACK: accepted, and already online. */
const ONLINE: readonly number[] = [0, 2]
/** Longest wait for local or remote, in milliseconds. */
const STATE_WAIT = 5000

/** The control state of equipment as a host may change it: online (S1F17) and offline (S1F15). */
export class GemControl implements EquipmentControl {
  constructor(
    private readonly asking: Asking,
    private readonly sessions: Sessions,
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
    if (accepted) await this.#stateAsked(equipmentId)
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

  /** The host asks by itself; an equipment that is slow to tell is not waited for. */
  async #stateAsked(equipmentId: string): Promise<void> {
    const enough = new AbortController()
    const asked = this.sessions.session(equipmentId).host.controlStateAsked()
    await Promise.race([asked, delay(this.clock, STATE_WAIT, enough.signal)])
    enough.abort()
  }
}
