import { Flags } from '@oclif/core'
import { parseDuration } from '../../src/cli/durations.js'
import { EQUIPMENT_ARGUMENT } from '../../src/cli/equipment-argument.js'
import { type Check, checksOf } from '../../src/cli/equipment-check.js'
import { EXIT_CODES } from '../../src/cli/exit-codes.js'
import { Failure } from '../../src/cli/failure.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import type { Column } from '../../src/cli/output.js'
import { endpoints } from '../../src/contract/endpoints.js'

const result = ({ ok }: Check): string => (ok === null ? 'unknown' : ok ? 'ok' : 'not ok')

const COLUMNS: readonly Column<Check>[] = [
  { title: 'CHECK', text: ({ check }) => check },
  { title: 'RESULT', text: result },
  { title: 'WHAT', text: ({ detail }) => detail },
]

export default class EquipmentCheck extends GatewayCommand {
  static override summary = 'Look an equipment over: connection, communication, control, clock.'
  static override description =
    'Asks the equipment through the gateway (S1F1, S1F11, S1F3, S2F17) and changes nothing. What is not ok comes with the command to try next, and the first such thing decides the exit code.'
  static override aliases = ['eq:check']
  static override examples = [
    '<%= config.bin %> equipment check etcher',
    '<%= config.bin %> equipment check etcher --json | jq .ok',
  ]
  static override args = {
    equipment: EQUIPMENT_ARGUMENT,
  }
  static override flags = {
    timeout: Flags.string({
      default: '5s',
      helpValue: 'DURATION',
      summary: 'How long the equipment may take for an answer, where its T3 is longer.',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EquipmentCheck)
    const timeout = parseDuration(flags.timeout, '--timeout') / 1000
    if (timeout < 0.1) throw new Failure('usage', '--timeout is 100ms or more')
    const equipment = await this.equipment(args.equipment)
    const client = await this.client()
    const params = { id: equipment.id }
    const progress = this.progress()
    progress.start(`asking ${equipment.name}`)
    const checks: Check[] = []
    try {
      const world = {
        ask: (body: object) => client.call(endpoints.sendMessage, { params, query: { timeout }, body }),
        record: () => client.call(endpoints.getEquipment, { params }),
        now: () => this.clock.date(),
      }
      for await (const check of checksOf(equipment, world)) checks.push(check)
    } finally {
      progress.stop()
    }
    const faults = checks.filter(({ ok }) => ok === false)
    if (this.format === 'json') {
      this.printJson({
        id: equipment.id,
        name: equipment.name,
        ok: faults.length === 0,
        checks: checks.map(({ check, ok, detail, next = null }) => ({ check, ok, detail, next })),
      })
    } else await this.printList(checks, COLUMNS, '')
    for (const { check, next } of checks) if (next !== undefined) this.note(`${check}: ${next}`)
    const [first] = faults
    if (first?.kind !== undefined) process.exitCode = EXIT_CODES[first.kind]
  }
}
