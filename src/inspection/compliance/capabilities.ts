import type { NamedData } from '../../contract/messages.js'
import type { Capability, Question, Told } from './question.js'

/** A command, an object and ids that no equipment has: what is about them is refused, and changes nothing. */
const NOBODY = 'SECSCTL-CHECK'
const NO_ID = '4294967000'

const rowsOf = (reply: NamedData, name = 'ROWS'): readonly Readonly<Record<string, unknown>>[] => {
  const rows = reply[name]
  return Array.isArray(rows) ? rows : []
}
const idsOf = (reply: NamedData, id: string): readonly string[] => rowsOf(reply).map((row) => String(row[id]))
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** What an acknowledge code says. */
const code =
  (item: string) =>
  (reply: NamedData): string =>
    `${item} ${String(reply[item])}`

const asks = (stream: number, fn: number, more: Omit<Question, 'stream' | 'function'> = {}): Question => ({
  stream,
  function: fn,
  ...more,
})

/** A question about the first of some ids, where there is one. */
const aboutFirst =
  (of: (told: Told) => readonly string[], data: (id: string, told: Told) => NamedData) =>
  (told: Told): NamedData | undefined => {
    const [id] = of(told)
    return id === undefined ? undefined : data(id, told)
  }

/** As the documents of equipment list them, in an order in which one teaches what the next asks about. */
export const CAPABILITIES: readonly Capability[] = [
  {
    name: 'On-line identification',
    kind: 'fundamental',
    questions: [
      asks(1, 1, { read: ({ MDLN = '', SOFTREV = '' }) => `${String(MDLN)} ${String(SOFTREV)}`.trim() }),
    ],
  },
  {
    name: 'Error messages',
    kind: 'fundamental',
    questions: [asks(1, 127, { wantsFault: true })],
  },
  {
    name: 'Variable and event namelists',
    kind: 'other',
    questions: [
      asks(1, 21, { read: (reply) => counted(rowsOf(reply).length, 'data variable') }),
      asks(1, 23, {
        read: (reply, told) => {
          told.events = idsOf(reply, 'CEID')
          return counted(told.events.length, 'event')
        },
      }),
    ],
  },
  {
    name: 'Event notification',
    kind: 'fundamental',
    questions: [
      asks(6, 15, {
        data: ({ events: [CEID = '1'] }) => ({ CEID }),
        read: (reply) => counted(rowsOf(reply, 'REPORTS').length, 'report'),
      }),
      asks(2, 37, { writes: true, data: () => ({ CEED: true, CEID: [NO_ID] }), read: code('ERACK') }),
    ],
  },
  {
    name: 'Status data collection',
    kind: 'additional',
    questions: [
      asks(1, 11, {
        read: (reply, told) => {
          told.variables = idsOf(reply, 'SVID')
          return counted(told.variables.length, 'variable')
        },
      }),
      asks(1, 3, {
        data: aboutFirst(
          ({ variables }) => variables,
          (SVID) => ({ SVID: [SVID] }),
        ),
        read: () => 'a value',
      }),
    ],
  },
  {
    name: 'Equipment constants',
    kind: 'additional',
    questions: [
      asks(2, 29, {
        read: (reply, told) => {
          told.constants = idsOf(reply, 'ECID')
          return counted(told.constants.length, 'constant')
        },
      }),
      asks(2, 13, {
        data: aboutFirst(
          ({ constants }) => constants,
          (ECID) => ({ ECID: [ECID] }),
        ),
        read: () => 'a value',
      }),
      asks(2, 15, { writes: true, data: () => ({ ROWS: [{ ECID: NO_ID, ECV: 0 }] }), read: code('EAC') }),
    ],
  },
  {
    name: 'Multi-block inquiry',
    kind: 'other',
    questions: [
      asks(2, 39, { writes: true, data: () => ({ DATAID: NO_ID, DATALENGTH: 300 }), read: code('GRANT') }),
    ],
  },
  {
    name: 'Dynamic event report configuration',
    kind: 'additional',
    questions: [
      asks(2, 33, {
        writes: true,
        data: ({ variables: [VID = NO_ID] }) => ({ DATAID: NO_ID, REPORTS: [{ RPTID: NO_ID, VID: [VID] }] }),
        read: code('DRACK'),
      }),
      asks(2, 35, {
        writes: true,
        data: () => ({ DATAID: NO_ID, EVENTS: [{ CEID: NO_ID, RPTID: [NO_ID] }] }),
        read: code('LRACK'),
      }),
      // Deletes the one that was defined, and no other.
      asks(2, 33, {
        writes: true,
        data: () => ({ DATAID: NO_ID, REPORTS: [{ RPTID: NO_ID, VID: [] }] }),
        read: code('DRACK'),
      }),
    ],
  },
  {
    name: 'Trace data collection',
    kind: 'additional',
    questions: [
      // Ends a trace that there is not.
      asks(2, 23, {
        writes: true,
        data: () => ({ TRID: NO_ID, DSPER: '000010', TOTSMP: 0, REPGSZ: 1, SVID: [] }),
        read: code('TIAACK'),
      }),
    ],
  },
  {
    name: 'Limits monitoring',
    kind: 'additional',
    questions: [asks(2, 47, { read: (reply) => counted(rowsOf(reply, 'VARIABLES').length, 'variable') })],
  },
  {
    name: 'Alarm management',
    kind: 'additional',
    questions: [
      asks(5, 5, { read: (reply) => counted(rowsOf(reply).length, 'alarm') }),
      asks(5, 7, { read: (reply) => `${rowsOf(reply).length} enabled` }),
      asks(5, 3, { writes: true, data: () => ({ ALED: 128, ALID: NO_ID }), read: code('ACKC5') }),
    ],
  },
  {
    name: 'Remote control',
    kind: 'additional',
    questions: [asks(2, 41, { writes: true, data: () => ({ RCMD: NOBODY }), read: code('HCACK') })],
  },
  {
    name: 'Enhanced remote commands',
    kind: 'other',
    questions: [
      asks(2, 49, {
        writes: true,
        data: ({ answered }) =>
          answered.has('S2F41') ? { DATAID: 0, OBJSPEC: '', RCMD: NOBODY, PARAMS: [] } : undefined,
        read: code('HCACK'),
      }),
    ],
  },
  {
    name: 'Process recipe management',
    kind: 'additional',
    questions: [
      asks(7, 19, {
        read: ({ PPID }, told) => {
          told.programs = [PPID ?? []].flat().map(String)
          return counted(told.programs.length, 'program')
        },
      }),
      asks(7, 5, {
        data: aboutFirst(
          ({ programs }) => programs,
          (PPID) => ({ PPID }),
        ),
        read: () => 'a program',
      }),
    ],
  },
  {
    name: 'Formatted process programs',
    kind: 'other',
    questions: [
      asks(7, 25, {
        data: aboutFirst(
          ({ programs }) => programs,
          (PPID) => ({ PPID }),
        ),
        read: () => 'a program',
      }),
    ],
  },
  {
    name: 'Equipment terminal services',
    kind: 'additional',
    questions: [
      asks(10, 3, { writes: true, data: () => ({ TID: 0, TEXT: 'secsctl check' }), read: code('ACKC10') }),
    ],
  },
  {
    name: 'Clock',
    kind: 'additional',
    questions: [
      asks(2, 17, {
        read: ({ TIME }, told) => {
          told.time = String(TIME)
          return told.time
        },
      }),
      // To what it says itself.
      asks(2, 31, {
        writes: true,
        data: ({ time }) => (time === undefined ? undefined : { TIME: time }),
        read: code('TIACK'),
      }),
    ],
  },
  {
    name: 'Spooling',
    kind: 'additional',
    questions: [
      // The gateway asks for it by itself after every connect.
      asks(6, 23, { writes: true, data: () => ({ RSDC: 0 }), read: code('RSDA') }),
    ],
  },
  {
    name: 'Control (host-initiated)',
    kind: 'additional',
    // Some equipment answers S1F1 while it is off line: S1F17 would switch it on line.
    questions: [asks(1, 17, { writes: true, data: () => ({}), read: code('ONLACK') })],
  },
  {
    name: 'Loopback diagnostics',
    kind: 'other',
    questions: [asks(2, 25, { data: () => ({ ABS: [1, 2, 3] }), read: ({ ABS }) => String(ABS) })],
  },
]
