import type { NamedData } from '../../contract/topics/messages.js'

/** The lists of ids that answers bring, for later questions about the first of them. */
type IdList = 'variables' | 'constants' | 'events' | 'programs'

/** What the equipment has answered so far. */
export type Known = Record<IdList, readonly string[]> & {
  /** TIME of S2F18. */
  time?: string
  /** Messages that were answered, such as `S2F41`. */
  readonly answered: Set<string>
}

/** One message of a capability, such as S1F11. */
export interface Question {
  readonly stream: number
  readonly function: number
  /** It changes something at the equipment, or might. */
  readonly writes?: true
  /** Named items; undefined where earlier answers have nothing to ask about. */
  readonly data?: (known: Known) => NamedData | undefined
  /** The reply in a few words; also keeps what later questions need. */
  readonly read?: (reply: NamedData, known: Known) => string
  /** The right answer is a stream 9 message. */
  readonly expectsFault?: true
}

/** GEM's fundamental requirements and additional capabilities (SEMI E30), and what goes beyond or belongs to one. */
export type CapabilityKind = 'fundamental' | 'additional' | 'other'

export interface Capability {
  readonly name: string
  readonly kind: CapabilityKind
  readonly questions: readonly Question[]
}

/** A command, an object and ids that no equipment has: a message about them is refused, and changes nothing. */
const NOBODY = 'SECSCTL-CHECK'
const NO_ID = '4294967000'

const capability = (name: string, kind: CapabilityKind, ...questions: readonly Question[]): Capability => ({
  name,
  kind,
  questions,
})

const asks = (stream: number, fn: number, more: Omit<Question, 'stream' | 'function'> = {}): Question => ({
  stream,
  function: fn,
  ...more,
})

const rowsOf = (reply: NamedData, name = 'ROWS'): readonly Readonly<Record<string, unknown>>[] => {
  const rows = reply[name]
  return Array.isArray(rows) ? rows : []
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Asks for a list, and says how many rows it has. */
const counts = (stream: number, fn: number, what: string, rows = 'ROWS'): Question =>
  asks(stream, fn, { read: (reply) => counted(rowsOf(reply, rows).length, what) })

/** Asks for a list, and keeps the ids in it. */
const lists = (stream: number, fn: number, what: string, id: string, list: IdList): Question =>
  asks(stream, fn, {
    read: (reply, known) => {
      known[list] = rowsOf(reply).map((row) => String(row[id]))
      return counted(known[list].length, what)
    },
  })

/** Asks about the first id of a list, where there is one. */
const asksFirst = (
  stream: number,
  fn: number,
  what: string,
  list: IdList,
  data: (id: string) => NamedData,
): Question =>
  asks(stream, fn, {
    data: ({ [list]: [id] }) => (id === undefined ? undefined : data(id)),
    read: () => what,
  })

/** Sends what changes something, or might; the reply is an acknowledge code. */
const writes = (
  stream: number,
  fn: number,
  code: string,
  data: NamedData | ((known: Known) => NamedData | undefined),
): Question =>
  asks(stream, fn, {
    writes: true,
    data: typeof data === 'function' ? data : () => data,
    read: (reply) => `${code} ${String(reply[code])}`,
  })

/** In the order in which the documents of equipment list them; earlier answers bring ids for later questions. */
export const CAPABILITIES: readonly Capability[] = [
  capability(
    'Online identification',
    'fundamental',
    asks(1, 1, { read: ({ MDLN = '', SOFTREV = '' }) => `${String(MDLN)} ${String(SOFTREV)}`.trim() }),
  ),
  capability('Error messages', 'fundamental', asks(1, 127, { expectsFault: true })),
  capability(
    'Variable and event namelists',
    'other',
    counts(1, 21, 'data variable'),
    lists(1, 23, 'event', 'CEID', 'events'),
  ),
  capability(
    'Event notification',
    'fundamental',
    asks(6, 15, {
      data: ({ events: [CEID = '1'] }) => ({ CEID }),
      read: (reply) => counted(rowsOf(reply, 'REPORTS').length, 'report'),
    }),
    writes(2, 37, 'ERACK', { CEED: true, CEID: [NO_ID] }),
  ),
  capability(
    'Status data collection',
    'additional',
    lists(1, 11, 'variable', 'SVID', 'variables'),
    asksFirst(1, 3, 'a value', 'variables', (SVID) => ({ SVID: [SVID] })),
  ),
  capability(
    'Equipment constants',
    'additional',
    lists(2, 29, 'constant', 'ECID', 'constants'),
    asksFirst(2, 13, 'a value', 'constants', (ECID) => ({ ECID: [ECID] })),
    writes(2, 15, 'EAC', { ROWS: [{ ECID: NO_ID, ECV: 0 }] }),
  ),
  capability('Multi-block inquiry', 'other', writes(2, 39, 'GRANT', { DATAID: NO_ID, DATALENGTH: 300 })),
  capability(
    'Dynamic event report configuration',
    'additional',
    writes(2, 33, 'DRACK', ({ variables: [VID = NO_ID] }) => ({
      DATAID: NO_ID,
      REPORTS: [{ RPTID: NO_ID, VID: [VID] }],
    })),
    writes(2, 35, 'LRACK', { DATAID: NO_ID, EVENTS: [{ CEID: NO_ID, RPTID: [NO_ID] }] }),
    // Deletes the one that was defined, and no other.
    writes(2, 33, 'DRACK', { DATAID: NO_ID, REPORTS: [{ RPTID: NO_ID, VID: [] }] }),
  ),
  capability(
    'Trace data collection',
    'additional',
    // Ends a trace that does not exist.
    writes(2, 23, 'TIAACK', { TRID: NO_ID, DSPER: '000010', TOTSMP: 0, REPGSZ: 1, SVID: [] }),
  ),
  capability('Limits monitoring', 'additional', counts(2, 47, 'variable', 'VARIABLES')),
  capability(
    'Alarm management',
    'additional',
    counts(5, 5, 'alarm'),
    asks(5, 7, { read: (reply) => `${rowsOf(reply).length} enabled` }),
    writes(5, 3, 'ACKC5', { ALED: 128, ALID: NO_ID }),
  ),
  capability('Remote control', 'additional', writes(2, 41, 'HCACK', { RCMD: NOBODY })),
  capability(
    'Enhanced remote commands',
    'other',
    writes(2, 49, 'HCACK', ({ answered }) =>
      answered.has('S2F41') ? { DATAID: 0, OBJSPEC: '', RCMD: NOBODY, PARAMS: [] } : undefined,
    ),
  ),
  capability(
    'Process recipe management',
    'additional',
    asks(7, 19, {
      read: ({ PPID }, known) => {
        known.programs = [PPID ?? []].flat().map(String)
        return counted(known.programs.length, 'program')
      },
    }),
    asksFirst(7, 5, 'a program', 'programs', (PPID) => ({ PPID })),
  ),
  capability(
    'Formatted process programs',
    'other',
    asksFirst(7, 25, 'a program', 'programs', (PPID) => ({ PPID })),
  ),
  capability(
    'Equipment terminal services',
    'additional',
    writes(10, 3, 'ACKC10', { TID: 0, TEXT: 'secsctl check' }),
  ),
  capability(
    'Clock',
    'additional',
    asks(2, 17, { read: ({ TIME }, known) => (known.time = String(TIME)) }),
    // Set to the time that it has.
    writes(2, 31, 'TIACK', ({ time }) => (time === undefined ? undefined : { TIME: time })),
  ),
  // The gateway itself sends S6F23 after every connect.
  capability('Spooling', 'additional', writes(6, 23, 'RSDA', { RSDC: 0 })),
  // Some equipment answers S1F1 while it is offline: S1F17 would switch it online.
  capability('Control (host-initiated)', 'additional', writes(1, 17, 'ONLACK', {})),
  capability(
    'Loopback diagnostics',
    'other',
    asks(2, 25, { data: () => ({ ABS: [1, 2, 3] }), read: ({ ABS }) => String(ABS) }),
  ),
]
