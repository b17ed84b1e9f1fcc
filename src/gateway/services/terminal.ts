import { Problem } from '../../contract/errors.js'
import type { SendQuery } from '../../contract/messages.js'
import type { TerminalText, TerminalTextSent } from '../../contract/terminal.js'
import { verdictOf } from './acknowledged.js'
import type { Asking } from './asking.js'
import type { Terminals } from './services.js'

/** Text for the terminals of an equipment: a line (S10F3) or several (S10F5). */
export class GemTerminals implements Terminals {
  constructor(private readonly asking: Asking) {}

  async send(
    equipmentId: string,
    { tid: TID = 0, text, lines = [] }: TerminalText,
    options: SendQuery,
  ): Promise<TerminalTextSent> {
    if ((text === undefined) === (lines.length === 0)) {
      throw new Problem('invalid_request', 'Give either text or lines.', {
        errors: [
          {
            pointer: '/text',
            detail: text === undefined ? 'is required without lines' : 'may not stand beside lines',
          },
        ],
      })
    }
    const said =
      text !== undefined
        ? await this.asking.acknowledge(equipmentId, 'S10F3', { TID, TEXT: text }, options)
        : await this.asking.acknowledge(equipmentId, 'S10F5', { TID, TEXT: lines }, options)
    return { ackc10: said.code, ackc10_text: said.text, ...verdictOf(said) }
  }
}
