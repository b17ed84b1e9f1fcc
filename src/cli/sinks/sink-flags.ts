import { readFile } from 'node:fs/promises'
import { Flags } from '@oclif/core'
import { EVENT_NAMES, EVENT_TYPES } from '../../contract/topics/events.js'
import type { SinkChange } from '../../contract/topics/sinks/sink.js'
import { defined } from '../../kit/defined.js'
import { SELECTOR_FLAG, selectorGiven } from '../equipment/label-flags.js'
import { wrongUsage } from '../errors/failure.js'
import { readFault } from '../errors/file-fault.js'
import { parseTime } from '../input/durations.js'
import { EQUIPMENT_FLAG } from '../input/list-flags.js'
import { readText } from '../input/standard-input.js'

const FORMATS = ['event', 'flat'] as const

/** What a sink is, for `sinks add` and `sinks update`. */
export const SINK_FLAGS = {
  webhook: Flags.string({ helpValue: 'URL', exclusive: ['file'], summary: 'Send to this URL by POST.' }),
  file: Flags.string({
    helpValue: 'NAME',
    summary: "Write lines to this file in the daemon's folder for sinks; a name, not a path.",
  }),
  batch: Flags.integer({
    min: 1,
    max: 1000,
    dependsOn: ['webhook'],
    helpValue: 'N',
    summary: 'Up to so many messages in one request; 1 unless given.',
  }),
  gzip: Flags.boolean({ dependsOn: ['webhook'], summary: 'Compress requests.' }),
  'target-ca': Flags.string({
    helpValue: 'FILE',
    dependsOn: ['webhook'],
    summary: 'The authorities that sign the certificate of the target, PEM.',
  }),
  'secret-file': Flags.string({
    helpValue: 'FILE',
    summary: 'Key of the signatures, whsec_ and base64; - is standard input.',
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
    options: FORMATS,
    summary: 'event: as events list has them; flat: values by name, with units.',
  })(),
  start: Flags.string({
    helpValue: 'WHEN',
    summary: 'Begin now, at oldest, or at a time: 08:00, 2026-03-01, 2h for two hours ago.',
  }),
}

export interface SinkGiven {
  readonly webhook?: string | undefined
  readonly file?: string | undefined
  readonly batch?: number | undefined
  readonly gzip?: boolean | undefined
  readonly 'target-ca'?: string | undefined
  readonly 'secret-file'?: string | undefined
  readonly equipment?: readonly string[] | undefined
  readonly selector?: string | undefined
  readonly type?: readonly (typeof EVENT_TYPES)[number][] | undefined
  readonly name?: readonly string[] | undefined
  readonly format?: (typeof FORMATS)[number] | undefined
  readonly start?: string | undefined
}

/** The flags as the body of a call. */
export async function sinkGiven(
  flags: SinkGiven,
  { stdin, now }: { readonly stdin: NodeJS.ReadStream; readonly now: Date },
): Promise<SinkChange> {
  const { webhook: url, file, batch, gzip, start, format } = flags
  const ca = flags['target-ca'] === undefined ? undefined : await readCa(flags['target-ca'])
  const secretFile = flags['secret-file']
  const secret =
    secretFile === undefined ? undefined : (await readText(stdin, secretFile, 'the secret')).trim()
  return {
    ...(url !== undefined && { webhook: defined({ url, batch, ca, ...(gzip && { gzip }) }) }),
    ...(file !== undefined && { file: { file } }),
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

async function readCa(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw wrongUsage(`--target-ca cannot be read: ${readFault(error, path)}`)
  }
}

/** The members of the body by the flags that set them. */
export const SINK_WORDS = {
  '/name': 'the name',
  '/webhook/url': '--webhook',
  '/webhook/batch': '--batch',
  '/webhook/ca': '--target-ca',
  '/file/file': '--file',
  '/secret': '--secret-file',
  '/label_selector': '--selector',
  '/equipment': '--equipment',
  '/start': '--start',
}
