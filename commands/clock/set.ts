import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../../src/cli/equipment/equipment-targets.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { optional } from '../../src/cli/input/arguments.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { ServiceCommand } from '../../src/cli/service-command.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { momentOf } from '../../src/kit/time-text.js'

/** E5's TIME, which goes out as it is; else a moment. */
function timeGiven(text: string): { readonly raw: string } | { readonly time: string } {
  if (/^[0-9]{12}([0-9]{2}|[0-9]{4})?$/.test(text)) return { raw: text }
  if (momentOf(text) !== undefined) return { time: text }
  throw wrongUsage(`"${text}" is neither RFC 3339 with an offset nor TIME of 12, 14 or 16 digits`)
}

export default class ClockSet extends ServiceCommand {
  static override summary =
    'Set the clock of an equipment (S2F31), by default to now; exit code 8 when it refuses.'
  static override description =
    "A moment, and now, is sent as the gateway's local time in 16 digits. Equipment of another time zone or format takes TIME as it is given: 12 digits (YYMMDDhhmmss), 14 (YYYYMMDDhhmmss) or 16 (YYYYMMDDhhmmsscc)."
  static override examples = [
    'secsctl clock set etcher',
    'secsctl clock set --all --yes',
    'secsctl clock set etcher 2026-01-31T08:00:00Z',
    'secsctl clock set etcher 260131080000',
  ]
  static override args = {
    equipment: TARGET_ARGUMENT,
    time: optional('A moment in RFC 3339, or TIME; now when left out.'),
  }
  static override flags = { ...TRANSACTION_FLAGS, ...CHANGE_FLAGS }

  protected override readonly words = { '/time': 'TIME', '/raw': 'TIME' }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(ClockSet)
    const body = args.time === undefined ? {} : timeGiven(args.time)
    const result = await this.ask(endpoints.setClock, args.equipment, flags, { body })
    this.printVerdict('TIACK', result, [['TIME', result.raw]])
  }
}
