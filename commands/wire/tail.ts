import { Flags } from '@oclif/core'
import { outputFlag } from '../../src/cli/base-command.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { EQUIPMENT_ARGUMENT } from '../../src/cli/input/arguments.js'
import { parseDuration } from '../../src/cli/input/durations.js'
import { IdleTimeout } from '../../src/cli/input/idle-timeout.js'
import { printedWire } from '../../src/cli/wire/wire-printer.js'
import { keepFollowingWire } from '../../src/client/wire.js'

export default class WireTail extends GatewayCommand {
  static override summary = 'Watch what passes between the gateway and an equipment, as it passes.'
  static override description =
    'Every HSMS message in both directions, control messages too, over reconnects of the equipment and restarts of the gateway. Nothing of it is stored; what came before is not shown. With --json, one object a line.'
  static override examples = [
    'secsctl wire tail etcher',
    'secsctl wire tail etcher --hex --count 20',
    'secsctl wire tail etcher -o sml',
    'secsctl wire tail etcher --json --idle-timeout 30s',
  ]
  static override args = { equipment: EQUIPMENT_ARGUMENT }
  static override flags = {
    count: Flags.integer({ char: 'n', min: 1, helpValue: 'N', summary: 'End after so many messages.' }),
    hex: Flags.boolean({ summary: 'Also print the bytes of each message.' }),
    'idle-timeout': Flags.string({
      helpValue: 'DURATION',
      summary: 'End with exit code 7 when nothing has passed for so long.',
    }),
    output: outputFlag(['table', 'tsv', 'json', 'sml']),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WireTail)
    const { count, hex } = flags
    const idle = flags['idle-timeout']
    const limit = idle === undefined ? undefined : parseDuration(idle, '--idle-timeout')
    const client = await this.client()
    const { id } = await this.equipment(args.equipment)
    const { format, sink, formatTime } = this
    const printing = {
      format,
      hex,
      // Milliseconds, since several messages may pass in one second.
      formatTime: (at: string) => (sink.isTerminal ? formatTime(at) + at.slice(19, 23) : at),
    }
    const idleTimeout = new IdleTimeout(this.clock, limit, this.environment.interruption.hold())
    const query = count === undefined ? {} : { count }
    const persistence = this.persistence('What passes meanwhile is not seen. ')
    const options = { ...client.options, ...persistence, clock: this.clock }
    idleTimeout.begin()
    try {
      for await (const record of keepFollowingWire(options, id, query, idleTimeout.signal)) {
        idleTimeout.begin()
        this.write(printedWire(record, printing))
      }
    } catch (error) {
      if (!idleTimeout.signal.aborted) throw error
    } finally {
      idleTimeout.end()
    }
    if (idleTimeout.over) throw new Failure('timeout', `nothing passed for ${idle}`)
  }
}
