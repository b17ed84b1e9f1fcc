import type { DaemonAddress } from '../../../daemon/address-file.js'
import type { Variables } from '../../environment.js'
import { argumentsAgain, type GivenSettings, settingsIn } from '../daemon-flags.js'
import { keyOf, SETTING_FLAGS, shapeOf } from './setting.js'

/**
 * What a daemon is given to run as it did before: its flags, and the variables that it had, where this environment does not
 * have them. Variables with secrets are not among them.
 */
export async function asBefore(
  before: DaemonAddress,
  variables: Variables,
): Promise<{ readonly given: GivenSettings; readonly variables: Variables }> {
  const had = SETTING_FLAGS.flatMap((flag) => {
    const { variable, value } = before.settings?.find(({ name }) => name === keyOf(flag)) ?? {}
    const isPlain = variable !== undefined && variable === shapeOf(flag).env
    return isPlain && value !== null && value !== undefined && !variables[variable]
      ? [[variable, [value].flat().join(',')]]
      : []
  })
  return {
    given: await settingsIn(argumentsAgain(before)),
    variables: {
      ...variables,
      ...(before.config && !variables['SECSCTL_CONFIG'] && { SECSCTL_CONFIG: before.config }),
      ...Object.fromEntries(had),
    },
  }
}
