import type {
  EventChange,
  ReportChange,
  ReportStep,
  ReportsResult,
  WantedReports,
} from '../../contract/topics/reports.js'
import type { Column } from '../output/output.js'

/** A line of a difference. */
type Line = Record<'sign' | 'kind' | 'id' | 'name' | 'before' | 'after', string>

const SIGNS = { added: '+', removed: '-', changed: '~' } as const

const reportText = (variables: ReportChange['before']): string => variables?.join(' ') ?? ''

const eventText = (state: EventChange['before']): string =>
  state === null ? '' : [...state.reports, ...(state.enabled ? [] : ['disabled'])].join(' ') || 'no report'

/** A difference a line: what goes first, as a person would read it. */
export function differenceLines({ reports, events }: ReportsResult['difference']): Line[] {
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

export const DIFFERENCE_COLUMNS: readonly Column<Line>[] = [
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
export function sameText(equipment: string, steps: readonly ReportStep[]): string {
  const losing = steps.filter(({ purpose }) => purpose === 'disable' || purpose === 'delete')
  if (losing.length === 0) return `No difference to what the gateway last applied to ${equipment}.`
  return `What the gateway last applied to ${equipment} is applied again. Among the messages: ${losing.map(deedOf).join(', ')}.`
}

const verdictOf = ({ accepted, code, text }: ReportStep): string =>
  accepted === null ? (text ?? '') : `${accepted ? 'accepted' : 'refused'} (${code}, ${text})`

/** One step, such as `S2F33 define 2 reports: accepted`. */
export function stepText(step: ReportStep): string {
  const verdict = verdictOf(step)
  return `${step.message} ${deedOf(step)}${verdict === '' ? '' : `: ${verdict}`}`
}

/** Steps as rows. */
export const STEP_COLUMNS: readonly Column<ReportStep>[] = [
  { title: 'MESSAGE', text: ({ message }) => message },
  { title: 'DOES', text: deedOf },
  { title: 'RESULT', text: verdictOf, wraps: true },
]

type Part = Record<'kind' | 'id' | 'content' | 'enabled', string>

/** A definition as rows. */
export const definitionRows = ({ reports, events }: WantedReports): Part[] => [
  ...reports.map(({ id, variables }) => {
    return { kind: 'report', id: String(id), content: variables.join(' '), enabled: '' }
  }),
  ...events.map(({ event, reports: linked = [], enabled = true }) => {
    return { kind: 'event', id: String(event), content: linked.join(' '), enabled: enabled ? 'yes' : 'no' }
  }),
]

export const DEFINITION_COLUMNS: readonly Column<Part>[] = [
  { title: 'KIND', text: ({ kind }) => kind },
  { title: 'ID', text: ({ id }) => id },
  { title: 'CONTENT', text: ({ content }) => content },
  { title: 'ENABLED', text: ({ enabled }) => enabled },
]
