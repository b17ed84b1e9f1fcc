import { existsSync } from 'node:fs'
import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../base-command.js'
import { Failure } from '../errors/failure.js'
import { textOf } from '../input/file-text.js'
import { readBytes } from '../input/standard-input.js'
import { NOTATIONS, type Notation } from './unit.js'

/** Of what is read: a body of 16 MiB as typed JSON, and more. */
const MAX_BYTES = 256 * 1024 * 1024

/** Below this a line has no room for what it is indented by. */
const MIN_WIDTH = 20

/**
 * A command that turns SECS messages from one notation into another, without any gateway. What is read may be
 * in any notation; commands differ in what they print unless told.
 */
export abstract class SmlCommand extends BaseCommand {
  static override args = {
    file: Args.string({
      ignoreStdin: true,
      description: 'A file, or a text such as "S1F1 W."; standard input without it, or with -.',
    }),
  }

  static override flags = {
    from: Flags.option({
      options: NOTATIONS,
      summary: 'What is read.',
      description:
        'Without it what begins with a digit, is nothing but hex on its first line, or is an array or string of bytes as in C or Python, is hex; what else begins with { or [ is typed JSON; all else is SML.',
    })(),
    to: Flags.option({ options: NOTATIONS, summary: 'What to print.' })(),
    width: Flags.integer({
      min: MIN_WIDTH,
      summary: 'Fold SML between values where a line would be longer.',
      helpValue: 'COLUMNS',
    }),
    encoding: Flags.string({
      summary: 'How the text of A items is encoded, such as gb18030; Latin-1 unless told.',
      helpValue: 'NAME',
    }),
  }

  /** What oclif parses: it looks at a class's own alone, and commands have these from here. */
  private static readonly input = { baseFlags: this.baseFlags, flags: this.flags, args: this.args }

  protected abstract readonly fallback: Notation

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SmlCommand.input)
    const { readUnits } = await import('./read-units.js')
    const text =
      args.file !== undefined && isText(args.file)
        ? args.file
        : await textIn(this.environment.stdin, args.file)
    const codec = flags.encoding === undefined ? undefined : await codecNamed(flags.encoding)
    const units = readUnits(text, flags.from, codec)
    const { commentsOfBroken, hexOfUnit, jsonOfUnit, smlOfUnit } = await import('./print-units.js')
    const options = {
      ...(codec && { text: codec }),
      ...(flags.width !== undefined && { width: flags.width }),
    }
    const asked = this.format === 'json' ? 'json' : this.fallback
    const to = this.globals.json ? 'json' : (flags.to ?? asked)
    const faults: string[] = []
    const bodiless = new Set<string>()
    for (const [at, unit] of units.entries()) {
      // One HSMS message explained is parted from the next.
      const gap = at > 0 ? '\n' : ''
      if (unit.kind === 'broken') {
        faults.push(unit.fault)
        const comments = to === 'sml' ? commentsOfBroken(unit) : undefined
        if (comments !== undefined) this.print(gap + comments)
      } else if (to === 'json') this.printJson(jsonOfUnit(unit, options))
      else if (to === 'hex') {
        this.print(hexOfUnit(unit))
        if (unit.kind === 'message' && !unit.item) bodiless.add(`S${unit.stream}F${unit.function}`)
      } else this.print(`${unit.kind === 'frame' ? gap : ''}${smlOfUnit(unit, options)}`)
    }
    if (bodiless.size > 0) this.note(bodilessTold([...bodiless]))
    if (faults.length > 0) throw new Failure('usage', faultsTold(faults))
  }
}

/** The most messages without a body that are told by name. */
const MAX_BODILESS = 5

function bodilessTold(names: readonly string[]): string {
  const told = names.slice(0, MAX_BODILESS).join(', ')
  const more = names.length > MAX_BODILESS ? ` and ${names.length - MAX_BODILESS} more` : ''
  return `${told}${more} ${names.length === 1 ? 'has' : 'have'} no body.`
}

/** The most faults that are told one by one. */
const MAX_FAULTS = 20

function faultsTold(faults: readonly string[]): string {
  const told = faults.slice(0, MAX_FAULTS)
  return [...told, ...(faults.length > told.length ? [`and ${faults.length - told.length} more`] : [])].join(
    '\n',
  )
}

/** Characters that a message in any notation has, and names of files hardly ever. */
const isText = (given: string): boolean =>
  /[<{[\s]|^S\d+F\d+|^[0-9a-f]{4,}$/i.test(given) && !existsSync(given)

async function textIn(stdin: NodeJS.ReadStream, file: string | undefined): Promise<string> {
  const bytes = await readBytes(stdin, file ?? '-', file ?? 'the text', MAX_BYTES)
  return textOf(bytes, file ?? 'the text', 'xxd -p FILE | secsctl sml decode')
}

async function codecNamed(name: string) {
  const { textCodec } = await import('../../secs2/text.js')
  try {
    return textCodec(name)
  } catch (error) {
    throw new Failure('usage', `--encoding: ${(error as Error).message}`)
  }
}
