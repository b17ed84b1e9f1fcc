import type { Catalogue } from '../../catalogue/catalogue.js'
import { STANDARD_CATALOGUE } from '../../catalogue/standard-catalogue.js'
import { durationOf } from '../../kit/duration-text.js'
import { faultsBy, fileWording } from '../../kit/schema-faults.js'
import { isJsonObject } from '../../kit/text/json.js'
import { pointerStep } from '../../kit/text/json-text.js'
import { parseYamlText, type YamlText, YamlTextError } from '../../kit/text/yaml-text.js'
import { parseSml } from '../../secs2/sml/parse.js'
import { UNKNOWN_ENCODING } from '../../secs2/text.js'
import { API_STATES, STATES } from '../run/equipment-states.js'
import { parsePattern } from '../run/message-pattern.js'
import { csvRows } from './csv-rows.js'
import { alidMistakes, contradiction, impossibleIn, notFromEquipment } from './impossible-step.js'
import { LOAD_VALUES } from './load.js'
import { replyMistakes } from './reply-mistakes.js'
import {
  type Expectation,
  ExpectationSchema,
  MatcherSchema,
  MatchersSchema,
  ScenarioFile,
  STEPS,
  type StepFile,
  type StepName,
  StepSchema,
} from './schema.js'
import { changeMistake } from './simulator-change.js'
import { filled, namesIn, type Variables } from './variables.js'

/** Where something is in a file. */
export interface FilePlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

export interface ScenarioProblem extends FilePlace {
  readonly detail: string
}

/** A scenario that cannot be run, with all its problems. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
  constructor(readonly problems: readonly ScenarioProblem[]) {
    super(problems.map(({ file, line, column, detail }) => `${file}:${line}:${column}: ${detail}`).join('\n'))
  }
}

/** A step and those within it. */
export interface Step {
  readonly kind: StepName
  readonly written: StepFile
  readonly place: FilePlace
  /** Where a part of the step is, by its JSON Pointer within the step. */
  readonly placeOf: (pointer: string) => FilePlace
  /** Of group and repeat, and of the scenario that is used. */
  readonly steps: readonly Step[]
  /** For use: the scenario. */
  readonly used?: Scenario
  /** For repeat: the variables of each round. */
  readonly rounds?: readonly Readonly<Record<string, unknown>>[]
}

export interface Scenario {
  readonly name: string
  readonly file: string
  /** Of the topmost one: all files that were read for it, such as those that it uses. */
  readonly files?: readonly string[]
  readonly set: Readonly<Record<string, unknown>>
  readonly never: NonNullable<ScenarioFile['never']>
  readonly on: NonNullable<ScenarioFile['on']>
  readonly steps: readonly Step[]
  /** Variables that have a value at its end. */
  readonly names: ReadonlySet<string>
  /** Where a part of the file is, by its JSON Pointer. */
  readonly placeOf: (pointer: string) => FilePlace
  /** The control port of the simulator, such as `5999` or `host:5999`. */
  readonly simulator?: string
}

/** Of all files together. */
interface Whole {
  steps: number
  /** The first file names a simulator. */
  hasSimulator: boolean
  /** The messages of the gateway; undefined where they are not known. */
  readonly catalogue: Catalogue | undefined
  /** Files that were read before: one may be used many times. */
  readonly parsed: Map<string, YamlText>
}

/** Gives the text of a file, and its path for files that it names. Throws if it cannot be read. */
export type ReadFile = (path: string, from: string) => { readonly path: string; readonly text: string }

const MAX_CHARACTERS = 1024 * 1024
/** Files that use one another. */
const MAX_DEPTH = 10
const MAX_PROBLEMS = 100
/** Steps of all files together, each as often as its file is used. */
const MAX_STEPS = 20_000
/** Steps that one step of the topmost file runs, with those within it in all rounds: a report has a row for each. */
const MAX_RUNS = 100_000

const wording = fileWording((shown, description) => `${shown} does not fit. ${description}`)
const fileFaults = faultsBy(ScenarioFile, wording)
const stepFaults = faultsBy(StepSchema, wording)
const expectationFaults = faultsBy(ExpectationSchema, wording)
const matchersFaults = faultsBy(MatchersSchema, wording)
const matcherFaults = faultsBy(MatcherSchema, wording)

/**
 * Reads a scenario and the files that it uses. `given`: variables of the command line, which take the place of those in
 * `set`. `catalogue`: the messages of the gateway; null where they are not known, so that only what holds for all
 * messages is checked. Throws `ScenarioError` with all problems, each with its line.
 */
export function readScenario(
  path: string,
  readFile: ReadFile,
  given: Readonly<Record<string, unknown>> = {},
  catalogue: Catalogue | null = STANDARD_CATALOGUE,
): Scenario {
  // A file that is used several times has its mistakes once.
  const found = new Map<string, ScenarioProblem>()
  const note = (problem: ScenarioProblem): void => void found.set(JSON.stringify(problem), problem)
  const whole: Whole = { steps: 0, hasSimulator: false, catalogue: catalogue ?? undefined, parsed: new Map() }
  const scenario = new Reading(readFile, note, [], whole).scenario(path, '', given)
  const long = scenario?.steps.find((step) => runsOf([step]) > MAX_RUNS)
  if (long)
    note({ ...long.place, detail: `more than ${MAX_RUNS} steps would run, with all rounds of repeat` })
  const problems = [...found.values()]
  if (problems.length > 0 || scenario === undefined) throw new ScenarioError(problems.slice(0, MAX_PROBLEMS))
  return scenario
}

/** How many steps a list of steps runs. */
const runsOf = (steps: readonly Step[]): number =>
  steps.reduce((sum, { steps: inner, rounds }) => {
    const each = inner.length > 0 ? runsOf(inner) : 1
    return sum + each * (rounds?.length ?? 1)
  }, 0)

/** A stream or a message, or a variable. */
const NEVER = /^(S\d+(F\d+)?|\{\w+\})$/
const hasVariables = (value: unknown): boolean => namesIn(value).length > 0
const KNOWN_STATES: ReadonlySet<string> = new Set([...STATES, ...API_STATES])

/** Whether something is wrong at a JSON Pointer, or within. */
type IsFaulty = (pointer: string) => boolean

const faultyAt =
  (faults: readonly { readonly pointer: string }[]): IsFaulty =>
  (pointer) =>
    faults.some((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))

/** Members whose entries are looked at one by one, also where some of them do not fit. */
const IN_PARTS: readonly string[] = ['steps', 'never', 'on']

/** The members of a map that fit: what is wrong with the others has been said, and hides nothing else. */
const fitting = (value: unknown, isFaulty: IsFaulty): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(isJsonObject(value) ? value : {}).filter(
      ([name]) => IN_PARTS.includes(name) || !isFaulty(pointerStep(name)),
    ),
  )

/** Where variables are named in a value: a JSON Pointer and the name. */
function namedAt(value: unknown, pointer: string): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return namesIn(value).map((name) => [pointer, name] as const)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => {
    const at = pointer + pointerStep(key)
    return [...namesIn(key).map((name) => [at, name] as const), ...namedAt(one, at)]
  })
}

const NAME = /^[A-Za-z_]\w*$/

/** Milliseconds that a load lasts at most. */
const MAX_LOAD_MS = 3_600_000

/** Variables whose values are known before the run; a step that captures one takes it out. */
type Known = Map<string, unknown>

/** What is wrong at a JSON Pointer of the file that is read. */
type Say = (pointer: string, detail: string) => void

class Reading {
  constructor(
    private readonly readFile: ReadFile,
    private readonly note: (problem: ScenarioProblem) => void,
    protected readonly open: readonly string[],
    protected readonly whole: Whole,
  ) {}

  scenario(
    named: string,
    from: string,
    given: Readonly<Record<string, unknown>>,
    say?: (detail: string) => void,
  ): Scenario | undefined {
    const failed = say ?? ((detail: string) => this.note({ file: named, line: 1, column: 1, detail }))
    let found: ReturnType<ReadFile>
    try {
      found = this.readFile(named, from)
    } catch (error) {
      failed(`${named} cannot be read: ${(error as Error).message}`)
      return undefined
    }
    const { path: file, text } = found
    if (this.open.includes(file)) failed(`${named} uses itself: ${[...this.open, file].join(' -> ')}`)
    else if (this.open.length >= MAX_DEPTH) failed(`files use one another more than ${MAX_DEPTH} deep`)
    else if (text.length > MAX_CHARACTERS) failed(`${named} has more than ${MAX_CHARACTERS} characters`)
    else if (this.whole.steps > MAX_STEPS) return undefined
    else
      return new FileReading(this.readFile, this.note, [...this.open, file], file, this.whole).read(
        text,
        given,
      )
    return undefined
  }
}

class FileReading extends Reading {
  #placeOf: (pointer: string) => { readonly line: number; readonly column: number } = () => ({
    line: 1,
    column: 1,
  })

  constructor(
    private readonly files: ReadFile,
    private readonly found: (problem: ScenarioProblem) => void,
    stack: readonly string[],
    private readonly file: string,
    whole: Whole,
  ) {
    super(files, found, stack, whole)
  }

  readonly #say: Say = (pointer, detail) => {
    this.found({ file: this.file, ...this.#placeOf(pointer), detail })
  }

  read(text: string, given: Readonly<Record<string, unknown>>): Scenario | undefined {
    let value: unknown
    try {
      const yaml = this.whole.parsed.get(this.file) ?? parseYamlText(text)
      this.whole.parsed.set(this.file, yaml)
      this.#placeOf = yaml.placeOf
      value = yaml.value
    } catch (error) {
      if (!(error instanceof YamlTextError)) throw error
      this.found({ file: this.file, ...error.place, detail: `this is no YAML: ${error.detail}` })
      return undefined
    }
    const faults = this.#faults(fileFaults, value, '')
    const isFaulty = faultyAt(faults)
    const head = fitting(value, isFaulty) as Partial<ScenarioFile>
    const { name = '', never = [], on = {}, steps, simulator } = head
    // Where `set` does not fit, the variables of the steps are not missed.
    const set =
      head.set ?? (isFaulty('/set') ? Object.fromEntries(namesIn(steps).map((one) => [one, ''])) : {})
    const unknown = Object.keys(given).find((one) => !Object.hasOwn(set, one))
    if (unknown !== undefined) {
      const known = Object.keys(set).join(', ') || 'none'
      this.#say('', `the scenario has no variable ${unknown} in set; there is ${known}`)
    }
    const values = { ...set, ...(this.isFirst ? this.#typed(given, set) : given) }
    const names = new Set(Object.keys(values))
    // One that another file gives may get its value during the run.
    const known = new Map(Object.entries(values).filter(([, one]) => one !== undefined))
    this.#checkNever(never, '/never', known, names, isFaulty)
    this.#checkOn(on, '/on', known, names, isFaulty)
    if (this.isFirst) this.whole.hasSimulator = simulator !== undefined || isFaulty('/simulator')
    const control = simulator === undefined ? undefined : String(filled(String(simulator), known))
    if (control !== undefined && !/^(?:[^\s:]+:)?\d{1,5}$/.test(control))
      this.#say('/simulator', `"${control}" is not a control port such as 5999, or HOST:5999`)
    return {
      name,
      file: this.file,
      set: this.isFirst ? values : set,
      never,
      on,
      ...(control !== undefined && { simulator: control }),
      steps: this.#steps(steps, '/steps', known, names),
      names,
      placeOf: this.#placeAt(''),
    }
  }

  #placeAt(pointer: string): (inner: string) => FilePlace {
    const placeOf = this.#placeOf
    return (inner) => ({ file: this.file, ...placeOf(pointer + inner) })
  }

  get isFirst(): boolean {
    return this.open.length === 1
  }

  /** Texts of the command line, with the types that the file gives to their variables. */
  #typed(
    given: Readonly<Record<string, unknown>>,
    set: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => {
        const usual = set[name]
        if (typeof value !== 'string' || (typeof usual !== 'number' && typeof usual !== 'boolean'))
          return [name, value]
        const typed = typeof usual === 'number' ? Number(value) : value === 'true'
        if (String(typed) !== value)
          this.#say(`/set${pointerStep(name)}`, `"${value}" is not a ${typeof usual}, as ${name} is here`)
        return [name, typed]
      }),
    )
  }

  #faults(
    check: ReturnType<typeof faultsBy>,
    value: unknown,
    pointer: string,
  ): readonly { readonly pointer: string }[] {
    const faults = check(value)
    for (const fault of faults) this.#say(pointer + fault.pointer, fault.detail)
    return faults
  }

  #fits(check: ReturnType<typeof faultsBy>, value: unknown, pointer: string): boolean {
    return this.#faults(check, value, pointer).length === 0
  }

  /** `known`: variables whose values are known before the run. `names`: all that have a value when the step runs. */
  #steps(list: unknown, pointer: string, known: Known, names: Set<string>): Step[] {
    if (!Array.isArray(list)) return []
    return list.flatMap((written: unknown, at) => {
      const step = this.#step(written, pointer + pointerStep(at), known, names)
      return step ? [step] : []
    })
  }

  #step(value: unknown, pointer: string, known: Known, names: Set<string>): Step | undefined {
    if (++this.whole.steps > MAX_STEPS) {
      if (this.whole.steps === MAX_STEPS + 1)
        this.#say(pointer, `there are more than ${MAX_STEPS} steps, with those of the files that are used`)
      return undefined
    }
    const faults = this.#faults(stepFaults, value, pointer)
    const isFaulty = faultyAt(faults)
    const written = this.#withPatterns(fitting(value, isFaulty) as StepFile, pointer, known)
    const kind = this.#kindOf(written, pointer, isJsonObject(value) ? value : {}, faults.length > 0)
    if (kind !== undefined) {
      this.#checkNames(written, kind, pointer, names)
      this.#checkStep(written, kind, pointer, known)
    }
    const faultyHere: IsFaulty = (at) => isFaulty(at.slice(pointer.length))
    this.#checkNever(written.never, `${pointer}/never`, known, names, faultyHere)
    this.#checkOn(written.on, `${pointer}/on`, known, names, faultyHere)
    const rounds = kind === 'repeat' ? this.#rounds(written, pointer) : undefined
    const [inner, within] = rounds ? scopeOf(rounds, known, names) : [known, names]
    const steps = this.#steps(written.steps, `${pointer}/steps`, inner, within)
    if ((kind === 'group' || kind === 'repeat') && written.steps === undefined)
      this.#say(pointer, `${kind} needs steps`)
    const used = kind === 'use' ? this.#used(written, pointer, known) : undefined
    if (used) this.#checkTaken(written, pointer, used)
    for (const name of Object.keys(capturedIn(value))) {
      names.add(name)
      known.delete(name)
    }
    if (kind === undefined) return undefined
    return {
      kind,
      written,
      place: { file: this.file, ...this.#placeOf(pointer) },
      placeOf: this.#placeAt(pointer),
      steps: used?.steps ?? steps,
      ...(used && { used }),
      ...(rounds && { rounds }),
    }
  }

  /** What a step does. Says what is wrong with its members, unless the kind cannot be told. */
  #kindOf(
    written: StepFile,
    pointer: string,
    all: Readonly<Record<string, unknown>>,
    isFaulty: boolean,
  ): StepName | undefined {
    const kinds = (Object.keys(STEPS) as StepName[]).filter((kind) => Object.hasOwn(all, kind))
    // `expect` is a step of its own, and a member of others.
    const kind = kinds.find((one) => one !== 'expect') ?? kinds[0]
    const other = kinds.find((one) => one !== kind && !STEPS[kind as StepName].includes(one))
    if (kind === undefined || other !== undefined) {
      const words = kind === undefined ? Object.keys(STEPS).join(', ') : `${kind} or ${other}, not both`
      if (kind !== undefined || !isFaulty) this.#say(pointer, `a step is ${kind ? '' : 'one of '}${words}`)
      return undefined
    }
    const may = [kind, 'name', 'precondition', ...STEPS[kind]]
    for (const member of Object.keys(written).filter((one) => !may.includes(one)))
      this.#say(
        pointer + pointerStep(member),
        `${kind} has no ${member}: there is ${may.slice(1).join(', ')}`,
      )
    return Object.hasOwn(written, kind) ? kind : undefined
  }

  /** Variables that a step takes from the file that it uses. */
  #checkTaken({ capture = {} }: StepFile, pointer: string, { names }: Scenario): void {
    for (const [name, from] of Object.entries(capture).filter(([, one]) => !names.has(one)))
      this.#say(
        `${pointer}/capture${pointerStep(name)}`,
        `${from} has no value at the end of the file: ${[...names].join(', ') || 'no variable has'}`,
      )
  }

  /** The step with the texts of the files that `like` names. */
  #withPatterns(written: StepFile, pointer: string, known: Variables): StepFile {
    const expectation = written.expect as Expectation | undefined
    if (written.like !== undefined)
      return { ...written, like: this.#pattern(written.like, `${pointer}/like`, known) }
    if (typeof expectation?.like !== 'string' || written.send !== undefined) return written
    const like = this.#pattern(expectation.like, `${pointer}/expect/like`, known)
    return { ...written, expect: { ...expectation, like } }
  }

  #pattern(given: string, pointer: string, known: Variables): string {
    try {
      const sml = /^\s*['"]?S\d+F\d+/i.test(given) ? given : this.files(given, this.file).text
      if (namesIn(sml).every((name) => known.has(name))) parsePattern(String(filled(sml, known)))
      return sml
    } catch (error) {
      this.#say(pointer, `no message as SML, and no file with one: ${(error as Error).message}`)
      return given
    }
  }

  #checkNames(written: StepFile, kind: StepName, pointer: string, names: ReadonlySet<string>): void {
    const there = [...names].join(', ') || 'no variable has'
    for (const [member, value] of Object.entries(written)) {
      if (IN_PARTS.includes(member)) continue
      for (const [at, name] of namedAt(value, pointer + pointerStep(member)))
        if (!names.has(name)) this.#say(at, `{${name}} has no value here: ${there}`)
    }
    for (const name of Object.keys(capturedIn(written)))
      if (!NAME.test(name))
        this.#say(
          `${pointer}${kind === 'expect' ? '/expect' : ''}/capture`,
          `"${name}" is not a name: letters, digits and _`,
        )
  }

  /** What can be said before the run of the members of a step. */
  #checkStep(written: StepFile, kind: StepName, pointer: string, known: Variables): void {
    const fits = kind !== 'expect' || expectationFaults(written.expect).length === 0
    for (const one of fits ? impossibleIn(written, kind, known, this.whole.catalogue) : [])
      this.#say(pointer + one.pointer, one.detail)
    const isKnown = (value: unknown): boolean => namesIn(value).every((name) => known.has(name))
    const duration = (text: string | undefined, member: string): void => {
      if (text !== undefined && isKnown(text) && durationOf(String(filled(text, known))) === undefined)
        this.#say(pointer + member, `"${text}" is not a duration such as 500ms, 10s or 2m`)
    }
    duration(written.within, '/within')
    duration(written.wait, '/wait')
    if (written.reply !== undefined && !/^(none|S\d+F\d+)$/.test(written.reply))
      this.#say(`${pointer}/reply`, `"${written.reply}" is not a message such as S1F2, and not none`)
    this.#checkReply(written, pointer)
    const change = written.set && changeMistake(written.set)
    if (change !== undefined) this.#say(`${pointer}/set`, change)
    if (kind === 'set' && !this.whole.hasSimulator)
      this.#say(
        `${pointer}/set`,
        'set needs a simulator: its control port as `simulator` at the head of the file',
      )
    duration(written.for, '/for')
    if (written.load !== undefined && isKnown(written.load))
      this.#checkSml(String(filled(written.load, known)), `${pointer}/load`, false)
    if (kind === 'load') this.#checkLoad(written, pointer, known)
    if (written.send !== undefined && isKnown(written.send))
      this.#checkSml(String(filled(written.send, known)), `${pointer}/send`, written.with !== undefined)
    if (kind === 'expect') return this.#checkExpectation(written.expect, pointer, duration)
    if (written.expect !== undefined) this.#checkMatchers(written.expect, `${pointer}/expect`)
    if (kind === 'read' && written.is !== undefined) this.#checkMatchers({ is: written.is }, pointer)
  }

  /** The reply to SxFy is the next function, SxF0, or a message of stream 9. */
  #checkReply({ send = '', reply = '' }: StepFile, pointer: string): void {
    const [, stream, fn] = /^\s*S(\d+)F(\d+)/.exec(send) ?? []
    if (stream === undefined || !/^S\d+F\d+$/.test(reply) || /^S9F(1|3|5|7|9|11|13)$/.test(reply)) return
    const next = `S${stream}F${Number(fn) + 1}`
    if (reply !== next && reply !== `S${stream}F0`)
      this.#say(
        `${pointer}/reply`,
        `${reply} is no reply to S${stream}F${fn}: ${next}, S${stream}F0 or S9F1 to S9F13`,
      )
  }

  #checkSml(sml: string, pointer: string, hasItems: boolean): void {
    if (hasItems && !/^S\d+F\d+(?: W)?\.?$/.test(sml))
      this.#say(pointer, `"${sml}" is not a message such as S1F3, whose items are in with`)
    try {
      const count = parseSml(sml, { text: UNKNOWN_ENCODING }).length
      if (count !== 1) this.#say(pointer, `${count} messages: there is one`)
    } catch (error) {
      this.#say(pointer, `not SML: ${(error as Error).message}`)
    }
  }

  #checkLoad({ rate, for: time, expect = {} }: StepFile, pointer: string, known: Variables): void {
    const given = filled(rate ?? 10, known)
    if (known.has(namesIn(rate)[0] ?? '') && !(typeof given === 'number' && given > 0 && given <= 1000))
      this.#say(`${pointer}/rate`, `${JSON.stringify(given)} is not a number up to 1000`)
    if ((durationOf(String(filled(time ?? '', known))) ?? 0) > MAX_LOAD_MS)
      this.#say(`${pointer}/for`, `"${time}" is more than 1h`)
    for (const name of Object.keys(Object(expect)).filter(
      (one) => !LOAD_VALUES.some((value) => value === one),
    ))
      this.#say(
        `${pointer}/expect${pointerStep(name)}`,
        `load has no ${name}: there is ${LOAD_VALUES.join(', ')}`,
      )
  }

  #checkExpectation(
    value: unknown,
    pointer: string,
    duration: (text: string | undefined, member: string) => void,
  ): void {
    if (!this.#fits(expectationFaults, value, `${pointer}/expect`)) return
    const { within, where, ...rest } = value as Expectation
    const kinds = (['event', 'message', 'alarm', 'cleared', 'state'] as const).filter((one) => one in rest)
    if (kinds.length !== 1)
      this.#say(`${pointer}/expect`, 'expect has one of event, message, alarm, cleared and state')
    if (rest.message !== undefined && !/^(S\d+(F\d+)?|\{\w+\})$/.test(rest.message))
      this.#say(
        `${pointer}/expect/message`,
        `"${rest.message}" is not a message such as S6F11, or a stream such as S6`,
      )
    if (rest.state !== undefined && !hasVariables(rest.state) && !KNOWN_STATES.has(rest.state))
      this.#say(`${pointer}/expect/state`, `"${rest.state}" is not a state: ${[...KNOWN_STATES].join(', ')}`)
    if (/F\d*[02468]$/.test(rest.message ?? ''))
      this.#say(`${pointer}/expect/message`, `${rest.message} is a reply: expect waits for primaries`)
    const [kind] = kinds
    if (kind === 'state' || kind === 'alarm' || kind === 'cleared')
      for (const member of kind === 'state' ? (['like', 'where', 'capture'] as const) : (['like'] as const))
        if ((value as Expectation)[member] !== undefined)
          this.#say(
            `${pointer}/expect/${member}`,
            `${member} does not go with ${kind}${kind === 'state' ? '' : ': take message: S5F1'}`,
          )
    duration(within, '/expect/within')
    if (where !== undefined) this.#checkMatchers(where, `${pointer}/expect/where`)
  }

  #checkMatchers(value: unknown, pointer: string): void {
    if (!this.#fits(matchersFaults, value, pointer)) return
    for (const [name, matcher] of Object.entries(value as Record<string, unknown>)) {
      const at = pointer + pointerStep(name)
      if (Array.isArray(matcher) && matcher.length === 0) this.#say(at, 'no value is one of an empty list')
      if (typeof matcher !== 'object' || matcher === null || Array.isArray(matcher)) continue
      const { min, max } = matcher as { readonly min?: number; readonly max?: number }
      if (!hasVariables(matcher) && this.#fits(matcherFaults, matcher, at)) {
        const detail = contradiction(matcher as Readonly<Record<string, unknown>>)
        if (detail !== undefined) this.#say(at, detail)
      }
      if (min !== undefined && max !== undefined && min > max)
        this.#say(at, `no value is from ${min} to ${max}`)
    }
  }

  /** Entries that do not fit the schema are left out: they have been said. */
  #checkNever(
    never: unknown,
    pointer: string,
    known: Variables,
    names: ReadonlySet<string>,
    isFaulty: IsFaulty,
  ): void {
    for (const [index, one] of (Array.isArray(never) ? never : []).entries()) {
      const at = pointer + pointerStep(index)
      if (isFaulty(at)) continue
      const missing = namesIn(one).filter((name) => !names.has(name))
      for (const name of missing) this.#say(at, `{${name}} has no value here`)
      const isGood = typeof one === 'string' ? NEVER.test(one) : Object.keys(one).length === 1
      if (!isGood)
        this.#say(
          at,
          `${JSON.stringify(one)} does not fit. A stream (S9), a message (S9F7), {event: NAME} or {alarm: ALID}.`,
        )
      else if (namesIn(one).every((name) => known.has(name))) this.#checkPossible(filled(one, known), at)
    }
  }

  /** What may not come has to be possible: else the entry does nothing. */
  #checkPossible(one: unknown, pointer: string): void {
    const { alarm } = isJsonObject(one) ? one : {}
    if (typeof one === 'string')
      for (const detail of notFromEquipment(one, this.whole.catalogue)) this.#say(pointer, detail)
    if (alarm !== undefined)
      for (const { detail } of alidMistakes(alarm, '')) this.#say(`${pointer}/alarm`, detail)
  }

  #checkOn(
    on: unknown,
    pointer: string,
    known: Variables,
    names: ReadonlySet<string>,
    isFaulty: IsFaulty,
  ): void {
    const entries = Object.entries(isJsonObject(on) ? on : {}).filter(
      ([primary]) => !isFaulty(pointer + pointerStep(primary)),
    )
    const replies = Object.fromEntries(entries) as NonNullable<ScenarioFile['on']>
    const wrong = replyMistakes(replies, known)
    for (const { primary, detail } of wrong) this.#say(pointer + pointerStep(primary), detail)
    for (const [primary, sml] of Object.entries(replies)) {
      const at = pointer + pointerStep(primary)
      if (!wrong.some((one) => one.primary === primary))
        for (const detail of notFromEquipment(primary, this.whole.catalogue)) this.#say(at, detail)
      for (const name of namesIn(sml).filter((one) => !names.has(one)))
        this.#say(at, `{${name}} has no value here`)
    }
  }

  #rounds({ repeat = {} }: StepFile, pointer: string): readonly Readonly<Record<string, unknown>>[] {
    const { times, values, rows, as = 'row' } = repeat
    if ([times, values, rows].filter((one) => one !== undefined).length !== 1)
      this.#say(`${pointer}/repeat`, 'repeat has one of times, values and rows')
    if (!NAME.test(as)) this.#say(`${pointer}/repeat/as`, `"${as}" is not a name: letters, digits and _`)
    if (times !== undefined) return Array.from({ length: times }, (_, at) => ({ [as]: at + 1 }))
    if (values !== undefined) return values.map((value) => ({ [as]: value }))
    const all = typeof rows === 'string' ? this.#rowsOf(rows, `${pointer}/repeat/rows`) : (rows ?? [])
    const names = [...new Set(all.flatMap((row) => Object.keys(row)))]
    for (const name of names.filter((one) => one === as || !NAME.test(one)))
      this.#say(
        `${pointer}/repeat/rows`,
        name === as
          ? `the rows have a ${as}, which is the variable of their number: give it another name by \`as\``
          : `"${name}" is not a name: letters, digits and _`,
      )
    return all.map((row, at) => ({ ...row, [as]: at + 1 }))
  }

  #rowsOf(file: string, pointer: string): readonly Readonly<Record<string, unknown>>[] {
    try {
      return csvRows(this.files(file, this.file).text)
    } catch (error) {
      this.#say(pointer, `${file}: ${(error as Error).message}`)
      return []
    }
  }

  #used(written: StepFile, pointer: string, known: Variables): Scenario | undefined {
    const given = Object.entries(written.with ?? {}).map(([name, value]) => [
      name,
      namesIn(value).every((one) => known.has(one)) ? filled(value, known) : undefined,
    ])
    return this.scenario(String(written.use), this.file, Object.fromEntries(given), (detail) =>
      this.#say(`${pointer}/use`, detail),
    )
  }
}

/** The new variables of a step, also of one that does not fit. */
function capturedIn(step: unknown): Readonly<Record<string, unknown>> {
  const { capture, expect } = (isJsonObject(step) ? step : {}) as StepFile
  const own = capture ?? (isJsonObject(expect) ? expect['capture'] : undefined)
  return isJsonObject(own) ? own : {}
}

/** The variables within rounds: those that each round has, whose values are others in each. */
function scopeOf(
  rounds: readonly Readonly<Record<string, unknown>>[],
  known: Known,
  names: ReadonlySet<string>,
): readonly [Known, Set<string>] {
  const [first = {}, ...others] = rounds
  const all = Object.keys(first).filter((name) => others.every((round) => Object.hasOwn(round, name)))
  const own = new Set(rounds.flatMap((round) => Object.keys(round)))
  return [new Map([...known].filter(([name]) => !own.has(name))), new Set([...names, ...all])]
}
