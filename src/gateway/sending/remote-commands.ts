import type { Catalogue } from '../../catalogue/catalogue.js'
import type { CommandResult, NewCommand } from '../../contract/commands.js'
import { faultyRequest, Problem } from '../../contract/errors.js'
import type { NewMessage, Sent } from '../../contract/messages.js'
import type { SendOptions } from '../services/asking.js'
import { codeIn, rejectedParameters } from './command-answer.js'
import { CODE_OF, commandMessage, styleOf } from './command-message.js'
import type { Exchange, JournaledMessages } from './message-log.js'

/** Values that mean the command is carried out: of HCACK also 4, in a while (SEMI E30). */
const ACCEPTED = { HCACK: [0, 4], CMDA: [0] } as const satisfies Record<string, readonly number[]>

/** Commands by name: S2F41, S2F49 or S2F21, and what their answers say. */
export class HostCommands {
  constructor(
    readonly messages: Pick<JournaledMessages, 'send'>,
    readonly catalogue: Catalogue,
  ) {}

  async send(
    equipmentId: string,
    given: NewCommand,
    options?: Partial<SendOptions>,
  ): Promise<Exchange<CommandResult>> {
    const message = commandMessage(given)
    const names = Object.keys(given.parameters ?? {})
    const { result, waited } = await this.#send(equipmentId, message, names, options)
    return { result: this.#resultOf(given, result, waited), waited }
  }

  async #send(
    equipmentId: string,
    message: NewMessage,
    names: readonly string[],
    options: Partial<SendOptions> | undefined,
  ): Promise<Exchange<Sent>> {
    try {
      return await this.messages.send(equipmentId, message, options)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'invalid_message') throw error
      // The errors have to point into the caller's command, not into its message.
      const errors = (error.extra.errors ?? []).map(({ pointer, detail }) => ({
        pointer: pointerOf(pointer, names),
        detail,
      }))
      throw faultyRequest(error.code, errors, { start: 'The command cannot be sent: ' })
    }
  }

  #resultOf(given: NewCommand, { message, reply }: Sent, waited: boolean): CommandResult {
    const { catalogue } = this
    const style = styleOf(given)
    const item = CODE_OF[style]
    const code = codeIn(reply, item, catalogue)
    const text = code === null ? null : catalogue.codeText(item, code)
    const accepted: readonly number[] = ACCEPTED[item]
    return {
      command: given.command,
      accepted: waited ? code !== null && accepted.includes(code) : null,
      hcack: item === 'HCACK' ? code : null,
      hcack_text: item === 'HCACK' ? text : null,
      cmda: item === 'CMDA' ? code : null,
      cmda_text: item === 'CMDA' ? text : null,
      parameters: rejectedParameters(reply, style === 'enhanced' ? 'CEPACK' : 'CPACK', catalogue),
      message_id: message.id,
      reply_id: reply?.id ?? null,
    }
  }
}

/** Translates a pointer into the data of the message to a pointer into the command. */
function pointerOf(pointer: string, names: readonly string[]): string {
  if (pointer === '/data/RCMD') return '/command'
  if (pointer === '/data/OBJSPEC') return '/object'
  const at = /^\/data\/PARAMS\/([0-9]+)/.exec(pointer)?.[1]
  const name = at === undefined ? undefined : names[Number(at)]
  return name === undefined
    ? '/parameters'
    : `/parameters/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
