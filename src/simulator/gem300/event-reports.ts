import type { Equipment } from '../../gem/equipment/equipment.js'
import { formatOf, type TypedValue } from '../../gem/typed-value.js'
import type { Faults } from '../faults.js'
import { DATA_VARIABLES, type DataVariable, eventOf, isListed, LISTED } from './definitions.js'
import type { Notice, NoticeValues } from './notice.js'
import type { ToolSettings } from './tool-settings.js'

/** Event reports that wait for their replies at a time: fewer than the primaries that a link lets be open. */
const MAX_OPEN = 16
/** Of those that are not sent yet. The oldest are lost for a host that takes no more. */
const MAX_WAITING = 10_000

interface Due {
  readonly event: string
  readonly values: NoticeValues
}

/** Tells the host what happens in the tool, in order, by the collection events of the tool's style. */
export class EventReports {
  readonly #ids: ReadonlyMap<string, string>
  readonly #variables: ReadonlyMap<string, string>
  /** Substrates of one transition, until something else happens. */
  #listed: { readonly event: string; readonly rows: NoticeValues[] } | undefined
  #waiting: Due[] = []
  #open = 0

  constructor(
    private readonly settings: ToolSettings,
    private readonly equipment: Equipment,
    private readonly faults: Faults,
  ) {
    const { events, variables } = equipment.model
    this.#ids = new Map(events.map(({ id, name }) => [name, id]))
    this.#variables = new Map(variables.map(({ id, name }) => [name, id]))
  }

  note(notice: Notice): void {
    const event = eventOf(this.settings, notice)
    if (event === undefined) return
    if (!isListed(this.settings, notice)) {
      this.flush()
      this.#add({ event, values: notice.values })
      return
    }
    if (this.#listed?.event !== event) this.flush()
    this.#listed ??= { event, rows: [] }
    this.#listed.rows.push(notice.values)
  }

  /** Nothing further happens now. */
  flush(): void {
    const listed = this.#listed
    this.#listed = undefined
    if (!listed) return
    const values = LISTED.map(([name, one]) => [name, { L: listed.rows.flatMap((row) => row[one] ?? []) }])
    this.#add({ event: listed.event, values: Object.fromEntries(values) as NoticeValues })
  }

  stop(): void {
    this.#waiting = []
    this.#listed = undefined
  }

  #add(due: Due): void {
    if (this.faults.lose !== undefined) {
      if (this.faults.lose > 1) this.faults.lose--
      else delete this.faults.lose
      return
    }
    if (this.#waiting.length >= MAX_WAITING) this.#waiting.shift()
    this.#waiting.push(due)
    this.#send()
  }

  #send(): void {
    while (this.#open < MAX_OPEN) {
      const due = this.#waiting.shift()
      if (!due) return
      const event = this.#ids.get(due.event)
      if (event === undefined) continue
      for (const [name, value] of Object.entries(due.values)) this.#set(name, value)
      this.#open++
      void this.equipment.happens(event).finally(() => {
        this.#open--
        this.#send()
      })
    }
  }

  #set(name: string, value: TypedValue): void {
    const id = this.#variables.get(name)
    const format = Object.hasOwn(DATA_VARIABLES, name) && formatOf(DATA_VARIABLES[name as DataVariable])
    if (id !== undefined && format === formatOf(value)) this.equipment.variables.set(id, value)
  }
}
