import type { Interfaces } from '@oclif/core'
import { EVENT_NAMES, EVENT_TYPES } from '../../contract/topics/events.js'
import type { SinkChange } from '../../contract/topics/sinks/sink.js'
import { SINK_FORMATS } from '../../contract/topics/sinks/sink-message.js'
import { defined } from '../../kit/defined.js'
import { SELECTOR_FLAG, selectorGiven } from '../equipment/label-flags.js'
import { parseTime } from '../input/durations.js'
import { choiceFlag, choicesFlag, rare, switchFlag, textFlag, textsFlag } from '../input/flags.js'
import { EQUIPMENT_FLAG } from '../input/list-flags.js'
import { messageFlag } from '../input/message-word.js'
import { readText } from '../input/standard-input.js'
import { TARGET_FLAGS, TARGET_WORDS, targetGiven } from './target-flags.js'

/** What a sink is, for `sinks add` and `sinks update`. */
export const SINK_FLAGS = {
  ...TARGET_FLAGS,
  'secret-file': textFlag('FILE', 'Key of signatures (whsec_ and base64), or password; - is standard input.'),
  equipment: EQUIPMENT_FLAG,
  selector: SELECTOR_FLAG,
  type: choicesFlag(EVENT_TYPES, 'Only events of this type. May be repeated.'),
  name: choicesFlag(EVENT_NAMES, 'Only events of this name, such as alarm_set. May be repeated.', {
    helpValue: 'NAME',
  }),
  message: textsFlag('SxFy', 'Only this SECS message (S6F11), or this stream (S6). May be repeated.', {
    parse: messageFlag,
  }),
  ...rare({
    format: choiceFlag(SINK_FORMATS, 'event: as events list has them; flat: values by name, with units.'),
    start: textFlag('WHEN', 'Begin now, at oldest, or at a time: 08:00, 2026-03-01, 2h for two hours ago.'),
  }),
}

/** What `sinks update` takes away. */
export const CLEARING_FLAGS = rare({
  'no-equipment': switchFlag('All equipment again.', { exclusive: ['equipment'] }),
  'no-selector': switchFlag('Without a label selector.', { exclusive: ['selector'] }),
  'no-type': switchFlag('Events of all types again.', { exclusive: ['type'] }),
  'no-name': switchFlag('Events of all names again.', { exclusive: ['name'] }),
  'no-message': switchFlag('All messages, and events of other types, again.', { exclusive: ['message'] }),
  'no-secret': switchFlag('Without a signature or password.', { exclusive: ['secret-file'] }),
})

export const cleared = (flags: { readonly [Flag in keyof typeof CLEARING_FLAGS]: boolean }): SinkChange => ({
  ...(flags['no-equipment'] && { equipment: null }),
  ...(flags['no-selector'] && { label_selector: null }),
  ...(flags['no-type'] && { types: null }),
  ...(flags['no-name'] && { names: null }),
  ...(flags['no-message'] && { messages: null }),
  ...(flags['no-secret'] && { secret: null }),
})

export type SinkGiven = Partial<Interfaces.InferredFlags<typeof SINK_FLAGS>>

/** The flags as the body of a call. */
export async function sinkGiven(
  flags: SinkGiven,
  { stdin, now }: { readonly stdin: NodeJS.ReadStream; readonly now: Date },
): Promise<SinkChange> {
  const { start, format } = flags
  const secretFile = flags['secret-file']
  const secret =
    secretFile === undefined ? undefined : (await readText(stdin, secretFile, 'the secret')).trim()
  return {
    ...(await targetGiven(flags)),
    ...selectorGiven(flags.selector),
    ...defined({
      equipment: flags.equipment && [...flags.equipment],
      types: flags.type && [...flags.type],
      names: flags.name && [...flags.name],
      messages: flags.message,
      format,
      secret,
    }),
    ...(start !== undefined && {
      start: start === 'now' || start === 'oldest' ? start : parseTime(start, '--start', now),
    }),
  }
}

/** The members of the body by the flags that set them. */
export const SINK_WORDS = {
  ...TARGET_WORDS,
  '/name': 'the name',
  '/format': '--format',
  '/types': '--type',
  '/names': '--name',
  '/messages': '--message',
  '/secret': '--secret-file',
  '/label_selector': '--selector',
  '/equipment': '--equipment',
  '/start': '--start',
}
