import { Flags } from '@oclif/core'
import type { DaemonOptions } from '../../daemon/daemon.js'
import { wrongUsage } from '../errors/failure.js'
import { parseDuration } from '../input/durations.js'

const DAY = 86_400_000
const MIB = 1024 ** 2
const UNITS = { MiB: MIB, GiB: 1024 * MIB, TiB: 1024 ** 2 * MIB, MB: 1e6, GB: 1e9, TB: 1e12 } as const
/** What is written at once and more: below it the history of a busy hour would not fit. */
const MIN_BYTES = 64 * MIB

/** Bytes of `512MiB`, `2GiB` or `500MB`; fractions are taken, a bare number is not. */
function parseSize(text: string, flag: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([KMGT]i?B)$/.exec(text) ?? []
  const bytes = Number(amount) * UNITS[unit as keyof typeof UNITS]
  if (bytes >= MIN_BYTES && Number.isSafeInteger(Math.round(bytes))) return Math.round(bytes)
  throw wrongUsage(`${flag} takes a size of 64MiB or more, such as 512MiB or 2GiB, not "${text}"`)
}

function parseKeep(text: string): number {
  const age = parseDuration(text, '--keep')
  if (age >= DAY) return age
  throw wrongUsage(`--keep takes a day or more, such as 30d: idempotency keys live that long`)
}

/** How much of the history is kept. What is read here stays a text, as a daemon in another process is given it. */
export const RETENTION_FLAGS = {
  keep: Flags.string({
    default: '30d',
    env: 'SECSCTL_KEEP',
    helpValue: 'TIME',
    parse: async (text) => {
      parseKeep(text)
      return text
    },
    summary: 'How long the history is kept.',
  }),
  'keep-size': Flags.string({
    default: '2GiB',
    env: 'SECSCTL_KEEP_SIZE',
    helpValue: 'SIZE',
    parse: async (text) => {
      parseSize(text, '--keep-size')
      return text
    },
    summary: 'How large the history may get; the oldest entries are deleted beyond either limit.',
  }),
}

export const retentionOf = (settings: {
  readonly keep: string
  readonly 'keep-size': string
}): NonNullable<DaemonOptions['retention']> => ({
  maxAge: parseKeep(settings.keep),
  maxBytes: parseSize(settings['keep-size'], '--keep-size'),
})
