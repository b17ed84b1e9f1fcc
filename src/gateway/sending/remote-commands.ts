import { faultyRequest, type Problem } from '../../contract/errors.js'
import { type CommandResult, DEFAULT_EVENT_WAIT, type NewCommand } from '../../contract/topics/commands.js'
import type { Entry } from '../../store/entry.js'
import type { Reading } from '../records/reading.js'
import { messageOf } from '../records/recorded-message.js'
import type { SendOptions } from '../services/asking.js'
import type { Naming } from '../services/naming.js'
import type { AwaitedEvent, AwaitedEvents } from './awaited-event.js'
import { CODE_OF, commandMessage, inCommand, styleOf } from './command-message.js'
import { codeIn, rejectedParameters } from './command-reply.js'
import type { Exchange, JournaledMessages } from './message-log.js'

/** Values that mean the command is carried out: of HCACK also 4, in a while (SEMI E30). */
const ACCEPTED = { HCACK: [0, 4], CMDA: [0] } as const satisfies Record<string, readonly number[]>

/** Commands by name: S2F41, S2F49 or S2F21, and what their replies say. */
export class HostCommands {
  constructor(
    readonly messages: Pick<JournaledMessages, 'transact' | 'view'>,
    readonly readingOf: (equipmentId: string) => Reading,
    readonly events: Pick<AwaitedEvents, 'begin'>,
    readonly naming: Pick<Naming, 'idsOf'>,
  ) {}

  async send(
    equipmentId: string,
    given: NewCommand,
    options: Partial<SendOptions> = {},
  ): Promise<Exchange<CommandResult>> {
    const { wait_event, wait_for_reply, within } = given
    if (wait_event === undefined) {
      if (within !== undefined) throw misplaced('within', 'is for wait_event, which is not given')
      return this.#send(equipmentId, given, options)
    }
    if (wait_for_reply === false) throw misplaced('wait_for_reply', 'has to be true with wait_event')
    const event = String(wait_event)
    const [ceid = event] = await this.naming.idsOf(equipmentId, 'events', [event], {
      where: () => '/wait_event',
      timeout: options.timeout,
    })
    const awaited = this.events.begin(equipmentId, ceid)
    const ms = Math.round((within ?? DEFAULT_EVENT_WAIT) * 1000)
    const onSent = (sent: Entry): void => awaited.within(ms, sent.seq)
    try {
      const { result, waited } = await this.#send(equipmentId, given, { ...options, onSent })
      return { result: await this.#withEvent(result, awaited), waited }
    } finally {
      awaited.end('connection_lost') // of no effect after its end
    }
  }

  /** A reply whose code cannot be read is no refusal: the event shows whether the equipment acted. */
  async #withEvent(result: CommandResult, awaited: AwaitedEvent): Promise<CommandResult> {
    const isRefused = result.accepted === false && (result.hcack ?? result.cmda) !== null
    if (isRefused) return { ...result, event_outcome: 'refused' }
    const { outcome, entry } = await awaited.ended
    return { ...result, event_outcome: outcome, event: entry ? await this.messages.view(entry) : null }
  }

  async #send(
    equipmentId: string,
    given: NewCommand,
    options: Partial<SendOptions>,
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
    const result: CommandResult = {
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
      event: null,
    }
    return { result, waited: ended !== undefined }
  }
}

const misplaced = (member: string, detail: string): Problem =>
  faultyRequest('invalid_request', [{ pointer: `/${member}`, detail }])
