/** What the database of a site holds. Rows are replaced, not changed, so that a copy of a map is a copy of the table. */
export interface Tables {
  readonly nodes: Map<string, NodeRow>
  readonly leases: Map<string, LeaseRow>
  /** By the names of the journals. */
  readonly journals: ReadonlyMap<string, JournalTables>
  /** The version of the last change of leases and documents. */
  version: number
  readonly collections: Map<string, number>
  /** The version of the tables that processes have found or made. */
  schema: number
  readonly turns: Map<string, number>
  readonly documents: Map<string, DocumentRow>
  readonly secrets: Map<string, { readonly sealed: boolean; readonly content: Buffer }>
  trustedTime: { readonly believed: number; readonly saved: number } | undefined
  /** Another one after a failover. */
  history: string
}

export interface JournalTables {
  readonly entries: StoredEntry[]
  readonly pinned: Map<number, StoredEntry>
  /** The last batch of each process, and the number of its first entry. */
  readonly writers: Map<string, { readonly batch: number; readonly first: number | null }>
  readonly snapshots: Map<string, SnapshotRow>
  /** Days, each with its first number; and all days that have a partition. */
  portions: readonly { readonly day: string; readonly first: number }[]
  readonly partitions: Set<string>
  last: number
  first: number
  /** '' before the first. */
  day: string
  mark: string | null
  history: string | null
}

export interface NodeRow {
  readonly id: string
  readonly name: string
  readonly url: string | null
  readonly version: string
  readonly startedAt: number
  readonly hasEnded: boolean
  readonly endedAt: number
  readonly read: number
  readonly renewal: number
  readonly leaseMs: number | null
  readonly draining: boolean
}

export interface LeaseRow {
  readonly key: string
  readonly owner: string | null
  readonly epoch: number
  readonly state: string | null
  readonly version: number
}

export interface DocumentRow {
  readonly collection: string
  readonly id: string
  readonly record: string | null
  readonly version: number
  readonly changedBy: string
  readonly added: number
}

export interface StoredEntry {
  readonly day: string
  readonly seq: number
  readonly key: string
  readonly type: string
  readonly name: string
  readonly topic: string
  readonly at: number
  readonly data: string
  readonly mark: string
}

export interface SnapshotRow {
  readonly version: number
  readonly seq: number
  readonly lines: readonly string[]
}

const emptyJournal = (): JournalTables => ({
  entries: [],
  pinned: new Map(),
  writers: new Map(),
  snapshots: new Map(),
  portions: [],
  partitions: new Set(),
  last: 0,
  first: 1,
  day: '',
  mark: null,
  history: null,
})

export const emptyTables = (history: string, schema: number): Tables => ({
  nodes: new Map(),
  leases: new Map([['site', { key: 'site', owner: null, epoch: 0, state: null, version: 0 }]]),
  journals: new Map([
    ['journal', emptyJournal()],
    ['audit', emptyJournal()],
  ]),
  version: 0,
  collections: new Map(),
  turns: new Map(),
  documents: new Map(),
  secrets: new Map(),
  trustedTime: undefined,
  history,
  schema,
})

/** All tables as they are now. */
export const copyOf = (tables: Tables): Tables => ({
  ...tables,
  nodes: new Map(tables.nodes),
  leases: new Map(tables.leases),
  collections: new Map(tables.collections),
  turns: new Map(tables.turns),
  documents: new Map(tables.documents),
  secrets: new Map(tables.secrets),
  journals: new Map(
    [...tables.journals].map(([name, journal]) => [
      name,
      {
        ...journal,
        entries: [...journal.entries],
        pinned: new Map(journal.pinned),
        writers: new Map(journal.writers),
        snapshots: new Map(journal.snapshots),
        partitions: new Set(journal.partitions),
      },
    ]),
  ),
})

/** Puts other tables in the place of these. */
export const replaceTables = (tables: Tables, others: Tables): void => void Object.assign(tables, others)
