import { Signal } from '../../../kit/signal.js'
import type { AlarmModel } from '../equipment-model.js'

/** ALCD's top bit: the alarm is set. */
const SET_BIT = 0x80

interface AlarmState {
  readonly alarm: AlarmModel
  set: boolean
  enabled: boolean
}

/** An alarm as S5F1 and S5F6 report it. */
export interface AlarmReport {
  /** The top bit says set, the low seven the category. */
  readonly alcd: number
  readonly alarm: AlarmModel
}

/** Which of an equipment's alarms are set, and which are reported (SEMI E30). */
export class Alarms {
  /** Others are enabled. */
  readonly changed = new Signal<void>()
  readonly #alarms = new Map<string, AlarmState>()

  constructor(alarms: readonly AlarmModel[]) {
    for (const alarm of alarms) this.#alarms.set(alarm.id, { alarm, set: false, enabled: alarm.enabled })
  }

  /**
   * Sets or clears an alarm. Undefined when it was so already. Throws RangeError when there is no such alarm.
   */
  change(id: string, set: boolean): (AlarmReport & { readonly enabled: boolean }) | undefined {
    const state = this.#alarms.get(id)
    if (!state) throw new RangeError(`no alarm has the id ${id}`)
    if (state.set === set) return undefined
    state.set = set
    return { ...reportOf(state), enabled: state.enabled }
  }

  /** S5F3: no id means every alarm. False when one does not exist; then nothing changed. */
  enable(ids: readonly string[], enabled: boolean): boolean {
    const states = ids.length === 0 ? [...this.#alarms.values()] : ids.map((id) => this.#alarms.get(id))
    if (states.includes(undefined)) return false
    for (const state of states) if (state) state.enabled = enabled
    this.changed.emit()
    return true
  }

  /** S5F5: the alarms with these ids, or all for none. Undefined stands for an unknown id. */
  list(ids: readonly string[]): { id: string; report: AlarmReport | undefined }[] {
    const chosen = ids.length > 0 ? ids : [...this.#alarms.keys()]
    return chosen.map((id) => {
      const state = this.#alarms.get(id)
      return { id, report: state && reportOf(state) }
    })
  }

  /** S5F7. */
  enabled(): AlarmReport[] {
    return [...this.#alarms.values()].filter((state) => state.enabled).map(reportOf)
  }

  /** The ids of the alarms that are enabled. */
  enabledIds(): string[] {
    return this.enabled().map(({ alarm }) => alarm.id)
  }

  /** The ids of the alarms that are set. */
  set(): string[] {
    return [...this.#alarms].filter(([, state]) => state.set).map(([id]) => id)
  }
}

const reportOf = ({ alarm, set }: AlarmState): AlarmReport => ({
  alcd: alarm.category | (set ? SET_BIT : 0),
  alarm,
})
