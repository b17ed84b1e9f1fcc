import { endpoints } from '../contract/endpoints.js'
import type { JournalExportQuery } from '../contract/topics/journal.js'
import type { ClientOptions } from './client.js'
import { Unreachable, unreachable } from './failures.js'
import { openStream } from './open-stream.js'
import { type PersistentOptions, persistent } from './persistent.js'

/** The longest line that is read, in bytes: an entry of a message of 16 MiB is shorter. */
const MAX_LINE = 64 * 1024 * 1024
/** Milliseconds without a byte after which the connection is lost. The gateway may search this long for an entry. */
const IDLE_TIMEOUT_MS = 120_000
/** Attempts in a row that bring nothing before it is given up. */
const MAX_ATTEMPTS = 5
const NEWLINE = 0x0a

/** An entry of the journal as the line of JSON that it is exported as. */
export interface EntryLine {
  readonly seq: number
  readonly text: string
}

/**
 * The entries of a gateway's journal, oldest first. After a loss it continues with the next entry; throws what the
 * gateway returns, or `Unreachable` when several attempts in a row brought nothing.
 */
export function exportJournal(
  options: PersistentOptions,
  query: JournalExportQuery,
  signal: AbortSignal,
): AsyncGenerator<EntryLine> {
  let { after } = query
  let failed = 0
  const onLoss = (error: Error, retryIn: number): void => {
    failed += 1
    if (failed >= MAX_ATTEMPTS) throw error
    options.onLoss?.(error, retryIn)
  }
  return persistent(
    { ...options, onLoss },
    async function* (where, { opened, received }): AsyncGenerator<EntryLine> {
      const rest = { ...query, ...(after !== undefined && { after }) }
      for await (const text of lines(where, rest, signal)) {
        opened()
        received()
        failed = 0
        after = seqOf(text, where.url)
        yield { seq: after, text }
      }
    },
    signal,
  )
}

function seqOf(line: string, url: string): number {
  const seq = Number(/^\{"seq":(\d+),/.exec(line)?.[1])
  if (Number.isSafeInteger(seq)) return seq
  throw new Unreachable(url, `What ${url} sends is not the journal of a gateway.`)
}

async function* lines(
  options: ClientOptions,
  query: JournalExportQuery,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const body = await openStream(options, endpoints.exportJournal, {
    given: { query },
    accept: 'application/x-ndjson',
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    signal,
  })
  let begun: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString()
        begun = []
        size = 0
        start = end + 1
      }
      begun.push(chunk.subarray(start))
      size += chunk.length - start
      if (size > MAX_LINE) throw new Unreachable(options.url, 'A line of the journal has no end.')
    }
  } catch (error) {
    throw error instanceof Unreachable ? error : unreachable(options.url, error)
  }
}
