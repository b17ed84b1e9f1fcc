import { Args, Flags } from '@oclif/core'
import type { Item } from '../secs2/item.js'
import { BaseCommand } from './base-command.js'
import { Failure } from './failure.js'
import { readText } from './standard-input.js'

export const NOTATIONS = ['hex', 'sml', 'json'] as const
export type Notation = (typeof NOTATIONS)[number]

/** A message, or an item alone. */
export interface Unit {
  readonly stream?: number
  readonly function?: number
  readonly wait?: boolean
  readonly item: Item | undefined
}

export const SML_ARGS = {
  file: Args.string({ ignoreStdin: true, description: 'A file; standard input without one, or with -.' }),
}

export const toFlag = (fallback: Notation) => ({
  to: Flags.option({ options: NOTATIONS, default: fallback, summary: 'What to print.' })(),
})

/** A command that turns SECS messages from one notation into another, without any gateway. */
export abstract class SmlCommand extends BaseCommand {
  protected input(file: string | undefined): Promise<string> {
    return readText(file ?? '-', file ?? 'the text')
  }

  /** The messages, or the one item, of an SML text. */
  protected async parseSmlText(text: string): Promise<Unit[]> {
    const { parseItem, parseSml } = await import('../secs2/sml/parse.js')
    const alone = /^(\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*</.test(text)
    try {
      return alone ? [{ item: parseItem(text) }] : parseSml(text)
    } catch (error) {
      throw new Failure('usage', `this is not SML: ${(error as Error).message}`)
    }
  }

  protected async printUnits(units: readonly Unit[], to: Notation): Promise<void> {
    if (this.globals.json || to === 'json') {
      const { toTypedJson } = await import('../secs2/json.js')
      for (const { item, ...head } of units) {
        const body = item ? toTypedJson(item) : null
        this.printJson(head.stream === undefined ? body : { ...head, body })
      }
      return
    }
    if (to === 'hex') {
      const { encodeBody } = await import('../secs2/encode.js')
      for (const { item } of units) this.print(Buffer.from(encodeBody(item)).toString('hex'))
      return
    }
    const { printItem, printSml } = await import('../secs2/sml/print.js')
    for (const { item, stream, function: fn, wait = false } of units) {
      if (stream !== undefined && fn !== undefined) this.print(printSml({ stream, function: fn, wait, item }))
      else if (item) this.print(printItem(item))
    }
  }
}
