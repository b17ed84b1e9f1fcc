import type { Clock } from '../../kit/clock.js'
import type { Scenario, ScenarioProblem, Step } from '../../scenario/file/read-scenario.js'
import { namesIn } from '../../scenario/file/variables.js'
import { wordsOf } from '../../simulator/control/arguments.js'
import { askSimulator } from '../../simulator/control/control-client.js'
import { FAULT_COMMANDS } from '../../simulator/control/fault-commands.js'
import { FAULTS, type FaultName, setFault } from '../../simulator/faults.js'
import { controlAddress } from '../simulator/control-address.js'

/** Milliseconds for the reply of a simulator, whose host may meet T3 first. */
const REPLY_MS = 60_000

/** Gives a simulator a command. Throws why it was not carried out. */
export const simulatorAt =
  (clock: Clock) =>
  async (address: string, words: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
    const reply = await askSimulator(controlAddress(address), words, clock, REPLY_MS)
    if (!reply.ok) throw new Error(`the simulator: ${reply.error}`)
    return reply
  }

/** Faults of `set` that the simulator does not have, or whose arguments are wrong. */
export function faultMistakes({ steps }: Pick<Scenario, 'steps'>): readonly ScenarioProblem[] {
  return steps.flatMap((step: Step) => {
    const { fault } = step.kind === 'set' ? (step.written.set ?? {}) : {}
    const detail = fault === undefined || namesIn(fault).length > 0 ? undefined : mistakeIn(fault)
    return [...(detail === undefined ? [] : [{ ...step.place, detail }]), ...faultMistakes(step)]
  })
}

const isFault = (name: string): name is FaultName => Object.hasOwn(FAULTS, name)

function mistakeIn(text: string): string | undefined {
  try {
    const [name = '', ...words] = wordsOf(text)
    if (isFault(name)) setFault({}, name, words)
    else if (!FAULT_COMMANDS.some((command) => command.name === name)) return `there is no fault "${name}"`
    return undefined
  } catch (error) {
    return `fault: ${(error as Error).message}`
  }
}
