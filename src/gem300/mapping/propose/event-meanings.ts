import { KINDS, type ObjectKind } from '../../object-states.js'
import { OCCURRENCES, type Occurrence } from '../mapping.js'
import { MACHINE_SPELLINGS, type MachineSpellings, PLAIN_WORDS } from './machine-spellings.js'

/** What an event may mean. */
export interface EventMeaning {
  /** Undefined for an occurrence that is no state. */
  readonly kind: ObjectKind | undefined
  readonly state: string | undefined
  readonly occurrence: Occurrence | undefined
  /** The states before, where the name has them. */
  readonly from: readonly string[]
  /** The transitions that it may be of, by their numbers. */
  readonly transitions: readonly number[]
  /** The states that may follow; none where the event tells of all changes. */
  readonly to: readonly string[]
  /** The port that the name speaks of. */
  readonly port: string | undefined
  /** Why, for a person. */
  readonly evidence: string
  /** 3: machine and both states; 2: machine and number, or any change of a machine; 1: the state alone; 0: plain words. */
  readonly strength: 0 | 1 | 2 | 3
  /** Nothing in the name speaks against it. */
  readonly isCertain: boolean
}

/** A name without what tells nothing: squeezed, and the port that it speaks of. */
export interface SqueezedName {
  readonly text: string
  readonly port: string | undefined
}

/** Standards, and what suppliers put before or after the name itself. */
const BEFORE =
  /^[^A-Za-z0-9]*(?:E(?:40|87|90|94|116)(?=[^a-z0-9])|Tos(?=[A-Z])|Legacy(?=[_A-Z])|Equipment(?=[A-Z]))/
const CHAMBER = /^(?:PM|CH)\d{1,2}(?=[^0-9])/i
const PORT_BEFORE = /^(?:LoadPort|Port|LP|CST)[ _]?0*([1-9])(?=[^0-9])/i
/** The word for a load port with its number, such as `LP1`, in the middle or at the end of a name. */
const PORT_INSIDE =
  /(?:(?<=[a-z0-9])(?=[A-Z])|(?<=[^A-Za-z0-9]))(?:[Ll]oad[Pp]ort|LOADPORT|[Pp]ort|PORT|L[Pp]|lp)[ _]?0*([1-9])(?![0-9])/
/** A port without its number. */
const SOME_PORT = /^LP__/
const NUMBER_OF_TRANSITION = /(?:TRANS|SM)\d{1,2}$/i
const PORT_AFTER = /[A-Za-z]_?([1-9])$/
const LETTER_AFTER = /[a-z]([AB])$/

export function squeezedName(name: string): SqueezedName {
  let text = name.trim()
  for (let next = text.replace(BEFORE, ''); next !== text; next = text.replace(BEFORE, '')) text = next
  text = text
    .replace(CHAMBER, '')
    .replace(/^SCH\d{1,2}/, 'SCH')
    .replace(SOME_PORT, '')
  let port: string | undefined
  for (const place of [PORT_BEFORE, PORT_INSIDE]) {
    const found = port === undefined ? place.exec(text)?.[1] : undefined
    if (found === undefined) continue
    port = found
    text = text.replace(place, '')
  }
  const bare = (): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  if (port === undefined && !NUMBER_OF_TRANSITION.test(bare())) {
    const digit = PORT_AFTER.exec(text)?.[1]
    const letter = LETTER_AFTER.exec(text)?.[1]
    port = digit ?? (letter === undefined ? undefined : letter === 'A' ? '1' : '2')
    if (port !== undefined) text = text.replace(/_?[1-9AB]$/, '')
  }
  return { text: bare().replace(/EVENT$/, ''), port }
}

/** Everything that an event of this name may mean, the strongest first. */
export function meaningsOf(name: string): readonly EventMeaning[] {
  const squeezed = squeezedName(name)
  const plain = plainMeaning(squeezed)
  const byStates = endedOnce(MACHINE_SPELLINGS.flatMap((machine) => byMachine(machine, squeezed) ?? []))
  const strongest = Math.max(-1, ...byStates.map(({ strength }) => strength))
  const found =
    plain && plain.strength >= strongest ? [plain] : byStates.filter((one) => one.strength === strongest)
  return found.length === 1 ? found : found.map((one) => ({ ...one, isCertain: false }))
}

/** An object ends once, though each of its machines has that transition. */
const endedOnce = (meanings: readonly EventMeaning[]): readonly EventMeaning[] =>
  meanings.filter(
    ({ kind, to }, at) =>
      !to.includes('NO_STATE') ||
      !meanings.slice(0, at).some((other) => other.kind === kind && other.to.includes('NO_STATE')),
  )

const alternatives = (words: readonly string[]): string =>
  [...words].sort((one, other) => other.length - one.length).join('|')

/** What `byMachine` compares with, made once. */
const PATTERNS = new Map(
  MACHINE_SPELLINGS.map((machine) => {
    const { subjects, numbered, states } = machine
    const names = alternatives(Object.values(states).flat())
    const subject = alternatives([...subjects, ...numbered])
    const changing = subjects.filter((one) => /STAT(E|US)$|MODE$/.test(one))
    return [
      machine,
      {
        states: new RegExp(
          `^(?<subject>${subject})?(?<number>\\d{1,2})?(?:${subject})?(?<from>${names})?(?:TO|2)?(?<to>${names})(?<cause>STOP|ABORT)?$`,
        ),
        number: new RegExp(`^(?:${alternatives(numbered)})(?:TRANS(?:ITION)?)?0?(?<number>\\d{1,2})$`),
        change: changing.length > 0 ? new RegExp(`^(?:${alternatives(changing)})CHANGED?$`) : /^$/,
      },
    ] as const
  }),
)

/** In the place of the state before: what has ended the object. */
const CAUSES: Readonly<Record<string, string>> = { STOPPED: 'STOP', ABORTED: 'ABORT' }

/** A bare state that is shorter means anything. */
const LONG_STATE = 10

function byMachine(machine: MachineSpellings, { text, port }: SqueezedName): EventMeaning | undefined {
  const patterns = PATTERNS.get(machine)
  if (!patterns) return undefined
  const { kind, state } = machine
  const transitions = KINDS[kind].states[state]?.transitions ?? []
  const base = { kind, state, occurrence: undefined, port, from: [] } as const
  if (patterns.change.test(text)) {
    const evidence = `any change of ${kind}.${state}`
    return { ...base, transitions: [], to: [], evidence, strength: 2, isCertain: true }
  }
  const numberAlone = Number(patterns.number.exec(text)?.groups?.['number'] ?? Number.NaN)
  const numbered = transitions.filter(({ number }) => number === numberAlone)
  if (numbered.length > 0) {
    const evidence = `number ${numberAlone} of the transitions of a ${kind}`
    return { ...base, ...targets(numbered), evidence, strength: 2, isCertain: true }
  }
  const { subject, number, from, to = '', cause } = patterns.states.exec(text)?.groups ?? {}
  const following = statesOf(machine, to)
  if (following.length === 0) return undefined
  if (from !== undefined) {
    const before = statesOf(machine, from)
    const leading = transitions.filter(
      (row) => following.includes(row.to) && row.from.some((one) => before.includes(one)),
    )
    const by = leading.filter(({ on }) => on === (cause ?? CAUSES[from] ?? '').toLowerCase())
    const rows = by.length > 0 ? by : leading
    if (rows.length > 0) {
      const agrees = number === undefined || rows.some((row) => row.number === Number(number))
      const against = agrees ? '' : `, but the number ${number} belongs to another transition`
      const evidence = `${from} to ${to} of ${kind}.${state}${against}`
      return { ...base, from: before, ...targets(rows), evidence, strength: 3, isCertain: agrees }
    }
  }
  if (from !== undefined || (subject === undefined && port === undefined && to.length < LONG_STATE))
    return undefined
  const rows = transitions.filter((row) => following.includes(row.to))
  const evidence = `the state ${to} alone`
  return { ...base, ...targets(rows), evidence, strength: 1, isCertain: false }
}

const statesOf = ({ states }: MachineSpellings, spelling: string): readonly string[] =>
  Object.entries(states).flatMap(([names, spellings]) =>
    spellings.includes(spelling) ? names.split('|') : [],
  )

const targets = (
  rows: readonly { readonly number: number; readonly to: string }[],
): Pick<EventMeaning, 'transitions' | 'to'> => ({
  transitions: [...new Set(rows.map(({ number }) => number))],
  to: [...new Set(rows.map(({ to }) => to))],
})

function plainMeaning({ text, port }: SqueezedName): EventMeaning | undefined {
  const [, meaning] = PLAIN_WORDS.find(([words]) => words.test(text)) ?? []
  if (meaning === undefined) return undefined
  // A family of names with numbers has these in place of some.
  const isFixed = text.includes('SMGO')
  const base = isFixed
    ? ({
        port,
        from: [],
        evidence: 'a name of the family with numbers',
        strength: 2,
        isCertain: true,
      } as const)
    : ({ port, from: [], evidence: 'plain words', strength: 0, isCertain: false } as const)
  const occurrence = OCCURRENCES.find((one) => one === meaning)
  if (occurrence) return { ...base, kind: undefined, state: undefined, occurrence, transitions: [], to: [] }
  const [, kind, state = '', to = ''] = /^(\w+)\.(\w+) (\w+)$/.exec(meaning) ?? []
  const transitions = KINDS[kind as ObjectKind].states[state]?.transitions ?? []
  const rows = transitions.filter((row) => row.to === to)
  return { ...base, kind: kind as ObjectKind, state, occurrence: undefined, ...targets(rows), to: [to] }
}
