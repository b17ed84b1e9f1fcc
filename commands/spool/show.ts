import { outputFlag, RECORD_FORMATS } from '../../src/cli/base-command.js'
import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENTS, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { spooledText } from '../../src/cli/spool/spooled-streams.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Spool } from '../../src/contract/topics/spool.js'

const UNKNOWN = 'not known: the equipment does not answer S2F59, and no S2F43 that it accepted is recorded'

export default class SpoolShow extends EquipmentCommand {
  static override summary =
    'Show the state of the spool, and which messages an equipment spools (S1F3, S2F13, S2F59).'
  static override description =
    'GEM has no message that asks for the state of the spool: what is shown are the status variables and constants of the equipment with `spool` in their names, such as SpoolCountActual. Of equipment that does not answer S2F59, the chosen messages are those of the last S2F43 that it accepted from the gateway.'
  static override strict = false
  static override examples = ['secsctl spool show track', 'secsctl spool show --all --json']
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = { ...ASKING_FLAGS, ...TARGET_FLAGS, output: outputFlag(RECORD_FORMATS) }

  /** Each equipment has other variables. */
  protected override readonly recordsAreTables = false

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(SpoolShow)
    const spool = await this.ask(endpoints.getSpool, args.equipment, flags)
    this.printRecord(spool, [
      ...spool.values.map(
        ({ id, name, text, unit }) => [name || (id ?? ''), unit ? `${text} ${unit}` : text] as const,
      ),
      ...this.#spooled(spool),
    ])
    if (spool.values.length === 0)
      this.note(
        'no status variable or constant has "spool" in its name: what the spool holds cannot be asked',
      )
  }

  #spooled({ spooled }: Spool): (readonly [string, string])[] {
    if (spooled === null) return [['chosen', UNKNOWN]]
    const { streams, known_from, at, message_id } = spooled
    const source = known_from === 'equipment' ? 'S2F60' : `S2F43 of ${this.formatTime(at)}`
    return [
      ['chosen', streams.length === 0 ? 'nothing' : spooledText(streams)],
      ['known from', `${source}, message ${message_id}`],
    ]
  }
}
