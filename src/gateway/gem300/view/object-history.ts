import type { Page } from '../../../contract/schema.js'
import type {
  ObjectHistoryQuery,
  RecordedObjectChange,
} from '../../../contract/topics/gem300/object-history.js'
import type { ObjectKind } from '../../../gem300/object-states.js'
import type { Entry } from '../../../store/entry.js'
import type { Journal } from '../../../store/journal.js'
import { readSifted } from '../../records/journal-page.js'
import { historyTopic } from './history-topic.js'
import { CHANGE_KINDS } from './known-objects.js'

/** Of which objects. */
interface Subject {
  readonly equipmentId: string
  readonly kind: ObjectKind
  /** All of the kind where it is left out. */
  readonly objectId?: string | undefined
}

/** Changes that an earlier version has recorded. */
const NO_TOPIC = ''

/** One page of the recorded changes of objects. Throws `invalid_cursor` and `cursor_expired`. */
export async function objectHistory(
  journal: Journal,
  { equipmentId, kind, objectId }: Subject,
  query: ObjectHistoryQuery,
): Promise<Page<RecordedObjectChange>> {
  const asked = { ...query, equipment_id: equipmentId, object_id: objectId }
  const topic = objectId === undefined ? undefined : historyTopic(kind, objectId)
  const isMeant = ({ data }: Entry): boolean => objectId === undefined || data['object_id'] === objectId
  const { entries, next_cursor } = await readSifted(
    journal,
    `${kind}_history`,
    asked,
    { kinds: [CHANGE_KINDS[kind]], ...(topic !== undefined && { topics: new Set([topic, NO_TOPIC]) }) },
    equipmentId,
    async (all) => all.filter(isMeant),
  )
  return { items: entries.map(recordedChange), next_cursor }
}

const recordedChange = ({ seq, at, data }: Entry): RecordedObjectChange => ({
  ...(data as unknown as Omit<RecordedObjectChange, 'id' | 'at'>),
  id: String(seq),
  at,
})
