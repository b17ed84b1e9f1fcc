import { sinkSettings } from '../../contract/topics/sinks/sink.js'
import type { sinkEndpoints } from '../../contract/topics/sinks/sinks.js'
import type { Handlers } from '../handler.js'

export const sinkHandlers: Handlers<typeof sinkEndpoints> = {
  listSinks: ({ query }, { sinks }) => sinks.list(query),
  getSink: ({ params }, { sinks }) => sinks.get(params.id),
  createSink: ({ body }, { sinks }) => sinks.create(sinkSettings(body)),
  updateSink: ({ params, body, revisions }, { sinks }) =>
    sinks.update(params.id, sinkSettings(body), revisions),
  deleteSink: ({ params, revisions }, { sinks }) => sinks.remove(params.id, revisions),
  testSink: ({ params }, { sinks }) => sinks.test(params.id),
  pauseSink: ({ params }, { sinks }) => sinks.pause(params.id),
  resumeSink: ({ params }, { sinks }) => sinks.resume(params.id),
  listDeadLetters: ({ params, query }, { sinks }) => sinks.dead(params.id, query.limit),
  retryDeadLetters: ({ params, body }, { sinks }) => sinks.retry(params.id, body),
}
