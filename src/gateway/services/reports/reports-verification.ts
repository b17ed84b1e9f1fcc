import { Problem } from '../../../contract/errors.js'
import type { Clock } from '../../../kit/clock.js'
import { Pace } from '../../../kit/pace.js'
import type { EquipmentRegistry } from '../../equipment/registry.js'
import type { EquipmentKnowledge } from '../../knowledge/equipment-knowledge.js'
import { throwBug } from '../../store-problem.js'
import { untilStored } from '../../until-stored.js'
import type { Asking } from '../asking.js'
import type { Naming } from '../naming.js'
import { changedElsewhereText } from './changed-elsewhere.js'
import { type KeptReports, plainId, sameIds } from './kept-reports.js'
import { NotNeeded } from './paced-asking.js'
import {
  type OtherDefinitions,
  type OtherReport,
  otherEvents,
  otherReports,
  variablesOf,
} from './read-back.js'
import type { SetEvent, SetReport } from './report-setup.js'
import type { ReportsMaintenance } from './reports-maintenance.js'
import type { ReadBackQuestion, ReportsRecord } from './reports-record.js'
import { SlowAsking } from './slow-asking.js'

/** Milliseconds between two questions to all equipment together. */
const INTERVAL_MS = 50
/** Reports of one equipment that are asked for over one connection. */
const MAX_REPORTS = 1000

/** What is compared with what the equipment has. */
interface Wanted {
  readonly reports: readonly SetReport[]
  readonly events: readonly SetEvent[]
}

/** A look at equipment that is under way. */
interface Look {
  readonly over: AbortController
  readonly asker: SlowAsking
  ended: Promise<void>
}

/**
 * Looks slowly, after each connection, whether another host has defined reports anew or switched events while the gateway
 * was away, and has the definition applied again. Equipment can have one host at a time, so nobody does it meanwhile.
 */
export class ReportsVerification {
  readonly #looks = new Map<string, Look>()
  readonly #pace: Pace

  constructor(
    private readonly kept: KeptReports,
    private readonly maintenance: Pick<ReportsMaintenance, 'settled' | 'applyAgain' | 'contradicted'>,
    private readonly asking: Asking,
    private readonly naming: Pick<Naming, 'of'>,
    private readonly clock: Clock,
  ) {
    this.#pace = new Pace(clock, INTERVAL_MS, 1)
  }

  /** Watches for equipment that communicates again or is deleted. Tapped equipment never starts: its own host asks it. */
  watch({ started, removed }: Pick<EquipmentRegistry, 'started' | 'removed'>): void {
    started.on(({ equipmentId }) => void this.returned(equipmentId).catch(throwBug))
    removed.on((equipmentId) => this.#end(equipmentId))
    // Before all is defined again: afterwards nobody could tell which reports were others.
    this.maintenance.contradicted.on(({ equipmentId, waitFor }) => waitFor(this.#urge(equipmentId)))
  }

  close(): void {
    for (const equipmentId of [...this.#looks.keys()]) this.#end(equipmentId)
    this.#pace.close()
  }

  /** Call when the equipment communicates again. Resolves once it was looked at, or is not to be any more. */
  returned(equipmentId: string): Promise<void> {
    this.#end(equipmentId)
    const { asking, clock } = this
    const over = new AbortController()
    const asker = new SlowAsking({ asking, clock, pace: this.#pace, signal: over.signal })
    const look: Look = { over, asker, ended: Promise.resolve() }
    this.#looks.set(equipmentId, look)
    look.ended = untilStored(
      clock,
      () => !over.signal.aborted,
      () => this.#look(equipmentId, look),
    )
      .catch((error: unknown) => {
        // It is tried again at the next connection.
        if (!(error instanceof NotNeeded)) throw error
      })
      .finally(() => {
        if (this.#looks.get(equipmentId) === look) this.#looks.delete(equipmentId)
      })
    return look.ended
  }

  #end(equipmentId: string): void {
    this.#looks.get(equipmentId)?.over.abort()
    this.#looks.delete(equipmentId)
  }

  /** Resolves once a look that is under way has ended, without pauses. */
  async #urge(equipmentId: string): Promise<void> {
    const look = this.#looks.get(equipmentId)
    look?.asker.hurry()
    await look?.ended.catch(throwBug)
  }

  async #look(equipmentId: string, { asker, over: { signal } }: Look): Promise<void> {
    await this.maintenance.settled(equipmentId)
    // The names of its variables are among the questions that go first.
    await asker.untilCalm(equipmentId)
    const record = await this.kept.get(equipmentId)
    const wanted = this.#wanted(equipmentId, record)
    const others = { reports: [] as OtherReport[], events: [] as readonly SetEvent[] }
    let isInterrupted = true
    try {
      others.events = await otherEvents(asker, equipmentId, wanted.events, this.naming.of(equipmentId))
      if (others.events.length > 0) asker.hurry()
      const known = (): EquipmentKnowledge => this.naming.of(equipmentId)
      for await (const other of otherReports(asker, equipmentId, wanted.reports, known)) {
        // Nothing can be recorded under wrong names of one that is gone, and was not applied.
        const isGone = other.found.length === 0
        if (isGone && !record?.setup.reports.some(({ id }) => plainId(id) === plainId(other.id))) continue
        others.reports.push(other)
        asker.hurry()
      }
      isInterrupted = false
    } finally {
      // What was found out before the equipment went away is said nevertheless.
      if (others.reports.length + others.events.length > 0)
        await this.kept.inTurn(equipmentId, async () => {
          // Throws where it was deleted, or another process drives it now.
          this.asking.nameOf(equipmentId)
          const now = await this.kept.get(equipmentId)
          // Otherwise somebody has applied reports meanwhile.
          const isStill = !signal.aborted && now?.applied_at === record?.applied_at
          const isToMend = await this.#say(equipmentId, others, isStill ? now : undefined)
          if (isToMend && !isInterrupted) await this.#mend(equipmentId, others)
        })
    }
  }

  /** Those that were applied, as long as the gateway is to apply them again; and those that somebody else has defined. */
  #wanted(equipmentId: string, record: ReportsRecord | undefined): Wanted {
    const { apply_again: when = 'when_missing' } = record?.definition ?? {}
    const isPresent = !record || this.kept.reportsState(record).state === 'present'
    if (when === 'never') return { reports: [], events: [] }
    const says = (question: ReadBackQuestion): boolean => !record?.unshown?.includes(question)
    const applied = record?.setup.reports ?? []
    const doubted = says('S6F21') ? doubtedReports(applied, this.naming.of(equipmentId)) : []
    // Whoever applies what was applied again sees to that. Values of other reports need their names all the same.
    const isApplied = (report: SetReport): boolean =>
      applied.some(({ id }) => plainId(id) === plainId(report.id))
    if (!isPresent) return { reports: doubted.filter((report) => !isApplied(report)), events: [] }
    const areChecked = when === 'when_missing' && says('EventsEnabled')
    return { reports: doubted, events: areChecked ? (record?.setup.events ?? []) : [] }
  }

  /** Says what differs. True where the equipment does not have what is in the record, so that it is to be applied again. */
  async #say(
    equipmentId: string,
    others: OtherDefinitions,
    record: ReportsRecord | undefined,
  ): Promise<boolean> {
    const set = new Set(record?.setup.reports.map(({ id }) => plainId(id)))
    const isMissing =
      record !== undefined &&
      (others.events.length > 0 || others.reports.some(({ id }) => set.has(plainId(id))))
    const since = others.reports.length > 0 ? Math.min(...others.reports.map((one) => one.since)) : undefined
    const span = since === undefined ? undefined : { message: since, at: await this.kept.timeOf(since) }
    await this.kept.changedElsewhere(equipmentId, isMissing, {
      error: changedElsewhereText(others, this.naming.of(equipmentId), span),
      reports: others.reports.map(({ id }) => id),
      events: others.events.map(({ id }) => id),
      ...(since !== undefined && { since_message: String(since) }),
    })
    return isMissing
  }

  async #mend(equipmentId: string, others: OtherDefinitions): Promise<void> {
    const record = await this.kept.get(equipmentId)
    if (!record) return
    await this.maintenance.applyAgain(record)
    await this.#judge(equipmentId, others)
  }

  /** A question that does not show what the equipment has just accepted would not show it at any connection. */
  async #judge(equipmentId: string, { reports, events }: OtherDefinitions): Promise<void> {
    const record = await this.kept.get(equipmentId)
    if (!record || this.kept.reportsState(record).state !== 'present') return
    const unshown: ReadBackQuestion[] = []
    const report = record.setup.reports.find(({ id }) => reports.some((other) => other.id === id))
    try {
      const found = report && (await variablesOf(this.asking, equipmentId, report.id))
      if (found && !sameIds(found, report.variables)) unshown.push('S6F21')
      const left = await otherEvents(this.asking, equipmentId, events, this.naming.of(equipmentId))
      if (left.length > 0) unshown.push('EventsEnabled')
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
    if (unshown.length > 0) await this.kept.unshown(record, unshown)
  }
}

/**
 * Reports that were applied and all others that are known, as long as nothing shows that they are still the same; those
 * that have been doubted for longest first, since a connection may be too short for all.
 */
function doubtedReports(applied: readonly SetReport[], known: EquipmentKnowledge): readonly SetReport[] {
  const ids = new Set(applied.map(({ id }) => plainId(id)))
  const others = [...known.reports].flatMap(([id, variables]) => (ids.has(id) ? [] : [{ id, variables }]))
  return [...applied, ...others]
    .flatMap((report) => {
      const since = known.doubtedSince(plainId(report.id))
      return since === null ? [] : [{ report, since }]
    })
    .sort((one, other) => one.since - other.since)
    .slice(0, MAX_REPORTS)
    .map(({ report }) => report)
}
