import pino, { type Logger, type SerializedError } from 'pino'
import type { Clock } from '../kit/clock.js'
import { steeringEscaped } from '../kit/steering.js'
import { instantText } from '../kit/time-text.js'
import { LogOutput } from './log-output.js'
import { LogFile, standardError } from './log-sinks.js'

export interface DaemonLog {
  readonly log: Logger
  readonly output: LogOutput
}

/** Pino adds the message of each cause, which the message before it may end with already. */
function errorInLog(error: Error): SerializedError {
  const told = pino.stdSerializers.err(error)
  return error instanceof Error ? { ...told, message: messageWithCauses(error) } : told
}

/** Causes of causes that are told: there may be no end of them. */
const MAX_CAUSES = 8

function messageWithCauses({ message, cause }: Error, left = MAX_CAUSES): string {
  if (!(cause instanceof Error) || left === 0) return message
  const below = messageWithCauses(cause, left - 1)
  return message.endsWith(cause.message)
    ? message + below.slice(cause.message.length)
    : `${message}: ${below}`
}

/** The log of a daemon, JSON lines: in the file, or to standard error without one. Never blocks, never ends the process. */
export async function openDaemonLog(file: string | undefined, clock: Clock): Promise<DaemonLog> {
  const output = new LogOutput(file === undefined ? standardError(clock) : await LogFile.open(file), clock)
  process.once('exit', () => output.writeNow())
  // Of a request's path anything may be in a line, and the line on a terminal.
  const destination = { write: (line: string): void => output.write(steeringEscaped(line)) }
  const timestamp = (): string => `,"time":"${instantText(clock.date().getTime())}"`
  const log = pino({ base: null, timestamp, serializers: { err: errorInLog } }, destination)
  return { log, output }
}
