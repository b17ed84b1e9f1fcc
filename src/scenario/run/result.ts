import type { FilePlace } from '../file/read-scenario.js'

/** `inconclusive`: a precondition was not met, the operator said no, or the link or the gateway was lost. */
export type Verdict = 'passed' | 'failed' | 'inconclusive' | 'skipped'

export interface StepResult {
  /** Such as `3` or `4.2`; a round of repeat counts like a group. */
  readonly number: string
  /** Groups around it, outermost first. */
  readonly groups: readonly string[]
  readonly title: string
  readonly place: FilePlace
  readonly verdict: Verdict
  /** What was expected and what came instead, or why it was skipped; empty where it passed. */
  readonly detail: string
  /** Milliseconds since 1970. */
  readonly began: number
  readonly ended: number
  /** The events of this step have ids after `after`, up to `last`. */
  readonly after: number
  readonly last: number
  /** Values that were seen, by name, for a comparison with another run. */
  readonly seen?: Readonly<Record<string, unknown>>
}

/** Of which software a result is, and where it was made. What is not known is null. */
export interface About {
  readonly secsctl: string
  /** MDLN and SOFTREV of the equipment. */
  readonly mdln: string | null
  readonly softrev: string | null
  readonly address: string | null
  /** The time zone of the computer, such as Asia/Taipei. */
  readonly zone: string
}

export interface RunResult {
  readonly name: string
  readonly equipment: string
  readonly began: number
  readonly ended: number
  readonly steps: readonly StepResult[]
  readonly verdict: 'passed' | 'failed' | 'inconclusive'
  readonly about?: About
}

/**
 * One failure makes a run failed; without one, whatever is inconclusive makes it inconclusive. A run in which no step
 * passed says nothing.
 */
export const verdictOf = (steps: readonly Pick<StepResult, 'verdict'>[]): RunResult['verdict'] =>
  (['failed', 'inconclusive', 'passed'] as const).find((worst) =>
    steps.some(({ verdict }) => verdict === worst),
  ) ?? 'inconclusive'

export const countOf = (steps: readonly StepResult[], verdict: Verdict): number =>
  steps.filter((step) => step.verdict === verdict).length
