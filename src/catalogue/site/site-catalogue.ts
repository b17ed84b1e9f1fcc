import { type JsonText, JsonTextError, type Place, parseJsonText } from '../../kit/text/json-text.js'
import { Catalogue } from '../catalogue.js'
import { ANY, type DataItem } from '../data-item.js'
import { type MessageRow, overlaps } from '../message-row.js'
import { answerFaults, replyFaults } from './reply-faults.js'
import { type SiteFault, schemaFaults } from './site-faults.js'
import type { SiteFile, SiteItem, SiteMessage } from './site-file.js'
import { itemFaults } from './site-item-faults.js'
import { siteRow, siteSource } from './site-row.js'

/** What is wrong in a site's file, and where. */
export interface SiteProblem extends Place {
  /** A JSON Pointer into the file. */
  readonly pointer: string
  readonly detail: string
}

/** A site's file that cannot be used, with all that is wrong in it. */
export class SiteFileError extends Error {
  override readonly name = 'SiteFileError'

  constructor(
    /** The file's name. */
    readonly file: string,
    readonly problems: readonly SiteProblem[],
    /** The number of further problems. */
    readonly more = 0,
  ) {
    const lines = problems.map(({ line, column, pointer, detail }) =>
      [`${file}:${line}:${column}`, ...(pointer === '' ? [] : [`${pointer}:`]), detail].join(' '),
    )
    if (more > 0) lines.push(`and ${more} more`)
    super(lines.join('\n'))
  }
}

/** The most problems that are listed. */
const MAX_PROBLEMS = 100

/** Of a site's file, in characters. */
export const SITE_FILE_LIMIT = 1024 * 1024

/**
 * The standard's messages and items with a site's own, which replace the standard's of the same names.
 * `file` is its name in error messages. Throws `SiteFileError`.
 */
export function extendCatalogue(standard: Catalogue, text: string, file: string): Catalogue {
  if (text.length > SITE_FILE_LIMIT) {
    const detail = `the file has ${text.length} characters; at most ${SITE_FILE_LIMIT} are accepted`
    throw new SiteFileError(file, [{ pointer: '', line: 1, column: 1, detail }])
  }
  const json = jsonOf(text, file)
  const refuse = (faults: readonly SiteFault[]): void => {
    if (faults.length === 0) return
    const problems = faults.slice(0, MAX_PROBLEMS).map(({ pointer, detail, within }) => ({
      pointer,
      detail,
      ...json.placeOf(pointer, within),
    }))
    problems.sort((a, b) => a.line - b.line || a.column - b.column)
    throw new SiteFileError(file, problems, faults.length - problems.length)
  }
  const written = schemaFaults(json.value)
  if (written.length > 0) refuse([...written, ...faultsBeside(written, standard, json.value, file)])
  const { catalogue, rows, faults } = extended(standard, json.value as SiteFile, file)
  refuse(faults)
  // Answers can only be built from valid rows.
  refuse(rows.flatMap((row, at) => answerFaults(catalogue, row, `/messages/${at}/answer`)))
  return catalogue
}

/**
 * Faults in the messages and items that fit the schema, in addition to `written`, the faults against the schema.
 * Checks that need other messages or items are left out where some of those are not known.
 */
function faultsBeside(
  written: readonly SiteFault[],
  standard: Catalogue,
  json: unknown,
  file: string,
): readonly SiteFault[] {
  const { messages, items } = json as { readonly messages?: unknown; readonly items?: unknown }
  const right = (part: 'messages' | 'items', values: unknown): readonly number[] =>
    Array.isArray(values) && !written.some(({ pointer }) => pointer === `/${part}`)
      ? [...values.keys()].filter((at) => !written.some(({ pointer }) => isWithin(pointer, `/${part}/${at}`)))
      : []
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return []
  const places = { messages: right('messages', messages), items: right('items', items) }
  const pick = <T>(values: unknown, at: readonly number[]): T[] => at.map((one) => (values as T[])[one] as T)
  const rest: SiteFile = {
    messages: pick<SiteMessage>(messages, places.messages),
    items: pick<SiteItem>(items, places.items),
  }
  const lacks = (values: unknown, at: readonly number[]): boolean =>
    values !== undefined && (!Array.isArray(values) || values.length > at.length)
  const { faults } = extended(standard, rest, file, {
    messages: lacks(messages, places.messages),
    items: lacks(items, places.items),
  })
  return faults.map((fault) => ({ ...fault, pointer: pointerBefore(fault.pointer, places) }))
}

const isWithin = (pointer: string, whole: string): boolean =>
  pointer === whole || pointer.startsWith(`${whole}/`)

/** Translates a pointer into the picked values to one into the whole file. */
const pointerBefore = (
  pointer: string,
  places: { readonly messages: readonly number[]; readonly items: readonly number[] },
): string =>
  pointer.replace(/^\/(messages|items)\/(\d+)/, (whole, part: 'messages' | 'items', at: string) => {
    const before = places[part][Number(at)]
    return before === undefined ? whole : `/${part}/${before}`
  })

function jsonOf(text: string, file: string): JsonText {
  try {
    return parseJsonText(text)
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    throw new SiteFileError(file, [{ pointer: '', ...error.place, detail: error.detail }])
  }
}

/** Parts from which faulty entries were left out: a name that is not found may be one of these. */
interface Lacking {
  readonly messages: boolean
  readonly items: boolean
}

function extended(
  standard: Catalogue,
  { messages = [], items = [] }: SiteFile,
  file: string,
  lacking: Lacking = { messages: false, items: false },
): {
  readonly catalogue: Catalogue
  /** Of the file's messages, in its order. */
  readonly rows: readonly MessageRow[]
  readonly faults: readonly SiteFault[]
} {
  const faults: SiteFault[] = []
  const ownItems = items.map((item) => itemOf(item, standard, file))
  for (const [at, item] of items.entries()) faults.push(...itemFaults(item, items.slice(0, at), at))

  const allItems = [
    ...standard.items.filter(({ name }) => !items.some((own) => own.name === name)),
    ...ownItems,
  ]
  const names = new Set(allItems.map(({ name }) => name))
  const rows: MessageRow[] = []
  for (const [at, message] of messages.entries()) {
    const { row, faults: found } = siteRow(
      message,
      `/messages/${at}`,
      lacking.items ? undefined : names,
      standard,
      file,
    )
    if (rows.some((other) => overlaps(other, row))) {
      const detail = `S${row.stream}F${row.function} as this sender sends it is already defined`
      found.push({ pointer: `/messages/${at}`, detail })
    }
    rows.push(row)
    faults.push(...found)
  }
  const kept = standard.messages.flatMap((row) => without(row, rows))
  const all = [...kept, ...rows].sort((a, b) => a.stream - b.stream || a.function - b.function)
  const catalogue = new Catalogue(all, allItems, standard)
  if (lacking.messages) return { catalogue, rows, faults }
  for (const [at, row] of rows.entries()) faults.push(...replyFaults(catalogue, row, `/messages/${at}`))
  return { catalogue, rows, faults }
}

function itemOf(
  { name, formats, several = false, meaning, values, accepts, open, source }: SiteItem,
  standard: Catalogue,
  file: string,
): DataItem {
  const [first, ...others] = formats === 'any' ? ANY : formats
  return {
    name,
    formats: [first ?? 'A', ...others],
    free: formats === 'any',
    single: formats !== 'any' && !several,
    meaning,
    source: siteSource(file, source, standard.item(name) !== undefined),
    ...(values && { values }),
    ...(accepts && { accepts }),
    ...(open && { open }),
  }
}

/** A row of the standard for the senders for which the site has no row. */
function without(row: MessageRow, rows: readonly MessageRow[]): readonly MessageRow[] {
  const taken = rows.filter((own) => overlaps(own, row)).map(({ direction }) => direction)
  if (taken.length === 0) return [row]
  const [only] = taken
  if (row.direction !== 'both' || taken.length > 1 || only === 'both') return []
  return [{ ...row, direction: only === 'host' ? 'equipment' : 'host' }]
}
