import { stat } from 'node:fs/promises'
import { BaseCommand, outputFlag } from '../../src/cli/base-command.js'
import { daemonFields } from '../../src/cli/daemon/daemon-output.js'
import { noDaemon } from '../../src/cli/daemon/installed-service.js'
import { SETTING_COLUMNS, shownSettings } from '../../src/cli/daemon/settings/settings-output.js'
import { systemctl } from '../../src/daemon/service-unit.js'
import { findDaemon } from '../../src/daemon/spawn.js'

export default class DaemonStatus extends BaseCommand {
  static override summary = 'Tell whether the gateway runs on this machine, where, and with which settings.'
  static override description =
    'Changes nothing. Each setting is shown with its source: a flag, a variable of the environment, a line of the configuration file, or the default. Secrets are not shown.'
  static override examples = ['secsctl daemon status', 'eval "$(secsctl daemon status -o env)"']
  static override flags = { output: outputFlag(['table', 'tsv', 'json', 'env']) }

  async run(): Promise<void> {
    const { flags } = await this.parse(DaemonStatus)
    const { state } = this.folders
    const address = await findDaemon(state, this.clock)
    if (!address) throw await noDaemon(this.environment)
    if (flags.output === 'env' && !flags.json) return this.print(`export SECSCTL_URL='${address.url}'`)
    this.printRecord({ running: true, ...address }, daemonFields(address, this.formatTime))
    if (this.format === 'json' || address.settings === undefined) return
    const restart = address.unit ? systemctl(address.unit, 'restart') : 'secsctl daemon restart'
    if (address.config && (await changedSince(address.config, address.started_at)))
      this.note(`${address.config} was changed after the start, and is read at: ${restart}`)
    this.print('')
    await this.printList(shownSettings(address.settings, address.config), SETTING_COLUMNS, '')
  }
}

const changedSince = async (path: string, time: string): Promise<boolean> => {
  const { mtime } = await stat(path).catch(() => ({ mtime: undefined }))
  return mtime !== undefined && mtime > new Date(time)
}
