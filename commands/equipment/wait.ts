import { Flags } from '@oclif/core'
import { EquipmentChanges } from '../../src/cli/equipment/equipment-changes.js'
import { EQUIPMENT_COLUMNS } from '../../src/cli/equipment/equipment-output.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { EQUIPMENT_ARGUMENT } from '../../src/cli/input/arguments.js'
import { parseDuration } from '../../src/cli/input/durations.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Equipment } from '../../src/contract/equipment.js'
import { standing } from '../../src/inspection/dialling.js'
import { delay } from '../../src/kit/clock.js'
import { shellWord } from '../../src/kit/shell-word.js'

const GOALS = {
  selected: ({ connection_state }: Equipment) => connection_state === 'SELECTED',
  communicating: ({ communication_state }: Equipment) => communication_state === 'COMMUNICATING',
  'online-remote': ({ control_state }: Equipment) => control_state === 'ONLINE_REMOTE',
} as const
const NAMES = ['selected', 'communicating', 'online-remote'] as const

const LOOK_INTERVAL_MS = 250

export default class EquipmentWait extends GatewayCommand {
  static override summary = 'Wait until an equipment is in a state.'
  static override examples = [
    'secsctl equipment wait etcher --for communicating',
    'secsctl equipment wait etcher --for online-remote --timeout 5m',
  ]
  static override args = { equipment: EQUIPMENT_ARGUMENT }
  static override flags = {
    for: Flags.option({ options: NAMES, required: true, summary: 'The state to wait for.' })(),
    timeout: Flags.string({ default: '30s', helpValue: 'DURATION', summary: 'How long to wait.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EquipmentWait)
    const until = this.clock.now() + parseDuration(flags.timeout, '--timeout')
    const { id, name } = await this.equipment(args.equipment)
    const client = await this.client()
    const reached = await this.during('', async (progress) => {
      const changes = new EquipmentChanges(client, { id, name }, progress, this.clock)
      await changes.start()
      progress.start(`waiting until ${name} is ${flags.for}`)
      try {
        for (;;) {
          const equipment = await client.call(endpoints.getEquipment, { params: { id } })
          if (GOALS[flags.for](equipment)) return equipment
          if (this.clock.now() >= until) {
            const detail = `${name} is not ${flags.for} after ${flags.timeout}: ${standing(equipment)}`
            throw new Failure('timeout', detail, `secsctl equipment show ${shellWord(name)}`)
          }
          await delay(this.clock, LOOK_INTERVAL_MS)
        }
      } finally {
        await changes.stop()
      }
    })
    await this.printOne(reached, EQUIPMENT_COLUMNS)
  }
}
