import { existsSync } from 'node:fs'
import { Args } from '@oclif/core'
import { listed } from '../../kit/text/listed.js'
import { BaseCommand } from '../base-command.js'
import { wrongUsage } from '../errors/failure.js'
import { choiceFlag, numberFlag, textFlag } from '../input/flags.js'
import { readBytes, textOf } from '../input/standard-input.js'
import { type VerbText, verb } from '../verb.js'
import { NOTATIONS, type Notation } from './unit.js'

/** Of the input: more than a body of 16 MiB as typed JSON. */
const MAX_BYTES = 256 * 1024 * 1024

/** A narrower line has no room for its indentation. */
const MIN_WIDTH = 20

/**
 * A command that converts SECS messages between notations, without any gateway. The input may be in any
 * notation; commands differ in their default output.
 */
const smlVerb = ({ fallback, ...text }: VerbText & { readonly fallback: Notation }) =>
  verb(BaseCommand, {
    ...text,
    args: {
      file: Args.string({
        ignoreStdin: true,
        description: 'A file, or a text such as "S1F1 W."; standard input without it, or with -.',
      }),
    },
    flags: {
      from: choiceFlag(NOTATIONS, 'Notation of the input.', {
        description:
          'Without it, text that begins with a digit, has only hex on its first line, or is an array or string of bytes as in C or Python, is hex; other text that begins with { or [ is typed JSON; everything else is SML.',
      }),
      to: choiceFlag(NOTATIONS, 'What to print.'),
      width: numberFlag('Break lines of SML between values if they are longer.', {
        min: MIN_WIDTH,
        helpValue: 'COLUMNS',
      }),
      encoding: textFlag('NAME', 'Encoding of the text of A items, such as gb18030. Default: Latin-1.'),
    },
    async run(on, { args, flags }) {
      const { readUnits } = await import('./read-units.js')
      const text =
        args.file !== undefined && isText(args.file)
          ? args.file
          : await textIn(on.environment.stdin, args.file)
      const codec = flags.encoding === undefined ? undefined : await codecNamed(flags.encoding)
      const units = readUnits(text, flags.from, codec)
      const { commentsOfBroken, hexOfUnit, jsonOfUnit, smlOfUnit } = await import('./print-units.js')
      const options = {
        ...(codec && { text: codec }),
        ...(flags.width !== undefined && { width: flags.width }),
      }
      const asked = on.format === 'json' ? 'json' : fallback
      const to = on.globals.json ? 'json' : (flags.to ?? asked)
      const faults: string[] = []
      const bodiless = new Set<string>()
      for (const [at, unit] of units.entries()) {
        // A blank line separates explained HSMS messages.
        const gap = at > 0 ? '\n' : ''
        if (unit.kind === 'broken') {
          faults.push(unit.fault)
          const comments = to === 'sml' ? commentsOfBroken(unit) : undefined
          if (comments !== undefined) on.print(gap + comments)
        } else if (to === 'json') on.printJson(jsonOfUnit(unit, options))
        else if (to === 'hex') {
          on.print(hexOfUnit(unit))
          if (unit.kind === 'message' && !unit.item) bodiless.add(`S${unit.stream}F${unit.function}`)
        } else on.print(`${unit.kind === 'frame' ? gap : ''}${smlOfUnit(unit, options)}`)
      }
      if (bodiless.size > 0) on.note(bodilessText([...bodiless]))
      if (faults.length > 0) throw wrongUsage(listed(faults, MAX_FAULTS, '\n'))
    },
  })

export const smlDecode = smlVerb({
  summary: 'Print the SML of bytes given as hex, and explain HSMS messages.',
  description:
    "Each line is a body, one or more HSMS messages, or an HSMS message without its length; lines that cannot be read one by one are read together. Spaces, colons, commas and 0x are ignored. Hex dumps (xxd, hexdump -C, od -tx1, Wireshark), bytes as C and Python write them ({0x00, 0x0a}, b'\\x00\\x0a') and lines that begin with a date and time are read as well. An HSMS message is recognised by its length: the first four bytes say exactly how many follow. No body begins like that, since its first byte would be 00. Without the length it is recognised by its header, where the session ID begins with 00 or ff, as no body does. The explanation is printed as SML comments, so the output is SML. If a message is cut short or a body cannot be decoded, the rest is still printed, the header of a message that is cut is explained as far as possible, standard error says at which byte it breaks, and the exit code is 2.",
  examples: [
    'echo 0101b10400000001 | secsctl sml decode',
    'echo 0000000affff00000001 00000001 | secsctl sml decode',
    'secsctl sml decode dump.txt --json',
  ],
  fallback: 'sml',
})

export const smlEncode = smlVerb({
  summary: 'Print the bytes of SML or typed JSON, as hex: of each message its body.',
  examples: [
    "secsctl sml encode 'S1F3 W <L <U4 1>>.'",
    "echo '<L <U4 1>>' | secsctl sml encode",
    `echo '{"L":[{"U4":[1]}]}' | secsctl sml encode`,
    'secsctl sml encode start.sml --to json',
  ],
  fallback: 'hex',
})

export const smlFormat = smlVerb({
  summary: 'Print SML of any dialect in canonical form.',
  examples: [
    'echo "S1F3 W <L <U4 1>>" | secsctl sml format',
    'secsctl sml format start.sml --width 100',
    'secsctl messages show 42 --json | secsctl sml format',
  ],
  fallback: 'sml',
})

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
