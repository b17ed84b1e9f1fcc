import { unpadded } from '../../gem/content.js'
import type { Model } from '../../gem/host/host.js'
import type { Json, JsonObject } from '../../kit/text/json.js'
import { BoundedMap, MemoryBudget } from '../bounded-map.js'
import { type DefinitionOrigin, DefinitionOrigins } from './definition-origins.js'
import type {
  EquipmentKnowledge,
  KnownAlarm,
  KnownConstant,
  KnownEvent,
  KnownVariable,
  NamedKind,
  Namelist,
} from './equipment-knowledge.js'
import type { GivenReports, Observation } from './observation.js'
import { PlainNames } from './plain-names.js'
import { ReportDefinitions } from './report-definitions.js'
import { areSameRow, type Row, SharedRows } from './shared-rows.js'
import { UnsupportedMessages } from './unsupported-messages.js'

/** Most names of each kind. */
const MAX_NAMES = 20_000
/** Most bytes for the knowledge of one equipment. */
const MAX_BYTES = 16 * 1024 * 1024
/** Rows in one line of a snapshot. */
const IN_A_LINE = 500
/** The parts of a snapshot that are names. */
const NAME_PARTS = ['variables', 'constants', 'events', 'alarms'] as const

/** The knowledge of one equipment: names, report definitions, event links and unsupported messages. */
export class KnownEquipment implements EquipmentKnowledge {
  model: { readonly mdln: string; readonly softrev: string } | null = null
  readonly #allowance = new MemoryBudget(MAX_BYTES)
  readonly #variables = new BoundedMap<KnownVariable>(MAX_NAMES, this.#allowance)
  readonly #constants = new BoundedMap<KnownConstant>(MAX_NAMES, this.#allowance)
  readonly #events = new BoundedMap<KnownEvent>(MAX_NAMES, this.#allowance)
  readonly #alarms = new BoundedMap<KnownAlarm>(MAX_NAMES, this.#allowance)
  readonly #links = new BoundedMap<readonly string[]>(MAX_NAMES, this.#allowance)
  readonly #enabled = new BoundedMap<boolean>(MAX_NAMES, this.#allowance)
  readonly #reports = new ReportDefinitions(this.#allowance)
  readonly #origins = {
    reports: new DefinitionOrigins(MAX_NAMES, this.#allowance),
    events: new DefinitionOrigins(MAX_NAMES, this.#allowance),
  }
  readonly #wholeLists = new Set<Namelist>()
  /** Messages of a host that it does not support. */
  readonly unsupported = new UnsupportedMessages()
  /** Whether events that are not in `#links` are known to have no report. */
  #othersUnlinked = false
  /** Whether events that are not in the map of events are enabled; null where that is not known. */
  #othersEnabled: boolean | null = null
  readonly #plainNames: Readonly<Record<NamedKind, PlainNames>> = {
    variables: new PlainNames(() => this.variables),
    constants: new PlainNames(() => this.constants),
    events: new PlainNames(() => this.events),
  }

  /** `shared`: with other equipment. */
  constructor(private readonly shared = new SharedRows()) {}

  get variables(): ReadonlyMap<string, KnownVariable> {
    return this.#variables.entries
  }

  get constants(): ReadonlyMap<string, KnownConstant> {
    return this.#constants.entries
  }

  get events(): ReadonlyMap<string, KnownEvent> {
    return this.#events.entries
  }

  get alarms(): ReadonlyMap<string, KnownAlarm> {
    return this.#alarms.entries
  }

  get links(): ReadonlyMap<string, readonly string[]> {
    return this.#links.entries
  }

  get reports(): ReadonlyMap<string, readonly string[]> {
    return this.#reports.current
  }

  reportsOf(ceid: string): readonly string[] | null {
    return this.#links.entries.get(ceid) ?? (this.#othersUnlinked ? [] : null)
  }

  isEnabled(ceid: string): boolean | null {
    return this.#enabled.entries.get(ceid) ?? this.#othersEnabled
  }

  variablesOf(rptid: string, seq: number): readonly string[] | null {
    return this.#reports.at(rptid, seq)
  }

  doubtedSince(rptid: string): number | null {
    return this.#reports.doubted.entries.get(rptid) ?? null
  }

  named(vid: string): KnownVariable | KnownConstant | undefined {
    return this.variables.get(vid) ?? this.constants.get(vid)
  }

  idOf(kind: NamedKind, name: string): string | undefined {
    return this.#plainNames[kind].idOf(name)
  }

  idsOf(kind: NamedKind, name: string): readonly string[] {
    return this.#plainNames[kind].idsOf(name)
  }

  hasWhole(list: Namelist): boolean {
    return this.#wholeLists.has(list)
  }

  isRefused(message: string): boolean {
    return this.unsupported.has(message)
  }

  /** Communication was established again: changes of reports before that are not known. */
  begin(seq: number): void {
    this.#reports.doubt(seq)
    this.unsupported.begin()
  }

  /** Takes MDLN and SOFTREV; if they differ from before, everything known is dropped. */
  meet(model: { readonly mdln: string; readonly softrev: string }, seq: number): void {
    const before = this.model
    this.model = model
    if (!before || isSameSoftware(before, model)) return
    for (const names of [this.#variables, this.#constants, this.#events, this.#alarms]) names.clear()
    this.#forgetPlainNames()
    this.#wholeLists.clear()
    this.unsupported.clear()
    this.#unlinkAll(false)
    this.#enableAll(null)
    this.#forgetReports(seq)
  }

  /** The rows of a namelist; all there are when the reply was to `whole`. Otherwise a row without a name is an unknown id. */
  learnVariables(kind: KnownVariable['kind'], rows: readonly Row<KnownVariable>[], whole: boolean): void {
    const list = kind === 'status' ? 'S1F11' : 'S1F21'
    // Some equipment lists its status variables among its data variables as well: they have values at any time.
    const isStatus = ([id]: Row<KnownVariable>): boolean => this.variables.get(id)?.kind === 'status'
    const news = kind === 'data' ? rows.filter((row) => !isStatus(row)) : rows
    if (whole) {
      const others: Row<KnownVariable>[] = []
      let [same, count] = [0, 0]
      this.variables.forEach((known, id) => {
        if (known.kind !== kind) others.push([id, known])
        else if (areSameRow(news[count++], [id, known])) same++
      })
      // Equipment tells its names again at each connect.
      if (this.hasWhole(list) && same === count && count === news.length) return
      this.#variables.clear()
      for (const [id, known] of others) this.#variables.set(id, known)
    }
    this.#learn(list, this.#variables, news, whole)
  }

  learnConstants(rows: readonly Row<KnownConstant>[], whole: boolean): void {
    if (whole) this.#constants.clear()
    this.#learn('S2F29', this.#constants, rows, whole)
  }

  learnEvents(rows: readonly Row<KnownEvent>[], whole: boolean): void {
    if (whole) this.#events.clear()
    this.#learn('S1F23', this.#events, rows, whole)
  }

  learnAlarms(rows: readonly Row<KnownAlarm>[], whole: boolean): void {
    if (whole) this.#alarms.clear()
    this.#learn('S5F5', this.#alarms, rows, whole)
  }

  originOf(kind: 'reports' | 'events', id: string): DefinitionOrigin {
    return this.#origins[kind].of(id)
  }

  learnReport(
    report: string,
    variables: readonly string[],
    seq: number,
    origin: DefinitionOrigin = 'gateway',
  ): void {
    this.#origins.reports.set(report, origin)
    this.#reports.observe(report, variables, seq)
  }

  /** Somebody says by hand what the host has defined: it holds until the line shows something else. */
  learnGiven({ reports, events }: GivenReports, seq: number): void {
    for (const [report, variables] of reports) this.learnReport(report, variables, seq, 'by_hand')
    for (const [event, linked, isEnabled] of events) {
      this.learnLinks(event, linked, 'by_hand')
      this.#enabled.set(event, isEnabled)
    }
  }

  learnLinks(event: string, reports: readonly string[], origin: DefinitionOrigin = 'gateway'): void {
    this.#origins.events.set(event, origin)
    // Links that do not fit within the limit are not known.
    if (!this.#links.set(event, reports)) this.#othersUnlinked = false
  }

  /** These events are enabled and no others. */
  learnEnabled(events: readonly string[]): void {
    this.#enableAll(false)
    for (const event of events) this.#enabled.set(event, true)
  }

  /** The equipment has accepted what a primary of ours asked, or of its host: `origin`. */
  accept(observation: Observation, seq: number, origin: DefinitionOrigin = 'gateway'): void {
    switch (observation.kind) {
      case 'define':
        this.#reports.begin(seq)
        if (observation.reports.length === 0) this.#deleteReports(seq)
        for (const [report, variables] of observation.reports) this.#define(report, variables, seq, origin)
        return
      case 'link':
        for (const [event, reports] of observation.events) this.learnLinks(event, reports, origin)
        return
      case 'enable':
        if (observation.events.length === 0) this.#enableAll(observation.enabled)
        for (const event of observation.events) this.#enabled.set(event, observation.enabled)
    }
  }

  /** It is not known whether the equipment has accepted it. */
  doubt(observation: Observation, seq: number): void {
    switch (observation.kind) {
      case 'define':
        this.#reports.begin(seq)
        if (observation.reports.length === 0) this.#forgetReports(seq)
        for (const [report] of observation.reports) this.#define(report, null, seq)
        this.#unlinkAll(false)
        return
      case 'link':
        for (const [event] of observation.events) {
          this.#links.delete(event)
          this.#origins.events.delete(event)
        }
        this.#othersUnlinked = false
        return
      case 'enable':
        // Events outside the map share one state: if one of them is unknown, all are.
        this.#enableAll(null)
    }
  }

  /** The lines of the snapshot, of the current state: later changes do not affect them. */
  lines(): JsonObject[] {
    const parts = Object.entries(this.#parts()).flatMap(([part, entries]) => {
      const all = [...entries] as unknown as readonly Json[]
      const starts = Array.from({ length: Math.ceil(all.length / IN_A_LINE) }, (_, line) => line * IN_A_LINE)
      return starts.map((start) => ({ part, rows: all.slice(start, start + IN_A_LINE) }))
    })
    const others = { others_enabled: this.#othersEnabled, others_unlinked: this.#othersUnlinked }
    const { since: reports_since } = this.#reports
    const lists = { told: [...this.#wholeLists], refused: [...this.unsupported.names] }
    return [{ model: this.model, ...lists, ...others, reports_since }, ...parts]
  }

  load(line: JsonObject): void {
    if (line['part'] === undefined) {
      this.model = line['model'] as unknown as KnownEquipment['model']
      for (const list of line['told'] as unknown as readonly Namelist[]) this.#wholeLists.add(list)
      // A snapshot of an earlier version has neither.
      for (const message of (line['refused'] ?? []) as readonly string[]) this.unsupported.add(message)
      this.#reports.begin(Number(line['reports_since'] ?? Number.POSITIVE_INFINITY))
      this.#othersEnabled = line['others_enabled'] as boolean | null
      // A snapshot of an earlier version does not say it.
      this.#othersUnlinked = line['others_unlinked'] === true
      return
    }
    const part = line['part'] as string
    const parts: Readonly<Record<string, { set(key: string, value: never): unknown }>> = this.#parts()
    const names = NAME_PARTS.find((one) => one === part)
    const shared = names && this.shared.sharing(names, this.model, this[names].size)
    for (const row of line['rows'] as unknown as readonly Row<never>[]) {
      const [id, value] = shared?.(row) ?? row
      parts[part]?.set(id, value)
    }
  }

  #parts() {
    return {
      variables: this.#variables,
      constants: this.#constants,
      events: this.#events,
      alarms: this.#alarms,
      links: this.#links,
      enabled: this.#enabled,
      reports: this.#reports,
      // A version that does not know them has no doubts.
      reports_doubted: this.#reports.doubted,
      // A version that does not know them takes all for what the line has shown.
      reports_by_hand: this.#origins.reports.byHand,
      events_by_hand: this.#origins.events.byHand,
      reports_of_host: this.#origins.reports.ofHost,
      events_of_host: this.#origins.events.ofHost,
    }
  }

  #learn<Known extends KnownVariable | KnownConstant | KnownEvent | KnownAlarm>(
    list: Namelist,
    names: BoundedMap<Known>,
    rows: readonly Row<Known>[],
    whole: boolean,
  ): void {
    if (whole) this.#wholeLists.add(list)
    this.#forgetPlainNames()
    const shared = whole ? this.shared.sharing(list, this.model) : undefined
    for (const row of rows) {
      const [id, known] = shared?.(row) ?? row
      if (whole || !('name' in known) || known.name !== '') names.set(id, known)
    }
  }

  #forgetPlainNames(): void {
    for (const names of Object.values(this.#plainNames)) names.forget()
  }

  /** Without variables it is deleted; `null`: what it has is not known. */
  #define(
    report: string,
    variables: readonly string[] | null,
    seq: number,
    origin: DefinitionOrigin = 'gateway',
  ): void {
    const hasAny = variables !== null && variables.length > 0
    if (hasAny) this.#origins.reports.set(report, origin)
    else this.#origins.reports.delete(report)
    this.#reports.define(report, hasAny ? variables : null, seq)
    if (hasAny || variables === null) return
    for (const [event, reports] of [...this.#links]) {
      const rest = reports.filter((id) => id !== report)
      if (rest.length < reports.length) this.#links.set(event, rest)
    }
  }

  #forgetReports(seq: number): void {
    this.#reports.clear(seq)
    this.#origins.reports.clear()
  }

  #deleteReports(seq: number): void {
    this.#forgetReports(seq)
    this.#unlinkAll(true)
  }

  /** `isKnown`: no event has a report; otherwise the links are unknown. */
  #unlinkAll(isKnown: boolean): void {
    this.#links.clear()
    this.#origins.events.clear()
    this.#othersUnlinked = isKnown
  }

  #enableAll(enabled: boolean | null): void {
    this.#enabled.clear()
    this.#othersEnabled = enabled
  }
}

/** Whether both have the same MDLN and SOFTREV: some equipment pads them with blanks, but not always. */
export const isSameSoftware = (one: Model, other: Model): boolean =>
  unpadded(one.mdln) === unpadded(other.mdln) && unpadded(one.softrev) === unpadded(other.softrev)

/** The knowledge of an equipment that has sent nothing. */
export const NOTHING_KNOWN: EquipmentKnowledge = new KnownEquipment()
