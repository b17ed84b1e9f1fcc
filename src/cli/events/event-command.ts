import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Event } from '../../contract/topics/events.js'
import { traceparentOf } from '../../kit/text/traceparent.js'
import { Failure } from '../errors/failure.js'
import { jsonText } from '../output/json-text.js'

/** Exit codes of a shell for a command that is not found, or is no program. */
const NO_COMMAND = new Set([126, 127])

/** Why a command failed; `canRun` is false where no other event would fare better. */
export interface CommandFault {
  readonly detail: string
  readonly canRun: boolean
}

/**
 * Runs a line of the shell with an event as one line of JSON on its standard input. It has the output of this process.
 * Resolves when it has ended, with its fault unless it ended with 0.
 */
export function runEventCommand(
  line: string,
  event: Event,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<CommandFault | undefined> {
  const traceparent = traceparentOf(event.data['traceparent'])
  const env: NodeJS.ProcessEnv = {
    ...(variables as NodeJS.ProcessEnv),
    SECSCTL_EVENT_ID: event.id,
    SECSCTL_EVENT_TYPE: event.type,
    SECSCTL_EVENT_NAME: event.name,
    SECSCTL_EVENT_AT: event.at,
    SECSCTL_EVENT_EQUIPMENT: event.equipment_name ?? '',
    SECSCTL_EVENT_EQUIPMENT_ID: event.equipment_id,
    ...(traceparent !== undefined && { TRACEPARENT: traceparent }),
  }
  return new Promise((resolve) => {
    const child = spawn(line, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env })
    child.once('error', (error) => resolve({ detail: error.message, canRun: false }))
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(undefined)
      const status = code ?? 128 + (signal === null ? 0 : constants.signals[signal])
      resolve({
        detail: signal === null ? `it ended with exit code ${status}` : `it was ended by ${signal}`,
        canRun: !NO_COMMAND.has(status),
      })
    })
    // A command need not read the event.
    child.stdin?.on('error', () => {})
    child.stdin?.end(`${jsonText(event)}\n`)
  })
}

/** The failure that ends the command; the event is the first of the next run with the same --cursor-file. */
export const commandFailure = ({ id }: Event, { detail }: CommandFault): Failure =>
  new Failure('unexpected', `the command failed for event ${id}: ${detail}`)
