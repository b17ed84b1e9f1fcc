import { join } from 'node:path'
import type { MachineEnvironment } from '../environment.js'

export interface Folders {
  /** Profiles, and tokens where there is no keychain. */
  readonly config: string
  /** What the local daemon records. */
  readonly data: string
  /** The local daemon's address and log. */
  readonly state: string
  /** True when `SECSCTL_HOME` put all of them in one place. */
  readonly apart: boolean
}

/** The platform's folders, or all of them under `SECSCTL_HOME`. */
export function foldersOf(environment: Pick<MachineEnvironment, 'variables' | 'home' | 'platform'>): Folders {
  const { variables: env, platform } = environment
  const own = env['SECSCTL_HOME']
  if (own)
    return { config: join(own, 'config'), data: join(own, 'data'), state: join(own, 'state'), apart: true }
  const { home } = environment
  if (platform === 'darwin') {
    const support = join(home, 'Library', 'Application Support', 'secsctl')
    const state = join(home, 'Library', 'Logs', 'secsctl')
    return { config: join(home, 'Library', 'Preferences', 'secsctl'), data: support, state, apart: false }
  }
  if (platform === 'win32') {
    const roaming = env['APPDATA'] || join(home, 'AppData', 'Roaming')
    const local = join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'secsctl')
    return {
      config: join(roaming, 'secsctl'),
      data: join(local, 'Data'),
      state: join(local, 'State'),
      apart: false,
    }
  }
  const xdg = (name: string, fallback: string): string => join(env[name] || join(home, fallback), 'secsctl')
  return {
    config: xdg('XDG_CONFIG_HOME', '.config'),
    data: xdg('XDG_DATA_HOME', join('.local', 'share')),
    state: xdg('XDG_STATE_HOME', join('.local', 'state')),
    apart: false,
  }
}
