import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { readAddress } from '../../daemon/address-file.js'
import {
  type ReadFile,
  readScenario,
  type Scenario,
  ScenarioError,
} from '../../scenario/file/read-scenario.js'
import { hasStep, isWithin, type Part } from '../../scenario/run/part.js'
import { SHIPPED_SCENARIOS, shippedScenario } from '../../scenario/shipped-scenarios.js'
import type { BaseCommand } from '../base-command.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { readFault } from '../errors/file-fault.js'
import { textsFlag } from '../input/flags.js'
import { catalogueHere } from '../messages/catalogue-flag.js'
import { faultMistakes } from './simulator-steps.js'

/** The longest file of a scenario or of rows, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024

export const SET_FLAG = textsFlag('NAME=VALUE', 'A value for a variable of the scenario. May be repeated.')

const readFile: ReadFile = (path, from) => {
  const full = from === '' ? path : resolve(dirname(from), path)
  // A file of one's own may have the name of a scenario that comes with secsctl, and is used by other files then.
  const shipped = from === '' || !exists(full) ? shippedScenario(path) : undefined
  if (shipped !== undefined) return { path, text: shipped }
  try {
    const found = statSync(full)
    if (!found.isFile()) throw new Error('it is not a file')
    if (found.size > MAX_BYTES) throw new Error(`it has ${found.size} bytes, and may have ${MAX_BYTES}`)
    return { path: full, text: readFileSync(full, 'utf8') }
  } catch (error) {
    throw new Error(readFault(error))
  }
}

/** The values of `--set`, as texts. */
export function variablesGiven(given: readonly string[] = []): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    given.map((word) => {
      const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? []
      if (name === undefined) throw wrongUsage(`--set takes NAME=VALUE, not "${word}"`)
      return [name, value]
    }),
  )
}

/**
 * The messages of the gateway at `url`, or of the one on this machine; null where it is on another machine and no file
 * of its own messages is given.
 */
export async function catalogueAt(
  on: BaseCommand,
  file: string | undefined,
  url?: string,
): Promise<Catalogue | null> {
  const { state } = on.folders
  const isHere = url === undefined || file !== undefined || (await readAddress(state))?.url === url
  return isHere ? catalogueHere(on.environment.stdin, file, state, (text) => on.note(text)) : null
}

/**
 * The scenario that an argument names: one that comes with secsctl, or a file. `catalogue`: of the gateway that runs it;
 * null where it is not known.
 */
export function scenarioNamed(
  given: string,
  variables: Readonly<Record<string, unknown>> = {},
  catalogue?: Catalogue | null,
): Scenario {
  try {
    const scenario = readScenario(given, readFile, variables, catalogue)
    const mistakes = faultMistakes(scenario)
    if (mistakes.length > 0) throw new ScenarioError(mistakes)
    return scenario
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    if (given === 'hsms' && !exists(given))
      throw wrongUsage('hsms needs connections of its own: secsctl conform HOST:PORT --only hsms')
    const isMissing = !SHIPPED_SCENARIOS.includes(given) && !exists(given)
    if (isMissing)
      throw new Failure(
        'missing',
        `there is no scenario "${given}": ${SHIPPED_SCENARIOS.join(', ')}, or a file`,
      )
    throw wrongUsage(error.message)
  }
}

/** The part of a scenario that `--from` and `--until` name. Throws for a step that is not there. */
export function partGiven({ steps }: Scenario, { from, until }: Part): Part {
  for (const [flag, number] of Object.entries({ from, until })) {
    if (number !== undefined && !(/^\d+(\.\d+)*$/.test(number) && hasStep(steps, number)))
      throw wrongUsage(`--${flag}: there is no step ${number}; the last one is ${steps.length}`)
  }
  if (from !== undefined && until !== undefined && !isWithin(from, { until }))
    throw wrongUsage(`--until ${until} comes before --from ${from}`)
  return { from, until }
}

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined
