import type { DaemonOptions } from '../../daemon/daemon.js'
import { durationOf } from '../../kit/duration-text.js'
import { wrongUsage } from '../errors/failure.js'
import { parseDuration } from '../input/durations.js'
import { rare, textFlag } from '../input/flags.js'
import { parseSize } from '../input/sizes.js'

const DAY = 86_400_000
/** What is written at once and more: below it the history of a busy hour would not fit. */
const LEAST = '64MiB'

function parseKeep(text: string): number {
  const age = durationOf(text) ?? 0
  if (age >= DAY) return age
  throw wrongUsage(
    `--keep takes a duration of a day or more, such as 30d or 36h, not "${text}": idempotency keys live a day`,
  )
}

/** How much of the history is kept. What is read here stays a text, as a daemon in another process is given it. */
export const RETENTION_FLAGS = {
  keep: textFlag('TIME', 'How long the history is kept.', {
    default: '30d',
    env: 'SECSCTL_KEEP',
    parse: async (text) => {
      parseKeep(text)
      return text
    },
  }),
  'keep-size': textFlag(
    'SIZE',
    'Largest size of the history. Above either limit the oldest entries are deleted.',
    {
      default: '2GiB',
      env: 'SECSCTL_KEEP_SIZE',
      parse: async (text) => {
        parseSize(text, '--keep-size', LEAST)
        return text
      },
    },
  ),
  ...rare({
    'sinks-keep': textFlag(
      'TIME',
      'Extra time beyond --keep to keep history that a sink has not delivered.',
      {
        default: '7d',
        parse: async (text) => {
          parseDuration(text, '--sinks-keep')
          return text
        },
      },
    ),
    'sinks-keep-size': textFlag(
      'SIZE',
      'How much larger than --keep-size the history may get with it; 0MiB: not at all.',
      {
        default: '1GiB',
        parse: async (text) => {
          parseSize(text, '--sinks-keep-size')
          return text
        },
      },
    ),
  }),
}

export const retentionOf = (
  settings: {
    readonly [Name in keyof typeof RETENTION_FLAGS]: string
  },
): NonNullable<DaemonOptions['retention']> => ({
  maxAge: parseKeep(settings.keep),
  maxBytes: parseSize(settings['keep-size'], '--keep-size', LEAST),
  held: {
    maxAge: parseDuration(settings['sinks-keep'], '--sinks-keep'),
    maxBytes: parseSize(settings['sinks-keep-size'], '--sinks-keep-size'),
  },
})
