import { KINDS, OBJECT_KINDS, type ObjectKind } from '../../object-states.js'
import type { MappedEvent, MappedSource } from '../mapping.js'
import { type EventMeaning, meaningsOf } from './event-meanings.js'
import { holdingsOf, isVague, moduleHoldingOf } from './variable-meanings.js'

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
  /** Of the status variables of a port, or of a module that has a number. */
  readonly port: string | undefined
  /** Of the status variables of one module, its name; `ALL_MODULES` of those that list all. */
  readonly module: string | undefined
}

const ALL_MODULES = '*'

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
      ({ line, isCertain }) => isCertain && isOfEvents(line) && line.kind === kind && line.holds === holds,
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

/** Whether events have it, and no status variables of a port or of modules. */
const isOfEvents = ({ port, module }: ProposedVariable): boolean => port === undefined && module === undefined

/** Two events of one key have one meaning. */
const keyOf = ({ kind, state, occurrence, from, transitions, to, port }: EventMeaning): string =>
  JSON.stringify([kind, state, occurrence, from, transitions, to, port])

/** The state or the transition that an event tells, where it can be only one. */
function targetOf(
  states: readonly string[],
  transitions: readonly number[],
): Pick<MappedSource, 'to' | 'transition'> {
  const [state, otherState] = states
  if (state !== undefined && otherState === undefined) return { to: state }
  const [transition, otherTransition] = transitions
  return transition !== undefined && otherTransition === undefined ? { transition } : {}
}

function proposedEvent(
  { id, name }: KnownName,
  { kind, state, occurrence, transitions, to, port, evidence, isCertain }: EventMeaning,
  has: (kind: ObjectKind, holds: string) => boolean,
): Proposed<Omit<MappedEvent, 'event'>> {
  const at = port === undefined ? {} : { port: Number(port) }
  if (kind === undefined || state === undefined)
    return { id, name, line: { ...(occurrence && { occurrence }), ...at }, evidence, isCertain }
  const named = {
    ...((kind === 'port' || kind === 'carrier') && at),
    ...(kind === 'performance' && port !== undefined && { object: port }),
  }
  const line = { state: `${kind}.${state}`, ...targetOf(to, transitions), ...named }
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
  const all = variables.flatMap(({ id, name, isStatus }) =>
    variableLines(name, isStatus).map((line) => ({ id, name, line })),
  )
  const eventsOf = (kind: ObjectKind) => events.filter(({ meaning }) => meaning.kind === kind)
  return all.map((one): Proposed<ProposedVariable> => {
    const { kind, holds, port, module } = one.line
    const rivals = all.filter(
      ({ id, line }) =>
        id !== one.id &&
        line.kind === kind &&
        line.holds === holds &&
        line.port === port &&
        line.module === module,
    )
    const isReported = (id: string): boolean =>
      eventsOf(kind).some(({ event }) => event.variables.includes(id))
    if (rivals.length === 0 && isVague(one.name) && !isReported(one.id))
      return { ...one, evidence: 'its name, which other things may have', isCertain: false }
    if (rivals.length === 0) return { ...one, evidence: 'its name', isCertain: true }
    if (isReported(one.id) && !rivals.some(({ id }) => isReported(id)))
      return { ...one, evidence: 'its name, and the equipment names it with the events', isCertain: true }
    const named = rivals.map(({ id, name }) => `${name} (${id})`).join(', ')
    return { ...one, evidence: `its name; ${named} may mean the same`, isCertain: false }
  })
}

/** What a variable of this name may hold. */
function variableLines(name: string, isStatus: boolean): readonly ProposedVariable[] {
  const ofModule = isStatus ? moduleHoldingOf(name) : undefined
  if (ofModule) {
    const { holds, module = ALL_MODULES } = ofModule
    return [{ kind: 'performance', holds, port: undefined, module }]
  }
  const { port, meanings } = holdingsOf(name)
  if (port !== undefined && !isStatus) return []
  return meanings.map((meaning) => ({ ...meaning, port, module: undefined }))
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
    const own = variables.filter(({ line }) => line.kind === kind && isOfEvents(line))
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
      `- ${flow({ event: referenceTo(one, names.events), ...one.line, ...objectIn(one.line) })}`,
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

/** A module that is called by a number is a text all the same. */
const objectIn = ({ object }: Pick<MappedEvent, 'object'>) =>
  object === undefined ? {} : { object: quoted(object) }

/** A member without a line that counts is a comment, too. */
const section = (name: string, rows: readonly string[]): string[] =>
  rows.length === 0
    ? []
    : rows.some((row) => !/^\s*#/.test(row))
      ? [`${name}:`, ...rows]
      : [`# ${name}:`, ...rows]

/** What is asked for with S1F3: the variables of each port and of its carrier, and of the modules. */
function statusRows(variables: Proposal['variables'], names: KnownNames): string[] {
  const certain = variables.filter(({ isCertain }) => isCertain)
  const ports = [...new Set(certain.flatMap(({ line }) => line.port ?? []))].sort()
  const row = (
    kind: ObjectKind,
    of: Readonly<Record<string, string>>,
    rows: readonly Proposed<ProposedVariable>[],
  ): string[] => {
    if (!rows.some(({ line }) => Object.hasOwn(KINDS[kind].states, line.holds))) return []
    const inside = rows.map((one) => [one.line.holds, referenceTo(one, names.variables)])
    return [`  - ${flow({ state: kind, ...of, variables: flow(Object.fromEntries(inside)) })}`]
  }
  const ofPort = (kind: ObjectKind, port: string) =>
    certain.filter(
      ({ line }) => line.kind === kind && line.port === port && (kind !== 'port' || line.holds !== 'id'),
    )
  return [
    ...ports.flatMap((port) => [
      ...row('port', { port }, ofPort('port', port)),
      ...row('carrier', { port }, ofPort('carrier', port)),
      ...row('performance', objectIn({ object: port }), ofPort('performance', port)),
    ]),
    ...moduleRows(certain, names, (of, rows) => row('performance', of, rows)),
  ]
}

/** Those that list all modules, else those of each one, else those of the equipment. */
function moduleRows(
  certain: Proposal['variables'],
  { variables }: KnownNames,
  row: (of: Readonly<Record<string, string>>, rows: Proposal['variables']) => string[],
): string[] {
  const listed = certain.filter(({ line }) => line.module === ALL_MODULES)
  if (listed.some(({ line }) => line.holds === 'id')) {
    const rows = row({}, listed)
    if (rows.length > 0) return rows
  }
  const modules = [...new Set(certain.flatMap(({ line }) => line.module ?? []))]
  const rows = modules
    .filter((module) => module !== ALL_MODULES)
    .flatMap((module) =>
      row(
        { object: quoted(module) },
        certain.filter(({ line }) => line.module === module),
      ),
    )
  if (rows.length > 0) return rows
  const status = new Set(variables.flatMap(({ id, isStatus }) => (isStatus ? [id] : [])))
  return row(
    {},
    certain.filter(({ id, line }) => line.kind === 'performance' && isOfEvents(line) && status.has(id)),
  )
}
