import type { Labels } from '../../../../contract/selector.js'
import type { Event } from '../../../../contract/topics/events.js'
import type { FlatEvent } from '../../../../contract/topics/sinks/sink-message.js'
import { topicLevel } from './topic-level.js'

/** What a topic is made of. `event` is undefined in messages about the sink itself. */
export interface TopicSubject {
  readonly sink: string
  readonly equipment?: { readonly id: string; readonly name: string; readonly labels: Labels } | undefined
  readonly event?: Event | FlatEvent | undefined
  /** What happened, such as `alarm_set`, `gap` or `test`. */
  readonly name?: string
}

/** In the place of what is not known, such as a label that the equipment does not have. */
const NOTHING = '_'
const PLACEHOLDER = /\{([^{}]*)\}/g
const LABEL = 'label.'

const VALUES: Readonly<Record<string, (subject: TopicSubject) => string | null | undefined>> = {
  sink: ({ sink }) => sink,
  equipment: ({ equipment, event }) => equipment?.name ?? event?.equipment_name,
  equipment_id: ({ equipment, event }) => equipment?.id ?? event?.equipment_id,
  type: ({ event }) => event?.type,
  name: ({ name }) => name,
  message: ({ event }) => flat(event)?.message,
  event: ({ event }) => flat(event)?.event,
}
/** The placeholders of each topic; that of messages has all in the format `flat`, and these in the format `event`. */
export const TOPIC_PLACEHOLDERS = {
  topic: Object.keys(VALUES).filter((name) => name !== 'message' && name !== 'event'),
  state_topic: ['sink', 'equipment', 'equipment_id'],
  status_topic: ['sink'],
}

const labelOf = ({ equipment }: TopicSubject, key: string): string | undefined =>
  equipment && Object.hasOwn(equipment.labels, key) ? equipment.labels[key] : undefined

const flat = (event: TopicSubject['event']): FlatEvent | undefined =>
  event && 'values' in event ? event : undefined

/** The placeholders in a template. */
const placeholdersIn = (template: string): readonly string[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name)

/** Why this is no template of a topic; undefined when it is one. `allowed`: its placeholders, but for labels. */
export function templateFault(
  template: string,
  allowed: readonly string[] = Object.keys(VALUES),
): string | undefined {
  const unknown = placeholdersIn(template).find(
    (name) => !allowed.includes(name) && !(allowed.includes('equipment') && /^label\../.test(name)),
  )
  if (unknown !== undefined) return `has the unknown placeholder {${unknown}}`
  const rest = template.replace(PLACEHOLDER, 'x')
  if (/[{}]/.test(rest)) return 'has a brace that is not part of a placeholder'
  if (/[+#\p{C}]/u.test(rest)) return 'has a +, a # or a control character'
  if (rest.startsWith('$')) return 'begins with $, as topics of the broker do'
  return undefined
}

/** The topic of a subject. Each value is one level, and different values are different levels. */
export const topicOf = (template: string, subject: TopicSubject): string =>
  template.replace(PLACEHOLDER, (_, name: string) => {
    const value = name.startsWith(LABEL)
      ? labelOf(subject, name.slice(LABEL.length))
      : VALUES[name]?.(subject)
    if (!value) return NOTHING
    // A value that looks like the place of a missing one.
    return value === NOTHING ? '%5F' : topicLevel(value)
  })
