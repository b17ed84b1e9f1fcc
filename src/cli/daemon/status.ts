import { stat } from 'node:fs/promises'
import { systemctl } from '../../daemon/service-unit.js'
import { findDaemon } from '../../daemon/spawn.js'
import { BaseCommand, outputFlag } from '../base-command.js'
import { verb } from '../verb.js'
import { daemonFields } from './daemon-output.js'
import { noDaemon } from './installed-service.js'
import { SETTING_COLUMNS, shownSettings } from './settings/settings-output.js'

export const daemonStatus = verb(BaseCommand, {
  summary: 'Tell whether the gateway runs on this machine, where, and with which settings.',
  description:
    'Changes nothing. Each setting is shown with its source: a flag, a variable of the environment, a line of the configuration file, or the default. Secrets are not shown.',
  examples: ['secsctl daemon status', 'eval "$(secsctl daemon status -o env)"'],
  flags: { output: outputFlag(['table', 'tsv', 'json', 'env']) },
  async run(on, { flags }) {
    const { state } = on.folders
    const address = await findDaemon(state, on.clock)
    if (!address) throw await noDaemon(on.environment)
    if (flags.output === 'env' && !flags.json) return on.print(`export SECSCTL_URL='${address.url}'`)
    on.printRecord({ running: true, ...address }, daemonFields(address, on.formatTime))
    if (on.format === 'json' || address.settings === undefined) return
    const restart = address.unit ? systemctl(address.unit, 'restart') : 'secsctl daemon restart'
    if (address.config && (await changedSince(address.config, address.started_at)))
      on.note(`${address.config} was changed after the start, and is read at: ${restart}`)
    on.print('')
    await on.printList(shownSettings(address.settings, address.config), SETTING_COLUMNS, '')
  },
})

const changedSince = async (path: string, time: string): Promise<boolean> => {
  const { mtime } = await stat(path).catch(() => ({ mtime: undefined }))
  return mtime !== undefined && mtime > new Date(time)
}
