import type { Catalogue } from '../catalogue.js'
import { type MessageRow, overlaps, type SiteSource } from '../message-row.js'
import { parseStructure, StructureError } from '../structure/parse-structure.js'
import { itemNames, namesIn, type Structure } from '../structure/structure.js'
import type { SiteFault } from './site-faults.js'
import type { SiteMessage } from './site-file.js'

/** The row of a message in a site's file, and what is wrong with the message alone. */
export function siteRow(
  message: SiteMessage,
  pointer: string,
  /** Names of items; undefined where not all are known. */
  items: ReadonlySet<string> | undefined,
  standard: Catalogue,
  file: string,
): { readonly row: MessageRow; readonly faults: SiteFault[] } {
  const { stream, function: fn, name, direction, structure, also_read: alsoRead, answer, source } = message
  const texts = [
    [structure, `${pointer}/structure`] as const,
    ...(alsoRead ?? []).map((text, at) => [text, `${pointer}/also_read/${at}`] as const),
  ]
  const row: MessageRow = {
    stream,
    function: fn,
    name,
    direction,
    wBit: message.w_bit ?? 'forbidden',
    structure,
    ...(alsoRead && { alsoRead }),
    ...(answer && { answer }),
    source: siteSource(file, source, false),
  }
  const replaces = standard.rows(stream, fn).some((other) => overlaps(other, row))
  return {
    row: { ...row, source: siteSource(file, source, replaces) },
    faults: [
      ...wBitFaults(message, pointer),
      ...answerPlaceFaults(row, `${pointer}/answer`),
      ...texts.flatMap(([text, place]) => structureFaults(text, place, items)),
      ...alsoReadFaults(texts),
    ],
  }
}

/** The source of a site's own message or item. */
export const siteSource = (file: string, source: string | undefined, replaces: boolean): SiteSource => ({
  site: source === undefined ? file : `${source} (${file})`,
  replaces,
})

function wBitFaults({ function: fn, w_bit: wBit }: SiteMessage, pointer: string): SiteFault[] {
  if (fn % 2 === 1 && wBit === undefined) {
    const detail = 'w_bit is missing: required, optional or forbidden for a primary'
    return [{ pointer, detail }]
  }
  if (fn % 2 === 0 && wBit !== undefined && wBit !== 'forbidden') {
    const detail = `a secondary, whose function is even, asks for no reply: ${wBit} is wrong, leave w_bit out`
    return [{ pointer: `${pointer}/w_bit`, detail }]
  }
  return []
}

/** Structures that repeat one before them; space makes no difference. */
function alsoReadFaults(texts: readonly (readonly [text: string, pointer: string])[]): SiteFault[] {
  const forms = texts.map(([text]) => text.replace(/\s+/g, ''))
  return texts.flatMap(([, pointer], at) => {
    const first = forms.indexOf(forms[at] ?? '')
    if (first === at) return []
    const other = first === 0 ? 'structure' : `also_read/${first - 1}`
    return [{ pointer, detail: `this is the same as ${other}: give another structure, or leave it out` }]
  })
}

/** Whether an answer is given where there can be none. Its data are checked when all rows are known. */
function answerPlaceFaults(row: MessageRow, pointer: string): SiteFault[] {
  const detail = row.answer && whyNoAnswer(row)
  return detail === undefined ? [] : [{ pointer, detail }]
}

/** Why a message cannot have an answer of a site; undefined when it can. */
function whyNoAnswer({ stream, function: fn, direction, wBit }: MessageRow): string | undefined {
  if (fn % 2 === 0) return 'a secondary gets no reply'
  if (direction === 'host') return 'the equipment replies to what the host sends'
  if (wBit === 'forbidden') return 'no reply is wanted'
  if (stream === 9) return 'error messages never get a reply'
  if (stream === 1 && fn === 13) return 'the communication state decides the reply to S1F13'
  return undefined
}

function structureFaults(text: string, pointer: string, items: ReadonlySet<string> | undefined): SiteFault[] {
  let structure: Structure
  try {
    structure = parseStructure(text)
  } catch (error) {
    if (!(error instanceof StructureError)) throw error
    return [{ pointer, detail: error.detail, within: error.at }]
  }
  const unknown = itemNames(structure).filter((name) => items?.has(name) === false)
  const names = namesIn(structure)
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at))
  return [
    ...unknown.map((name) => ({
      pointer,
      detail: `there is no item ${name}, in the standard or under items`,
      within: text.search(new RegExp(`<${name}\\b`)) + 1,
    })),
    ...[...twice].map((name) => ({
      pointer,
      detail: `${name} occurs twice at one level, which makes data ambiguous`,
    })),
  ]
}
