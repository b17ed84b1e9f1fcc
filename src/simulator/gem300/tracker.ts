import {
  BLOCKED_REASON_WORDS,
  type BlockedReason,
  EPT_TRANSITIONS,
  EPT_WORDS,
  type EptState,
  type EptTrigger,
  TASK_TYPE_WORDS,
  type TaskType,
} from '../../gem300/performance.js'
import type { NoState } from '../../gem300/transition.js'
import { Machine, type Move } from './machine.js'
import { codeIn, u1 } from './values.js'

interface Task {
  readonly name: string
  readonly type: TaskType
}
const NOTHING: Task = { name: '', type: 'NO_TASK' }

/** The performance of the tool or of a chamber (SEMI E116): whether it has a task, and whether it can go on with it. */
export class Tracker {
  readonly machine: Machine<EptState, EptTrigger>
  #task = NOTHING
  #before = NOTHING
  #previous: EptState | NoState = 'NO_STATE'
  #blocked: BlockedReason = 'NOT_BLOCKED'

  constructor(
    readonly name: string,
    moved: (tracker: Tracker, move: Move) => void,
  ) {
    this.machine = new Machine('performance', EPT_TRANSITIONS, (move) => {
      this.#previous = move.from as EptState | NoState
      moved(this, move)
    })
  }

  /** It works at this task now, or at none; `blocked` where it cannot go on with it. */
  works(task: string | undefined, blocked: BlockedReason = 'NOT_BLOCKED'): void {
    const { state } = this.machine
    const wanted: EptState = task === undefined ? 'IDLE' : blocked === 'NOT_BLOCKED' ? 'BUSY' : 'BLOCKED'
    if (wanted === state && (task ?? '') === this.#task.name) return
    this.#before = this.#task
    this.#task = task === undefined ? NOTHING : { name: task, type: 'PROCESS' }
    this.#blocked = blocked
    const trigger = TRIGGERS[state][wanted]
    if (trigger) this.machine.take(trigger)
  }

  get values() {
    return {
      EqpName: { A: this.name },
      EPTState: u1(codeIn(EPT_WORDS, this.machine.state)),
      PreviousEPTState: u1(codeIn(EPT_WORDS, this.#previous)),
      TaskName: { A: this.#task.name },
      TaskType: u1(codeIn(TASK_TYPE_WORDS, this.#task.type)),
      PreviousTaskName: { A: this.#before.name },
      PreviousTaskType: u1(codeIn(TASK_TYPE_WORDS, this.#before.type)),
      BlockedReason: u1(codeIn(BLOCKED_REASON_WORDS, this.#blocked)),
      BlockedReasonText: { A: this.#blocked === 'NOT_BLOCKED' ? '' : this.#blocked },
    }
  }
}

const TRIGGERS: Readonly<Record<EptState | NoState, Readonly<Partial<Record<EptState, EptTrigger>>>>> = {
  NO_STATE: { IDLE: 'restored_idle', BUSY: 'restored_busy', BLOCKED: 'restored_blocked' },
  IDLE: { BUSY: 'task_began', BLOCKED: 'blocked' },
  BUSY: { IDLE: 'task_ended', BUSY: 'task_changed', BLOCKED: 'blocked' },
  BLOCKED: { IDLE: 'cleared', BUSY: 'task_continued', BLOCKED: 'reason_changed' },
}
