import { Flags } from '@oclif/core'
import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { lockColumns } from '../../src/cli/equipment/equipment-output.js'
import { CHANGE_FLAGS, TARGET_ARGUMENTS } from '../../src/cli/equipment/equipment-targets.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { parseDuration } from '../../src/cli/input/durations.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { MAX_LOCK_SECONDS } from '../../src/contract/equipment-lock.js'

export default class EquipmentLock extends EquipmentCommand {
  static override summary = 'Lock equipment for everybody else, such as during maintenance.'
  static override description =
    'Until the lock ends, commands of others that change the equipment or send it messages fail with exit code 5 and name who locked it and why. Reading, acknowledging alarms, and what the gateway does by itself go on. You may repeat the command, which sets a new end. The lock ends by itself, with `equipment unlock`, or when an administrator breaks it.'
  static override strict = false
  static override examples = [
    "secsctl equipment lock etch-17 --for 10m --reason 'pump exchange'",
    "secsctl equipment lock -l area=etch --for 2h --reason 'gas off' --yes",
  ]
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = {
    for: Flags.string({
      required: true,
      helpValue: 'DURATION',
      summary: 'How long, such as 10m or 2h: 24h at most.',
    }),
    reason: Flags.string({
      required: true,
      helpValue: 'TEXT',
      summary: 'Why, for everybody who is refused and for the audit: 200 characters at most.',
    }),
    ...CHANGE_FLAGS,
  }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(EquipmentLock)
    const for_seconds = parseDuration(flags.for, '--for') / 1000
    if (for_seconds < 1 || for_seconds > MAX_LOCK_SECONDS)
      throw wrongUsage(`--for takes 1s to ${MAX_LOCK_SECONDS / 3600}h, not "${flags.for}"`)
    const body = { for_seconds, reason: flags.reason }
    const lock = await this.ask(endpoints.lockEquipment, args.equipment, {}, { body })
    await this.printOne(lock, lockColumns(this.formatTime))
  }
}
