import { type Fault, faultyRequest, type NextOperation } from '../../../contract/errors.js'
import type { WantedReports } from '../../../contract/topics/reports.js'
import { isControlEvent } from '../../../gem/host/peer-names.js'
import type { EquipmentKnowledge, Namelist } from '../../knowledge/equipment-knowledge.js'
import type { AskOptions } from '../asking.js'
import type { Naming } from '../naming.js'
import type { ReportSetup } from './report-setup.js'

interface NamedEquipment {
  readonly id: string
  readonly name: string
}

export interface Resolved {
  readonly setup: ReportSetup
  /** What is allowed, but probably not intended. */
  readonly warnings: readonly string[]
}

/** The namelists that together have the names of everything that a report may contain. */
const VARIABLE_LISTS = ['S1F11', 'S1F21', 'S2F29'] as const

/**
 * Wanted reports with identifiers for names. Throws `invalid_message` with all faults: what no equipment accepts, and
 * what the equipment is known not to have.
 */
export function resolveReports(
  wanted: WantedReports,
  knowledge: EquipmentKnowledge,
  equipment: NamedEquipment,
): Resolved {
  return new Resolution(wanted, knowledge, equipment).result()
}

/** The same, once the equipment has been asked for names that are not known. Throws what asking it throws, too. */
export async function learnToResolve(
  wanted: WantedReports,
  naming: Naming,
  equipment: NamedEquipment,
  options: AskOptions,
): Promise<Resolved> {
  const variables = wanted.reports.flatMap((report) => report.variables.map(String))
  const events = wanted.events.map(({ event }) => String(event))
  await naming.learn(equipment.id, 'variables', variables, options)
  await naming.learn(equipment.id, 'events', events, options)
  return resolveReports(wanted, naming.of(equipment.id), equipment)
}

class Resolution {
  readonly #faults: Fault[] = []
  readonly #warnings: string[] = []
  /** The calls that list names which are not known. */
  readonly #lists = new Set<NextOperation>()

  constructor(
    private readonly wanted: WantedReports,
    private readonly knowledge: EquipmentKnowledge,
    private readonly equipment: NamedEquipment,
  ) {}

  result(): Resolved {
    const reports = this.wanted.reports.map(({ id, variables }, at) => {
      const here = `/reports/${at}`
      if (variables.length === 0) {
        this.#fault(`${here}/variables`, `is empty: S2F33 would delete report ${id}`)
      }
      return {
        id: String(id),
        variables: variables.map((name, place) => this.#variable(String(name), `${here}/variables/${place}`)),
      }
    })
    this.#refuseRepeated(reports, (at) => `/reports/${at}/id`, 'RPTID')
    const defined = new Set(reports.map(({ id }) => id))
    const events = this.wanted.events.map(({ event, reports: linked = [], enabled = true }, at) => {
      const here = `/events/${at}`
      const ids = linked.map(String)
      this.#refuseRepeated(
        ids.map((id) => ({ id })),
        (place) => `${here}/reports/${place}`,
        'report',
      )
      for (const [place, id] of ids.entries()) {
        if (defined.has(id) || this.wanted.others === 'keep') continue
        this.#fault(`${here}/reports/${place}`, `is ${id}, which is no report of this definition`)
      }
      if (linked.length === 0) this.#warnings.push(`${event} has no report: it would come without values.`)
      return { id: this.#event(String(event), `${here}/event`), reports: ids, enabled }
    })
    this.#refuseRepeated(events, (at) => `/events/${at}/event`, 'event')
    const linked = new Set(events.flatMap((event) => event.reports))
    for (const { id } of reports) {
      if (!linked.has(id)) this.#warnings.push(`Report ${id} is sent with no event: only S6F19 asks for it.`)
    }
    this.#throwFaults()
    this.#warnOfBlindness(new Set(events.flatMap(({ id, enabled }) => (enabled ? [id] : []))))
    const { others = 'delete', multi_block_inquire: inquire = true } = this.wanted
    return { setup: { reports, events, others, inquire }, warnings: this.#warnings }
  }

  /** Warns of control state events that are not enabled: without them a change by the operator is not seen at once. */
  #warnOfBlindness(enabled: ReadonlySet<string>): void {
    if (this.wanted.others === 'keep') return
    const silent = [...this.knowledge.events].flatMap(([id, { name }]) =>
      isControlEvent(name) && !enabled.has(id) ? [name] : [],
    )
    if (silent.length === 0) return
    this.#warnings.push(
      `${silent.join(', ')} will not be reported, so a change of the control state is not seen at once: name ${silent.length === 1 ? 'it' : 'them'} under events, or say others: keep.`,
    )
  }

  #variable(name: string, pointer: string): string {
    const { knowledge } = this
    const { name: equipmentName } = this.equipment
    if (knowledge.named(name)) return name
    const found = knowledge.idOf('variables', name) ?? knowledge.idOf('constants', name)
    if (found !== undefined) return found
    if (!isNumber(name)) {
      this.#fault(pointer, this.#unknown(name, 'variable', 'S1F11', 'VID'))
      this.#lists.add('listVariables')
    } else if (VARIABLE_LISTS.every((list) => knowledge.hasWhole(list))) {
      this.#fault(pointer, `is ${name}, a VID that ${equipmentName} does not have`)
    } else if (knowledge.hasWhole('S1F11') && knowledge.hasWhole('S1F21')) {
      this.#warnings.push(`VID ${name} is neither a status nor a data variable of ${equipmentName}.`)
    }
    return name
  }

  #event(name: string, pointer: string): string {
    const { knowledge } = this
    const { name: equipmentName } = this.equipment
    if (knowledge.events.has(name)) return name
    const found = knowledge.idOf('events', name)
    if (found !== undefined) return found
    if (!isNumber(name)) {
      this.#fault(pointer, this.#unknown(name, 'collection event', 'S1F23', 'CEID'))
      this.#lists.add('listCollectionEvents')
    } else if (knowledge.hasWhole('S1F23')) {
      this.#fault(pointer, `is ${name}, a CEID that ${equipmentName} does not have`)
    }
    return name
  }

  /** Equipment that did not list its names may have this one. */
  #unknown(name: string, what: string, list: Namelist, id: string): string {
    const { name: equipment } = this.equipment
    return this.knowledge.hasWhole(list)
      ? `is ${name}: ${equipment} has no ${what} of that name, or more than one`
      : `is ${name}: ${equipment} did not list its ${what}s (${list}), so no name is known: give the ${id}`
  }

  /** The fault points to the second occurrence. */
  #refuseRepeated(
    parts: readonly { readonly id: string }[],
    where: (at: number) => string,
    what: string,
  ): void {
    const seen = new Set<string>()
    for (const [at, { id }] of parts.entries()) {
      if (seen.has(id)) this.#fault(where(at), `is ${what} ${id} again: it is there twice`)
      seen.add(id)
    }
  }

  #fault(pointer: string, detail: string): void {
    this.#faults.push({ pointer, detail })
  }

  #throwFaults(): void {
    if (this.#faults.length === 0) return
    const parameters = { id: this.equipment.id }
    const next = [...this.#lists].map((operation) => ({ operation, parameters }))
    throw faultyRequest('invalid_message', this.#faults, { next })
  }
}

const isNumber = (name: string): boolean => /^[0-9]+$/.test(name)
