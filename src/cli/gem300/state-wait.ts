import { isPassing } from '../../client/persistent.js'
import type { CodeWords } from '../../gem300/code-words.js'
import { delay } from '../../kit/clock.js'
import type { EquipmentCommand } from '../equipment/equipment-command.js'
import { TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { parseDuration, parseInterval } from '../input/durations.js'
import { textFlag, textsFlag } from '../input/flags.js'

/** Of a job that is not there any more. */
const GONE = 'GONE'

export const STATE_WAIT_FLAGS = {
  ...TARGET_FLAGS,
  for: textsFlag('STATE', 'The state to wait for. May be repeated: one of them is enough.'),
  timeout: textFlag('DURATION', 'How long to wait.', { default: '30m' }),
  interval: textFlag('DURATION', 'Time between two questions.', { default: '2s' }),
}

/** What is waited for. */
interface Waited {
  /** Such as `process job`. */
  readonly noun: string
  readonly job: string
  readonly words: CodeWords<string>
  /** States after which nothing follows but that the job goes. */
  readonly ends: readonly string[]
  /** The command that lists those that are there. */
  readonly list: string
  /** Its state now; undefined where there is no such job. */
  readonly ask: (equipmentId: string) => Promise<string | null | undefined>
}

interface WaitFlags {
  readonly for?: string[] | undefined
  readonly timeout: string
  readonly interval: string
}

/** Waits until a job is in one of the states, and prints it. Throws `equipment` where that cannot be any more. */
export async function waitForState(
  on: EquipmentCommand,
  equipment: string,
  flags: WaitFlags,
  { noun, job, words, ends, list, ask }: Waited,
): Promise<void> {
  const wanted = flags.for?.map((text) => stateIn('--for', text, [...Object.values(words), GONE])) ?? [
    ...ends,
    GONE,
  ]
  const interval = parseInterval(flags.interval)
  const until = on.clock.now() + parseDuration(flags.timeout, '--timeout')
  const { id, name } = await on.equipment(equipment)
  let seen: string | undefined
  for (;;) {
    const state = await stateNow(() => ask(id), seen)
    if (state === GONE && seen === undefined)
      throw new Failure('missing', `${name} has no ${noun} ${job}`, `secsctl ${list} ${name}`)
    if (wanted.includes(state)) {
      return on.printRecord({ job_id: job, state }, [
        ['job', job],
        ['state', state],
      ])
    }
    if (state === GONE || ends.includes(state))
      throw new Failure('equipment', `${job} is ${state}, and will not be ${wanted.join(' or ')}`)
    seen = state
    const left = until - on.clock.now()
    if (left <= 0)
      throw new Failure(
        'timeout',
        `${job} is ${state} after ${flags.timeout}, and not ${wanted.join(' or ')}`,
      )
    await delay(on.clock, Math.min(interval, left))
  }
}

/** The state, or the one seen before while the gateway is restarted or the equipment is away for a while. */
async function stateNow(
  ask: () => Promise<string | null | undefined>,
  seen: string | undefined,
): Promise<string> {
  try {
    const state = await ask()
    return state === undefined ? GONE : (state ?? 'not given by the equipment')
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    const isAway = code === 'equipment_not_connected' || code === 'equipment_not_communicating'
    if (seen === undefined || !(isPassing(error) || isAway)) throw error
    return seen
  }
}

/** The word of a state as it was typed: in any case, with hyphens, or a number without a word such as `unknown (5)`. */
export function stateIn(flag: string, text: string, words: readonly string[]): string {
  const number = /^unknown\s*\(?(\d+)\)?$/i.exec(text.trim())
  if (number) return `unknown (${number[1]})`
  const typed = text
    .trim()
    .toUpperCase()
    .replace(/[-\s/]/g, '_')
  const known = [...new Set(words)]
  if (known.includes(typed)) return typed
  throw wrongUsage(`${flag} "${text}" is no state: there is ${known.join(', ')}`)
}
