import { Readable } from 'node:stream'
import type { GatewayClient } from '../../client/client.js'
import type { Equipment, EquipmentQuery } from '../../contract/equipment.js'
import type { Environment } from '../environment.js'
import { wrongUsage } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { repeatedly, watchInterval } from '../input/repetition.js'
import { readBytes } from '../input/standard-input.js'
import type { Column } from '../output/output.js'
import type { Progress } from '../output/progress.js'
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
  wordsAboutAll,
  wordsForEach,
} from './equipment-targets.js'
import { selectorGiven } from './label-flags.js'
import { groupedNotes, lineOf, mergedTables, type Outcome, type Printed, summaryOf } from './many-output.js'

/** Bytes of standard input that are kept for several equipments. */
const MAX_INPUT = 32 * 1024 * 1024

/** What the run for one of several equipments shares with the others, and what it prints. */
interface Part {
  readonly client: GatewayClient
  readonly equipment: Equipment
  readonly environment: Environment
  readonly printed: Printed[]
  readonly notes: string[]
  readonly results: unknown[]
}

/** One of the times that `--watch` runs the command. */
interface Repeat {
  readonly at: string
  readonly isFirst: boolean
}

/** Several equipments, and the words of the command for each of them. */
interface Several {
  readonly given: readonly string[]
  readonly selector: string | undefined
  readonly flags: Readonly<Record<string, unknown>>
  /** The words of the command that are about all of them, such as the name of a recipe. */
  readonly what: string
  readonly wordsFor: (equipment: Equipment) => string[]
}

/**
 * A command about one equipment. One whose first argument is TARGET_ARGUMENT or TARGET_ARGUMENTS also takes several:
 * it is then run for each of them, at most 16 at once, and what these runs print is printed together.
 */
export abstract class EquipmentCommand extends GatewayCommand {
  #part: Part | undefined
  #noted = ''

  /** Whether records of several equipments become rows of one table; else each is printed below its name. */
  protected readonly recordsAreTables: boolean = true

  /** The command, about one equipment. */
  protected abstract one(): Promise<void>

  async run(): Promise<void> {
    const several = await this.#several()
    if (several === undefined) return this.one()
    const chosen = await this.#chosen(several)
    if (chosen === undefined) return this.one()
    const { flags } = several
    const asks = 'yes' in this.ctor.flags
    const listsOnly = this.ctor.flags['dry-run'] === LIST_TARGETS
    this.checkSeveral(flags, chosen)
    const isData = ['json', 'yaml'].includes(this.format)
    if (flags['sort'] !== undefined && isData)
      throw wrongUsage(`--sort has no effect on ${this.format} of several equipment`)
    const isDry = flags['dry-run'] === true
    const agreed = { yes: flags['yes'] === true, 'dry-run': isDry && listsOnly }
    if (!(await this.goesOn(chosen, agreed, asks && !isDry, several.what))) return
    const { watch, count = Number.POSITIVE_INFINITY } = flags as { watch?: unknown; count?: number }
    if (typeof watch !== 'string') return this.#runFor(chosen, several)
    const signal = this.environment.interruption.hold()
    await repeatedly(this.clock, watchInterval(watch), count, signal, (done) =>
      this.#runFor(chosen, several, { at: this.clock.date().toISOString(), isFirst: done === 0 }),
    )
  }

  /** Throws where the command cannot be run for several with these flags. */
  protected checkSeveral(_flags: Readonly<Record<string, unknown>>, _chosen: readonly Equipment[]): void {}

  /** Nothing where the words name one equipment, as they mostly do: they are then read only once. */
  async #several(): Promise<Several | undefined> {
    const { args, flags: known } = this.ctor
    const takesNames = args['equipment'] === TARGET_ARGUMENTS
    if (!takesNames && args['equipment'] !== TARGET_ARGUMENT) return undefined
    const isPlain = !this.argv.some((word) => mayBeSeveral(word) || /^(-l|--selector|--all|--dry)/.test(word))
    const words = this.argv.filter((word) => !word.startsWith('-'))
    if (isPlain && !(takesNames && words.length > 1)) return undefined
    const hasAll = known['all'] === ALL_EQUIPMENT
    const selects = this.argv.some((word) => /^(-l|--selector)/.test(word) || (hasAll && word === '--all'))
    if (selects) {
      // The equipment is left out: a word stands for it, so that the other words are read as they are meant.
      const parsed = await this.#read(['*', ...this.argv])
      const { selector, all } = parsed.flags as { readonly selector?: string; readonly all?: boolean }
      const isAll = hasAll && all === true
      if (selector !== undefined && isAll) throw wrongUsage('--selector and --all do not go together')
      if (takesNames && parsed.argv.length > 1)
        throw wrongUsage(`${isAll ? '--all' : '--selector'} takes no names`)
      if (selector !== undefined || isAll)
        return this.#severalOf(parsed, selector === undefined ? ['*'] : [], selector)
    }
    const parsed = await this.#read(this.argv)
    const given = takesNames ? parsed.argv.map(String) : [String(parsed.args['equipment'])]
    const isListed = parsed.flags['dry-run'] === true && known['dry-run'] === LIST_TARGETS
    if (given.length < 2 && !isListed && !given.some(mayBeSeveral)) return undefined
    return this.#severalOf(parsed, given, undefined)
  }

  /** oclif reads only what a class has itself, not what it inherits. */
  #read(words: string[]) {
    const { args, flags, baseFlags, strict } = this.ctor
    return this.parse({ args, flags, baseFlags, strict }, words)
  }

  #severalOf(
    { raw, flags }: { readonly raw: readonly Token[]; readonly flags: Readonly<Record<string, unknown>> },
    given: readonly string[],
    selector: string | undefined,
  ): Several {
    const what = wordsAboutAll(raw, this.ctor)
    return { given, selector, flags, what, wordsFor: ({ id }) => wordsForEach(raw, this.ctor, id) }
  }

  /** The equipment that is meant; nothing where it is one, by its exact name. */
  async #chosen({ given, selector, flags }: Several): Promise<readonly Equipment[] | undefined> {
    const all = await this.allEquipment(selectorGiven(selector))
    if (all.length === 0 && (selector !== undefined || given[0] === '*'))
      throw wrongUsage(
        selector === undefined
          ? 'no equipment is registered'
          : `no equipment matches --selector "${selector}"`,
        'secsctl equipment list',
      )
    if (selector !== undefined) return byName(all)
    const [only, ...more] = given
    const isExact = more.length === 0 && all.some(({ name, id }) => name === only || id === only)
    if (isExact && flags['dry-run'] !== true) return undefined
    return equipmentMatching(given, all)
  }

  async #runFor(chosen: readonly Equipment[], several: Several, repeat?: Repeat): Promise<void> {
    const client = await this.client()
    const input = await this.#input(several)
    const signal = this.environment.interruption.hold()
    const text = (done: number): string => `${this.subject.command}: ${done} of ${chosen.length}`
    const isJson = this.format === 'json'
    const outcomes = new Map<Equipment, Outcome>()
    await this.during(text(0), (progress) =>
      settledAtOnce(
        chosen,
        async (equipment) => {
          const stdin = input === undefined ? this.environment.stdin : readableOf(input)
          const environment = { ...this.environment, stdin, exitCode: 0 }
          const outcome = await this.#outcome(
            { client, equipment, environment, printed: [], notes: [], results: [] },
            several,
          )
          outcomes.set(equipment, outcome)
          if (isJson) this.printLine({ ...(repeat && { at: repeat.at }), ...lineOf(outcome) })
          progress.start(text(outcomes.size))
        },
        signal,
      ),
    )
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
    for (const { name, printed } of ended) {
      for (const part of printed) {
        if (!('text' in part)) continue
        const isYaml = this.format === 'yaml'
        this.print(
          isYaml ? `${JSON.stringify(name)}:\n${part.text.replace(/^/gm, '  ')}` : `${name}:\n${part.text}`,
        )
      }
    }
  }

  /** Runs the command for one equipment, and keeps what it prints. */
  async #outcome(part: Part, { wordsFor }: Several): Promise<Outcome> {
    const { equipment, environment, printed, notes, results } = part
    const Same = this.ctor as unknown as new (words: string[], config: typeof this.config) => EquipmentCommand
    const run = new Same(wordsFor(equipment), this.config)
    run.#part = part
    run.id = this.id
    const { name } = equipment
    try {
      await run.one()
      return { name, exitCode: environment.exitCode, printed, notes, results }
    } catch (error) {
      const { reportOf } = await import('../errors/report.js')
      const { exit, lines, problem } = reportOf(error, run.subject)
      const text = lines
        .filter((line) => !/^(Try|Why): /.test(line))
        .join('\n')
        .replace(/^Error: /, '')
      return { name, exitCode: exit, printed, notes, results, error: { text, problem } }
    }
  }

  /** Standard input, where a word asks for it: it can be read only once. */
  async #input({ wordsFor }: Several): Promise<Buffer | undefined> {
    const words = wordsFor({ id: '' } as Equipment)
    if (!words.some((word) => word === '-' || word.endsWith('=-'))) return undefined
    return readBytes(this.environment.stdin, '-', 'the input', MAX_INPUT)
  }

  protected override get environment(): Environment {
    return this.#part?.environment ?? super.environment
  }

  protected override async client(): Promise<GatewayClient> {
    return this.#part?.client ?? super.client()
  }

  protected override async allEquipment(query: EquipmentQuery = {}): Promise<readonly Equipment[]> {
    return this.#part ? [this.#part.equipment] : super.allEquipment(query)
  }

  protected override async during<T>(text: string, work: (progress: Progress) => Promise<T>): Promise<T> {
    return super.during(this.#part ? '' : text, work)
  }

  protected override async printList<Row>(
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
    this.#part.printed.push({ columns: columns as readonly Column<never>[], rows: cells })
  }

  protected override printRecord(value: unknown, fields: readonly (readonly [string, string])[]): void {
    if (!this.#part || ['json', 'yaml'].includes(this.format) || !this.recordsAreTables)
      return super.printRecord(value, fields)
    const columns = fields.map(([title]) => ({ title: title.toUpperCase(), text: () => '' }))
    this.#part.printed.push({ columns, rows: [fields.map(([, text]) => ({ text, key: text }))] })
  }

  protected override printJson(value: unknown): void {
    if (this.#part) this.#part.results.push(value)
    else super.printJson(value)
  }

  protected override notice(text: string): void {
    if (this.#part) this.#part.notes.push(text)
    else super.notice(text)
  }

  protected override write(text: string): void {
    if (this.#part) this.#part.printed.push({ text })
    else super.write(text)
  }
}

const readableOf = (bytes: Buffer): NodeJS.ReadStream => Readable.from([bytes]) as NodeJS.ReadStream
