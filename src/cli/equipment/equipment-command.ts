import { Readable } from 'node:stream'
import type { Interfaces } from '@oclif/core'
import type { GatewayClient } from '../../client/client.js'
import { Unreachable } from '../../client/failures.js'
import type { Equipment, EquipmentQuery } from '../../contract/equipment.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import type { Environment } from '../environment.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { EQUIPMENT_ARGUMENT } from '../input/arguments.js'
import { bothWays } from '../input/equipment-words.js'
import { type Repetition, repeatedly, watchInterval } from '../input/repetition.js'
import { readBytes } from '../input/standard-input.js'
import { ListCommand } from '../list-command.js'
import { listAfter } from '../messages/list-hints.js'
import { type Acknowledged, type Verdict, verdictFields, verdictOf } from '../messages/verdict.js'
import { collecting } from '../output/collected.js'
import type { MemberWords } from '../output/member-words.js'
import type { Column, Format } from '../output/output.js'
import type { Given, Made, VerbText } from '../verb.js'
import { settledAtOnce } from './calls-at-once.js'
import { byName } from './equipment-name.js'
import {
  ALL_EQUIPMENT,
  equipmentMatching,
  LIST_TARGETS,
  mayBeSeveral,
  TARGET_ARGUMENT,
  TARGET_ARGUMENTS,
  type Token,
} from './equipment-targets.js'
import { selectorGiven } from './label-flags.js'
import {
  groupedNotes,
  lineOf,
  mergedTables,
  type Outcome,
  type PrintedTable,
  summaryOf,
} from './many-output.js'

/** Bytes of standard input that are kept for several equipments. */
const MAX_INPUT = 32 * 1024 * 1024

type Args = Readonly<Record<string, unknown>> & { readonly equipment: string }
type Flags = Readonly<Record<string, unknown>>

/** The words of a command, of which the first ones name the equipment. */
interface Typed {
  readonly args: Args
  readonly flags: Flags
  readonly words: readonly string[]
  readonly raw: readonly Token[]
  /** Names and patterns of equipment; none with `--selector`. */
  readonly names: readonly string[]
  /** No equipment was chosen in any way. */
  readonly isUnnamed: boolean
}

/** How a command is run for the equipment that is meant. */
interface Course {
  readonly one: (on: EquipmentCommand, given: Given<never, never>) => void | Promise<void>
  /** Throws where the command cannot be run for several with these flags. */
  readonly checkSeveral?: (flags: never, chosen: readonly Equipment[]) => void
  /** Whether records of several equipments become rows of one table; else each is printed below its name. */
  readonly recordsAreTables?: false
  /** Takes one equipment alone. */
  readonly single?: true
  /** What it does of its own, for all equipment, where none is named. */
  readonly site?: SiteCourse
  readonly pipeFormat?: Format
}

interface SiteCourse {
  /** Whether these flags ask for it, whatever equipment is named. */
  readonly isMeant: (flags: never) => boolean
  readonly run: (on: EquipmentCommand, given: GivenSite<never>) => void | Promise<void>
}

/** The equipment that is named, and the flags. */
export interface GivenSite<F> {
  readonly names: readonly string[]
  readonly flags: Interfaces.InferredFlags<F>
}

/** What the run for one of several equipments shares with the others, and the tables that it prints. */
interface Part {
  readonly client: GatewayClient
  readonly equipment: Equipment
  readonly tables: PrintedTable[]
}

/** One of the times that `--watch` runs the command. */
interface Repeat {
  readonly at: string
  readonly isFirst: boolean
}

/**
 * A command about one equipment. Unless it is `single` it also takes several: it is then run for each of them, at most
 * 16 at once, and what these runs print is printed together.
 */
export abstract class EquipmentCommand extends ListCommand {
  #part: Part | undefined
  #noted = ''
  protected abstract readonly course: Course

  async run(): Promise<void> {
    const typed = await this.#typed()
    const { site } = this.course
    if (site && (typed.isUnnamed || site.isMeant(typed.flags as never)))
      return site.run(this, typed as unknown as GivenSite<never>)
    const chosen = this.course.single ? undefined : await this.#chosen(typed)
    if (chosen === undefined) return this.#one(typed)
    const { flags, raw } = typed
    this.course.checkSeveral?.(flags as never, chosen)
    if (flags['sort'] !== undefined && ['json', 'yaml'].includes(this.format))
      throw wrongUsage(`--sort has no effect on ${this.format} of several equipment`)
    const isDry = flags['dry-run'] === true
    const agreed = { yes: flags['yes'] === true, 'dry-run': isDry && this.#listsOnly }
    const asks = 'yes' in this.ctor.flags && !isDry
    if (!(await this.goesOn(chosen, agreed, asks, raw))) return
    const { watch, count } = flags as { watch?: unknown; count?: number }
    if (typeof watch !== 'string') return this.#runFor(chosen, typed)
    const each = { ...typed, flags: { ...flags, watch: undefined, count: undefined } }
    await repeatedly(this.repetition(watchInterval(watch), count), async (done, isAgain) => {
      if (isAgain) await this.renewedClient()
      await this.#runFor(chosen, each, { at: this.clock.date().toISOString(), isFirst: done === 0 })
    })
  }

  /** How a command with `--watch` is repeated. */
  repetition(interval: number, count: number | undefined): Repetition {
    const signal = this.environment.interruption.hold()
    return { clock: this.clock, interval, count, signal, lost: (reason) => this.notice(reason) }
  }

  /** Prints a reply of the API with the acknowledge code `item`; a refusal is also the exit code. */
  printVerdict(
    item: string,
    acknowledged: Acknowledged,
    fields: readonly (readonly [string, string])[] = [],
    result: object = acknowledged,
  ): void {
    const verdict = verdictOf(item, acknowledged)
    this.printRecord(result, [...fields, ...verdictFields(verdict)])
    if (!verdict.accepted) this.refused(verdict)
  }

  refused({ item, code, text }: Omit<Verdict, keyof Acknowledged>): void {
    this.environment.exitCode = EXIT_CODES.equipment
    const { equipment = 'EQ' } = this.subject
    this.note(`${equipment} refused: ${item} ${code}, ${text}`)
    const list = listAfter(item, code, equipment)
    if (list !== undefined) this.note(`Try: ${list}`)
  }

  #one(given: Typed): void | Promise<void> {
    return this.course.one(this, given as unknown as Given<never, never>)
  }

  /** `--dry-run` lists the equipment, and does nothing. */
  get #listsOnly(): boolean {
    return this.ctor.flags['dry-run'] === LIST_TARGETS
  }

  async #typed(): Promise<Typed> {
    const { args, flags, baseFlags, strict } = this.ctor
    const hasAll = flags['all'] === ALL_EQUIPMENT
    const chosenBy = await this.parse({ args: {}, flags, baseFlags, strict: false })
    const { selector, all } = chosenBy.flags as { readonly selector?: string; readonly all?: boolean }
    const isAll = hasAll && all === true
    if (selector !== undefined && isAll) throw wrongUsage('--selector and --all do not go together')
    const isLeftOut = isAll || selector !== undefined
    const isUnnamed = this.course.site !== undefined && !isLeftOut && chosenBy.argv.length === 0
    // Where the equipment is left out a word stands for it, so that the other words are read as they are meant.
    const words = isLeftOut || isUnnamed ? ['*', ...this.argv] : this.argv
    const parsed = await this.parse({ args, flags, baseFlags, strict }, words)
    const given = parsed.argv.map(String)
    const takesNames = args['equipment'] === TARGET_ARGUMENTS
    if (isLeftOut && takesNames && given.length > 1)
      throw wrongUsage(`${isAll ? '--all' : '--selector'} takes no names`)
    const names = selector !== undefined || isUnnamed ? [] : given.slice(0, takesNames ? given.length : 1)
    return { ...parsed, args: parsed.args as Args, words: given, names, isUnnamed }
  }

  /** The equipment that is meant; nothing where it is one by its name, as it mostly is. */
  async #chosen({ names, flags }: Typed): Promise<readonly Equipment[] | undefined> {
    const isListed = flags['dry-run'] === true && this.#listsOnly
    const [only = '*', ...more] = names
    if (names.length === 1 && !isListed && !mayBeSeveral(only)) return undefined
    const selector = names.length === 0 ? String(flags['selector']) : undefined
    const all = await this.allEquipment(selectorGiven(selector))
    if (all.length === 0 && only === '*')
      throw new Failure(
        'missing',
        selector === undefined
          ? 'no equipment is registered'
          : `no equipment matches --selector "${selector}"`,
        'secsctl equipment list',
      )
    if (selector !== undefined) return byName(all)
    const isExact = more.length === 0 && all.some(({ name, id }) => name === only || id === only)
    return isExact && !isListed ? undefined : equipmentMatching(names, all)
  }

  async #runFor(chosen: readonly Equipment[], typed: Typed, repeat?: Repeat): Promise<void> {
    const client = await this.client()
    const input = inputForEach(this.environment.stdin)
    const text = (done: number): string => `${this.subject.command}: ${done} of ${chosen.length}`
    const isJson = this.format === 'json'
    const outcomes = new Map<Equipment, Outcome>()
    const { failure } = await this.during(text(0), (progress) =>
      settledAtOnce(
        chosen,
        async (equipment) => {
          const environment = { ...this.environment, stdin: input() }
          const part = { client, equipment, tables: [] }
          const outcome = await this.#outcome(part, environment, typed, repeat)
          outcomes.set(equipment, outcome)
          if (isJson) this.printLine({ ...(repeat && { at: repeat.at }), ...lineOf(outcome) })
          progress.start(text(outcomes.size))
        },
        this.environment.interruption.hold(),
      ),
    )
    if (failure !== undefined) throw failure
    const ended = chosen.flatMap((equipment) => outcomes.get(equipment) ?? [])
    if (!isJson) await this.#printAll(ended, repeat)
    const notes = [...(isJson ? [] : groupedNotes(ended)), summaryOf(ended, chosen.length)].join('\n')
    // What is so each time is said once.
    if (notes !== this.#noted) this.note(notes)
    this.#noted = notes
    const { exitCode } = this.environment
    this.environment.exitCode = Math.max(exitCode, ...ended.map((outcome) => outcome.exitCode))
  }

  async #printAll(ended: readonly Outcome[], repeat: Repeat | undefined): Promise<void> {
    for (const [place, { columns, rows }] of mergedTables(ended).entries()) {
      if (place > 0 && this.format === 'table') this.print('')
      const at = repeat && { title: 'AT', text: () => this.formatTime(repeat.at) }
      await this.printList(rows, at ? [at, ...columns] : columns, '', repeat?.isFirst)
    }
    const isYaml = this.format === 'yaml'
    for (const { name, text } of ended)
      if (text !== '')
        this.print(isYaml ? `${JSON.stringify(name)}:\n${text.replace(/^/gm, '  ')}` : `${name}:\n${text}`)
  }

  /** Runs the command for one equipment, and keeps what it prints. Throws what a repeat waits for: a gateway that is away. */
  async #outcome(part: Part, own: Environment, typed: Typed, repeat?: Repeat): Promise<Outcome> {
    const { equipment, tables } = part
    const { id, name } = equipment
    const isJson = this.format === 'json'
    const { environment, collected } = collecting(own, own.stdout.isTTY && !isJson)
    const run = this.twin(environment)
    run.#part = part
    const ended = (exitCode: number): Outcome => {
      const { stdout, notes } = collected
      const results = isJson
        ? stdout
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line) as unknown)
        : []
      return {
        name,
        exitCode,
        tables,
        text: isJson ? '' : stdout,
        notes: notes.map((note) => note.trimEnd()),
        results,
      }
    }
    try {
      await run.#one(typedFor(id, typed))
      return ended(environment.exitCode)
    } catch (error) {
      if (repeat?.isFirst === false && error instanceof Unreachable) throw error
      const { reportOf } = await import('../errors/report.js')
      const { exit, lines, problem } = reportOf(error, run.subject)
      const text = lines
        .filter((line) => !/^(Try|Why): /.test(line))
        .join('\n')
        .replace(/^Error: /, '')
      return { ...ended(exit), error: { text, problem } }
    }
  }

  override async client(): Promise<GatewayClient> {
    return this.#part?.client ?? super.client()
  }

  override async allEquipment(query: EquipmentQuery = {}): Promise<readonly Equipment[]> {
    return this.#part ? [this.#part.equipment] : super.allEquipment(query)
  }

  override async printList<Row>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    none: string,
    isFirst = true,
  ): Promise<void> {
    if (!this.#part || ['json', 'yaml'].includes(this.format))
      return super.printList(rows, columns, none, isFirst)
    if (rows.length === 0 && none !== '') this.note(none)
    const cells = rows.map((row) =>
      columns.map(({ text, key }) => ({ text: text(row), key: (key ?? text)(row) })),
    )
    this.#part.tables.push({ columns: columns as readonly Column<never>[], rows: cells })
  }

  override printRecord(value: unknown, fields: readonly (readonly [string, string])[]): void {
    const isTable = this.course.recordsAreTables !== false && !['json', 'yaml'].includes(this.format)
    if (!this.#part || !isTable) return super.printRecord(value, fields)
    const columns = fields.map(([title]) => ({ title: title.toUpperCase(), text: () => '' }))
    this.#part.tables.push({ columns, rows: [fields.map(([, text]) => ({ text, key: text }))] })
  }
}

/** The words of a command about several equipments, for the one with this id. */
function typedFor(id: string, { args, flags, words, names, ...typed }: Typed): Typed {
  const key = flags['idempotency-key']
  return {
    ...typed,
    names: [id],
    args: { ...args, equipment: id },
    // A key is for one request.
    flags: { ...flags, yes: true, ...(key !== undefined && { 'idempotency-key': `${key}-${id}` }) },
    words: [id, ...words.slice(Math.max(1, names.length))],
  }
}

/** Standard input for each of several equipments: it can be read only once. */
function inputForEach(stdin: NodeJS.ReadStream): () => NodeJS.ReadStream {
  let whole: Promise<Buffer> | undefined
  async function* read(): AsyncGenerator<Buffer, void> {
    whole ??= readBytes(stdin, '-', 'the input', MAX_INPUT)
    yield await whole
  }
  return () => Readable.from(read()) as NodeJS.ReadStream
}

interface EquipmentVerb<A, F> extends VerbText, Omit<Course, 'one' | 'checkSeveral' | 'site'> {
  /** What follows the equipment; without it several names may be given. */
  readonly args?: A
  readonly flags: F
  readonly words?: MemberWords
  readonly checkSeveral?: (flags: Interfaces.InferredFlags<F>, chosen: readonly Equipment[]) => void
  readonly site?: {
    readonly isMeant: (flags: Interfaces.InferredFlags<F>) => boolean
    readonly run: (on: EquipmentCommand, given: GivenSite<F>) => void | Promise<void>
  }
  readonly one: (on: EquipmentCommand, given: GivenOne<A, F>) => void | Promise<void>
}

/** The arguments and flags of a command about one equipment. */
export type GivenOne<A, F> = Given<A, F> & { readonly args: { readonly equipment: string } }

/** A command about one equipment as a value. */
export function equipmentVerb<
  A extends Interfaces.ArgInput = Record<never, never>,
  F extends Interfaces.FlagInput = Record<never, never>,
>({
  one,
  checkSeveral,
  recordsAreTables,
  single,
  site,
  pipeFormat = 'tsv',
  words,
  args,
  flags,
  ...text
}: EquipmentVerb<A, F>): Made {
  const course = { one, checkSeveral, recordsAreTables, single, site } as unknown as Course
  class Command extends EquipmentCommand {
    override readonly words = words ?? {}
    override readonly pipeFormat = pipeFormat
    protected override readonly course = course
  }
  const equipment = single ? EQUIPMENT_ARGUMENT : args ? TARGET_ARGUMENT : TARGET_ARGUMENTS
  const parts = bothWays({
    args: { equipment, ...args },
    flags,
    ...((!args || text.usage?.includes('...')) && { strict: false }),
    ...text,
  })
  return Object.assign(Command, { baseFlags: GatewayCommand.baseFlags, ...parts })
}
