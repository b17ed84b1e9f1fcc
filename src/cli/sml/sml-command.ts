import { existsSync } from 'node:fs'
import { Args, Flags } from '@oclif/core'
import { listed } from '../../kit/text/listed.js'
import { BaseCommand } from '../base-command.js'
import { wrongUsage } from '../errors/failure.js'
import { readBytes, textOf } from '../input/standard-input.js'
import { NOTATIONS, type Notation } from './unit.js'

/** Of the input: more than a body of 16 MiB as typed JSON. */
const MAX_BYTES = 256 * 1024 * 1024

/** A narrower line has no room for its indentation. */
const MIN_WIDTH = 20

/**
 * A command that converts SECS messages between notations, without any gateway. The input may be in any
 * notation; commands differ in their default output.
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
      summary: 'Notation of the input.',
      description:
        'Without it, text that begins with a digit, has only hex on its first line, or is an array or string of bytes as in C or Python, is hex; other text that begins with { or [ is typed JSON; everything else is SML.',
    })(),
    to: Flags.option({ options: NOTATIONS, summary: 'What to print.' })(),
    width: Flags.integer({
      min: MIN_WIDTH,
      summary: 'Fold SML between values where a line would be longer.',
      helpValue: 'COLUMNS',
    }),
    encoding: Flags.string({
      summary: 'Encoding of the text of A items, such as gb18030. Default: Latin-1.',
      helpValue: 'NAME',
    }),
  }

  /** Given to oclif explicitly: it reads only the static members of the command's own class. */
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
      // A blank line separates explained HSMS messages.
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
    if (bodiless.size > 0) this.note(bodilessText([...bodiless]))
    if (faults.length > 0) throw wrongUsage(listed(faults, MAX_FAULTS, '\n'))
  }
}

/** Messages without a body that are listed by name. */
const MAX_BODILESS = 5

function bodilessText(names: readonly string[]): string {
  const listed = names.slice(0, MAX_BODILESS).join(', ')
  const more = names.length > MAX_BODILESS ? ` and ${names.length - MAX_BODILESS} more` : ''
  return `${listed}${more} ${names.length === 1 ? 'has' : 'have'} no body.`
}

/** Faults that are listed one by one. */
const MAX_FAULTS = 20

/** Characters that every message has in any notation, and a file name hardly ever. */
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
    throw wrongUsage(`--encoding: ${(error as Error).message}`)
  }
}
