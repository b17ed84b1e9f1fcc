import { severityOf } from '../../contract/alarm-severity.js'
import { faultyRequest, Problem } from '../../contract/errors.js'
import type { Identity } from '../../contract/topics/accounts/users.js'
import { MAX_SHELVED, type ShelfRequest, type ShelvedAlarm } from '../../contract/topics/alarm-shelving.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import { tracedBy } from '../../kit/text/traceparent.js'
import type { NewEntry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import type { Ownership } from '../../store/ownership.js'
import type { Decisions } from '../decisions.js'
import type { EquipmentKnowledge } from '../knowledge/equipment-knowledge.js'
import { ALARM_SHELVED, ALARM_UNSHELVED } from '../records/journal-kinds.js'
import { type Keys, reaching } from '../records/journal-page.js'
import { type AlarmOccurrences, alidMark } from './alarm-occurrences.js'
import { type AlarmShelves, PERSONAL_SAFETY, type Shelf } from './alarm-shelves.js'
import type { AlarmData } from './alarm-view.js'
import { alidFault } from './alid-faults.js'

/** Milliseconds between two looks at what is shelved: the wall clock may jump. */
const LOOK_MS = 1000

interface ShelvingParts {
  readonly journal: Journal
  readonly clock: Clock
  readonly shelves: AlarmShelves
  readonly occurrences: AlarmOccurrences
  readonly decisions: Decisions
  readonly ownership: Pick<Ownership, 'owns'>
  /** The name of an equipment, the last one once it is deleted; null where none is known. */
  readonly nameOf: (equipmentId: string) => string | null
  /** What an equipment has listed; undefined once it is deleted. */
  readonly knowledgeOf: (equipmentId: string) => Pick<EquipmentKnowledge, 'alarms' | 'hasWhole'> | undefined
}

/** The alarms of an equipment are decided about one after the other: the key of `Decisions`. */
export const turnOf = (equipmentId: string): string => `alarms ${equipmentId}`

/** The entry that ends a shelf. */
export const unshelved = (
  { equipmentId, alid, seq }: Shelf,
  cause: 'call' | 'ended' | 'equipment_deleted',
  at: string,
  by?: string,
): NewEntry => ({
  ...ALARM_UNSHELVED,
  key: equipmentId,
  at,
  data: { alid, shelf_id: String(seq), cause, unshelved_by: by ?? null },
})

/** Shelves alarms, and records the end of each shelf once its time is over. */
export class AlarmShelving {
  readonly #ending = new Set<number>()
  #cancel: Cancel | undefined
  #isClosed = false

  /** `shelves` are attached to the journal. */
  constructor(private readonly parts: ShelvingParts) {
    parts.shelves.begin()
    parts.shelves.changed.on(() => this.#lookLater())
    this.#lookLater()
  }

  /** Throws `invalid_request` for what can be no ALID, `personal_safety_alarm` and `quota_exceeded`. */
  async shelve(
    equipmentId: string,
    alid: string,
    by: Identity,
    given: ShelfRequest & { readonly traceparent?: string },
  ): Promise<ShelvedAlarm> {
    const { journal, clock, decisions, shelves } = this.parts
    const { for_seconds, reason, personal_safety = false, traceparent } = given
    this.#checkAlid(equipmentId, alid)
    const known = await this.#known(equipmentId, alid)
    if (known?.category === PERSONAL_SAFETY && !personal_safety)
      throw new Problem(
        'personal_safety_alarm',
        `Alarm ${alid} (${known.text}) is one of personal safety: it is shelved only with personal_safety.`,
      )
    const shelf = await decisions.decide([turnOf(equipmentId)], async () => {
      const others = shelves.current(equipmentId).filter((shelf) => shelf.alid !== alid)
      if (others.length >= MAX_SHELVED)
        throw new Problem('quota_exceeded', `${MAX_SHELVED} alarms of this equipment are shelved already.`)
      const now = clock.date().getTime()
      const until = new Date(now + for_seconds * 1000).toISOString()
      const what = { alid, text: known?.text ?? null, category: known?.category ?? null, personal_safety }
      const data = { ...what, until, shelved_by: by.email, reason, ...tracedBy(traceparent) }
      const at = new Date(now).toISOString()
      const { seq } = await journal.append({ ...ALARM_SHELVED, key: equipmentId, at, data })
      // Before the next decision, which may unshelve it.
      return shelves.current(equipmentId).find((one) => one.seq === seq)
    })
    if (!shelf) throw new Problem('equipment_not_found', 'The equipment was deleted at the same time.')
    return this.#view(shelf)
  }

  /** It is no error if the alarm is not shelved. */
  async unshelve(equipmentId: string, alid: string, by: Identity): Promise<void> {
    const { journal, clock, decisions, shelves } = this.parts
    await decisions.decide([turnOf(equipmentId)], async () => {
      const shelf = shelves.current(equipmentId).find((one) => one.alid === alid)
      if (shelf) await journal.append(unshelved(shelf, 'call', clock.date().toISOString(), by.email))
    })
  }

  /** What is shelved now, what ends first at the beginning. `keys`: the equipment; undefined for all. */
  list(keys: Keys | undefined): readonly ShelvedAlarm[] {
    const isWanted = reaching(keys)
    return this.parts.shelves
      .current()
      .filter(({ equipmentId }) => isWanted(equipmentId))
      .map((shelf) => this.#view(shelf))
      .sort((a, b) => Date.parse(a.until) - Date.parse(b.until))
  }

  close(): void {
    this.#isClosed = true
    this.#cancel?.()
  }

  /** What the newest open occurrence says of the alarm. */
  async #known(equipmentId: string, alid: string): Promise<AlarmData | undefined> {
    const occurrence = this.parts.occurrences.openOf(equipmentId, alidMark(alid))
    const set = occurrence && (await this.parts.journal.get(occurrence.textEntry))
    return set?.data as unknown as AlarmData | undefined
  }

  /** Whether the equipment has reported or listed the alarm; null where its list is not known. */
  #isKnown(equipmentId: string, alid: string): boolean | null {
    const { occurrences, knowledgeOf } = this.parts
    if (occurrences.openOf(equipmentId, alidMark(alid))) return true
    const knowledge = knowledgeOf(equipmentId)
    if (knowledge?.alarms.has(alid)) return true
    return knowledge?.hasWhole('S5F5') ? false : null
  }

  /** An ALID that the equipment uses is never refused. */
  #checkAlid(equipmentId: string, alid: string): void {
    if (this.#isKnown(equipmentId, alid)) return
    const detail = alidFault(alid, this.parts.knowledgeOf(equipmentId)?.alarms.keys() ?? [])
    if (detail !== undefined) throw faultyRequest('invalid_request', [{ pointer: 'alid', detail }])
  }

  #view({ equipmentId, alid, text, category, personalSafety, shown }: Shelf): ShelvedAlarm {
    return {
      equipment_id: equipmentId,
      equipment_name: this.parts.nameOf(equipmentId),
      alid,
      known: this.#isKnown(equipmentId, alid),
      text,
      ...(category !== null && { severity: severityOf(category) }),
      ...shown,
      personal_safety: personalSafety,
    }
  }

  #lookLater(): void {
    const { clock, shelves } = this.parts
    if (this.#isClosed || this.#cancel || shelves.isEmpty) return
    this.#cancel = clock.at(clock.now() + LOOK_MS, () => {
      this.#cancel = undefined
      for (const shelf of shelves.over()) void this.#end(shelf)
      this.#lookLater()
    })
  }

  /** Records the end, where this process has the equipment. What fails is tried again at the next look. */
  async #end(shelf: Shelf): Promise<void> {
    const { journal, clock, decisions, shelves, ownership } = this.parts
    const { seq, equipmentId } = shelf
    if (this.#ending.has(seq) || !ownership.owns(equipmentId)) return
    this.#ending.add(seq)
    try {
      await decisions.decide([turnOf(equipmentId)], async () => {
        if (shelves.over().some((one) => one.seq === seq))
          await journal.append(unshelved(shelf, 'ended', clock.date().toISOString()))
      })
    } catch {
      // The store is away, or another process has the equipment.
    } finally {
      this.#ending.delete(seq)
    }
  }
}
