import { codeText } from '../catalogue/catalogue.js'
import type { CommandResult, NewCommand } from '../contract/commands.js'
import { Problem } from '../contract/errors.js'
import type { Message } from '../contract/messages.js'
import type { Exchange, MessageLog, RemoteCommands } from './gateway.js'

/** HCACK values that mean the command is carried out, now or in a while (SEMI E30). */
const ACCEPTED: readonly number[] = [0, 4]

/** Commands by name: S2F41, and what S2F42 says of them. */
export class HostCommands implements RemoteCommands {
  constructor(readonly messages: MessageLog) {}

  async send(equipmentId: string, given: NewCommand, timeout?: number): Promise<Exchange<CommandResult>> {
    const parameters = Object.entries(given.parameters ?? {}).map(([CPNAME, CPVAL]) => ({ CPNAME, CPVAL }))
    const data = { RCMD: given.command, PARAMS: parameters }
    const { result, waited } = await this.#send(equipmentId, data, timeout)
    return { result: resultOf(given.command, result.message, result.reply), waited }
  }

  async #send(
    equipmentId: string,
    data: { readonly RCMD: string; readonly PARAMS: readonly { readonly CPNAME: string }[] },
    timeout?: number,
  ) {
    try {
      return await this.messages.send(
        equipmentId,
        { stream: 2, function: 41, wait_for_reply: true, data },
        timeout,
      )
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'invalid_message') throw error
      // The caller gave a command and parameters, and is told about these.
      const names = data.PARAMS.map(({ CPNAME }) => CPNAME)
      const errors = (error.extra.errors ?? []).map(({ pointer, detail }) => ({
        pointer: pointerOf(pointer, names),
        detail,
      }))
      const said = errors.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`)
      throw new Problem(error.code, `The command cannot be sent: ${said.join('; ')}`, { errors })
    }
  }
}

/** Where in a command stands what `pointer` finds in the data of S2F41. */
function pointerOf(pointer: string, names: readonly string[]): string {
  if (pointer === '/data/RCMD') return '/command'
  const at = /^\/data\/PARAMS\/([0-9]+)/.exec(pointer)?.[1]
  const name = at === undefined ? undefined : names[Number(at)]
  return name === undefined
    ? '/parameters'
    : `/parameters/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function resultOf(command: string, message: Message, reply: Message | null): CommandResult {
  const data = reply?.data as
    | { readonly HCACK?: string; readonly PARAMS?: readonly Refusal[] }
    | null
    | undefined
  const hcack = data?.HCACK === undefined ? null : Number(data.HCACK)
  return {
    command,
    accepted: hcack !== null && ACCEPTED.includes(hcack),
    hcack,
    hcack_text: hcack === null ? null : codeText('HCACK', hcack),
    parameters: (data?.PARAMS ?? []).map(({ CPNAME, CPACK }) => ({
      name: String(CPNAME),
      cpack: Number(CPACK),
      cpack_text: codeText('CPACK', Number(CPACK)),
    })),
    message_id: message.id,
    reply_id: reply?.id ?? null,
  }
}

interface Refusal {
  readonly CPNAME: unknown
  readonly CPACK: unknown
}
