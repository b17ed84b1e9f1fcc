import type { terminalEndpoints } from '../../contract/topics/terminal.js'
import type { Handlers } from '../handler.js'
import { requireOne, verdict } from './verdict.js'

/** Text for the terminals of an equipment: a line (S10F3) or several (S10F5). */
export const terminalHandlers: Handlers<typeof terminalEndpoints> = {
  async sendTerminalText({ params: { id }, send, body }, { asking }) {
    const { tid: TID = 0, text, lines = [] } = body
    requireOne(['text', text !== undefined], ['lines', lines.length > 0])
    const said =
      text !== undefined
        ? await asking.acknowledge(id, 'S10F3', { TID, TEXT: text }, send)
        : await asking.acknowledge(id, 'S10F5', { TID, TEXT: lines }, send)
    return verdict('ackc10', said)
  },
}
