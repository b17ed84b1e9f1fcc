import type { Clock } from '../../kit/clock.js'
import type { LadderMessage } from '../../ladder/rungs.js'
import { numbered } from '../../probe/hsms-checks/checks.js'
import { checksCapture } from '../../probe/hsms-checks/checks-capture.js'
import { framesAsMessages } from '../../probe/hsms-checks/frames-as-messages.js'
import type { LabOptions } from '../../probe/hsms-checks/lab.js'
import { type CheckResult, runHsmsChecks } from '../../probe/hsms-checks/run-checks.js'
import type { StepResult } from '../../scenario/run/result.js'

/** Frames get ids beyond those that messages of a temporary gateway have. */
const FIRST_ID = 1_000_000_000

export interface HsmsSuite {
  readonly steps: readonly StepResult[]
  readonly messages: readonly LadderMessage[]
  /** What passed, for Wireshark. */
  readonly capture: Iterable<Uint8Array>
}

/** Runs the checks of HSMS as steps of a scenario, whose numbers begin with `number`. `program` made the capture. */
export async function runHsmsSuite(
  options: LabOptions,
  number: string,
  program: string,
  clock: Clock,
  signal: AbortSignal,
  ended: (step: StepResult) => void,
): Promise<HsmsSuite> {
  const steps: StepResult[] = []
  const messages: LadderMessage[] = []
  const numbers = numbered(number)
  const take = ({ group, title, verdict, detail, began, ended: at, passed, seen }: CheckResult): void => {
    const after = FIRST_ID + messages.length
    for (const message of framesAsMessages(passed, after + 1)) messages.push(message)
    const step = {
      number: numbers[steps.length]?.number ?? number,
      groups: ['HSMS (SEMI E37)', group],
      title,
      verdict,
      detail,
      began,
      ended: at,
      after,
      place: { file: 'hsms', line: 0, column: 0 },
      last: FIRST_ID + messages.length,
      seen: seen === '' ? {} : { seen },
    }
    steps.push(step)
    ended(step)
  }
  const results = await runHsmsChecks(options, clock, signal, take)
  return { steps, messages, capture: checksCapture(results, program, `${options.host}:${options.port}`) }
}
