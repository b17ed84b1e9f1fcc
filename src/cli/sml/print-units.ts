import { encodeFrame } from '../../hsms/frame/frame.js'
import { encodeBody } from '../../secs2/encode.js'
import { toTypedJson } from '../../secs2/json.js'
import { type PrintOptions, printItem, printSml } from '../../secs2/sml/print.js'
import { cutExplanationLines, explainFrame, explanationLines } from './frame-explanation.js'
import type { BrokenUnit, FrameUnit, Unit } from './unit.js'

/** A unit's bytes: of a message its body, of an HSMS message all of it. */
export const hexOfUnit = (unit: Unit): string =>
  Buffer.from(unit.kind === 'frame' ? encodeFrame(unit) : encodeBody(unit.item)).toString('hex')

/** A unit in canonical SML; an HSMS message is explained in comments before it. */
export function smlOfUnit(unit: Unit, options: PrintOptions): string {
  switch (unit.kind) {
    case 'body':
      return printItem(unit.item, options)
    case 'message':
      return printSml(unit, options)
    case 'frame': {
      const explanation = explainFrame(unit)
      const comments = explanationLines(explanation).map((line) => `// ${line}`)
      const { message } = explanation
      return [...comments, ...(message ? [printSml(message, options)] : rawBody(unit))].join('\n')
    }
  }
}

/** The bytes of a unit that is cut short, explained in comments; undefined when it is broken otherwise. */
export function commentsOfBroken({ cut }: BrokenUnit): string | undefined {
  if (cut === undefined) return undefined
  const lines = [...cutExplanationLines(cut), Buffer.from(cut).toString('hex')]
  return lines.map((line) => `// ${line}`).join('\n')
}

const rawBody = ({ body }: FrameUnit): string[] =>
  body.length === 0 ? [] : [`// ${Buffer.from(body).toString('hex')}`]

/** A unit as an object, with the API's names. */
export function jsonOfUnit(unit: Unit, options: PrintOptions): object {
  const typed = (item: Parameters<typeof encodeBody>[0]) => (item ? toTypedJson(item, options.text) : null)
  switch (unit.kind) {
    case 'body':
      return toTypedJson(unit.item, options.text)
    case 'message':
      return {
        stream: unit.stream,
        function: unit.function,
        w_bit: unit.wait,
        body: typed(unit.item),
      }
    case 'frame': {
      const { message, ...explanation } = explainFrame(unit)
      return {
        ...explanation,
        body: typed(message?.item),
        sml: message ? printSml(message, options) : null,
        hex: hexOfUnit(unit),
      }
    }
  }
}
