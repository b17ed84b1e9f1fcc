import { onePage } from '../../contract/schema.js'
import type { nodeEndpoints } from '../../contract/topics/nodes.js'
import type { Handlers } from '../handler.js'

export const nodeHandlers: Handlers<typeof nodeEndpoints> = {
  listNodes: async (_, { nodes }) => onePage(nodes.list()),
  drainNode: ({ params }, { nodes }) => nodes.drain(params.id, true),
  undrainNode: ({ params }, { nodes }) => nodes.drain(params.id, false),
}
