import { KINDS, OBJECT_KINDS, type ObjectKind, type ObjectState } from '../object-states.js'
import type { Gem300Variants } from '../variants.js'
import { variantsOf } from './mapped-settings.js'
import type {
  MappedEvent,
  MappedSource,
  MappedVariables,
  Mapping,
  MappingFault,
  Reference,
} from './mapping.js'
import { textFaults } from './text-faults.js'

/** A source of states, ready to be used. */
export interface Source {
  readonly kind: ObjectKind
  /** The state that it tells; undefined for all of which the variables are there. */
  readonly state: string | undefined
  /** The state that follows; undefined where only the variable says it. */
  readonly to: string | undefined
  /** The port that its name speaks of. */
  readonly port: string | undefined
  /** The object that its name speaks of. */
  readonly object: string | undefined
  /** By what they hold. */
  readonly variables: MappedVariables
}

export interface CompiledMapping {
  readonly variants: Gem300Variants
  /** By the reference to the event as it is written. */
  readonly events: readonly (readonly [event: Reference, source: Source])[]
  readonly status: readonly Source[]
  /** Those of process jobs: S16F9 has values, and no event with variables of its own. */
  readonly jobVariables: MappedVariables
  /** States whose attributes are not believed, as `carrier.id_status`. */
  readonly ignored: ReadonlySet<string>
  /** Every name or number of an event or variable, with its place. */
  readonly references: readonly MappedReference[]
}

export interface MappedReference {
  readonly kind: 'event' | 'variable'
  readonly reference: Reference
  readonly pointer: string
}

/** The mapping that a site has written, and all that is wrong with it. */
export function compileMapping(mapping: Mapping): {
  readonly mapping: CompiledMapping
  readonly faults: readonly MappingFault[]
} {
  const { settings = {}, variables = {}, events = [], status = [] } = mapping
  const { variants, faults: found } = variantsOf(settings)
  const faults = [...textFaults(mapping), ...found]
  const references: MappedReference[] = []
  const { ignored_attributes = [] } = settings
  ignored_attributes.forEach((name, at) => {
    if (!partsOf(name)?.state)
      faults.push({ pointer: `/settings/ignored_attributes/${at}`, detail: noState(name) })
  })
  for (const [kind, own] of Object.entries(variables)) {
    if (isKind(kind)) takeVariables(kind, own, `/variables/${kind}`, faults, references)
    else
      faults.push({ pointer: `/variables/${kind}`, detail: `${kind} is none of ${OBJECT_KINDS.join(', ')}` })
  }
  const source = (given: MappedSource, pointer: string, inherited: Mapping['variables'] = {}): Source[] =>
    sourceOf(given, inherited, pointer, faults, references)
  const compiled: CompiledMapping = {
    variants,
    events: events.flatMap(({ event, state, occurrence, ...given }, at) => {
      const pointer = `/events/${at}`
      references.push({ kind: 'event', reference: event, pointer: `${pointer}/event` })
      if (state !== undefined)
        return source({ ...given, state }, pointer, variables).map((one) => [event, one] as const)
      if (occurrence === undefined)
        faults.push({ pointer, detail: 'says nothing: give `state` or `occurrence`' })
      return []
    }),
    jobVariables: variables['job'] ?? {},
    status: status.flatMap((one, at) => source(one, `/status/${at}`)),
    ignored: new Set(ignored_attributes),
    references,
  }
  return { mapping: compiled, faults: [...faults, ...repeated(events)] }
}

const isKind = (word: string): word is ObjectKind => OBJECT_KINDS.some((kind) => kind === word)

/** `carrier.slot_map_status` as kind and state; the kind alone is one, too. Undefined for what is neither. */
function partsOf(text: string): { kind: ObjectKind; state: string | undefined } | undefined {
  const [kind = '', state, ...more] = text.split('.')
  if (!isKind(kind) || more.length > 0) return undefined
  return state === undefined || Object.hasOwn(KINDS[kind].states, state) ? { kind, state } : undefined
}

const noState = (text: string): string => {
  const [kind = ''] = text.split('.')
  const known = isKind(kind)
    ? Object.keys(KINDS[kind].states).map((state) => `${kind}.${state}`)
    : OBJECT_KINDS
  return `${text} is no state: there is ${known.join(', ')}`
}

/** What a variable of a kind may hold. `port` says at which port a carrier is. */
const holdings = (kind: ObjectKind): readonly string[] => [
  'id',
  ...Object.keys(KINDS[kind].states),
  ...Object.keys(KINDS[kind].details),
]

function takeVariables(
  kind: ObjectKind,
  variables: MappedVariables,
  pointer: string,
  faults: MappingFault[],
  references: MappedReference[],
): void {
  for (const [name, reference] of Object.entries(variables)) {
    const at = `${pointer}/${name}`
    if (holdings(kind).includes(name)) references.push({ kind: 'variable', reference, pointer: at })
    else
      faults.push({
        pointer: at,
        detail: `${name} is nothing of a ${kind}: there is ${holdings(kind).join(', ')}`,
      })
  }
}

function sourceOf(
  given: MappedSource,
  all: Readonly<Record<string, MappedVariables>>,
  pointer: string,
  faults: MappingFault[],
  references: MappedReference[],
): Source[] {
  const parts = partsOf(given.state)
  if (!parts) {
    faults.push({ pointer: `${pointer}/state`, detail: noState(given.state) })
    return []
  }
  const { kind } = parts
  const { variables: own = {}, port, object } = given
  takeVariables(kind, own, `${pointer}/variables`, faults, references)
  if (port !== undefined && kind !== 'port' && kind !== 'carrier')
    faults.push({ pointer: `${pointer}/port`, detail: `a ${kind} has no port` })
  const variables = { ...all[kind], ...own }
  const { state, to, fault } = targetOf(given, parts, variables)
  if (fault) faults.push({ pointer: `${pointer}/${fault[0]}`, detail: fault[1] })
  const isNamed = object !== undefined || port !== undefined || variables['id'] !== undefined
  // A list of the states of all ports names none.
  const isListed = kind === 'port' && to === undefined
  if (!isNamed && !isListed && kind !== 'performance')
    faults.push({
      pointer,
      detail: `which ${kind} it is about is not said: give a variable \`id\`, or \`${kind === 'port' || kind === 'carrier' ? 'port' : 'object'}\``,
    })
  return [{ kind, state, to, port: port === undefined ? undefined : String(port), object, variables }]
}

type Target = Pick<Source, 'state' | 'to'> & { readonly fault?: readonly [member: string, detail: string] }

/** Which state follows. */
function targetOf(
  { to, transition }: MappedSource,
  { kind, state }: { readonly kind: ObjectKind; readonly state: string | undefined },
  variables: MappedVariables,
): Target {
  const { states } = KINDS[kind]
  const among = Object.entries(states).filter(([name]) => state === undefined || name === state)
  if (transition !== undefined) return targetByNumber(among, transition, to, variables)
  if (to === undefined) return targetByVariable(among, state, variables)
  if (to === 'NO_STATE') return { state: state ?? among[0]?.[0], to }
  const having = among.filter(([, one]) => statesOf(one).includes(to))
  const [found] = having
  if (found && having.length === 1) return { state: found[0], to }
  const detail = found
    ? `${to} is a state of ${having.map(([name]) => `${kind}.${name}`).join(' and ')}: say which in \`state\``
    : `${to} is none of ${[...new Set(among.flatMap(([, one]) => statesOf(one)))].join(', ')}, NO_STATE`
  return { state, to: undefined, fault: ['to', detail] }
}

const statesOf = ({ transitions }: ObjectState): readonly string[] => [
  ...new Set(transitions.flatMap(({ from, to }) => [...from, to]).filter((one) => one !== 'NO_STATE')),
]

type Named = readonly [name: string, state: ObjectState]

function targetByNumber(
  among: readonly Named[],
  number: number,
  to: string | undefined,
  variables: MappedVariables,
): Target {
  const having = among.filter(([, { transitions }]) => transitions.some((one) => one.number === number))
  const [first] = having
  if (!first)
    return { state: undefined, to: undefined, fault: ['transition', `there is no transition ${number}`] }
  const [name, { transitions }] = first
  const targets = new Set(transitions.filter((one) => one.number === number).map((one) => one.to))
  // The end of an object is that of each of its machines.
  if (targets.has('NO_STATE')) return { state: name, to: 'NO_STATE' }
  if (having.length > 1) {
    const names = having.map(([one]) => one).join(' and ')
    const detail = `${number} is a transition of ${names}: say which in \`state\``
    return { state: undefined, to: undefined, fault: ['transition', detail] }
  }
  if (to !== undefined && !targets.has(to))
    return { state: name, to, fault: ['to', `transition ${number} leads to ${[...targets].join(', ')}`] }
  const [only] = targets
  if (to !== undefined || targets.size === 1) return { state: name, to: to ?? only }
  if (variables[name] !== undefined) return { state: name, to: undefined }
  const detail = `transition ${number} leads to ${[...targets].join(' or ')}: give \`to\`, or the variable \`${name}\``
  return { state: name, to: undefined, fault: ['transition', detail] }
}

function targetByVariable(
  among: readonly Named[],
  state: string | undefined,
  variables: MappedVariables,
): Target {
  if (among.some(([name]) => variables[name] !== undefined)) return { state, to: undefined }
  const names = among.map(([name]) => `\`${name}\``).join(' or ')
  return {
    state,
    to: undefined,
    fault: ['state', `the state is not said: give \`to\`, \`transition\`, or the variable ${names}`],
  }
}

/** An event may tell of several states, but of each once. */
function repeated(events: readonly MappedEvent[]): MappingFault[] {
  const seen = new Map<string, number>()
  return events.flatMap(({ event, state, occurrence, object, port }, at): MappingFault[] => {
    const key = JSON.stringify([String(event), state, occurrence, object, port])
    const before = seen.get(key)
    if (before === undefined) seen.set(key, at)
    return before === undefined
      ? []
      : [{ pointer: `/events/${at}`, detail: `${event} has said this already, in /events/${before}` }]
  })
}
