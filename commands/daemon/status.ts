import { BaseCommand, outputFlag } from '../../src/cli/base-command.js'
import { daemonFields } from '../../src/cli/daemon/daemon-output.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { findDaemon } from '../../src/daemon/spawn.js'

export default class DaemonStatus extends BaseCommand {
  static override summary = 'Tell whether the gateway runs on this machine, and where. Changes nothing.'
  static override examples = ['secsctl daemon status', 'eval "$(secsctl daemon status -o env)"']
  static override flags = { output: outputFlag(['table', 'tsv', 'json', 'env']) }

  async run(): Promise<void> {
    const { flags } = await this.parse(DaemonStatus)
    const { state } = this.folders
    const address = await findDaemon(state, this.clock)
    if (!address)
      throw new Failure('unreachable', 'No daemon is running on this machine.', 'secsctl daemon start')
    if (flags.output === 'env' && !flags.json) return this.print(`export SECSCTL_URL='${address.url}'`)
    this.printRecord({ running: true, ...address }, daemonFields(address, this.formatTime))
  }
}
