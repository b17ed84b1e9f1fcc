import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JournalEntry, JournalExportQuery } from '../../contract/journal.js'
import type { JournalExport } from '../../gateway/gateway.js'
import type { Clock } from '../../kit/clock.js'
import { chunksOf } from '../../kit/turns.js'
import type { LongAnswers } from './long-answers.js'

/** Answers with entries of the journal, as the caller takes them. */
export class JournalExports {
  constructor(
    readonly journal: JournalExport,
    readonly answers: LongAnswers,
    readonly clock: Clock,
  ) {}

  /** An answer that is not whole ends with a broken connection, so that nobody takes a part for all. */
  serve(query: JournalExportQuery, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return this.answers.serve(request, reply, async (answer) => {
      const pages = this.journal.entries(query, answer.signal)[Symbol.asyncIterator]()
      // As long as nothing is sent, a failure can be a problem's answer.
      let page = await pages.next()
      answer.begin('application/x-ndjson; charset=utf-8')
      let isWhole = false
      try {
        for (; !page.done; page = await pages.next()) {
          if (!(await answer.write(bytesOf(page.value, this.clock)))) return
        }
        isWhole = !answer.signal.aborted
      } catch (error) {
        request.log.error({ err: error }, 'journal export failed')
      } finally {
        if (!isWhole) answer.hangUp()
      }
    })
  }
}

function* lines(entries: readonly JournalEntry[]): Generator<string> {
  // The members in the order of the files, whatever made the entry.
  for (const { seq, at, key, type, name, topic, data } of entries)
    yield `${JSON.stringify({ seq, at, key, type, name, topic, data })}\n`
}

async function* bytesOf(entries: readonly JournalEntry[], clock: Clock): AsyncGenerator<Uint8Array> {
  for await (const text of chunksOf(lines(entries), clock)) yield Buffer.from(text)
}
