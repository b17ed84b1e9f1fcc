import { Document, isCollection, isSeq } from 'yaml'
import type { TypedItem } from '../../contract/topics/messages.js'
import type { Constant, Variable } from '../../contract/topics/variables.js'
import type { NamedValue } from '../../contract/values.js'
import { commentLines, FOR_OLD_READERS } from '../../kit/text/yaml-for-old-readers.js'
import type { ModelFile } from '../../simulator/file/schema.js'
import type { Survey } from './equipment-survey.js'
import type { SurveyedLimits } from './surveyed-limits.js'

type Entry<Key extends keyof ModelFile> =
  NonNullable<ModelFile[Key]> extends readonly (infer One)[] ? One : never

/** E30's names of the variables that an equipment keeps itself. */
const SOURCES: Readonly<Record<string, string>> = {
  Clock: 'clock',
  ControlState: 'control_state',
  PreviousControlState: 'previous_control_state',
  AlarmsSet: 'alarms_set',
  AlarmsEnabled: 'alarms_enabled',
  EventsEnabled: 'events_enabled',
  SpoolCountActual: 'spool_count_actual',
  SpoolCountTotal: 'spool_count_total',
  SpoolStartTime: 'spool_start_time',
  SpoolFullTime: 'spool_full_time',
}

/** E30's names of the constants that are settings of the equipment. */
const USES: Readonly<Record<string, Entry<'constants'>['use']>> = {
  EstablishCommunicationsTimeout: 'establish_timeout',
  TimeFormat: 'time_format',
  ConfigSpool: 'spooling_enabled',
  MaxSpoolTransmit: 'max_spool_transmit',
  OverWriteSpool: 'spool_overwrite',
}

const COMMENT = `
GEM does not report everything. To be added by hand: remote commands; the events of control state changes, of alarms
and of limits; the messages that are spooled; and waveforms. The sources of variables and the uses of constants are
taken from the names that E30 gives them. Data variables have values only in reports: a variable that is in none has
an empty text here.`

const UNREPORTED_REPORTS = [
  '',
  ' The equipment does not report its report definitions (S6F17): these are the ones that the gateway applied to it.',
]

const UNREPORTED_EVENTS = [
  '',
  ' The equipment does not list its events (S1F23): these are the ones in the reports that the gateway applied to it.',
]

const UNFETCHED = [
  '',
  ' Process programs have empty bodies where those were not fetched (--programs) or not available.',
]

/** Text as the equipment sends it: a character up to U+00FF for each byte. */
export type WireOf = (text: string) => string

/** What a model has of the equipment's texts: the simulator sends each character as a byte. */
function wireTexts(wireOf: WireOf) {
  /** As many whole characters of the equipment as `longest` bytes hold. */
  const text = (given: string, longest = Number.POSITIVE_INFINITY): string => {
    const whole = wireOf(given)
    if (whole.length <= longest) return whole
    let part = ''
    for (const one of given) {
      const next = part + wireOf(one)
      if (next.length > longest) break
      part = next
    }
    return part
  }
  /** A number where the id is one, as it is sent. */
  const id = (given: string): number | string =>
    /^(0|[1-9]\d{0,9})$/.test(given) && Number(given) <= 4_294_967_295 ? Number(given) : text(given, 80)
  const item = (given: TypedItem): TypedItem => {
    if (typeof given['A'] === 'string') return { A: text(given['A']) }
    return Array.isArray(given['L']) ? { L: given['L'].map(item) } : given
  }
  return { text, id, item }
}
type WireTexts = ReturnType<typeof wireTexts>

/** Makes names different, since a reference may use the name. */
class Names {
  readonly #taken = new Set<string>()

  constructor(private readonly wire: WireTexts) {}

  of(name: string, id: string, what: string): string {
    const text = name || `${what} ${id}`
    const wanted = this.wire.text(text, 80)
    const found = this.#taken.has(wanted) ? this.#with(this.wire.text(text, 60), id) : wanted
    this.#taken.add(found)
    return found
  }

  #with(start: string, id: string): string {
    return `${start} ${this.wire.text(id, 79 - start.length)}`
  }
}

/** The model file of a survey, with comments for people. `at`: the time of the survey, ISO 8601. */
export function recordedModel(survey: Survey, at: string, wireOf: WireOf): string {
  const document = new Document(modelFile(survey, wireTexts(wireOf)), FOR_OLD_READERS)
  document.commentBefore = commentLines([
    ' yaml-language-server: $schema=./model.schema.json',
    '',
    ` Recorded from ${survey.name} at ${at}.`,
    ...COMMENT.split('\n').map((line) => (line === '' ? '' : ` ${line}`)),
    ...(survey.lacks.some(({ messages }) => messages === 'S6F17') ? UNREPORTED_REPORTS : []),
    ...(survey.lacks.some(({ messages }) => messages === 'S1F23') ? UNREPORTED_EVENTS : []),
    ...(survey.programs.some(({ body }) => body === undefined) ? UNFETCHED : []),
    ...(survey.lacks.length > 0 ? ['', ' The equipment did not reply for:'] : []),
    ...survey.lacks.map(
      ({ messages, part, why }) => ` - ${part} (${messages}): ${why.replaceAll(/\s+/g, ' ')}`,
    ),
  ])
  for (const section of ['variables', 'constants', 'reports', 'events', 'alarms']) {
    const entries = document.get(section)
    if (!isSeq(entries)) continue
    for (const entry of entries.items) if (isCollection(entry)) entry.flow = true
  }
  return document.toString({ lineWidth: 0 })
}

function modelFile(survey: Survey, wire: WireTexts): Partial<ModelFile> {
  const { mdln, softrev, variables, dataVariables, values, constants, constantValues } = survey
  const names = new Names(wire)
  const statusValue = byId(values)
  const variableValue = (id: string) => statusValue(id) ?? survey.reports.values.get(id)
  const constantValue = byId(constantValues)
  const known = new Set<string>()
  const isNew = ({ id }: { readonly id: string }): boolean => !known.has(id) && known.add(id) !== undefined
  const events = new Names(wire)
  return {
    name: survey.name,
    description: 'Recorded from a live equipment.',
    mdln: wire.text(mdln, 20),
    softrev: wire.text(softrev, 20),
    variables: [...variables, ...dataVariables, ...unlisted(survey)].filter(isNew).map((variable) => ({
      ...variableEntry(variable, names, wire, variableValue(variable.id)),
      ...limitsEntry(survey.limits.get(variable.id)),
    })),
    constants: constants
      .filter(isNew)
      .map((constant) => constantEntry(constant, names, wire, constantValue(constant.id))),
    reports: [...survey.reports.reports]
      .filter(([, held]) => held.length > 0)
      .map(([id, held]) => ({ id: wire.id(id), variables: held.map(wire.id) })),
    events: survey.events.map(({ id, name, enabled }) => ({
      id: wire.id(id),
      name: events.of(name, id, 'Event'),
      ...(enabled !== null && { enabled }),
      ...linksEntry(survey, id, wire),
    })),
    alarms: survey.alarms.map(({ alid, text, category, enabled }) => ({
      id: wire.id(alid),
      text: wire.text(text, 120),
      category,
      ...(enabled !== null && { enabled }),
    })),
    ...(survey.programs.length > 0 && { programs: programsEntry(survey, wire) }),
    ...lacking(survey),
  }
}

/** Without programs a model knows nothing of stream 7; without namelists the equipment did not answer S1F21. */
function lacking({ lacks }: Survey): Pick<ModelFile, 'without'> {
  const asked = new Set(lacks.map(({ messages }) => messages))
  const without = [
    ...(asked.has('S1F11') && asked.has('S1F3') ? (['status_data'] as const) : []),
    ...(asked.has('S1F21') && asked.has('S1F23') ? (['namelists'] as const) : []),
    ...(asked.has('S2F29') && asked.has('S2F13') ? (['equipment_constants'] as const) : []),
    ...(asked.has('S5F5') ? (['alarms'] as const) : []),
  ]
  return without.length > 0 ? { without } : {}
}

/** Variables that are in reports and in no namelist. */
function unlisted({ variables, dataVariables, constants, reports }: Survey): Variable[] {
  const listed = new Set([...variables, ...dataVariables, ...constants].map(({ id }) => id))
  return [...reports.reports.values()]
    .flat()
    .filter((id) => !listed.has(id))
    .map((id) => ({ id, name: '', unit: '', kind: 'data' }))
}

/** The reports of an event that hold anything. */
function linksEntry({ reports }: Survey, event: string, wire: WireTexts): Pick<Entry<'events'>, 'reports'> {
  const linked = reports.links.get(event)?.filter((id) => (reports.reports.get(id)?.length ?? 0) > 0) ?? []
  return linked.length > 0 ? { reports: linked.map(wire.id) } : {}
}

function limitsEntry(limits: SurveyedLimits | undefined): Pick<Entry<'variables'>, 'limits'> {
  if (!limits) return {}
  const { minimum, maximum, defined } = limits
  return { limits: { minimum, maximum, ...(defined.length > 0 && { defined: [...defined] }) } }
}

const byId = (values: readonly NamedValue[]): ((id: string) => TypedItem | undefined) => {
  const known = new Map(values.map(({ id, value }) => [id, value ?? undefined]))
  return (id) => known.get(id)
}

function variableEntry(
  { id, name, unit, kind }: Variable,
  names: Names,
  wire: WireTexts,
  value: TypedItem | undefined,
): Entry<'variables'> {
  const source = SOURCES[name] as Entry<'variables'>['source']
  return {
    id: wire.id(id),
    name: names.of(name, id, 'Variable'),
    ...(unit !== '' && { unit: wire.text(unit, 80) }),
    ...(kind === 'data' && { kind }),
    value: wire.item(value ?? { A: '' }),
    ...(source && { source }),
  }
}

function constantEntry(
  { id, name, unit, minimum, maximum, default: usual }: Constant,
  names: Names,
  wire: WireTexts,
  value: TypedItem | undefined,
): Entry<'constants'> {
  const use = USES[name]
  const bounds = isOneNumber(value) ? { minimum: bound(minimum), maximum: bound(maximum) } : {}
  return {
    id: wire.id(id),
    name: names.of(name, id, 'Constant'),
    ...(unit !== '' && { unit: wire.text(unit, 80) }),
    value: wire.item(value ?? { A: usual ?? '' }),
    ...(use && value && { use }),
    ...(bounds.minimum !== undefined && { minimum: bounds.minimum }),
    ...(bounds.maximum !== undefined && { maximum: bounds.maximum }),
  }
}

const bound = (text: string | null): number | undefined =>
  text === null || text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)

function isOneNumber(value: TypedItem | undefined): boolean {
  const [[format, content] = []] = Object.entries(value ?? {})
  return /^[IUF]\d$/.test(format ?? '') && Array.isArray(content) && content.length === 1
}

function programsEntry({ programs }: Survey, wire: WireTexts): NonNullable<ModelFile['programs']> {
  return {
    capacity: Math.min(10_000, Math.max(100, programs.length)),
    stored: programs
      .slice(0, 10_000)
      .map(({ ppid, body }) => ({ id: wire.text(ppid, 120), body: body ? wire.item(body) : '' })),
  }
}
