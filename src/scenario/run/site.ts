import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { GatewayClient } from '../../client/client.js'
import { followEvents } from '../../client/events.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { CommandResult, NewCommand } from '../../contract/topics/commands.js'
import type { Event } from '../../contract/topics/events.js'
import type { Message, NewMessage, Sent } from '../../contract/topics/messages.js'
import type { NamedValue } from '../../contract/values.js'
import type { Clock } from '../../kit/clock.js'
import { hasName, type KnownNames } from './known-names.js'
import { MAX_OPEN } from './load.js'

/** What a run needs of a gateway, about one equipment. A call that fails throws the client's errors. */
export interface Site {
  equipment(): Promise<Equipment>
  /** Whether an alarm is active. */
  hasAlarm(): Promise<boolean>
  /** What the gateway knows without asking the equipment. */
  known(): Promise<KnownNames>
  /** `timeout`: in seconds, if it is shorter than T3. */
  send(body: NewMessage, timeout: number | undefined): Promise<Sent>
  command(body: NewCommand, timeout: number | undefined): Promise<CommandResult>
  /** The value of a status variable, or of a constant that the gateway knows. */
  read(name: string, timeout: number | undefined): Promise<NamedValue | undefined>
  message(id: string): Promise<Message>
  /** What the gateway replies to these primaries from now on, for so many seconds; nothing else of this site. */
  setReplies(replies: Readonly<Record<string, string>>, seconds: number): Promise<void>
  /** Ends the link, or makes it again and waits so many seconds until the equipment communicates. */
  link(isUp: boolean, seconds: number): Promise<void>
  /** The id of the newest event of the equipment, or of the site where the equipment has none; 0 where there is none at all. */
  newest(): Promise<number>
  /** Events of the equipment after this one, as they happen, until `signal` aborts. `lost`: the gateway cannot be reached. */
  events(after: number, signal: AbortSignal, lost: () => void): AsyncIterable<Event>
  /** Messages with these ids and between them, oldest first, `limit` at most. */
  messages(after: number, last: number, limit: number): Promise<readonly Message[]>
}

const idsAndNames = (items: readonly { readonly id: string; readonly name: string }[]): readonly string[] =>
  items.flatMap(({ id, name }) => [id, name])

async function knownNames(client: GatewayClient, id: string): Promise<KnownNames> {
  const about = { params: { id }, query: { known: true } }
  const variables = async (kind: 'status' | 'data') => {
    const query = { ...about.query, kind }
    return (await client.call(endpoints.listVariables, { ...about, query })).items
  }
  const { items: events } = await client.call(endpoints.listCollectionEvents, about)
  const { items: constants } = await client.call(endpoints.listConstants, about)
  return {
    events: idsAndNames(events),
    status: idsAndNames(await variables('status')),
    data: idsAndNames(await variables('data')),
    constants: idsAndNames(constants),
  }
}

/** Reads the names at its first call only, and again after a failure. */
function namesOnce(client: GatewayClient, id: string): () => Promise<KnownNames> {
  let names: Promise<KnownNames> | undefined
  return () => {
    names ??= knownNames(client, id).catch((error: unknown) => {
      names = undefined
      throw error
    })
    return names
  }
}

/** The `newest` of a site. */
async function newestEvent(client: GatewayClient, id: string): Promise<number> {
  const newestOf = async (query: { equipment_id?: string[] }): Promise<number | undefined> => {
    const { items } = await client.call(endpoints.listEvents, { query: { ...query, limit: 1 } })
    return items[0] && Number(items[0].id)
  }
  const own = await newestOf({ equipment_id: [id] })
  if (own !== undefined) return own
  // A quiet equipment's last event may be removed, and no stream begins before what is kept.
  const newest = (await newestOf({})) ?? 0
  return (await newestOf({ equipment_id: [id] })) ?? newest
}

/** The site of a client. What is sent is given up when `signal` aborts. */
export function siteOf(client: GatewayClient, id: string, clock: Clock, signal?: AbortSignal): Site {
  const ended = { signal }
  // Each call listens to it until it has ended, and Node warns of more than ten listeners.
  if (signal) setMaxListeners(2 * MAX_OPEN, signal)
  const run = randomUUID()
  const query = (timeout: number | undefined) => (timeout === undefined ? {} : { timeout })
  const known = namesOnce(client, id)
  return {
    equipment: () => client.call(endpoints.getEquipment, { params: { id } }),
    async hasAlarm() {
      const query = { equipment_id: [id], active: true, limit: 1 }
      return (await client.call(endpoints.listAlarms, { query })).items.length > 0
    },
    known,
    send: (body, timeout) =>
      client.call(endpoints.sendMessage, { params: { id }, query: query(timeout), body }, ended),
    command: (body, timeout) =>
      client.call(endpoints.sendCommand, { params: { id }, query: query(timeout), body }, ended),
    async read(name, timeout) {
      const { status, constants } = await known()
      const isConstant = hasName(constants, name) && !hasName(status, name)
      const options = { params: { id }, query: { id: [name], ...query(timeout) } }
      const { items } = isConstant
        ? await client.call(endpoints.readConstants, options, ended)
        : await client.call(endpoints.readVariables, options, ended)
      return items[0]
    },
    message: (message) => client.call(endpoints.getMessage, { params: { id: message } }),
    async setReplies(replies, seconds) {
      const body = { run, for_seconds: seconds, replies: { ...replies } }
      await client.call(endpoints.setReplies, { params: { id }, body })
    },
    async link(isUp, seconds) {
      if (isUp)
        await client.call(endpoints.connectEquipment, { params: { id }, query: { wait: seconds } }, ended)
      else await client.call(endpoints.disconnectEquipment, { params: { id } })
    },
    newest: () => newestEvent(client, id),
    events: (after, signal, lost) =>
      followEvents(
        { ...client.options, clock, onLoss: lost },
        { equipment_id: [id], after: String(after) },
        signal,
      ),
    async messages(after, last, limit) {
      const found: Message[] = []
      let cursor: string | null | undefined
      while (cursor !== null) {
        const page = await client.call(endpoints.listMessages, {
          query: { equipment_id: [id], limit: 1000, ...(cursor !== undefined && { cursor }) },
        })
        for (const message of page.items) {
          const seq = Number(message.id)
          if (seq <= after || found.length === limit) return found.reverse()
          if (seq <= last) found.push(message)
        }
        cursor = page.next_cursor
      }
      return found.reverse()
    },
  }
}
