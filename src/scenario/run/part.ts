import type { Step } from '../file/read-scenario.js'

/** A part of a scenario, by the numbers of its first and last step, such as `3` and `4.2`. */
export interface Part {
  readonly from?: string | undefined
  readonly until?: string | undefined
}

const levels = (number: string): readonly number[] => number.split('.').map(Number)

/** Below 0 where one step comes before the other; 0 also where one is within the other. */
function compared(one: string, other: string): number {
  const others = levels(other)
  return levels(one).reduce((found, level, at) => found || level - (others[at] ?? level), 0)
}

/** Whether a step runs, or one within it. */
export const isWithin = (number: string, { from, until }: Part = {}): boolean =>
  (from === undefined || compared(number, from) >= 0) && (until === undefined || compared(number, until) <= 0)

/** Whether there is a step with this number; a round of repeat counts like a group. */
export function hasStep(steps: readonly Step[], number: string): boolean {
  const [first = 0, ...rest] = levels(number)
  const step = steps[first - 1]
  if (!step || rest.length === 0) return step !== undefined
  if (step.rounds === undefined) return hasStep(step.steps, rest.join('.'))
  const [round = 0, ...inner] = rest
  const isRound = round > 0 && round <= step.rounds.length
  return isRound && (inner.length === 0 || hasStep(step.steps, inner.join('.')))
}
