import type { Equipment } from '../../../contract/equipment.js'
import { MAX_LOCK_SECONDS } from '../../../contract/equipment-lock.js'
import { commandEndpoints, type NewCommand } from '../../../contract/topics/commands.js'
import { controlEndpoints } from '../../../contract/topics/control.js'
import { equipmentEndpoints } from '../../../contract/topics/equipment/equipment-endpoints.js'
import { messageEndpoints } from '../../../contract/topics/messages.js'
import { terminalEndpoints } from '../../../contract/topics/terminal.js'
import { holder, may } from '../../shell/session.js'
import { texts } from '../../texts.js'
import {
  type Act,
  type Action,
  acknowledged,
  commanded,
  communicates,
  done,
  given,
  type Typed,
} from './action.js'
import { parametersIn } from './parameters.js'
import { READ_VARIABLES } from './read-variables.js'
import { RECIPE_ACTIONS } from './recipe-actions.js'

const words = texts.actions

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

/** Whether a lock is that of this session: the holder is a user's email, or `key:` and the name of a key. */
const isOwn = (by: string): boolean => by === holder()

/** Whether somebody else has locked the equipment: everything but reading is refused. */
export const isLockedByOther = ({ lock }: Equipment): boolean => lock !== null && !isOwn(lock.by)

const isConnected = ({ enabled }: Equipment): boolean => enabled
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
    isWriting: true,
    isOffered: (equipment) => communicates(equipment) && !isOnline(equipment),
    preview: () => ({ messages: [{ message: { stream: 1, function: 17 } }] }),
    run: async (act) => {
      const reply = await act.calls.call(controlEndpoints.goOnline, given(act))
      return acknowledged('ONLACK', reply, reply.onlack, reply.onlack_text)
    },
  },
  {
    name: 'offline',
    role: controlEndpoints.goOffline.access,
    isWriting: true,
    isOffered: (equipment) => communicates(equipment) && isOnline(equipment),
    preview: () => ({ messages: [{ message: { stream: 1, function: 15 } }] }),
    run: async (act) => {
      const reply = await act.calls.call(controlEndpoints.goOffline, given(act))
      return acknowledged('OFLACK', reply, reply.oflack, reply.oflack_text)
    },
  },
  {
    name: 'command',
    role: commandEndpoints.sendCommand.access,
    isWriting: true,
    isOffered: communicates,
    fields: [
      { name: 'command', known: commandsBefore },
      { name: 'parameters', isOptional: true, isLong: true },
    ],
    preview: (typed) => ({ messages: [{ command: commandIn(typed) }] }),
    run: async (act, typed) => {
      const body = commandIn(typed)
      return commanded(await act.calls.call(commandEndpoints.sendCommand, { ...given(act), body }))
    },
  },
  ...RECIPE_ACTIONS,
  READ_VARIABLES,
  {
    name: 'terminal',
    role: terminalEndpoints.sendTerminalText.access,
    isWriting: true,
    isOffered: communicates,
    fields: [{ name: 'text' }, { name: 'tid', initial: '0' }],
    preview: ({ text = '', tid = '' }) => ({
      messages: [{ message: { stream: 10, function: 3, data: { TID: tid, TEXT: text } } }],
    }),
    run: async (act, { text = '', tid = '' }) => {
      const body = { text, tid: Number(tid) }
      const reply = await act.calls.call(terminalEndpoints.sendTerminalText, { ...given(act), body })
      return acknowledged('ACKC10', reply, reply.ackc10, reply.ackc10_text)
    },
  },
  {
    name: 'send',
    role: messageEndpoints.sendMessage.access,
    isOffered: communicates,
    fields: [{ name: 'sml', isLong: true, initial: 'S1F1 W.' }],
    preview: ({ sml = '' }) => ({ messages: [{ message: { sml } }] }),
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
        ...(reply && { replyId: reply.id }),
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
