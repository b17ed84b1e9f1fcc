import { faultyRequest, Problem } from '../../contract/errors.js'
import type { CommandResult, NewCommand } from '../../contract/topics/commands.js'
import type { Reading } from '../records/reading.js'
import { messageOf } from '../records/recorded-message.js'
import type { SendOptions } from '../services/asking.js'
import { codeIn, rejectedParameters } from './command-answer.js'
import { CODE_OF, commandMessage, styleOf } from './command-message.js'
import type { Exchange, JournaledMessages } from './message-log.js'

/** Values that mean the command is carried out: of HCACK also 4, in a while (SEMI E30). */
const ACCEPTED = { HCACK: [0, 4], CMDA: [0] } as const satisfies Record<string, readonly number[]>

/** Commands by name: S2F41, S2F49 or S2F21, and what their answers say. */
export class HostCommands {
  constructor(
    readonly messages: Pick<JournaledMessages, 'transact'>,
    readonly readingOf: (equipmentId: string) => Reading,
  ) {}

  async send(
    equipmentId: string,
    given: NewCommand,
    options?: Partial<SendOptions>,
  ): Promise<Exchange<CommandResult>> {
    const message = commandMessage(given)
    const { sent, ended } = await this.messages
      .transact(equipmentId, message, options)
      .catch((error: unknown) => {
        throw inCommand(error, Object.keys(given.parameters ?? {}))
      })
    const reading = this.readingOf(equipmentId)
    const reply = ended?.reply && messageOf(ended.reply)
    const style = styleOf(given)
    const item = CODE_OF[style]
    const code = reply ? codeIn(reply, item, reading) : null
    const text = code === null ? null : reading.catalogue.codeText(item, code)
    const accepted: readonly number[] = ACCEPTED[item]
    const result = {
      command: given.command,
      accepted: ended ? code !== null && accepted.includes(code) : null,
      hcack: item === 'HCACK' ? code : null,
      hcack_text: item === 'HCACK' ? text : null,
      cmda: item === 'CMDA' ? code : null,
      cmda_text: item === 'CMDA' ? text : null,
      parameters: reply ? rejectedParameters(reply, style === 'enhanced' ? 'CEPACK' : 'CPACK', reading) : [],
      sent_by: messageOf(sent).sentBy ?? null,
      message_id: String(sent.seq),
      reply_id: ended?.ending.reply_id ?? null,
    }
    return { result, waited: ended !== undefined }
  }
}

/** An error of the command's message, whose pointers have to lead into the caller's command. */
function inCommand(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof Problem) || error.code !== 'invalid_message') return error
  const errors = (error.extra.errors ?? []).map(({ pointer, detail }) => ({
    pointer: pointerOf(pointer, names),
    detail,
  }))
  return faultyRequest(error.code, errors, { start: 'The command cannot be sent: ' })
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
