import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/**
 * Answers what a request expects. `100 Continue` comes once the route is known, and not to a body that is longer than
 * its call takes: the client learns of the 413 before it sends one.
 */
export function answerExpectations(app: FastifyInstance): void {
  const waiting = new WeakSet<IncomingMessage>()
  app.server.on('checkContinue', (request, response) => {
    waiting.add(request)
    app.server.emit('request', request, response)
  })
  // A server may ignore an expectation that it does not know (RFC 9110); Node would respond with 417 without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', (request, reply, done) => {
    if (!waiting.has(request.raw)) return done()
    const length = Number(request.headers['content-length'] ?? 0)
    // The client may leave the body out: what comes next on this connection could be read as one.
    if (length > (request.routeOptions.bodyLimit ?? Number.POSITIVE_INFINITY))
      reply.header('connection', 'close')
    else reply.raw.writeContinue()
    done()
  })
}
