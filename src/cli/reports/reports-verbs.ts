import { endpoints } from '../../contract/endpoints.js'
import type {
  EventChange,
  KnownReports,
  ReportChange,
  ReportStep,
  ReportsResult,
  WantedReports,
} from '../../contract/topics/reports.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { argumentWord } from '../../kit/shell-word.js'
import { isJsonObject } from '../../kit/text/json.js'
import type { Place } from '../../kit/text/json-text.js'
import { outputFlag } from '../base-command.js'
import { type EquipmentCommand, equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGE_FLAGS, TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { placeWord } from '../errors/file-places.js'
import { required } from '../input/arguments.js'
import { switchFlag } from '../input/flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { readText } from '../input/standard-input.js'
import { yamlIn } from '../input/yaml-input.js'
import { ASKING_FLAGS, TRANSACTION_FLAGS } from '../messages/transaction-flags.js'
import { definitionText } from '../output/definition-text.js'
import type { Column } from '../output/output.js'
import { VALUE_COLUMNS } from '../output/value-output.js'
import { ORIGINS } from './collection-events-verbs.js'

/** A line of a difference. */
type Line = Record<'sign' | 'kind' | 'id' | 'name' | 'before' | 'after', string>

const SIGNS = { added: '+', removed: '-', changed: '~' } as const

const reportText = (variables: ReportChange['before']): string => variables?.join(' ') ?? ''

const eventText = (state: EventChange['before']): string =>
  state === null ? '' : [...state.reports, ...(state.enabled ? [] : ['disabled'])].join(' ') || 'no report'

/** A difference a line: what goes first, as a person would read it. */
function differenceLines({ reports, events }: ReportsResult['difference']): Line[] {
  const lines = <S>(kind: string, changes: readonly Change<S>[], text: (state: S) => string): Line[] =>
    changes.map(({ change, id, name, before, after }) => {
      return { sign: SIGNS[change], kind, id, name: name ?? '', before: text(before), after: text(after) }
    })
  return [...lines('report', reports, reportText), ...lines('event', events, eventText)]
}

interface Change<S> {
  readonly change: keyof typeof SIGNS
  readonly id: string
  readonly name?: string | null
  readonly before: S
  readonly after: S
}

const DIFFERENCE_COLUMNS: readonly Column<Line>[] = [
  { title: '', text: ({ sign }) => sign },
  { title: 'KIND', text: ({ kind }) => kind },
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'BEFORE', text: ({ before }) => before },
  { title: 'AFTER', text: ({ after }) => after },
]

/** What a step does, such as `define 2 reports`. */
function deedOf({ message, purpose, count }: ReportStep): string {
  const what = message === 'S2F33' || purpose === 'inquire' ? 'report' : 'event'
  return `${purpose} ${count === 0 ? `all ${what}s` : `${count} ${what}${count === 1 ? '' : 's'}`}`
}

/** The text for an empty difference: it also names what the messages disable and delete. */
function sameText(equipment: string, steps: readonly ReportStep[]): string {
  const losing = steps.filter(({ purpose }) => purpose === 'disable' || purpose === 'delete')
  if (losing.length === 0) return `No difference to what the gateway last applied to ${equipment}.`
  return `What the gateway last applied to ${equipment} is applied again. Among the messages: ${losing.map(deedOf).join(', ')}.`
}

const verdictOf = ({ accepted, code, text }: ReportStep): string =>
  accepted === null ? (text ?? '') : `${accepted ? 'accepted' : 'refused'} (${code}, ${text})`

/** One step, such as `S2F33 define 2 reports: accepted`. */
function stepText(step: ReportStep): string {
  const verdict = verdictOf(step)
  return `${step.message} ${deedOf(step)}${verdict === '' ? '' : `: ${verdict}`}`
}

/** Steps as rows. */
const STEP_COLUMNS: readonly Column<ReportStep>[] = [
  { title: 'MESSAGE', text: ({ message }) => message },
  { title: 'DOES', text: deedOf },
  { title: 'RESULT', text: verdictOf, wraps: true },
]

type Part = Record<'kind' | 'id' | 'content' | 'enabled', string>

/** A definition as rows. */
const definitionRows = ({ reports, events }: WantedReports): Part[] => [
  ...reports.map(({ id, variables }) => {
    return { kind: 'report', id: String(id), content: variables.join(' '), enabled: '' }
  }),
  ...events.map(({ event, reports: linked = [], enabled = true }) => {
    return { kind: 'event', id: String(event), content: linked.join(' '), enabled: enabled ? 'yes' : 'no' }
  }),
]

const DEFINITION_COLUMNS: readonly Column<Part>[] = [
  { title: 'KIND', text: ({ kind }) => kind },
  { title: 'ID', text: ({ id }) => id },
  { title: 'CONTENT', text: ({ content }) => content },
  { title: 'ENABLED', text: ({ enabled }) => enabled },
]

/** The difference, or the steps, are the result; how it went else is for people, and for the exit code. */
async function printResult(
  on: EquipmentCommand,
  equipment: string,
  result: ReportsResult,
  shown: 'difference' | 'steps' = 'difference',
): Promise<void> {
  const { applied, dry_run, difference, warnings, steps, detail } = result
  const further = shown === 'steps' ? [] : steps
  if (on.format === 'json') on.printJson(result)
  else if (shown === 'steps') await on.printList(steps, STEP_COLUMNS, 'There is nothing to send.')
  else await on.printList(differenceLines(difference), DIFFERENCE_COLUMNS, sameText(equipment, steps))
  for (const warning of warnings) on.note(`Warning: ${warning}`)
  if (steps.length === 0 && (dry_run || applied))
    return on.note(
      `Nothing ${dry_run ? 'would be' : 'was'} sent: as far as the gateway knows, ${equipment} has it all. --again sends it.`,
    )
  if (dry_run) {
    const what =
      shown === 'steps' ? 'These messages would be sent.' : `${steps.length} messages would be sent:`
    on.note(`Nothing was changed. ${what}`)
    for (const step of further) on.note(`  ${stepText(step)}`)
    return
  }
  if (applied) {
    for (const step of further) if (step.accepted === false) on.note(`  ${stepText(step)}`)
    return on.note(`${equipment} accepted ${steps.filter(({ accepted }) => accepted).length} messages.`)
  }
  on.environment.exitCode = EXIT_CODES.equipment
  for (const step of further) on.note(`  ${stepText(step)}`)
  on.note(detail ?? `${equipment} refused.`)
}

export const reportsShow = equipmentVerb({
  summary: 'Show the event reports that the gateway last applied; of a tap, those of the host.',
  description:
    'With -o yaml, prints a file that you can edit and give to `reports apply`. Exit code 3 if nothing was applied. Of equipment that is shared with its host, shows what is known of the definitions of the host, and whether they were seen on the line or given by hand (`reports observe`). Sends nothing to the equipment, since GEM cannot read definitions back; `reports request` asks for the values of one report.',
  examples: [
    'secsctl reports show etcher',
    "secsctl reports show 'etch-*'",
    'secsctl reports show etcher -o yaml > etcher.reports.yaml',
  ],
  flags: { ...TARGET_FLAGS, output: outputFlag(['table', 'tsv', 'json', 'yaml']) },
  async one(on, { args }) {
    const { id, name } = await on.equipment(args.equipment)
    const applied = await on.call(endpoints.getReports, { params: { id } })
    const { definition, applied_at, applied_by, state, last_error, changed_elsewhere: changed } = applied
    if (on.format === 'json') return on.printJson(applied)
    const ofHost = applied.of_host
    if (ofHost && !definition) return showOfHost(on, name, ofHost)
    const none = `The gateway has applied no reports to ${name}.`
    if (on.format === 'yaml') {
      if (!definition) throw new Failure('missing', none)
      on.print(definitionText(definition))
    } else {
      const rows = definition ? definitionRows(definition) : []
      await on.printList(rows, DEFINITION_COLUMNS, none)
    }
    if (definition) on.note(`Applied ${on.formatTime(applied_at)} by ${applied_by}; ${STATES[state]}.`)
    if (last_error) on.note(`${on.formatTime(last_error.at)}: ${last_error.detail}`)
    if (changed && changed.detail !== last_error?.detail)
      on.note(`${on.formatTime(changed.at)}: ${changed.detail}`)
  },
})

type OfHost = Record<'kind' | 'id' | 'content' | 'enabled' | 'from', string>

const OF_HOST_COLUMNS: readonly Column<OfHost>[] = [
  { title: 'KIND', text: ({ kind }) => kind },
  { title: 'ID', text: ({ id }) => id },
  { title: 'CONTENT', text: ({ content }) => content, wraps: true },
  { title: 'ENABLED', text: ({ enabled }) => enabled },
  { title: 'FROM', text: ({ from }) => from },
]

/** What the host of tapped equipment has defined, as far as that is known; as YAML in the form of the file. */
async function showOfHost(on: EquipmentCommand, name: string, known: KnownReports): Promise<void> {
  const enabledText = (enabled: boolean | null): string =>
    enabled === null ? 'unknown' : enabled ? 'yes' : 'no'
  if (on.format === 'yaml') {
    const reports = known.reports.map(({ id, variables }) => ({ id, variables }))
    const events = known.events.map(({ id, reports: linked, enabled }) => {
      return { event: id, reports: linked, ...(enabled === false && { enabled }) }
    })
    return on.print(definitionText({ reports, events }))
  }
  const rows: readonly OfHost[] = [
    ...known.reports.map(({ id, variables, names, origin }) => {
      const content = variables.map((vid, at) => names[at] ?? vid).join(' ')
      return { kind: 'report', id, content, enabled: '', from: ORIGINS[origin] }
    }),
    ...known.events.map(({ id, name: event, reports, enabled, origin }) => {
      const content = [event, ...reports].filter(Boolean).join(' ')
      return { kind: 'event', id, content, enabled: enabledText(enabled), from: ORIGINS[origin] }
    }),
  ]
  const none = `No report of the host of ${name} is known until it defines them again: reports observe takes them by hand.`
  await on.printList(rows, OF_HOST_COLUMNS, none)
}

const STATES = {
  none: 'none are there',
  present: 'the equipment has them',
  missing: 'the equipment does not have them',
  unknown: 'whether the equipment has them is not known',
} as const

export const reportsApply = equipmentVerb({
  summary: 'Apply event reports from a file (S2F33, S2F35, S2F37); exit code 8 when refused.',
  description:
    'The file is YAML or JSON: `reports`, each with an `id` and `variables`, and `events`, each with an `event`, its `reports` and `enabled`; names or numbers:\n  reports: [{ id: 1001, variables: [ChamberPressure, RFPower] }]\n  events: [{ event: ProcessingStarted, reports: [1001] }]\nWith `others: keep`, other reports and events do not change. Without it, they are deleted and disabled; on a terminal the command asks before it does this for the first time. A definition without any report and event is refused unless it has `others: keep`: use `reports remove`. Prints the difference to the last applied definition. If the equipment refuses a step, the gateway applies the last definition again. It also applies the definition again when the equipment comes back without its reports, or when another host has changed its reports with S2F33; `apply_again: never` turns both off.',
  examples: [
    'secsctl reports show etcher -o yaml > etcher.reports.yaml',
    'secsctl reports apply etcher etcher.reports.yaml --dry-run',
    'secsctl reports apply etcher etcher.reports.yaml',
    "secsctl reports apply 'etch-*' etcher.reports.yaml --dry-run",
    'secsctl reports apply etcher etcher.reports.yaml --again',
  ],
  args: {
    file: required('The definition; - is standard input.'),
  },
  flags: {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    'dry-run': switchFlag('Print the difference and what would be sent; ask at most for names.'),
    again: switchFlag('Send everything, even if the equipment has it all as far as the gateway knows.'),
  },
  async one(on, { args, flags }) {
    const { file, value, placeOf } = await definitionIn(on, args.file)
    const { id, name } = await on.equipment(args.equipment)
    if (deletesAll(value)) {
      const fault = `${file} has no report and no event: every event would be disabled and every report deleted`
      throw wrongUsage(fault, `secsctl reports remove ${argumentWord(name)}`)
    }
    const query = { ...(flags['dry-run'] && { dry_run: true }), ...(flags.again && { again: true }) }
    // What it is, the gateway judges.
    const body = value as WantedReports
    if (!flags.yes && !flags['dry-run'] && body.others !== 'keep' && on.prompts.allowed)
      await agree(on, id, name)
    nameFaultsOf(on, file, placeOf)
    const result = await on.ask(endpoints.applyReports, id, flags, { query, body })
    await printResult(on, name, result)
  },
})

/** The definition in a file, or of standard input. */
async function definitionIn(on: EquipmentCommand, given: string) {
  const file = given === '-' ? 'standard input' : given
  const text = await readText(on.environment.stdin, given, 'the definition')
  const { value, placeOf } = yamlIn(text, file)
  if (isJsonObject(value)) return { file, value, placeOf }
  const { line, column } = placeOf('')
  const fault = `${file}:${line}:${column}: must be an object with reports and events`
  throw wrongUsage(`${file} cannot be applied as it is: ${fault}`)
}

/** Faults of the definition are told with their places in the file. */
function nameFaultsOf(on: EquipmentCommand, file: string, placeOf: (pointer: string) => Place): void {
  on.subject.heading = `${file} cannot be applied as it is`
  on.subject.wordOf = placeWord(file, placeOf)
  on.subject.placeOf = placeOf
}

export const reportsObserve = equipmentVerb({
  summary: 'Give the report definitions that the host of tapped equipment has.',
  description:
    'A tap that is put into a running line has not seen which reports the host has defined, so values of events have no names until the host defines its reports again, usually at its next start. This takes the definitions from a file in the form of `reports apply`. Sends nothing. They are kept over restarts; what is seen on the line later takes their place. `reports show` tells which is which.',
  examples: [
    'secsctl reports observe etcher host.reports.yaml',
    'secsctl reports observe etcher - < host.reports.yaml',
  ],
  args: { file: required('The definition; - is standard input.') },
  flags: { ...REASON_FLAG, ...CHANGE_FLAGS },
  async one(on, { args }) {
    const { file, value, placeOf } = await definitionIn(on, args.file)
    const { id, name } = await on.equipment(args.equipment)
    nameFaultsOf(on, file, placeOf)
    // What it is, the gateway judges.
    const body = value as WantedReports
    const known = await on.call(endpoints.observeReports, { params: { id }, body })
    if (on.format === 'json') return on.printJson(known)
    await showOfHost(on, name, known)
    on.note(`Nothing was sent to ${name}.`)
  },
})

/** Asks before reports go that the gateway has not applied: what the equipment has from others is not known. */
async function agree(on: EquipmentCommand, id: string, name: string): Promise<void> {
  const { definition } = await on.call(endpoints.getReports, { params: { id } })
  if (definition) return
  on.note(
    `The gateway has applied no reports to ${name}: what it has was defined by others, and is not in the difference.`,
  )
  await on.confirmed(`Disable every other event of ${name}, and delete every other report?`, false)
}

/** Whether a definition names nothing, and does not keep the others either. */
function deletesAll(definition: object): boolean {
  const { reports, events, others } = definition as Partial<Record<keyof WantedReports, unknown>>
  return isEmpty(reports) && isEmpty(events) && (others === undefined || others === 'delete')
}

const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0

export const reportsRemove = equipmentVerb({
  summary: 'Disable every event and delete every report; exit code 8 when refused.',
  description:
    'If the last applied definition has `others: keep`, it removes only the reports and events of the definition. The gateway forgets the definition: `reports show EQ -o yaml` saves it.',
  examples: ['secsctl reports remove etcher --dry-run', 'secsctl reports remove etcher --yes'],
  flags: {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    'dry-run': switchFlag('Print what would be sent, and send nothing.'),
  },
  async one(on, { args, flags }) {
    const { id, name } = await on.equipment(args.equipment)
    const dryRun = flags['dry-run']
    if (!flags.yes && !dryRun) {
      const { definition } = await on.call(endpoints.getReports, { params: { id } })
      const what =
        definition?.others === 'keep'
          ? `Delete the event reports that the gateway applied to ${name}?`
          : `Disable every event of ${name}, and delete every report, also those of others?`
      await on.confirmed(what, false)
    }
    const query = dryRun ? { dry_run: true } : {}
    const result = await on.ask(endpoints.clearReports, id, flags, { query })
    await printResult(on, name, result, 'steps')
  },
})

export const reportsRequest = equipmentVerb({
  summary: 'Ask for the values of one report (S6F19).',
  description:
    'Exit code 3 when the equipment has no such report. Values have ids and names if the definition of the report was sent through this gateway (S2F33).',
  examples: ['secsctl reports request etcher 1001'],
  args: { report: required('RPTID.') },
  flags: { ...ASKING_FLAGS, ...TARGET_FLAGS },
  words: { '/rptid': 'REPORT', '/RPTID': 'REPORT' },
  async one(on, { args, flags }) {
    const { id, name } = await on.equipment(args.equipment)
    const report = await on.ask(endpoints.requestReport, id, flags, { params: { rptid: args.report } })
    if (on.format === 'json') on.printJson(report)
    else if (report.values.length > 0) return on.printList(report.values, VALUE_COLUMNS, '')
    if (report.values.length > 0) return
    throw new Failure(
      'missing',
      `${name} has no report ${report.rptid}`,
      `secsctl reports show ${argumentWord(name)}`,
    )
  },
})
