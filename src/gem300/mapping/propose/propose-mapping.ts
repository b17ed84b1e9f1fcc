import { KINDS, OBJECT_KINDS, type ObjectKind } from '../../object-states.js'
import type { MappedEvent, MappedSource } from '../mapping.js'
import { type EventMeaning, meaningsOf } from './event-meanings.js'
import { holdingsOf } from './variable-meanings.js'

/** An event or a variable that equipment names. */
export interface KnownName {
  readonly id: string
  readonly name: string
}

export interface KnownNames {
  /** `variables`: those that the equipment names with it. */
  readonly events: readonly (KnownName & { readonly variables: readonly string[] })[]
  readonly variables: readonly (KnownName & { readonly isStatus: boolean })[]
}

/** A line that may be in the mapping, with why. */
export interface Proposed<Line> extends KnownName {
  readonly line: Line
  readonly evidence: string
  /** False where a person has to decide: then it is not in the mapping. */
  readonly isCertain: boolean
}

/** A variable by what it holds. */
export interface ProposedVariable {
  readonly kind: ObjectKind
  readonly holds: string
  /** Of the status variables of a port. */
  readonly port: string | undefined
}

export interface Proposal {
  readonly variables: readonly Proposed<ProposedVariable>[]
  readonly events: readonly Proposed<Omit<MappedEvent, 'event'>>[]
}

/** What the names of equipment say of its GEM 300. Nothing is chosen where two names have one meaning, or one has two. */
export function proposeMapping(names: KnownNames): Proposal {
  const events = names.events.flatMap((event) =>
    meaningsOf(event.name).map((meaning) => ({ event, meaning })),
  )
  const variables = chosenVariables(names, events)
  const has = (kind: ObjectKind, holds: string): boolean =>
    variables.some(
      ({ line, isCertain }) =>
        isCertain && line.port === undefined && line.kind === kind && line.holds === holds,
    )
  const proposed = events.map(({ event, meaning }) => proposedEvent(event, meaning, has))
  const keys = events.map(({ meaning }) => keyOf(meaning))
  return {
    variables,
    events: proposed.map((one, at) => {
      const rivals = events.filter((other, place) => keys[place] === keys[at] && other.event.id !== one.id)
      if (rivals.length === 0) return one
      const named = rivals.map(({ event }) => `${event.name} (${event.id})`).join(', ')
      return { ...one, isCertain: false, evidence: `${one.evidence}; ${named} may mean the same` }
    }),
  }
}

/** Two events of one key have one meaning. */
const keyOf = ({ kind, state, occurrence, from, transitions, to, port }: EventMeaning): string =>
  JSON.stringify([kind, state, occurrence, from, transitions, to, port])

function proposedEvent(
  { id, name }: KnownName,
  { kind, state, occurrence, transitions, to, port, evidence, isCertain }: EventMeaning,
  has: (kind: ObjectKind, holds: string) => boolean,
): Proposed<Omit<MappedEvent, 'event'>> {
  const at = port === undefined ? {} : { port: Number(port) }
  if (kind === undefined || state === undefined)
    return { id, name, line: { ...(occurrence && { occurrence }), ...at }, evidence, isCertain }
  const named =
    port === undefined
      ? {}
      : kind === 'port' || kind === 'carrier'
        ? at
        : kind === 'performance'
          ? { object: port }
          : {}
  const [only] = to
  const [number] = transitions
  const target: Partial<MappedSource> =
    to.length === 1 && only !== undefined
      ? { to: only }
      : transitions.length === 1 && number !== undefined
        ? { transition: number }
        : {}
  const line = { state: `${kind}.${state}`, ...target, ...named }
  const missing = [
    ...(line.to === undefined && !has(kind, state) ? [`the state, of which no variable is known`] : []),
    ...(isNamed(kind, line) || has(kind, 'id')
      ? []
      : [`which ${kind} it is about: no variable with its ID is known`]),
  ]
  const lack = missing.length === 0 ? '' : `; it does not say ${missing.join(', nor ')}`
  return { id, name, line, evidence: evidence + lack, isCertain: isCertain && missing.length === 0 }
}

const isNamed = (kind: ObjectKind, { port, object }: Partial<MappedSource>): boolean =>
  port !== undefined || object !== undefined || kind === 'performance'

interface EventAndMeaning {
  readonly event: KnownNames['events'][number]
  readonly meaning: EventMeaning
}

/** Of several variables with one meaning that one is chosen which alone the equipment names with such events. */
function chosenVariables(
  { variables }: KnownNames,
  events: readonly EventAndMeaning[],
): readonly Proposed<ProposedVariable>[] {
  const all = variables.flatMap(({ id, name, isStatus }) => {
    const { port, meanings } = holdingsOf(name)
    if (port !== undefined && !isStatus) return []
    return meanings.map((meaning) => ({ id, name, line: { ...meaning, port } }))
  })
  const eventsOf = (kind: ObjectKind) => events.filter(({ meaning }) => meaning.kind === kind)
  return all.map((one): Proposed<ProposedVariable> => {
    const { kind, holds, port } = one.line
    const rivals = all.filter(
      ({ id, line }) => id !== one.id && line.kind === kind && line.holds === holds && line.port === port,
    )
    if (rivals.length === 0) return { ...one, evidence: 'its name', isCertain: true }
    const isReported = (id: string): boolean =>
      eventsOf(kind).some(({ event }) => event.variables.includes(id))
    if (isReported(one.id) && !rivals.some(({ id }) => isReported(id)))
      return { ...one, evidence: 'its name, and the equipment names it with the events', isCertain: true }
    const named = rivals.map(({ id, name }) => `${name} (${id})`).join(', ')
    return { ...one, evidence: `its name; ${named} may mean the same`, isCertain: false }
  })
}

const quoted = (name: string): string =>
  /^[\w/. -]+$/.test(name) && !/^[\d.-]|\s$/.test(name) ? name : JSON.stringify(name)

/** The reference to what has this name: the number where the name is not its own. */
const referenceTo = ({ id, name }: KnownName, all: readonly KnownName[]): string =>
  name !== '' && all.filter((other) => other.name === name).length === 1 ? quoted(name) : id

const flow = (members: Readonly<Record<string, unknown>>): string =>
  `{ ${Object.entries(members)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')} }`

/** The proposal as a file: what a person has to decide is a comment. */
export function proposalText(proposal: Proposal, names: KnownNames, equipment: string): string {
  const { variables, events } = proposal
  const marked = (isCertain: boolean, text: string, evidence: string): string =>
    `  ${isCertain ? '' : '# '}${text} # ${isCertain ? '' : 'to be decided: '}${evidence}`
  const ofKind = (kind: ObjectKind): string[] => {
    const own = variables.filter(({ line }) => line.kind === kind && line.port === undefined)
    if (own.length === 0) return []
    const rows = own.map((one) =>
      marked(
        one.isCertain,
        `  ${one.line.holds}: ${referenceTo(one, names.variables)}`,
        `${one.id}: ${one.evidence}`,
      ),
    )
    return own.some(({ isCertain }) => isCertain) ? [`  ${kind}:`, ...rows] : [`  # ${kind}:`, ...rows]
  }
  const eventRows = events.map((one) =>
    marked(
      one.isCertain,
      `- ${flow({ event: referenceTo(one, names.events), ...one.line })}`,
      `${one.id}: ${one.evidence}`,
    ),
  )
  const kinds = OBJECT_KINDS.flatMap(ofKind)
  const status = statusRows(variables, names)
  return [
    `# What the names of ${equipment} say of its GEM 300. Nothing of it is in use: check each line, and then give the`,
    '# file to `secsctl gem300 map`. What is commented out has to be decided.',
    ...section('variables', kinds),
    ...section('status', status),
    ...section('events', eventRows),
    '',
  ].join('\n')
}

/** A member without a line that counts is a comment, too. */
const section = (name: string, rows: readonly string[]): string[] =>
  rows.length === 0
    ? []
    : rows.some((row) => !/^\s*#/.test(row))
      ? [`${name}:`, ...rows]
      : [`# ${name}:`, ...rows]

/** What is asked for with S1F3: the variables of each port, and of its carrier. */
function statusRows(variables: Proposal['variables'], names: KnownNames): string[] {
  const ports = [...new Set(variables.flatMap(({ line }) => line.port ?? []))].sort()
  return ports.flatMap((port) =>
    (['port', 'carrier'] as const).flatMap((kind) => {
      const rows = variables.filter(
        ({ line, isCertain }) =>
          isCertain && line.kind === kind && line.port === port && (kind !== 'port' || line.holds !== 'id'),
      )
      const hasState = rows.some(({ line }) => Object.hasOwn(KINDS[kind].states, line.holds))
      if (!hasState) return []
      const inside = rows.map((one) => `${one.line.holds}: ${referenceTo(one, names.variables)}`).join(', ')
      return [`  - { state: ${kind}, port: ${port}, variables: { ${inside} } }`]
    }),
  )
}
