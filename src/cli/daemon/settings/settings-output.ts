import type { RunningSetting } from '../../../daemon/address-file.js'
import type { Column } from '../../output/output.js'

/** A setting with where it is: its flag, its variable, or its line of the file. */
export type ShownSetting = RunningSetting & { readonly from: string }

/** The settings that have a value, or a secret. `config` is the configuration file. */
export const shownSettings = (
  settings: readonly RunningSetting[],
  config: string | null | undefined,
): readonly ShownSetting[] =>
  settings
    .filter(({ value, source }) => value !== null || source !== 'default')
    .map((setting) => ({ ...setting, from: placeOf(setting, config) }))

function placeOf(
  { name, source, variable, line }: RunningSetting,
  config: string | null | undefined,
): string {
  if (source === 'flag') return `--${name.replaceAll('_', '-')}`
  if (source === 'file') return [config, line].join(':')
  return variable ?? ''
}

export const SETTING_COLUMNS: readonly Column<ShownSetting>[] = [
  { title: 'SETTING', text: ({ name }) => name },
  {
    title: 'VALUE',
    text: ({ value }) => (value === null ? '(not shown)' : [value].flat().join(',')),
  },
  { title: 'SOURCE', text: ({ source }) => source },
  { title: 'FROM', text: ({ from }) => from },
]
