import { STANDARD_CATALOGUE } from '../../../../src/catalogue/standard-catalogue.js'
import { Reports } from '../../../../src/gem/equipment/reports/reports.js'
import type { DataMessage } from '../../../../src/hsms/message.js'
import { decodeBody } from '../../../../src/secs2/decode.js'
import { A, B, type Item, L, U4 } from '../../../../src/secs2/item.js'
import type { ScriptedEquipment, ScriptedReply } from '../../../support/scripted-equipment.js'

type Values = Readonly<Record<string, unknown>>
type Rows = readonly Values[]

const texts = (value: unknown): string[] => (value as readonly unknown[]).map(String)

/** Answers of a scripted equipment that has dynamic event reports: variables 10 to 19, events 30 to 39. */
export class ReportingEquipment {
  /** The messages that came, such as `S2F33`. */
  readonly asked: string[] = []
  /** What is answered in place of what would be: a code, F0, or nothing at all. Used up by the first that fits. */
  readonly faults: {
    readonly message: string
    readonly at?: number
    readonly answer: number | 'abort' | 'silence'
  }[] = []
  /** Messages that it answers as if it had no report. */
  readonly hidden = new Set<'S6F15' | 'S6F19' | 'S6F21'>()
  /** What S6F22 has for the variables of a report in place of its own VIDs. */
  misnamed: string | undefined
  /** Of its variables, by VID. */
  names: Readonly<Record<string, string>> = {}
  #reports = this.#fresh()

  constructor(readonly equipment: ScriptedEquipment) {
    equipment.reply = (primary) => this.#reply(primary)
  }

  /** As after a start without memory. */
  forget(): void {
    this.#reports = this.#fresh()
    this.asked.length = 0
  }

  /** An event loses its reports, and nobody told. */
  unlink(event: string): void {
    this.#reports.link([{ event, reports: [] }])
  }

  /** Another host defines a report anew, with its links, and nobody told. */
  redefine(report: string, variables: readonly string[]): void {
    const links = this.#reports.links().filter(({ reports }) => reports.includes(report))
    for (const each of [[], variables]) this.#reports.define([{ id: report, variables: each }])
    for (const { event, reports } of links) {
      this.#reports.link([{ event, reports: [] }])
      this.#reports.link([{ event, reports }])
    }
  }

  /** Another host switches an event, and nobody told. */
  switch(event: string, enabled: boolean): void {
    this.#reports.enable([event], enabled)
  }

  /** What it has: VIDs by RPTID, and RPTIDs by CEID of the events that are enabled. */
  get state(): { readonly reports: Values; readonly enabled: Values } {
    const ids = Array.from({ length: 2000 }, (_, id) => String(id))
    const reports = ids.flatMap((id) => {
      const variables = this.#reports.variablesOf(id)
      return variables ? [[id, variables] as const] : []
    })
    const enabled = this.#reports.enabledEvents().map((id) => {
      return [id, (this.#reports.reportsOf(id) ?? []).map((report) => report.id)] as const
    })
    return { reports: Object.fromEntries(reports), enabled: Object.fromEntries(enabled) }
  }

  #fresh(): Reports {
    const events = Array.from({ length: 10 }, (_, at) => {
      return { id: String(30 + at), name: `Event${at}`, enabled: true, reports: at === 0 ? ['1'] : [] }
    })
    return new Reports([{ id: '1', variables: ['10'] }], events, (id) => /^1[0-9]$/.test(id))
  }

  #reply({ stream, function: fn, body }: DataMessage): ScriptedReply | undefined {
    const message = `S${stream}F${fn}`
    this.asked.push(message)
    const nth = this.asked.filter((each) => each === message).length
    const at = this.faults.findIndex((fault) => fault.message === message && (fault.at ?? nth) === nth)
    const [fault] = at < 0 ? [] : this.faults.splice(at, 1)
    if (fault?.answer === 'silence') return undefined
    if (fault?.answer === 'abort') return { function: 0 }
    if (fault) return { function: fn + 1, item: B(fault.answer) }
    const data = STANDARD_CATALOGUE.readAny(stream, fn, decodeBody(body), { sender: 'host' }) ?? {}
    const item = this.#answer(message, data)
    return item ? { function: fn + 1, item } : { function: 0 }
  }

  #status(id: string): Item {
    if (this.names[id] !== 'EventsEnabled') return L()
    return L(...this.#reports.enabledEvents().map((ceid) => U4(Number(ceid))))
  }

  #answer(message: string, data: Values): Item | undefined {
    const reports = this.#reports
    switch (message) {
      case 'S2F33':
        return B(
          reports.define(
            (data['REPORTS'] as Rows).map(({ RPTID, VID }) => ({ id: String(RPTID), variables: texts(VID) })),
          ),
        )
      case 'S2F35':
        return B(
          reports.link(
            (data['EVENTS'] as Rows).map(({ CEID, RPTID }) => ({
              event: String(CEID),
              reports: texts(RPTID),
            })),
          ),
        )
      case 'S2F37':
        return B(reports.enable(texts(data['CEID']), data['CEED'] === 'true') ? 0 : 1)
      case 'S6F15': {
        const filled = (reports.reportsOf(String(data['CEID'])) ?? []).map(({ id, variables }) => {
          return L(U4(Number(id)), L(...variables.map((vid) => U4(Number(vid)))))
        })
        return L(U4(0), U4(Number(data['CEID'])), L(...(this.hidden.has(message) ? [] : filled)))
      }
      case 'S1F11':
        return L(...Object.entries(this.names).map(([id, name]) => L(U4(Number(id)), A(name), A(''))))
      case 'S1F1':
        return this.equipment.model
      case 'S1F3':
        return L(...texts(data['SVID']).map((id) => this.#status(id)))
      case 'S6F21': {
        const variables = reports.variablesOf(String(data['RPTID'])) ?? []
        const rows = variables.map((vid) => L(U4(Number(this.misnamed ?? vid)), U4(Number(vid))))
        return this.hidden.has(message) ? L() : L(...rows)
      }
      case 'S6F19':
        if (this.hidden.has(message)) return L()
        return L(...(reports.variablesOf(String(data['RPTID'])) ?? []).map((id) => U4(Number(id))))
      default:
        return undefined
    }
  }
}
