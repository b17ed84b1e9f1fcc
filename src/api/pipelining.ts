import type { FastifyInstance } from 'fastify'

/**
 * Begins a request once the responses before it on its connection are sent. Node would begin all that a client sends
 * without waiting for a response, would keep their responses in memory, and, when the connection closes, would not say so
 * to those whose turn to be sent has not come: what they hold, such as an event stream, would be held for good. What has
 * not begun when the connection closes never begins.
 */
export function serveInOrder(app: FastifyInstance): void {
  app.addHook('onRequest', (_, { raw: response }, done) => {
    // Node gives a response the connection when its turn has come.
    if (response.socket) done()
    else response.once('socket', () => done())
  })
}
