import { Unreachable } from '../../client/failures.js'
import { ERRORS } from '../../contract/error-table.js'
import { Problem } from '../../contract/errors.js'
import type { Event } from '../../contract/topics/events.js'
import type { Message } from '../../contract/topics/messages.js'
import type { NamedValue } from '../../contract/values.js'
import { type Clock, delay, withTimeout } from '../../kit/clock.js'
import { aborted } from '../../kit/deferred.js'
import { durationOf } from '../../kit/duration-text.js'
import { type Scenario, ScenarioError, type Step } from '../file/read-scenario.js'
import type { Expectation, ScenarioFile, StepFile, StepName } from '../file/schema.js'
import { changeWords, commandOf, type SimulatorChange } from '../file/simulator-change.js'
import { filled, namesIn, type Variables } from '../file/variables.js'
import { isInState, needsAlarms } from './equipment-states.js'
import {
  eventWords,
  expectationWords,
  isAbout,
  isFromEquipment,
  isMessage,
  valuesOf,
  wrongIn,
} from './expectation.js'
import { unknownNames } from './known-names.js'
import { LeasedReplies } from './leased-replies.js'
import { runLoad } from './load.js'
import { firstMismatch, mismatch, valueNamed } from './matchers.js'
import { unlike } from './message-pattern.js'
import { isWithin, type Part } from './part.js'
import { type RunResult, type StepResult, type Verdict, verdictOf } from './result.js'
import { SeenEvents } from './seen-events.js'
import { seenValues, seenWords } from './seen-values.js'
import type { Site } from './site.js'

export interface RunOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Values of the command line, in place of those in `set`. */
  readonly given?: Readonly<Record<string, unknown>>
  /** The first and last step that run; the others are skipped. */
  readonly part?: Part
  /** Asks a person to do something; resolves with false where the answer is no. */
  readonly operator: (text: string) => Promise<boolean>
  /** Asked before each step with its number and title; false ends the run there. */
  readonly goesOn?: (number: string, title: string) => Promise<boolean>
  readonly ended?: (result: StepResult) => void
  /** A call was refused for lack of rights: the run has ended there. */
  readonly denied?: (error: Problem) => void
  /** Gives the simulator at a control port a command. Throws why it was not carried out. */
  readonly simulator?: (
    address: string,
    words: readonly string[],
  ) => Promise<Readonly<Record<string, unknown>>>
}

/** Milliseconds that an expectation waits unless it says how long. */
const WITHIN_MS = 30_000
/** Milliseconds in which what the gateway has recorded has to be on the stream. */
const STREAM_MS = 5_000
/** What came instead: this many are named. */
const MAX_NAMED = 8

/** Why a step did not pass. */
class Stopped extends Error {
  constructor(
    readonly verdict: 'failed' | 'inconclusive',
    detail: string,
  ) {
    super(detail)
  }
}
const failed = (detail: string): never => {
  throw new Stopped('failed', detail)
}
const inconclusive = (detail: string): never => {
  throw new Stopped('inconclusive', detail)
}

/**
 * Runs a scenario against equipment. Resolves with what every step gave; nothing is thrown for what the equipment does.
 * Throws `ScenarioError`, before anything is sent, for a step that names what the equipment does not have.
 */
export async function runScenario(
  scenario: Scenario,
  equipment: string,
  site: Site,
  options: RunOptions,
): Promise<RunResult> {
  const began = options.clock.date().getTime()
  const variables = { ...scenario.set, ...options.given }
  const problems = unknownNames(scenario, variables, await site.known())
  if (problems.length > 0) throw new ScenarioError(problems)
  const run = new Run(site, options)
  const end = new AbortController()
  const stop = (): void => end.abort()
  options.signal.addEventListener('abort', stop, { once: true })
  try {
    await run.follow(end.signal)
    await run.all(scenario, variables)
  } finally {
    options.signal.removeEventListener('abort', stop)
    end.abort()
    await run.replies.end()
  }
  const ended = options.clock.date().getTime()
  return { name: scenario.name, equipment, began, ended, steps: run.results, verdict: verdictOf(run.results) }
}

/** Where a list of steps stands: its variables, what may not come, and what the gateway replies. */
interface Scope {
  readonly variables: Map<string, unknown>
  readonly never: NonNullable<ScenarioFile['never']>
  readonly on: NonNullable<ScenarioFile['on']>
  readonly groups: readonly string[]
  /** Of the list; empty for the topmost one. */
  readonly number: string
}

/** The rules around, and those of a file or a group, which are filled with the variables that it begins with. */
const withMore = (
  outer: Pick<Scope, 'never' | 'on'>,
  own: Pick<ScenarioFile, 'never' | 'on'>,
  variables: Scope['variables'],
): Pick<Scope, 'never' | 'on' | 'variables'> => {
  const { never, on } = filled({ never: own.never ?? [], on: own.on ?? {} }, variables) as Scope
  return { variables, never: [...outer.never, ...never], on: { ...outer.on, ...on } }
}

class Run {
  readonly results: StepResult[] = []
  readonly replies: LeasedReplies
  /** The control port of the simulator. */
  control = ''
  readonly #seen = new SeenEvents()
  /** The newest event of the equipment when the last step ended. */
  #position = 0
  #never: Scope['never'] = []
  readonly #aborted: Promise<undefined>
  /** Nothing runs any more: the run was interrupted, or a person ended it. */
  #isStopped = false
  /** What came although it never may; the current step fails with it. */
  #violation: string | undefined

  constructor(
    private readonly site: Site,
    private readonly options: RunOptions,
  ) {
    this.#aborted = aborted(options.signal)
    this.replies = new LeasedReplies(site, options.clock)
  }

  /** Follows the events of the equipment from now on. */
  async follow(signal: AbortSignal): Promise<void> {
    const after = await this.site.newest()
    this.#position = after
    this.#seen.last = after
    this.#seen.forget(after)
    const read = async (): Promise<void> => {
      for await (const event of this.site.events(after, signal, () => this.#lost())) {
        this.#watch(event)
        this.#seen.take(event)
      }
    }
    read().catch(() => {
      if (!signal.aborted) this.#lost()
    })
  }

  #lost(): void {
    this.#seen.end(new Stopped('inconclusive', 'the gateway was lost'))
  }

  async all(scenario: Scenario, variables: Readonly<Record<string, unknown>>): Promise<void> {
    const scope: Scope = {
      ...withMore({ never: [], on: {} }, scenario, new Map(Object.entries(variables))),
      groups: [],
      number: '',
    }
    this.control = scenario.simulator ?? ''
    await this.#list(scenario.steps, scope)
  }

  /** Runs steps until one does not pass; then groups alone, and nothing after a precondition that is not met. */
  async #list(steps: readonly Step[], scope: Scope): Promise<Verdict> {
    let verdict: Verdict = 'passed'
    let isOver = false
    /** Why the steps after one that did not pass are skipped. */
    let reason = ''
    for (const [at, step] of steps.entries()) {
      const number = scope.number === '' ? String(at + 1) : `${scope.number}.${at + 1}`
      const isAfter: boolean = isOver || (verdict !== 'passed' && step.kind !== 'group')
      const why: string | undefined = this.#whySkipped(number) ?? (isAfter ? reason : undefined)
      const here: Verdict =
        why === undefined ? await this.#one(step, scope, number) : this.#skip(step, scope, number, why)
      if (verdict === 'passed' && here !== 'skipped' && here !== 'passed') {
        verdict = here
        reason = `step ${number} did not pass`
      }
      // One outside of the part that runs was not asked for.
      const isPrecondition = step.written.precondition === true && isWithin(number, this.options.part)
      if (!isOver && isPrecondition && here !== 'passed') {
        isOver = true
        reason = `the precondition ${number} is not met`
      }
    }
    return verdict
  }

  /** Why a step is skipped, whatever ran before it. */
  #whySkipped(number: string): string | undefined {
    if (this.#isStopped) return 'the run had ended'
    return isWithin(number, this.options.part) ? undefined : 'it is not in the part that runs'
  }

  #skip(step: Step, { groups, variables }: Scope, number: string, why: string): Verdict {
    const now = this.options.clock.date().getTime()
    this.#note(
      { step, groups, number, title: titleOf(step, variables), began: now, after: this.#position },
      'skipped',
      why,
    )
    return 'skipped'
  }

  async #one(step: Step, scope: Scope, number: string): Promise<Verdict> {
    const { variables } = scope
    const title = titleOf(step, variables)
    const inner = (more: Partial<Scope>): Scope => ({
      ...scope,
      groups: [...scope.groups, title],
      number,
      ...more,
    })
    switch (step.kind) {
      case 'group':
        return this.#list(step.steps, inner(withMore(scope, step.written, variables)))
      case 'repeat': {
        let verdict: Verdict = 'passed'
        for (const [at, round] of (step.rounds ?? []).entries()) {
          const own = new Map([...variables, ...Object.entries(round)])
          const groups = [...scope.groups, `${title} ${at + 1}`]
          const here = await this.#list(step.steps, {
            ...scope,
            groups,
            variables: own,
            number: `${number}.${at + 1}`,
          })
          if (verdict === 'passed') verdict = here
        }
        return verdict
      }
      case 'use': {
        if (nameWithoutValue(step, variables) !== undefined) return this.#action(step, scope, number, title)
        const { set = {} } = step.used ?? {}
        const given = filled(step.written.with ?? {}, variables) as Record<string, unknown>
        const used = new Map(Object.entries({ ...set, ...given }))
        const verdict = await this.#list(step.steps, inner(withMore(scope, step.used ?? {}, used)))
        for (const [name, from] of Object.entries(step.written.capture ?? {}))
          if (used.has(from)) variables.set(name, used.get(from))
        return verdict
      }
      default:
        return this.#action(step, scope, number, title)
    }
  }

  async #action(step: Step, scope: Scope, number: string, title: string): Promise<Verdict> {
    this.#never = scope.never
    const began = this.options.clock.date().getTime()
    const begun = { step, groups: scope.groups, number, title, began, after: this.#position }
    try {
      const missing = nameWithoutValue(step, scope.variables)
      if (missing !== undefined) inconclusive(`{${missing}} has no value, since its step did not pass`)
      if ((await this.options.goesOn?.(number, title)) === false) this.#stop('stopped before the step')
      await this.replies.want(scope.on)
      // An expectation sees all that came since the last step that did something.
      if (ACTING.has(step.kind)) this.#seen.forget(this.#position)
      const written = filled(step.written, scope.variables) as StepFile
      const values = await this.#untilStopped(ACTIONS[step.kind as Action](written, this))
      await this.#settle()
      if (this.#violation !== undefined) failed(this.#violation)
      const { capture } = step.kind === 'expect' ? (written.expect as Expectation) : written
      for (const [name, from] of Object.entries(capture ?? {})) {
        const value = valueNamed(values, from)
        if (value === undefined || value === null) failed(`${from} is missing, and ${name} has no value`)
        if (step.kind === 'send' && isOfUnknown(from, value, written.expect))
          failed(`${from} is empty, as for a variable that the equipment does not know: ${name} has no value`)
        scope.variables.set(name, value)
      }
      return this.#note(begun, 'passed', '', seenValues(written, step.kind, values))
    } catch (error) {
      if (isDenied(error)) {
        // Without the right to call, the run says nothing, and the next steps neither.
        this.#isStopped = true
        this.options.denied?.(error)
      }
      const { verdict, detail } = stoppedBy(error as Error)
      await withTimeout(this.options.clock, STREAM_MS, this.#settle()).catch(() => {})
      return this.#note(begun, step.written.precondition ? 'inconclusive' : verdict, detail)
    } finally {
      this.#violation = undefined
    }
  }

  /** The result of a step, or the end of the run, whichever comes first. */
  async #untilStopped<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.options
    const done = await Promise.race([work.then((value) => ({ value })), this.#aborted])
    if (done && !signal.aborted) return done.value
    work.catch(() => undefined)
    return this.#stop('the run was interrupted')
  }

  #stop(detail: string): never {
    this.#isStopped = true
    return inconclusive(detail)
  }

  #note(
    {
      step,
      ...begun
    }: Omit<StepResult, 'place' | 'verdict' | 'detail' | 'ended' | 'last'> & { readonly step: Step },
    verdict: Verdict,
    detail: string,
    seen?: StepResult['seen'],
  ): Verdict {
    const ended = this.options.clock.date().getTime()
    const last = this.#position
    const result = { ...begun, place: step.place, verdict, detail, ended, last, ...(seen && { seen }) }
    this.results.push(result)
    this.options.ended?.(result)
    return verdict
  }

  /** The step has ended here. What the gateway has recorded by now counts for `never`, also if it is still on its way. */
  async #settle(): Promise<void> {
    this.#position = await this.site.newest()
    if (this.#never.length > 0) await this.#seen.reach(this.options.clock, this.#position, STREAM_MS)
  }

  #watch(event: Event): void {
    const found = this.#never.find((one) => mayNotCome(event, one))
    if (found !== undefined) this.#violation ??= `${eventWords(event)} came, which may not come`
  }

  get parts(): Pick<RunOptions, 'clock' | 'signal' | 'operator' | 'simulator'> & {
    readonly site: Site
    readonly seen: SeenEvents
  } {
    return { ...this.options, site: this.site, seen: this.#seen }
  }
}

/** The name of a variable in a step, not in the steps within it, whose own step did not pass. */
const nameWithoutValue = ({ written }: Step, variables: Variables): string | undefined =>
  namesIn({ ...written, steps: undefined }).find((name) => !variables.has(name))

function mayNotCome(event: Event, written: unknown): boolean {
  if (event.name !== 'message_received' && event.name !== 'alarm_set') return false
  if (typeof written === 'string')
    return event.type === 'message' && isMessage(event.data as Partial<Message>, written)
  return isAbout(event, written as Expectation)
}

const isDenied = (error: unknown): error is Problem =>
  error instanceof Problem && ERRORS[error.code].kind === 'access'

/** The verdict of what a step threw: the fault of the equipment, or not. */
function stoppedBy(error: Error): { readonly verdict: 'failed' | 'inconclusive'; readonly detail: string } {
  if (error instanceof Stopped) return { verdict: error.verdict, detail: error.message }
  if (error instanceof Unreachable) return { verdict: 'inconclusive', detail: error.message }
  if (isDenied(error)) return { verdict: 'inconclusive', detail: error.message }
  if (!(error instanceof Problem)) throw error
  const isEquipment =
    ['equipment', 'timeout'].includes(ERRORS[error.code].kind) && error.code !== 'connection_lost'
  return { verdict: isEquipment ? 'failed' : 'inconclusive', detail: error.message }
}

/** Steps that make the equipment do something; what came before them does not count any more. */
const ACTING: ReadonlySet<StepName> = new Set(['send', 'command', 'operator', 'set', 'load', 'link'])

type Action = Exclude<StepName, 'group' | 'repeat' | 'use'>
type Values = Readonly<Record<string, unknown>>

const secondsOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : (durationOf(text) ?? 0) / 1000

/** Milliseconds in which the gateway asks for a report that it does not know, and how often it is looked at. */
const [NAMES_MS, LOOKS] = [200, 10]

/** An event whose values have names: the gateway may still be asking the equipment for those of a report. */
async function withNames(event: Event, site: Site, clock: Clock): Promise<Event> {
  let data = event.data as Partial<Message>
  const isUnknown = (): boolean =>
    data.collection_event?.reports.some(({ values }) => values.some(({ vid }) => vid === null)) ?? false
  for (let looks = 0; isUnknown() && looks < LOOKS; looks++) {
    await delay(clock, NAMES_MS)
    data = await site.message(event.id)
  }
  return { ...event, data: data as Event['data'] }
}

/** Milliseconds between two looks at the state of equipment. */
const LOOK_MS = 1000

const isIn = async (state: string, site: Site): Promise<boolean> =>
  isInState(state, {
    equipment: await site.equipment(),
    hasAlarm: needsAlarms(state) && (await site.hasAlarm()),
  })

/** What ended a transaction instead of its reply: the header of S9Fx, or SxF0 as it was recorded. */
async function endOf(error: unknown, site: Site): Promise<Partial<Message>> {
  const { reply_id: reply, s9 = '' } = error instanceof Problem ? error.extra : {}
  const [, fn] = /^S9F(\d+)$/.exec(s9) ?? []
  if (fn !== undefined) return { stream: 9, function: Number(fn) }
  return reply === undefined ? {} : site.message(reply)
}

/** Equipment gives an item without values for a variable that it does not have; one with a name may be empty. */
const isUnknown = (found: NamedValue | undefined): boolean =>
  !found || found.value === null || (found.name === null && (found.text === '' || found.text === '[]'))

/** The items of S1F4 and S2F14 that are empty for a variable or a constant that equipment does not have. */
const OF_VARIABLES = /^(SV|ECV)(\.|$)/

const isEmptyItem = (value: unknown): boolean =>
  value === '' || (Array.isArray(value) && value.every(isEmptyItem))

/** Whether a value of a reply says that equipment does not have what was asked for, unless `expect` asks for that. */
const isOfUnknown = (from: string, value: unknown, expect: unknown): boolean =>
  OF_VARIABLES.test(from) &&
  isEmptyItem(value) &&
  !asksForNone(from, value, (expect as Readonly<Record<string, unknown>> | undefined)?.[from] ?? {})

/** Whether `is` asks for a variable that is not there, or for an empty value, and does not pass with any other. */
const asksForNone = (name: string, value: unknown, is: unknown): boolean =>
  mismatch(name, value, is) === undefined && mismatch(name, 'any other', is) !== undefined

/** A message without a body. */
const BARE = /^S(\d+)F(\d+)(?: W)?\.?$/

/** What each kind of step does. Resolves with the values that it may capture. */
const ACTIONS: Readonly<Record<Action, (written: StepFile, run: Run) => Promise<Values>>> = {
  async send({ send = '', with: data, reply, expect, like, within }, { parts: { site } }) {
    let sent: Partial<Message>
    try {
      const [, stream, fn] = BARE.exec(send) ?? []
      const named = { stream: Number(stream), function: Number(fn), data: data ?? {} }
      const body = data ? named : { sml: send }
      const { message, reply: came } = await site.send(body, secondsOf(within))
      if (reply === 'none') return came ? failed(`the reply ${came.name} came, and none was expected`) : {}
      sent = came ?? message
      if (reply !== undefined && !(came && isMessage(came, reply)))
        failed(`the reply is ${came?.name ?? 'missing'}, not ${reply}`)
    } catch (error) {
      if (reply === 'none' && error instanceof Problem && error.code === 'reply_timeout') return {}
      const ended = await endOf(error, site)
      if (reply === undefined || !isMessage(ended, reply)) throw error
      sent = ended
    }
    const values = valuesOf({ type: 'message', data: sent as unknown as Event['data'] })
    const wrong = firstMismatch(values, expect) ?? (like === undefined ? undefined : unlike(sent, like))
    return wrong === undefined ? values : failed(wrong)
  },
  async command({ command = '', with: parameters = {}, object, expect, within }, { parts: { site } }) {
    const body = { command, parameters, ...(object !== undefined && { object }) }
    const result = await site.command(body, secondsOf(within))
    const values: Values = { HCACK: result.hcack, CMDA: result.cmda }
    const wrong = firstMismatch(values, expect ?? { HCACK: [0, 4] })
    return wrong === undefined ? values : failed([wrong, result.hcack_text].filter(Boolean).join(': '))
  },
  async read({ read, is, within }, { parts: { site } }) {
    const name = String(read)
    const found = await site.read(name, secondsOf(within))
    const value = found?.value === null ? undefined : found?.text
    if (isUnknown(found) && !(is !== undefined && asksForNone(name, value, is)))
      failed(`the equipment does not know the variable ${name}: it gives an empty item for it`)
    const wrong = is === undefined ? undefined : mismatch(name, value, is)
    return wrong === undefined ? { [name]: value } : failed(wrong)
  },
  async expect({ expect }, { parts: { site, seen, clock } }) {
    const expected = expect as Expectation
    const { state } = expected
    const equipment = await site.equipment()
    const isDown = state === undefined && equipment.connection_state !== 'SELECTED'
    const within = isDown ? 0 : (durationOf(expected.within ?? '') ?? WITHIN_MS)
    const isLost = (event: Event): boolean => state === undefined && event.name === 'disconnected'
    const wrong = new Map<Event, string>()
    const until = clock.now() + within
    for (;;) {
      if (state !== undefined && (await isIn(state, site))) return {}
      const isMeant = (event: Event): boolean =>
        !wrong.has(event) && (isLost(event) || isAbout(event, expected))
      // Health and locks change without an event.
      const rest = Math.min(until - clock.now(), state === undefined ? within : LOOK_MS)
      const found = await seen.first(clock, rest, isMeant)
      if (!found && clock.now() < until) continue
      if (!found) break
      if (isLost(found)) return inconclusive('the link was lost')
      const event = expected.where || expected.capture ? await withNames(found, site, clock) : found
      const mismatched = wrongIn(event, expected)
      if (mismatched === undefined) seen.remove(found)
      if (mismatched === undefined) return valuesOf(event)
      wrong.set(found, mismatched)
    }
    if (isDown && wrong.size === 0) inconclusive('the link to the equipment is down')
    const came =
      wrong.size > 0 ? [...new Set(wrong.values())] : seen.held.filter(isFromEquipment).map(eventWords)
    const named = came.length > 0 ? `came: ${came.slice(-MAX_NAMED).join(', ')}` : 'nothing came'
    return failed(`${expectationWords(expected)} did not come within ${expected.within ?? '30s'}; ${named}`)
  },
  async wait({ wait = '' }, { parts: { clock, signal } }) {
    await delay(clock, durationOf(wait) ?? 0, signal)
    return {}
  },
  async load({ load = '', rate, for: time = '10s', expect }, { parts: { site, clock, signal } }) {
    const send = async (): Promise<number | undefined> => {
      try {
        return (await site.send({ sml: load }, undefined)).message.latency_ms
      } catch (error) {
        if (stoppedBy(error as Error).verdict === 'inconclusive') throw error
        return undefined
      }
    }
    const milliseconds = durationOf(time) ?? 0
    const figures = await runLoad({ rate: Number(rate ?? 10), milliseconds, send, signal }, clock)
    const wrong = firstMismatch({ ...figures }, expect ?? { failed: 0 })
    return wrong === undefined ? { ...figures } : failed(`${wrong} (${seenWords({ ...figures })})`)
  },
  async link({ link, within }, { parts: { site } }) {
    await site.link(link === 'up', (durationOf(within ?? '') ?? WITHIN_MS) / 1000)
    return {}
  },
  async set({ set = {} }, { parts: { simulator }, control }) {
    const done = simulator?.(control, commandOf(set)).catch((error: Error) => inconclusive(error.message))
    return done ?? inconclusive('there is no simulator')
  },
  async operator({ operator = '' }, { parts }) {
    if (!(await parts.operator(operator))) inconclusive('the operator said no')
    return {}
  },
}

/** Characters of a title that follows from a step. */
const MAX_TITLE = 160

/** A step in words, unless it has a name. */
function titleOf({ kind, written }: Step, variables: Variables): string {
  const full = filled(written, variables) as StepFile
  if (full.name !== undefined) return full.name
  const value = full[kind]
  if (kind === 'expect') return `expect ${expectationWords(value as Expectation)}`
  if (kind === 'set') return `set ${changeWords(value as SimulatorChange)}`
  if (kind === 'group') return String(value)
  if (kind === 'repeat') return 'round'
  const words = `${kind} ${String(value).replace(/\s+/g, ' ')}`
  return words.length > MAX_TITLE ? `${words.slice(0, MAX_TITLE - 3)}...` : words
}
