import type { Given } from '../client/client.js'
import type { AnyEndpoint } from '../contract/endpoint.js'
import { endpoints } from '../contract/endpoints.js'
import type { Equipment } from '../contract/equipment.js'
import { Problem } from '../contract/errors.js'
import type { Page } from '../contract/schema.js'
import { equipmentMatching } from './equipment/equipment-targets.js'
import { selectorGiven } from './equipment/label-flags.js'
import { GatewayCommand, MAX_PAGE, type RecordOf } from './gateway-command.js'
import { type ListGiven, rangeGiven } from './input/list-flags.js'
import { jsonText } from './output/json-text.js'
import type { FormatTime } from './output/local-time.js'
import type { Column } from './output/output.js'

/** Equipment that is registered no more is found by the whole id alone. */
const REMOVED_ID = /^eq_[0-9a-z]{10,}$/

export interface Paging {
  readonly limit?: number
  readonly cursor?: string
}

type ReadPage<T> = (paging: Paging) => Promise<Page<T>>

/** How much is printed: up to `limit`, everything with `all`, or the first page without both. */
export interface Amount {
  readonly limit?: number | undefined
  readonly all?: boolean | undefined
}

type NameOf = (equipmentId: string) => string

/** How the records of a list are printed. */
interface Shown<T> {
  readonly columns: (nameOf: NameOf, formatTime: FormatTime) => readonly Column<T>[]
  /** The note on an empty list. */
  readonly none: string
  /** A record as SML; undefined for one that has none. */
  readonly sml?: (record: T, nameOf: NameOf) => string | undefined
  /** What a page says beside its records, for a person; undefined where it says nothing. */
  readonly remark?: (page: Page<T>, nameOf: NameOf) => string | undefined
}

/** A command that lists records of which there may be more than it prints. */
export abstract class ListCommand extends GatewayCommand {
  /** The ids of the equipment that is named; undefined where none is. */
  async equipmentIds(given: readonly string[] | undefined): Promise<string[] | undefined> {
    if (given === undefined) return undefined
    try {
      return (await this.chosen(given)).map(({ id }) => id)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'equipment_not_found') throw error
      return this.#idsOfAll(given, await this.allEquipment(), error)
    }
  }

  /** The same with equipment that was removed, which has records: by its id, or by the name that it had last. */
  async #idsOfAll(
    given: readonly string[],
    registered: readonly Equipment[],
    error: Problem,
  ): Promise<string[]> {
    const ids: string[] = []
    for (const text of given.flatMap((one) => one.split(','))) {
      try {
        ids.push(...equipmentMatching([text], registered).map(({ id }) => id))
      } catch {
        ids.push(await this.#removed(text, error))
      }
    }
    return ids
  }

  /** An id, or a name that the gateway knows. Throws `error` where it does not. */
  async #removed(text: string, error: Problem): Promise<string> {
    if (REMOVED_ID.test(text)) return text
    try {
      await this.call(endpoints.listEvents, { query: { equipment_id: [text], limit: 1 } })
      return text
    } catch (refusal) {
      throw refusal instanceof Problem && refusal.code === 'invalid_request' ? error : refusal
    }
  }

  /** Prints the records of a list endpoint that `flags` and `narrowed` ask for. */
  async printRecords<E extends AnyEndpoint>(
    endpoint: E,
    flags: ListGiven & Amount,
    narrowed: object,
    { columns, none, sml, remark }: Shown<RecordOf<E>>,
  ): Promise<void> {
    const range = { ...rangeGiven(flags, this.clock.date()), ...selectorGiven(flags.selector) }
    const equipment_id = await this.equipmentIds(flags.equipment)
    const query = { ...range, equipment_id, ...narrowed }
    const nameOf = await this.equipmentNames()
    const titled = columns(nameOf, this.formatTime)
    let said: string | undefined
    await this.printPages<RecordOf<E>>(
      flags,
      async (paging) => {
        const page = await this.call(endpoint, { query: { ...query, ...paging } } as Given<E>)
        said ??= remark?.(page as Page<RecordOf<E>>, nameOf)
        return page as Page<RecordOf<E>>
      },
      (records, isFirst) => {
        if (this.format !== 'sml')
          return isFirst ? this.printList(records, titled, none) : this.printFurther(records, titled)
        for (const text of records.map((one) => sml?.(one, nameOf))) if (text !== undefined) this.print(text)
      },
    )
    if (said !== undefined) this.note(said)
  }

  /**
   * Prints records page by page, and notes on standard error when there are more. `print` learns whether the page is
   * the first; JSON is one array.
   */
  async printPages<T>(
    amount: Amount,
    read: ReadPage<T>,
    print: (records: readonly T[], isFirst: boolean) => void | Promise<void>,
  ): Promise<void> {
    const asJson = this.format === 'json'
    // A person is shown an array with line breaks, which is written as a whole.
    const inParts = asJson && !this.environment.stdout.isTTY && !this.isWhole
    const asWhole = !inParts && (asJson || this.isWhole)
    const whole: T[] = []
    let printed = 0
    let cursor: string | null = null
    do {
      const left: number = amount.all ? MAX_PAGE : (amount.limit ?? Number.NaN) - printed
      const limit = Number.isNaN(left) ? {} : { limit: Math.min(left, MAX_PAGE) }
      const page: Page<T> = await read({ ...limit, ...(cursor !== null && { cursor }) })
      cursor = page.next_cursor
      // A page on which nothing matched, while there are more to search.
      if (page.items.length === 0 && cursor !== null) continue
      if (inParts) this.#writePart(page.items, printed === 0)
      else if (asWhole) for (const one of page.items) whole.push(one)
      else await print(page.items, printed === 0)
      printed += page.items.length
    } while (cursor !== null && (amount.all || printed < (amount.limit ?? 1)))
    if (inParts) this.write(']\n')
    else if (asWhole) await print(whole, true)
    if (cursor !== null) this.notice(await this.#more(printed, cursor, read))
  }

  #writePart(records: readonly unknown[], isFirst: boolean): void {
    const text = records.map((one) => jsonText(one)).join(',')
    this.write(isFirst ? `[${text}` : text === '' ? '' : `,${text}`)
  }

  /** How many there are is counted for people alone, and with one call at most: programs would pay for it each time. */
  async #more<T>(printed: number, cursor: string, read: ReadPage<T>): Promise<string> {
    if (!this.sink.isTerminal) {
      const shown = printed === 1 ? 'The newest one is shown' : `The newest ${printed} are shown`
      return `${shown}; there are more: --all prints all of them.`
    }
    const counted = await read({ limit: MAX_PAGE, cursor })
    const known = printed + counted.items.length
    const shown =
      counted.next_cursor === null
        ? `${printed} of ${known}.`
        : `${printed} shown; there are more than ${known}.`
    return `${shown} --all prints all of them.`
  }
}
