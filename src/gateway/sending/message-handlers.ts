import type { commandEndpoints } from '../../contract/topics/commands.js'
import type { leasedReplyEndpoints } from '../../contract/topics/leased-replies.js'
import type { messageEndpoints } from '../../contract/topics/messages.js'
import type { previewEndpoints } from '../../contract/topics/preview.js'
import { Accepted, type Handlers } from '../handler.js'
import { previewOf } from '../messages/preview.js'

export const messageHandlers: Handlers<
  typeof messageEndpoints & typeof previewEndpoints & typeof commandEndpoints & typeof leasedReplyEndpoints
> = {
  listMessages: async ({ query }, { messages, equipment }) =>
    messages.list(query, equipment.labels.selection(query)()),
  getMessage: ({ params, query }, { messages }) => messages.get(params.id, query),
  async previewMessage({ params, body }, { equipment }) {
    const { model } = await equipment.get(params.id)
    return previewOf(body, equipment.readingOf(params.id), model)
  },
  async sendMessage({ params, send, body }, { messages }) {
    const { result, waited } = await messages.send(params.id, body, send)
    return waited ? result : new Accepted(result)
  },
  async setReplies({ params: { id }, body }, { equipment }) {
    const session = equipment.session(id)
    const expires_at = session.replies.set(body, session.reading())
    return { messages: Object.keys(body.replies), expires_at }
  },
  async sendCommand({ params, send, body }, { commands }) {
    const { result, waited } = await commands.send(params.id, body, send)
    return waited ? result : new Accepted(result)
  },
}
