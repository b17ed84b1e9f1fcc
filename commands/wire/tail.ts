import { Flags } from '@oclif/core'
import { outputFlag } from '../../src/cli/base-command.js'
import { mayBeSeveral, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { SEVERAL_EQUIPMENT } from '../../src/cli/input/arguments.js'
import { parseDuration } from '../../src/cli/input/durations.js'
import { IdleTimeout } from '../../src/cli/input/idle-timeout.js'
import { checkWireLogs } from '../../src/cli/wire/wire-logs.js'
import { printedWire } from '../../src/cli/wire/wire-printer.js'
import { keepFollowingWire } from '../../src/client/wire.js'
import type { Equipment } from '../../src/contract/equipment.js'

export default class WireTail extends GatewayCommand {
  static override summary = 'Watch what passes between the gateway and an equipment, as it passes.'
  static override description =
    'Every HSMS message in both directions, control messages too, over reconnects of the equipment and restarts of the gateway. Nothing of it is stored; what came before is not shown. With --json, one object a line. Of several equipments, 8 at most, each record has the name of its equipment; --count is for all of them together.'
  static override examples = [
    'secsctl wire tail etcher',
    "secsctl wire tail 'etch-*'",
    'secsctl wire tail etcher --hex --count 20',
    'secsctl wire tail etcher -o sml',
    'secsctl wire tail etcher --json --idle-timeout 30s',
  ]
  static override strict = false
  static override args = { equipment: SEVERAL_EQUIPMENT }
  static override flags = {
    ...TARGET_FLAGS,
    count: Flags.integer({ char: 'n', min: 1, helpValue: 'N', summary: 'End after so many messages.' }),
    hex: Flags.boolean({ summary: 'Also print the bytes of each message.' }),
    'idle-timeout': Flags.string({
      helpValue: 'DURATION',
      summary: 'End with exit code 7 when nothing has passed for so long.',
    }),
    output: outputFlag(['table', 'tsv', 'json', 'sml']),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(WireTail)
    const { hex, 'idle-timeout': idle } = flags
    const limit = idle === undefined ? undefined : parseDuration(idle, '--idle-timeout')
    const client = await this.client()
    const chosen = await this.chosen(argv.map(String), flags.all, flags.selector)
    checkWireLogs(chosen)
    const { format, sink, formatTime } = this
    const printing = {
      format,
      hex,
      // Milliseconds, since several messages may pass in one second.
      formatTime: (at: string) => (sink.isTerminal ? formatTime(at) + at.slice(19, 23) : at),
    }
    const query = flags.count === undefined ? {} : { count: flags.count }
    const persistence = this.persistence('What passes meanwhile is not seen. ')
    const options = { ...client.options, ...persistence, clock: this.clock }
    const [given = '*'] = argv.map(String)
    const isOne = chosen.length === 1 && (chosen[0]?.name === given || !mayBeSeveral(given))
    const over = new AbortController()
    const idleTimeout = new IdleTimeout(this.clock, limit, this.environment.interruption.hold())
    const signal = AbortSignal.any([idleTimeout.signal, over.signal])
    idleTimeout.begin()
    let left = flags.count ?? Number.POSITIVE_INFINITY
    const follow = async ({ id, name }: Equipment): Promise<void> => {
      for await (const record of keepFollowingWire(options, id, query, signal)) {
        if (over.signal.aborted) return
        idleTimeout.begin()
        this.write(printedWire(record, isOne ? printing : { ...printing, equipment: name }))
        if (record.kind === 'frame') left -= 1
        if (left === 0) over.abort()
      }
    }
    try {
      await Promise.all(chosen.map(follow))
    } catch (error) {
      if (!idleTimeout.signal.aborted) throw error
    } finally {
      idleTimeout.end()
      over.abort()
    }
    if (idleTimeout.over) throw new Failure('timeout', `nothing passed for ${idle}`)
  }
}
