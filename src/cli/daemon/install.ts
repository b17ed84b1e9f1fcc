import { outputFlag } from '../base-command.js'
import type { Variables } from '../environment.js'
import { wrongUsage } from '../errors/failure.js'
import { switchFlag } from '../input/flags.js'
import { DAEMON_VARIABLES, daemonProgram, ownProgram } from '../installation.js'
import { verb } from '../verb.js'
import { DaemonCommand, givenOf } from './daemon-command.js'
import { DAEMON_FLAGS, daemonArguments } from './daemon-flags.js'
import { keyOf, kindOf, SETTING_FLAGS } from './settings/setting.js'
import { SYSTEM_ENV_FILE, SYSTEM_HOME, systemdUnit } from './systemd-unit.js'

/** Variables that name the daemon's folders: a service manager starts it without the variables of a shell. */
const FOLDER_VARIABLES = [
  'SECSCTL_HOME',
  'SECSCTL_KEYCHAIN',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
]

const USER_STEPS = [
  'To install it for yourself, put it where your service manager looks, and enable it:',
  '  mkdir -p ~/.config/systemd/user',
  '  secsctl daemon install --print > ~/.config/systemd/user/secsctl.service',
  '  systemctl --user daemon-reload',
  '  systemctl --user enable --now secsctl',
  'So that it runs also while you are not logged in: loginctl enable-linger',
]

const systemSteps = (url: string): readonly string[] => [
  `To install it for the machine, name its first administrator in ${SYSTEM_ENV_FILE}, of mode 0600 (SECSCTL_ADMIN_EMAIL=..., SECSCTL_ADMIN_PASSWORD=...), then:`,
  '  secsctl daemon install --print --system | sudo tee /etc/systemd/system/secsctl.service',
  '  sudo systemctl daemon-reload',
  '  sudo systemctl enable --now secsctl',
  `Then log in: secsctl login --url ${url}`,
]

export const daemonInstall = verb(DaemonCommand, {
  summary: 'Print a systemd unit that keeps the gateway running.',
  description:
    'It installs nothing: it prints the unit on standard output, and on standard error where to put it and how to enable it. The other flags are the flags of the daemon. Only for systemd (Linux).',
  examples: ['secsctl daemon install --print', 'secsctl daemon install --print --system --port 8443'],
  flags: {
    print: switchFlag('Print the unit. Has to be given: nothing else can be done.'),
    system: switchFlag('A service of the machine, with a user of its own; otherwise one of yours.'),
    ...DAEMON_FLAGS,
    output: outputFlag(['json']),
  },

  async run(on, { flags }) {
    const given = givenOf(flags)
    if (process.platform !== 'linux') {
      throw wrongUsage(
        `units are for systemd, which ${process.platform} does not have: let its own service manager run "secsctl daemon run"`,
        'secsctl daemon run --help',
      )
    }
    if (!flags['print']) {
      throw wrongUsage(
        'nothing is installed by this command: it prints a unit for you to put in place',
        'secsctl daemon install --print',
      )
    }
    const scope = flags['system'] ? 'system' : 'user'
    const { settings, list, config } = await on.settingsBy(given)
    // A service manager starts it without the variables of this shell, and reads the file at each start.
    const lasting = SETTING_FLAGS.filter((flag) =>
      list.some(
        ({ name, source }) => name === keyOf(flag) && (source === 'flag' || source === 'environment'),
      ),
    )
    const own = Object.fromEntries(lasting.map((flag) => [flag, settings[flag]]))
    const command = [...daemonProgram(on.environment.root), ...daemonArguments({ ...own, config }, true)]
    const folders = flags['system'] ? { SECSCTL_HOME: SYSTEM_HOME } : foldersGiven(on.environment.variables)
    const env = { ...folders, ...DAEMON_VARIABLES }
    const unit = systemdUnit({ scope, command, env, port: settings.port })
    if (on.format === 'json') return on.printJson({ scope, unit })
    on.print(unit)
    const url = `${settings['tls-cert'] === undefined ? 'http' : 'https'}://${settings.host}:${settings.port}`
    if (settings.store === undefined && on.environment.variables['SECSCTL_STORE'])
      on.note(`SECSCTL_STORE is not in the unit: give --store, or set it in ${SYSTEM_ENV_FILE} (--system).`)
    for (const step of flags['system'] ? systemSteps(url) : USER_STEPS) on.note(step)
    if (!flags['system']) return
    const paths = SETTING_FLAGS.filter((flag) => kindOf(flag) === 'path').map((flag) => settings[flag])
    const read = [...ownProgram(on.environment.root), config, ...paths].map((path) => path?.toString())
    const hidden = read.filter((path) => path !== undefined && /^\/(home|root)\//.test(path))
    if (hidden.length > 0)
      on.note(`Its user may not be able to read ${hidden.join(', ')}: put them elsewhere.`)
  },
})

const foldersGiven = (variables: Variables): Record<string, string> =>
  Object.fromEntries(
    FOLDER_VARIABLES.map((name) => [name, variables[name] ?? '']).filter(([, value]) => value),
  )
