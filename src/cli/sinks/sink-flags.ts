import { Flags, type Interfaces } from '@oclif/core'
import { EVENT_NAMES, EVENT_TYPES } from '../../contract/topics/events.js'
import type { SinkChange } from '../../contract/topics/sinks/sink.js'
import { SINK_FORMATS } from '../../contract/topics/sinks/sink-message.js'
import { defined } from '../../kit/defined.js'
import { SELECTOR_FLAG, selectorGiven } from '../equipment/label-flags.js'
import { parseTime } from '../input/durations.js'
import { EQUIPMENT_FLAG } from '../input/list-flags.js'
import { readText } from '../input/standard-input.js'
import { TARGET_FLAGS, TARGET_WORDS, targetGiven } from './target-flags.js'

/** What a sink is, for `sinks add` and `sinks update`. */
export const SINK_FLAGS = {
  ...TARGET_FLAGS,
  'secret-file': Flags.string({
    helpValue: 'FILE',
    summary: 'Key of signatures (whsec_ and base64), or password; - is standard input.',
  }),
  equipment: EQUIPMENT_FLAG,
  selector: SELECTOR_FLAG,
  type: Flags.option({
    options: EVENT_TYPES,
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Only events of this type. May be repeated.',
  })(),
  name: Flags.option({
    options: EVENT_NAMES,
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME',
    summary: 'Only events of this name, such as alarm_set. May be repeated.',
  })(),
  format: Flags.option({
    options: SINK_FORMATS,
    summary: 'event: as events list has them; flat: values by name, with units.',
  })(),
  start: Flags.string({
    helpValue: 'WHEN',
    summary: 'Begin now, at oldest, or at a time: 08:00, 2026-03-01, 2h for two hours ago.',
  }),
}

/** What `sinks update` takes away. */
export const CLEARING_FLAGS = {
  'no-equipment': Flags.boolean({ exclusive: ['equipment'], summary: 'All equipment again.' }),
  'no-selector': Flags.boolean({ exclusive: ['selector'], summary: 'Without a label selector.' }),
  'no-type': Flags.boolean({ exclusive: ['type'], summary: 'Events of all types again.' }),
  'no-name': Flags.boolean({ exclusive: ['name'], summary: 'Events of all names again.' }),
  'no-secret': Flags.boolean({ exclusive: ['secret-file'], summary: 'Without a signature or password.' }),
}

export const cleared = (flags: { readonly [Flag in keyof typeof CLEARING_FLAGS]: boolean }): SinkChange => ({
  ...(flags['no-equipment'] && { equipment: null }),
  ...(flags['no-selector'] && { label_selector: null }),
  ...(flags['no-type'] && { types: null }),
  ...(flags['no-name'] && { names: null }),
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
  '/secret': '--secret-file',
  '/label_selector': '--selector',
  '/equipment': '--equipment',
  '/start': '--start',
}
