import { formatOf, type TypedValue } from '../../gem/typed-value.js'
import type { Json } from '../../kit/text/json.js'
import { numberText } from '../../secs2/number.js'
import { faultTexts } from '../faults.js'
import type { Simulator } from '../simulator.js'
import { CommandError } from './arguments.js'
import { type ControlCommand, codeInWords, type Result } from './command.js'

const variableNames = ({ model }: Simulator): readonly string[] =>
  model.equipment.variables.map(({ name }) => name)

/** A value without its format: an array of one as that one, an F4 without digits beyond its precision. */
const plain = (value: TypedValue): Json => {
  const format = formatOf(value)
  const content = value[format] ?? null
  if (!Array.isArray(content)) return content
  if (format === 'L') return content.map((item) => plain(item as TypedValue))
  const values = content.map((one) =>
    format === 'F4' && typeof one === 'number' ? Number(numberText(format, one)) : one,
  )
  return values.length === 1 ? values[0] : values
}

function variable(simulator: Simulator, idOrName: string) {
  const found = simulator.equipment.variables.find(idOrName)
  if (!found) throw new CommandError('usage', `no variable has the id or name ${idOrName}`)
  return found
}

function shownVariable(simulator: Simulator, idOrName: string): Result {
  const { id, name, unit } = variable(simulator, idOrName)
  return { id, name, value: plain(simulator.equipment.value(id)), unit }
}

const status = (simulator: Simulator): Result => ({
  model: simulator.model.name,
  ...(simulator.serialPort === undefined ? { port: simulator.port } : { serial_port: simulator.serialPort }),
  connection_state: simulator.connectionState,
  communication_state: simulator.equipment.communicationState,
  control_state: simulator.equipment.controlState,
  process_state: simulator.processState ?? null,
  alarms_set: simulator.equipment.alarms.set(),
  spool_state: simulator.equipment.spool?.states.spool ?? null,
  spooled: simulator.equipment.spool?.counts.actual ?? null,
  faults: faultTexts(simulator.faults),
})

/** A position of the operator's switches. */
const operates = (position: 'online' | 'offline' | 'local' | 'remote', summary: string): ControlCommand => ({
  name: position,
  takes: '',
  summary,
  run: async ({ simulator }) => {
    await simulator.equipment.operate(position)
    return { control_state: simulator.equipment.controlState }
  },
})

/** The state of the equipment, and how an operator changes it. */
export const STATE_COMMANDS: readonly ControlCommand[] = [
  {
    name: 'status',
    takes: '',
    summary: 'Its states, the alarms that are set, and its faults.',
    run: ({ simulator }) => status(simulator),
  },
  {
    name: 'variables',
    takes: '[NAME...]',
    summary: 'The values of its variables, or of those with these names.',
    suggestions: variableNames,
    run: ({ simulator, words }) => {
      const chosen = words.length > 0 ? words : simulator.model.equipment.variables.map(({ id }) => id)
      return { variables: chosen.map((name) => shownVariable(simulator, name)) }
    },
  },
  {
    name: 'set',
    takes: 'NAME VALUE',
    summary: 'Set a variable or a constant. One with a waveform keeps the value until `free`.',
    suggestions: (simulator) => [
      ...variableNames(simulator),
      ...simulator.model.equipment.constants.map(({ name }) => name),
    ],
    run: ({ simulator, words: [name = '', value = ''] }) => {
      const { constants, operator } = simulator.equipment
      const constant = simulator.equipment.variables.find(name) ? undefined : constants.find(name)
      if (!constant) {
        variable(simulator, name)
        simulator.equipment.variables.set(name, value)
        return shownVariable(simulator, name)
      }
      const eac = operator.setConstant(name, value)
      if (eac !== 0)
        throw new CommandError('refused', `${name} cannot be ${value}: ${codeInWords('EAC', eac)}`)
      return { id: constant.id, name: constant.name, value: plain(constants.value(constant.id)) }
    },
  },
  {
    name: 'free',
    takes: 'NAME',
    summary: 'Let a variable that was set follow its waveform again.',
    suggestions: variableNames,
    run: ({ simulator, words: [name = ''] }) => {
      simulator.equipment.variables.release(variable(simulator, name).id)
      return shownVariable(simulator, name)
    },
  },
  operates('online', 'The operator wants it online; the host is asked (S1F1).'),
  operates('offline', 'The operator takes it offline.'),
  operates('local', "The operator's switch to local."),
  operates('remote', "The operator's switch to remote."),
]
