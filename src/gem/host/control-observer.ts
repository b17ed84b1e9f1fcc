import { nextState } from '../../kit/state-table.js'
import { itemsIn } from '../../secs2/item.js'
import { textsIn } from '../content.js'
import {
  CONTROL_STATE_CODES,
  type ControlSign,
  type ControlState,
  OBSERVED_CONTROL_STATES,
} from '../control-states.js'
import type { Exchange, GemChange, PeerView, SecsMessage } from '../conversation.js'
import { controlStateId, type PeerNames } from './peer-names.js'

const ONLACK_SIGNS: Readonly<Record<number, ControlSign>> = {
  0: 'online_accepted',
  1: 'online_refused',
  2: 'already_online',
}

const VARIABLE_SIGNS: Readonly<Record<number, ControlSign>> = {
  [CONTROL_STATE_CODES.EQUIPMENT_OFFLINE]: 'reported_equipment_offline',
  [CONTROL_STATE_CODES.ATTEMPT_ONLINE]: 'reported_attempt_online',
  [CONTROL_STATE_CODES.HOST_OFFLINE]: 'reported_host_offline',
  [CONTROL_STATE_CODES.ONLINE_LOCAL]: 'reported_local',
  [CONTROL_STATE_CODES.ONLINE_REMOTE]: 'reported_remote',
}

/** Tracks the equipment's control state from its answers to the host. */
export class ControlObserver {
  #state: ControlState = 'UNKNOWN'
  #refusesOnline = false
  #hasConfirmedPresence = false

  constructor(
    private readonly view: () => PeerView,
    private readonly peerNames: () => PeerNames,
  ) {}

  get state(): ControlState {
    return this.#state
  }

  /** It is offline, and does not let its host change that: it refused the last S1F17. */
  get refusesOnline(): boolean {
    return this.#refusesOnline
  }

  /** The last S1F1 was answered by S1F2, and nothing says that it is offline since. */
  get hasConfirmedPresence(): boolean {
    return this.#hasConfirmedPresence && !isOffline(this.#state)
  }

  /** Communication ended, or began anew: the known state may have changed. */
  lost(cause: string): GemChange | undefined {
    this.#refusesOnline = false
    this.#hasConfirmedPresence = false
    return this.#take('lost', cause)
  }

  /** Updates the state by a transaction of ours that ended. */
  see(sent: SecsMessage, exchange: Exchange): GemChange | undefined {
    if (sent.stream !== 1) return undefined
    if (sent.function === 1) this.#hasConfirmedPresence = exchange.kind === 'replied'
    if (exchange.kind === 'aborted') {
      return sent.function === 1 ? this.#take('aborted', 'S1F0 in reply to S1F1') : undefined
    }
    if (exchange.kind !== 'replied') return undefined
    switch (sent.function) {
      case 1:
        return this.#take('answered', 'S1F2 in reply to S1F1')
      case 3:
        return this.#readVariable(sent, exchange.item)
      case 15: {
        const code = this.view().catalogue.acknowledgement(1, 16, exchange.item)?.code
        return code === 0 ? this.#take('offline_accepted', 'OFLACK 0 in reply to S1F15') : undefined
      }
      case 17: {
        const code = this.view().catalogue.acknowledgement(1, 18, exchange.item)?.code
        const sign = code === undefined ? undefined : ONLACK_SIGNS[code]
        this.#refusesOnline = sign === 'online_refused'
        return sign && this.#take(sign, `ONLACK ${code} in reply to S1F17`)
      }
      default:
        return undefined
    }
  }

  /** Takes the value of the equipment's status variable ControlState. */
  reported(value: unknown): GemChange | undefined {
    const sign = VARIABLE_SIGNS[Number(value)]
    return sign && this.#take(sign, 'the status variable ControlState')
  }

  /** It was known before, and nothing has passed since. */
  known(state: Exclude<ControlState, 'UNKNOWN'>, cause: string): GemChange | undefined {
    const sign = VARIABLE_SIGNS[CONTROL_STATE_CODES[state]]
    return sign && this.#take(sign, cause)
  }

  #readVariable(sent: SecsMessage, item: SecsMessage['item']): GemChange | undefined {
    const id = controlStateId(this.peerNames())
    // A million names are not looked at for a reply that has no value for each.
    if (id === undefined || itemsIn(sent.item).length !== itemsIn(item).length) return undefined
    const view = this.view()
    const asked = view.catalogue.read('S1F3', sent.item, { ...view, sender: 'host' })?.SVID
    const values = view.catalogue.read('S1F4', item, { ...view, sender: 'equipment' })?.SV
    if (asked === undefined || values === undefined) return undefined
    return this.reported(values[textsIn(asked).indexOf(id)])
  }

  #take(sign: ControlSign, cause: string): GemChange | undefined {
    const to = nextState(OBSERVED_CONTROL_STATES, this.#state, sign)
    const from = this.#state
    if (to === undefined || to === from) return undefined
    this.#state = to
    if (to !== 'EQUIPMENT_OFFLINE') this.#refusesOnline = false
    return { machine: 'control_state', from, to, cause }
  }
}

export const isOffline = (state: ControlState): boolean =>
  state === 'EQUIPMENT_OFFLINE' || state === 'ATTEMPT_ONLINE' || state === 'HOST_OFFLINE'
