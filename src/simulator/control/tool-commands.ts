import { slotMapText } from '../../gem300/slot-map.js'
import { slotsIn, USUAL_SLOTS } from '../../gem300/slot-ranges.js'
import type { Tool } from '../gem300/tool.js'
import { wholeNumber } from './arguments.js'
import { type ControlCommand, type Result, toolOf } from './command.js'

const portNumber = (word: string): number => wholeNumber(word, 1, 9)

/** What the operator does with the process job that runs. */
const operates = (name: 'pause' | 'resume' | 'abort', summary: string): ControlCommand => ({
  name,
  takes: '',
  summary,
  run: ({ simulator }) => {
    const { id, state } = toolOf(simulator).operate(name)
    return { job: id, state }
  },
})

/** The tool as it really is, whatever its host was told. */
const material = ({ ports, jobs, cluster }: Tool): Result => ({
  ports: ports.ports.map(({ number, transfer, access, reservation, placed, carrier }) => ({
    port: number,
    transfer_state: transfer.state,
    access_mode: access.state,
    reservation: reservation.state,
    placed: placed?.id ?? null,
    carrier: carrier?.id ?? null,
  })),
  carriers: [...ports.carriers.values()].map((carrier) => ({
    id: carrier.id,
    port: carrier.port ?? null,
    id_status: carrier.idStatus.state,
    slot_map_status: carrier.slotMapStatus.state,
    accessing_status: carrier.accessing.state,
    slots: carrier.slotMap ? slotMapText(carrier.slotMap) : null,
  })),
  jobs: [...jobs.process.values()].map((job) => ({
    id: job.id,
    state: job.state,
    recipe: job.given.RECIPE.RCPSPEC,
    control_job: job.controlJob?.id ?? null,
  })),
  control_jobs: jobs.control.map(({ id, state }) => ({ id, state })),
  substrates: [...cluster.substrates.values()].map((one) => ({
    id: one.id,
    state: one.transport.state,
    processing_state: one.processing.state,
    location: one.location,
  })),
})

/** What an operator does at a GEM 300 tool. */
export const TOOL_COMMANDS: readonly ControlCommand[] = [
  {
    name: 'load',
    takes: 'PORT CARRIER [SLOTS]',
    summary: 'Place a carrier on a port, such as: load 1 FOUP7 1-25. Without SLOTS the seed decides.',
    run: ({ simulator, words: [port = '', id = '', slots] }) => {
      const wanted = slots === undefined ? undefined : slotsIn(slots)
      const map =
        wanted &&
        Array.from({ length: USUAL_SLOTS }, (_, at) =>
          wanted.includes(at + 1) ? ('CORRECTLY_OCCUPIED' as const) : ('EMPTY' as const),
        )
      const placed = toolOf(simulator).load(portNumber(port), id, map)
      return { port: portNumber(port), carrier: placed.id, slots: slotMapText(placed.slots) }
    },
  },
  {
    name: 'unload',
    takes: 'PORT',
    summary: 'Take the carrier away from a port.',
    run: ({ simulator, words: [port = ''] }) => ({
      port: portNumber(port),
      carrier: toolOf(simulator).unload(portNumber(port)).id,
    }),
  },
  operates('pause', 'Pause the process job that runs.'),
  operates('resume', 'Let the process job that is paused go on.'),
  operates('abort', 'Abort the process job that runs.'),
  {
    name: 'material',
    takes: '',
    summary: 'Ports, carriers, jobs and substrates as they really are.',
    run: ({ simulator }) => material(toolOf(simulator)),
  },
]
