import { endpoints } from '../../contract/endpoints.js'
import { differenceOf } from '../../inspection/clock-difference.js'
import { momentOf } from '../../kit/time-text.js'
import { outputFlag, RECORD_FORMATS } from '../base-command.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGES, READS } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { optional } from '../input/arguments.js'

/** E5's TIME, which goes out as it is; else a moment. */
function timeGiven(text: string): { readonly raw: string } | { readonly time: string } {
  if (/^[0-9]{12}([0-9]{2}|[0-9]{4})?$/.test(text)) return { raw: text }
  if (momentOf(text) !== undefined) return { time: text }
  throw wrongUsage(`"${text}" is neither RFC 3339 with an offset nor TIME of 12, 14 or 16 digits`)
}

export const clockShow = equipmentVerb({
  summary: 'Read the clock of an equipment (S2F17), and how far it is off.',
  description: "TIME has no time zone: it is compared with the gateway's local time.",
  examples: ['secsctl clock show etcher', 'secsctl clock show etcher --json | jq .difference_seconds'],
  flags: { ...READS, output: outputFlag(RECORD_FORMATS) },
  async one(on, { args, flags }) {
    const clock = await on.ask(endpoints.getClock, args.equipment, flags)
    const off = clock.difference_seconds
    on.printRecord(clock, [
      ['time', clock.time ?? 'not known'],
      ['TIME', clock.raw],
      ['off', off === null ? 'not known' : differenceOf(off * 1000).text],
      ['reply', clock.reply_id],
    ])
  },
})

export const clockSet = equipmentVerb({
  summary: 'Set the clock of an equipment (S2F31), by default to now; exit code 8 when it refuses.',
  description:
    "A moment, and now, is sent as the gateway's local time in 16 digits. Equipment of another time zone or format takes TIME as it is given: 12 digits (YYMMDDhhmmss), 14 (YYYYMMDDhhmmss) or 16 (YYYYMMDDhhmmsscc).",
  examples: [
    'secsctl clock set etcher',
    'secsctl clock set --all --yes',
    'secsctl clock set etcher 2026-01-31T08:00:00Z',
    'secsctl clock set etcher 260131080000',
  ],
  args: { time: optional('A moment in RFC 3339, or TIME; now when left out.') },
  flags: CHANGES,
  words: { '/time': 'TIME', '/raw': 'TIME' },
  async one(on, { args: { equipment, time }, flags }) {
    const body = time === undefined ? {} : timeGiven(time)
    const result = await on.ask(endpoints.setClock, equipment, flags, { body })
    on.printVerdict('TIACK', result, [['TIME', result.raw]])
  },
})
