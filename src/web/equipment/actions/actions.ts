import type { AnyEndpoint } from '../../../contract/endpoint.js'
import type { Equipment } from '../../../contract/equipment.js'
import { MAX_LOCK_SECONDS } from '../../../contract/equipment-lock.js'
import {
  type CommandResult,
  commandEndpoints,
  type NewCommand,
  type Preview,
} from '../../../contract/topics/commands.js'
import { controlEndpoints } from '../../../contract/topics/control.js'
import { equipmentEndpoints } from '../../../contract/topics/equipment/equipment-endpoints.js'
import { messageEndpoints } from '../../../contract/topics/messages.js'
import { recipeEndpoints } from '../../../contract/topics/recipes.js'
import { terminalEndpoints } from '../../../contract/topics/terminal.js'
import { variableEndpoints } from '../../../contract/topics/variables.js'
import type { NamedValue } from '../../../contract/values.js'
import type { GatewayCalls } from '../../gateway/call.js'
import { holder, may } from '../../shell/session.js'
import { texts } from '../../texts.js'
import { parametersIn } from './parameters.js'

const words = texts.actions

/** What a person typed, by the names of the fields. */
export type Typed = Readonly<Record<string, string>>

export interface Field {
  readonly name: keyof typeof words.fields
  readonly isOptional?: true
  /** Several lines. */
  readonly isLong?: true
  readonly initial?: string
  /** Words to choose from; others may be typed, too. */
  readonly known?: (act: Act) => Promise<readonly string[]>
}

/** What an action has done. */
export interface Done {
  /** False where the equipment refused. */
  readonly isGood: boolean
  readonly text: string
  /** A reply, or values. */
  readonly detail?: string
  /** The values, for a file. */
  readonly values?: readonly NamedValue[]
}

/** The equipment that an action is about, and how it is called. `reason` is for the audit. */
export interface Act {
  readonly calls: GatewayCalls
  readonly equipment: Equipment
  readonly reason?: string | undefined
  /** The Idempotency-Key: a repeat with the same one sends nothing again. */
  readonly key: string
}

/** Something that a person can do to an equipment. */
export interface Action {
  readonly name: keyof typeof words.names
  readonly role: AnyEndpoint['access']
  /** Left out: always. */
  readonly isOffered?: (equipment: Equipment) => boolean
  readonly fields?: readonly Field[]
  /** The message that will be sent, as the gateway shows it; left out where no message is sent, or several are. */
  readonly preview?: (typed: Typed) => Preview
  readonly run: (act: Act, typed: Typed) => Promise<Done>
}

const given = ({ equipment, reason, key }: Act) => ({
  params: { id: equipment.id },
  query: { reason } as object,
  key,
})
const done = (text: string): Done => ({ isGood: true, text })

/** The result of a remote command in words. */
function commanded({ command, accepted, hcack, hcack_text, parameters }: CommandResult): Done {
  const code = hcack === null ? words.notReadable : `HCACK ${hcack}, ${hcack_text ?? ''}`
  const detail = parameters.map(({ name, cpack, cpack_text }) => `${name}: ${cpack} ${cpack_text}`).join('\n')
  return { isGood: accepted === true, text: words.replied(command, code), ...(detail && { detail }) }
}

const acknowledged = (name: string, accepted: boolean, code: number, text: string): Done => ({
  isGood: accepted,
  text: words.replied(name, `${code}, ${text}`),
})

const commandIn = ({ command = '', parameters = '' }: Typed): NewCommand => ({
  command,
  parameters: parametersIn(parameters),
})

/** Commands that were sent to the equipment before, the last first. */
async function commandsBefore({ calls, equipment }: Act): Promise<readonly string[]> {
  const query = { equipment_id: [equipment.id], stream: 2, function: 41, limit: 200 }
  const { items } = await calls.call(messageEndpoints.listMessages, { query })
  return [...new Set(items.map(({ data }) => String(data?.['RCMD'] ?? '')))].filter(Boolean)
}

async function namesOfVariables({ calls, equipment }: Act): Promise<readonly string[]> {
  const { items } = await calls.call(variableEndpoints.listVariables, {
    params: { id: equipment.id },
    query: {},
  })
  return items.map(({ id, name }) => name || id)
}

/** Names or SVIDs with commas between; a name can have a comma itself. */
async function variablesIn(text: string, act: Act): Promise<string[]> {
  const parts = text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  if (parts.length < 2) return parts
  return (await namesOfVariables(act)).includes(text.trim()) ? [text.trim()] : parts
}

async function recipes({ calls, equipment }: Act): Promise<readonly string[]> {
  const { items } = await calls.call(recipeEndpoints.listRecipes, { params: { id: equipment.id }, query: {} })
  return items.map(({ ppid }) => ppid)
}

/** Whether a lock is that of this session: the holder is a user's email, or `key:` and the name of a key. */
const isOwn = (by: string): boolean => by === holder()

/** Whether somebody else has locked the equipment: everything but reading is refused. */
export const isLockedByOther = ({ lock }: Equipment): boolean => lock !== null && !isOwn(lock.by)

const isConnected = ({ enabled }: Equipment): boolean => enabled
const communicates = ({ communication_state }: Equipment): boolean => communication_state === 'COMMUNICATING'
const isOnline = ({ control_state }: Equipment): boolean => control_state.startsWith('ONLINE')

/** In the order in which they are shown. */
export const ACTIONS: readonly Action[] = [
  {
    name: 'connect',
    role: equipmentEndpoints.connectEquipment.access,
    isOffered: (equipment) => !isConnected(equipment),
    run: async (act) => {
      await act.calls.call(equipmentEndpoints.connectEquipment, given(act))
      return done(words.connecting)
    },
  },
  {
    name: 'disconnect',
    role: equipmentEndpoints.disconnectEquipment.access,
    isOffered: isConnected,
    run: async (act) => {
      await act.calls.call(equipmentEndpoints.disconnectEquipment, given(act))
      return done(words.disconnected)
    },
  },
  {
    name: 'online',
    role: controlEndpoints.goOnline.access,
    isOffered: (equipment) => communicates(equipment) && !isOnline(equipment),
    preview: () => ({ message: { stream: 1, function: 17 } }),
    run: async (act) => {
      const reply = await act.calls.call(controlEndpoints.goOnline, given(act))
      return acknowledged('ONLACK', reply.accepted, reply.onlack, reply.onlack_text)
    },
  },
  {
    name: 'offline',
    role: controlEndpoints.goOffline.access,
    isOffered: (equipment) => communicates(equipment) && isOnline(equipment),
    preview: () => ({ message: { stream: 1, function: 15 } }),
    run: async (act) => {
      const reply = await act.calls.call(controlEndpoints.goOffline, given(act))
      return acknowledged('OFLACK', reply.accepted, reply.oflack, reply.oflack_text)
    },
  },
  {
    name: 'command',
    role: commandEndpoints.sendCommand.access,
    isOffered: communicates,
    fields: [
      { name: 'command', known: commandsBefore },
      { name: 'parameters', isOptional: true, isLong: true },
    ],
    preview: (typed) => ({ command: commandIn(typed) }),
    run: async (act, typed) => {
      const body = commandIn(typed)
      return commanded(await act.calls.call(commandEndpoints.sendCommand, { ...given(act), body }))
    },
  },
  {
    name: 'recipe',
    role: recipeEndpoints.selectRecipe.access,
    isOffered: communicates,
    fields: [{ name: 'ppid', known: recipes }],
    preview: ({ ppid = '' }) => ({ command: { command: 'PP-SELECT', parameters: { PPID: ppid } } }),
    run: async (act, { ppid = '' }) => {
      const { params, ...others } = given(act)
      const call = { ...others, params: { ...params, ppid } }
      return commanded(await act.calls.call(recipeEndpoints.selectRecipe, call))
    },
  },
  {
    name: 'read',
    // A viewer may call it, and is offered no action.
    role: 'operator',
    isOffered: communicates,
    fields: [{ name: 'variables', isOptional: true, known: namesOfVariables }],
    run: async (act, { variables = '' }) => {
      const id = await variablesIn(variables, act)
      const { params } = given(act)
      const { items } = await act.calls.call(variableEndpoints.readVariables, { params, query: { id } })
      const detail = items.map(({ id: svid, name, text, unit }) =>
        `${name ?? svid ?? ''}  ${text} ${unit ?? ''}`.trim(),
      )
      return { isGood: true, text: words.values(items.length), detail: detail.join('\n'), values: items }
    },
  },
  {
    name: 'terminal',
    role: terminalEndpoints.sendTerminalText.access,
    isOffered: communicates,
    fields: [{ name: 'text' }, { name: 'tid', initial: '0' }],
    preview: ({ text = '', tid = '' }) => ({
      message: { stream: 10, function: 3, data: { TID: tid, TEXT: text } },
    }),
    run: async (act, { text = '', tid = '' }) => {
      const body = { text, tid: Number(tid) }
      const reply = await act.calls.call(terminalEndpoints.sendTerminalText, { ...given(act), body })
      return acknowledged('ACKC10', reply.accepted, reply.ackc10, reply.ackc10_text)
    },
  },
  {
    name: 'send',
    role: messageEndpoints.sendMessage.access,
    isOffered: communicates,
    fields: [{ name: 'sml', isLong: true, initial: 'S1F1 W.' }],
    preview: ({ sml = '' }) => ({ message: { sml } }),
    run: async (act, { sml = '' }) => {
      const call = { ...given(act), body: { sml } }
      const { reply, acknowledgement: code } = await act.calls.call(messageEndpoints.sendMessage, call)
      const name = reply?.name ?? words.noReply
      return {
        isGood: code?.accepted ?? reply?.decode_error === undefined,
        text: code
          ? words.replied(name, `${code.item} ${code.code}, ${code.text}`)
          : reply?.decode_error === undefined
            ? name
            : words.replied(name, reply.decode_error),
        ...(reply && { detail: reply.sml ?? reply.raw ?? '' }),
      }
    },
  },
  {
    name: 'lock',
    role: equipmentEndpoints.lockEquipment.access,
    fields: [{ name: 'minutes', initial: '30' }, { name: 'why' }],
    isOffered: ({ lock }) => lock === null,
    run: async (act, { minutes = '', why = '' }) => {
      const seconds = Number(minutes) * 60
      if (!(seconds >= 60 && seconds <= MAX_LOCK_SECONDS))
        throw new RangeError(words.lockTime(MAX_LOCK_SECONDS / 60))
      const body = { for_seconds: seconds, reason: why }
      const lock = await act.calls.call(equipmentEndpoints.lockEquipment, { ...given(act), body })
      return done(words.locked(new Date(lock.expires_at).toLocaleString()))
    },
  },
  {
    name: 'unlock',
    role: equipmentEndpoints.unlockEquipment.access,
    isOffered: ({ lock }) => lock !== null && (isOwn(lock.by) || may('admin')),
    run: async (act) => {
      const { query, ...call } = given(act)
      const force = isLockedByOther(act.equipment) ? { force: true } : {}
      await act.calls.call(equipmentEndpoints.unlockEquipment, { ...call, query: { ...query, ...force } })
      return done(words.unlocked)
    },
  },
]
