import type { Catalogue } from '../catalogue/catalogue.js'
import type { Content, Given } from '../catalogue/known-message.js'
import type { GivenValue } from '../catalogue/structure-data.js'
import type { CommandResult, NewCommand } from '../contract/commands.js'
import { Problem } from '../contract/errors.js'
import type { Message, Sent } from '../contract/messages.js'
import { fromTypedJson } from '../secs2/json.js'
import { textCodec } from '../secs2/text.js'
import type { Exchange, MessageLog, RemoteCommands } from './gateway.js'

/** HCACK values that mean the command is carried out, now or in a while (SEMI E30). */
const ACCEPTED: readonly number[] = [0, 4]

/** Commands by name: S2F41, and what S2F42 says of them. */
export class HostCommands implements RemoteCommands {
  constructor(
    readonly messages: MessageLog,
    readonly catalogue: Catalogue,
  ) {}

  async send(equipmentId: string, given: NewCommand, timeout?: number): Promise<Exchange<CommandResult>> {
    const names = Object.keys(given.parameters ?? {})
    // Any JSON: what fits no item is refused when the body is built.
    const PARAMS = Object.entries(given.parameters ?? {}).map(([CPNAME, value]) => ({
      CPNAME,
      CPVAL: value as GivenValue,
    }))
    const data: Given<'S2F41', 'host'> = { RCMD: given.command, PARAMS }
    const { result, waited } = await this.#send(equipmentId, data, names, timeout)
    return { result: this.#resultOf(given.command, result.message, result.reply), waited }
  }

  async #send(
    equipmentId: string,
    data: Given<'S2F41', 'host'>,
    names: readonly string[],
    timeout: number | undefined,
  ): Promise<Exchange<Sent>> {
    const message = { stream: 2, function: 41, wait_for_reply: true, data }
    try {
      return await this.messages.send(equipmentId, message, timeout)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'invalid_message') throw error
      // The caller gave a command and parameters, and is told about these.
      const errors = (error.extra.errors ?? []).map(({ pointer, detail }) => ({
        pointer: pointerOf(pointer, names),
        detail,
      }))
      const said = errors.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`)
      throw new Problem(error.code, `The command cannot be sent: ${said.join('; ')}`, { errors })
    }
  }

  /** Null where it cannot be read: nobody knows then whether the equipment acted. The rest need not fit S2F42. */
  #hcackOf(reply: Message | null): number | null {
    const named = (reply?.data as Partial<Content<'S2F42', 'equipment'>> | null | undefined)?.HCACK
    const code = named === undefined ? this.#acknowledged(reply) : Number(named)
    return code !== undefined && Number.isInteger(code) && code >= 0 && code <= 255 ? code : null
  }

  #acknowledged(reply: Message | null): number | undefined {
    if (!reply?.body) return undefined
    // Only the code is read of it: UTF-8 holds the text of any encoding.
    const item = fromTypedJson(reply.body, textCodec('utf-8'))
    const found = this.catalogue.acknowledgement(reply.stream, reply.function, item)
    return found?.item === 'HCACK' ? found.code : undefined
  }

  #resultOf(command: string, message: Message, reply: Message | null): CommandResult {
    // What took the place of S2F42 in a site's catalogue may lack any of it.
    const { PARAMS } = (reply?.data ?? {}) as Partial<Content<'S2F42', 'equipment'>>
    const hcack = this.#hcackOf(reply)
    const refusals = Array.isArray(PARAMS) ? PARAMS : []
    return {
      command,
      accepted: hcack !== null && ACCEPTED.includes(hcack),
      hcack,
      hcack_text: hcack === null ? null : this.catalogue.codeText('HCACK', hcack),
      parameters: refusals.map(({ CPNAME, CPACK }) => ({
        name: String(CPNAME),
        cpack: Number(CPACK),
        cpack_text: this.catalogue.codeText('CPACK', Number(CPACK)),
      })),
      message_id: message.id,
      reply_id: reply?.id ?? null,
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
