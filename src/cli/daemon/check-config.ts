import { BACKCHANNEL_PATH, CALLBACK_PATH } from '../../contract/topics/accounts/sign-on.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { wrongUsage } from '../errors/failure.js'
import { optional } from '../input/arguments.js'
import { switchFlag } from '../input/flags.js'
import { verb } from '../verb.js'
import { DaemonCommand, givenOf } from './daemon-command.js'
import { DAEMON_FLAGS, parsedFlag } from './daemon-flags.js'
import { faultsOfFiles } from './settings/named-files.js'
import { faultsFailure, inOrder } from './settings/setting.js'
import { type EffectiveSettings, effectiveSettings } from './settings/settings.js'
import { SETTING_COLUMNS, shownSettings } from './settings/settings-output.js'

/** What an identity provider has to know of the gateway: a wrong address there is shown by its page alone. */
function toRegister({ auth }: EffectiveSettings): readonly string[] {
  const given = auth?.oidc?.public_url
  if (given === undefined) return []
  const url = String(given).replace(/\/+$/, '')
  return [
    'Register at the identity provider:',
    `  redirect address     ${url}${CALLBACK_PATH}`,
    `  after a logout       ${url}/`,
    `  back-channel logout  ${url}${BACKCHANNEL_PATH}`,
  ]
}

export const daemonCheckConfig = verb(DaemonCommand, {
  summary: 'Check the configuration of the daemon, and show where each value is from.',
  description: `Starts nothing and changes nothing. FILE is YAML: one setting a line, named as the flag of \`daemon run\` with underscores, such as "tls_cert: cert.pem". Paths are relative to the folder of the file. A flag has precedence over a variable of the environment, and a variable over the file. The file cannot have --standby, --take-over, --accept-loss, --accept-edits and --config. Secrets are in files of their own (admin_password_file, store_password_file, ...) that other users cannot read.

All faults are listed at once, and the exit code is 2: unknown names, wrong values, and files that a start could not use. Run it as the user of the daemon, with its flags and its environment.`,
  examples: [
    'secsctl daemon check-config /etc/secsctl/daemon.yaml',
    'secsctl daemon check-config --print-sample > daemon.yaml',
    'secsctl daemon check-config --print-schema > daemon.schema.json',
  ],
  args: { file: optional('The configuration file, as --config.') },
  flags: {
    ...DAEMON_FLAGS,
    'print-sample': switchFlag('Print a file with every setting, its description and its default.', {
      exclusive: ['print-schema'],
    }),
    'print-schema': switchFlag('Print the JSON Schema of the file, for editors.'),
  },

  async run(on, { flags, args }) {
    const given = givenOf(flags)
    if (flags['print-sample'] === true) {
      const { sampleFile } = await import('./settings/sample.js')
      return on.printAsIs(sampleFile())
    }
    if (flags['print-schema'] === true) {
      const { settingsSchema } = await import('./settings/schema.js')
      return on.printAsIs(JSON.stringify(settingsSchema(), undefined, 2))
    }
    const { file } = args
    if (file !== undefined && given.config !== undefined)
      throw wrongUsage('FILE and --config are the same: give one of them')
    const config = file === undefined ? given.config : String(await parsedFlag('config', file))
    const effective = await effectiveSettings({ ...given, config }, on.environment.variables)
    const faults = [...effective.faults, ...(await faultsOfFiles(effective, on.environment))]
    if (on.format === 'json') {
      if (faults.length > 0) on.environment.exitCode = EXIT_CODES.usage
      const { list: settings } = effective
      return on.printJson({
        valid: faults.length === 0,
        config: effective.config ?? null,
        faults: inOrder(faults),
        settings,
      })
    }
    if (faults.length > 0) throw faultsFailure(faults, 'secsctl daemon check-config --print-sample')
    await on.printList(shownSettings(effective.list, effective.config), SETTING_COLUMNS, '')
    on.note(
      effective.config === undefined
        ? 'No configuration file is given: --config or SECSCTL_CONFIG names one.'
        : `${effective.config} is valid.`,
    )
    for (const line of toRegister(effective)) on.note(line)
  },
})
