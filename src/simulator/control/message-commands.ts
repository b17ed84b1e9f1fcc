import type { AlarmModel } from '../../gem/equipment/equipment-model.js'
import { HCACK } from '../../gem/equipment/remote-commands.js'
import { parseSml } from '../../secs2/sml/parse.js'
import { printSml } from '../../secs2/sml/print.js'
import type { Simulator } from '../simulator.js'
import { CommandError } from './arguments.js'
import { type ControlCommand, codeInWords, notSelected, type Result } from './command.js'

/** By its id, or by a beginning of its text that only one has. */
function alarmMeant({ model }: Simulator, given: string): AlarmModel {
  const { alarms } = model.equipment
  const known = alarms.find(({ id }) => id === given)
  if (known) return known
  const named = alarms.filter(({ text }) => text.toLowerCase().startsWith(given.toLowerCase()))
  const [one] = named
  if (one && named.length === 1) return one
  throw new CommandError(
    'usage',
    `${named.length > 1 ? 'several alarms begin with' : 'no alarm is'} "${given}"`,
  )
}

async function sent(simulator: Simulator, text: string): Promise<Result> {
  const messages = parseSml(text)
  const [message] = messages
  if (!message || messages.length > 1) throw new CommandError('usage', 'one message in SML, such as S1F1 W.')
  if (message.function % 2 === 0) {
    throw new CommandError(
      'usage',
      `S${message.stream}F${message.function} is a secondary: primaries have odd functions`,
    )
  }
  if (simulator.connectionState !== 'SELECTED') throw notSelected(simulator)
  const exchange = await simulator.send(message, message.wait)
  if (!exchange) return { outcome: 'not_expected' }
  if (exchange.kind !== 'replied') return { outcome: exchange.kind }
  const { stream, function: fn } = message
  const reply = printSml({ stream, function: fn + 1, wait: false, item: exchange.item })
  return { outcome: exchange.kind, reply }
}

/** Messages of the equipment to the host. `acknowledged`: the host accepted the message. */
export const MESSAGE_COMMANDS: readonly ControlCommand[] = [
  {
    name: 'alarm',
    takes: 'ID|TEXT set|clear',
    summary: 'Set or clear an alarm, by its id or a beginning of its text.',
    suggestions: ({ model }) => model.equipment.alarms.map(({ id }) => id),
    run: async ({ simulator, words: [given = '', change = ''] }) => {
      if (change !== 'set' && change !== 'clear')
        throw new CommandError('usage', `set or clear, not "${change}"`)
      const { id, text } = alarmMeant(simulator, given)
      const acknowledged = await simulator.equipment.changeAlarm(id, change === 'set')
      return { id, text, set: change === 'set', acknowledged }
    },
  },
  {
    name: 'event',
    takes: 'ID|NAME',
    summary: 'Fire a collection event.',
    suggestions: ({ model }) => model.equipment.events.map(({ name }) => name),
    run: async ({ simulator, words: [event = ''] }) => ({
      event,
      acknowledged: await simulator.fireEvent(event),
    }),
  },
  {
    name: 'command',
    takes: 'NAME [KEY=VALUE...]',
    summary: 'Give a remote command as the operator.',
    suggestions: ({ model }) => model.equipment.commands.map(({ name }) => name),
    run: ({ simulator, words: [name = '', ...given] }) => {
      const parameters = given.map((pair) => {
        const at = pair.indexOf('=')
        if (at < 1) throw new CommandError('usage', `"${pair}" is no KEY=VALUE`)
        return [pair.slice(0, at), pair.slice(at + 1)] as const
      })
      const { hcack, faults } = simulator.equipment.operator.command(name, Object.fromEntries(parameters))
      if (hcack === HCACK.done || hcack === HCACK.later) return { command: name, hcack }
      const wrong = faults.map((fault) => `; ${fault.name}: ${codeInWords('CPACK', fault.cpack)}`).join('')
      throw new CommandError('refused', `${name} is not carried out: ${codeInWords('HCACK', hcack)}${wrong}`)
    },
  },
  {
    name: 'terminal',
    takes: 'TEXT...',
    summary: 'Send text from the terminal to the host (S10F1).',
    run: async ({ simulator, words }) => ({
      acknowledged: await simulator.equipment.operator.sendTerminalText(words.join(' ')),
    }),
  },
  {
    name: 'send',
    takes: 'SML',
    summary: 'Send any primary, such as: send S6F11 W <L <U4 1> <U4 3010> <L>>.',
    isRestOfLine: true,
    run: ({ simulator, words: [sml = ''] }) => sent(simulator, sml),
  },
]
