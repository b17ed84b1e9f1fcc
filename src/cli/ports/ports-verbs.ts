import { endpoints } from '../../contract/endpoints.js'
import { type LoadPort, PORT_STYLES } from '../../contract/topics/gem300/ports.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGES, READS } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { printObjectResult } from '../gem300/object-result.js'
import { required } from '../input/arguments.js'
import { choiceFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import type { Column } from '../output/output.js'

/** The number of a port, and its name where that is another. */
export const portText = ({ port, number }: Pick<LoadPort, 'port' | 'number'>): string =>
  String(number ?? port) === port ? port : `${number} (${port})`

/** Tools that call their ports by names are commanded by numbers: both are shown. */
const COLUMNS: readonly Column<LoadPort>[] = [
  { title: 'PORT', text: ({ port, number }) => String(number ?? port) },
  { title: 'TRANSFER', text: ({ transfer }) => transfer ?? '' },
  { title: 'ACCESS', text: ({ access_mode }) => access_mode ?? '' },
  { title: 'RESERVATION', text: ({ reservation }) => reservation ?? '' },
  { title: 'ASSOCIATION', text: ({ association }) => association ?? '' },
  { title: 'NAME', text: ({ port }) => port },
]

/** PTN. */
export function portGiven(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= 255) return Number(text)
  throw wrongUsage(
    `"${text}" is no port number, from 1 to 255: \`secsctl ports list EQ\` shows the number and the name of each port`,
  )
}

export const portsList = equipmentVerb({
  summary: 'List the load ports of equipment and their states (S14F1).',
  description:
    'PORT is the number by which a port is commanded (PTN): that at the end of its name, such as 1 of LP1.',
  examples: ['secsctl ports list etcher'],
  flags: { ...LIST_OUTPUT_FLAGS, ...READS },
  async one(on, { args, flags }) {
    const { items } = await on.ask(endpoints.listPorts, args.equipment, flags)
    await on.printList(items, COLUMNS, 'No load ports.')
  },
})

interface PortCommand {
  /** With hyphens it is the name of the verb. */
  readonly command: 'in_service' | 'out_of_service' | 'reserve' | 'cancel_reservation'
  readonly summary: string
}

const portCommand = ({ command, summary }: PortCommand) =>
  equipmentVerb({
    summary: `${summary} (S3F25); exit code 8 when refused.`,
    description:
      'Tools want this said in different ways: --style has ServiceStatus 1 (standard) or 4 for in service, the state as the action (words), and actions in upper case.',
    examples: [`secsctl ports ${command.replaceAll('_', '-')} etcher 1`],
    args: { port: required('Port number (PTN).') },
    flags: {
      ...CHANGES,
      style: choiceFlag(PORT_STYLES, 'How the equipment wants it said; standard unless given.'),
    },
    async one(on, { args: { equipment, port }, flags }) {
      const { style } = flags
      const given = { params: { port: String(portGiven(port)) }, body: { command, ...(style && { style }) } }
      const result = await on.ask(endpoints.commandPort, equipment, flags, given)
      printObjectResult(on, result, [['port', port]])
    },
  })

export const portsInService = portCommand({
  command: 'in_service',
  summary: 'Put a load port in service',
})
export const portsOutOfService = portCommand({
  command: 'out_of_service',
  summary: 'Put a load port out of service',
})
export const portsReserve = portCommand({
  command: 'reserve',
  summary: 'Reserve a load port',
})
export const portsCancelReservation = portCommand({
  command: 'cancel_reservation',
  summary: 'Cancel the reservation of a load port',
})

export const portsAccessMode = equipmentVerb({
  summary: 'Change the access mode of load ports (S3F27); exit code 8 when refused.',
  usage: 'ports access-mode EQUIPMENT MODE PORT...',
  description: 'MODE is manual or auto. `all` stands for all ports.',
  examples: ['secsctl ports access-mode etcher auto 1 2', 'secsctl ports access-mode etcher manual all'],
  args: { mode: required('manual or auto.'), port: required('Port numbers (PTN), or all.') },
  flags: CHANGES,
  words: { '/mode': 'MODE', '/ports': 'PORT' },
  async one(on, { args: { equipment, mode }, flags, words }) {
    if (mode !== 'manual' && mode !== 'auto') throw wrongUsage(`"${mode}" is no access mode: manual or auto`)
    const given = words.slice(2)
    const ports = given.length === 1 && given[0] === 'all' ? [] : given.map(portGiven)
    const result = await on.ask(endpoints.changeAccessMode, equipment, flags, { body: { mode, ports } })
    printObjectResult(on, result, [['mode', mode]])
  },
})
