import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../contract/endpoints.js'
import type { JournalExports } from '../answers/journal-exports.js'
import { implementStream } from '../implement.js'

export function journalRoutes(app: FastifyInstance, exports: JournalExports): void {
  implementStream(app, endpoints.exportJournal, ({ query }, request, reply) =>
    exports.serve(query, request, reply),
  )
}
