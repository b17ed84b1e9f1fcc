import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { endpoints } from '../../contract/endpoints.js'
import type { Event } from '../../contract/topics/events.js'
import { defined } from '../../kit/defined.js'
import { writePrivateFile } from '../../kit/private-file.js'
import { traceparentOf } from '../../kit/text/traceparent.js'
import type { Environment } from '../environment.js'
import { selectorGiven } from '../equipment/label-flags.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { readFault, writeFault } from '../errors/file-fault.js'
import { parseDuration, parseTime } from '../input/durations.js'
import { numberFlag, switchFlag, textFlag } from '../input/flags.js'
import { ListCommand } from '../list-command.js'
import { jsonText } from '../output/json-text.js'
import { verb } from '../verb.js'
import { checkCollectionEvent, EVENT_FLAGS, isWanted, messageGiven, WANTED_FLAGS } from './event-flags.js'
import { follow } from './event-follow.js'
import { printedEvent } from './event-printer.js'

/** The id of the last event that a script has handled; undefined where there is no such file yet. */
async function readCursorFile(path: string): Promise<string | undefined> {
  let text: string
  try {
    text = (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw wrongUsage(`--cursor-file cannot be read: ${readFault(error, path)}`)
  }
  if (/^[0-9]{1,15}$/.test(text)) return text
  throw wrongUsage(`--cursor-file ${path} holds no id of an event`)
}

async function writeCursorFile(path: string, id: string): Promise<void> {
  try {
    await writePrivateFile(path, `${id}\n`)
  } catch (error) {
    throw new Failure('unexpected', `--cursor-file ${path} cannot be written: ${writeFault(error)}`)
  }
}

/** Exit codes of a shell for a command that is not found, or is no program. */
const NO_COMMAND = new Set([126, 127])

/** Why a command failed; `canRun` is false where no other event would fare better. */
interface CommandFault {
  readonly detail: string
  readonly canRun: boolean
}

/**
 * Runs a line of the shell with an event as one line of JSON on its standard input. It has the output of this process.
 * It is a process group of its own, which the Ctrl-C of a terminal does not reach: only a second one, which ends this
 * process at once, ends it as well. Resolves when it has ended, with its fault unless it ended with 0.
 */
function runEventCommand(
  line: string,
  event: Event,
  { variables, platform, interruption }: Environment,
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
    // On Windows it would have no console to write to.
    const detached = platform !== 'win32'
    const child = spawn(line, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env, detached })
    const release = interruption.beforeEnd((signal) => {
      if (child.pid !== undefined && detached) process.kill(-child.pid, signal)
    })
    child.once('error', (error) => {
      release()
      resolve({ detail: error.message, canRun: false })
    })
    child.once('close', (code, signal) => {
      release()
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
const commandFailure = ({ id }: Event, { detail }: CommandFault): Failure =>
  new Failure('unexpected', `the command failed for event ${id}: ${detail}`)

export const eventsTail = verb(ListCommand, {
  summary: 'Follow what happens, as it happens.',
  description:
    'Continues after the last event when the network was lost or the gateway restarted, without a gap or a repeat. With --json, one object a line. With --exec, a command of the shell is run for each event, one at a time and in order: it reads the event as JSON from standard input, and has SECSCTL_EVENT_ID, _TYPE, _NAME, _AT, _EQUIPMENT and _EQUIPMENT_ID in its environment. If it fails, that is reported, and the next event follows.',
  examples: [
    'secsctl events tail',
    'secsctl events tail --since 10m --type alarm',
    'secsctl events tail --message S6F11',
    'secsctl events tail --equipment etcher --collection-event ProcessingStarted',
    'secsctl events tail --selector area=etch --type alarm',
    'secsctl events tail --equipment etcher -o sml',
    'secsctl events tail --json --count 10 --idle-timeout 30s',
    'secsctl events tail --exec ./on-event.sh --cursor-file on-event.id',
  ],
  flags: {
    ...EVENT_FLAGS,
    ...WANTED_FLAGS,
    since: textFlag('TIME', 'Begin at this time: 08:00, yesterday, 2026-03-01, or 10m for ten minutes ago.'),
    count: numberFlag('End after N.', { char: 'n', min: 1 }),
    'idle-timeout': textFlag('DURATION', 'End with exit code 7 after so long without an event.'),
    exec: textFlag('COMMAND', 'Run this command of the shell for each event instead of printing it.', {
      exclusive: ['output'],
    }),
    'stop-on-failure': switchFlag('End with exit code 1 when the command fails.', { dependsOn: ['exec'] }),
    'cursor-file': textFlag(
      'FILE',
      'Keep the id of the last event in this file, and continue after it at the next start.',
    ),
  },
  async run(on, { flags }) {
    const { type, count, since } = flags
    const idle = flags['idle-timeout']
    const selected = selectorGiven(flags.selector)
    if (flags.exec?.trim() === '') throw wrongUsage('--exec needs a command')
    const message = messageGiven(flags)
    const client = await on.client()
    const equipment_id = await on.equipmentIds(flags.equipment)
    await checkCollectionEvent(client, flags['collection-event'], equipment_id, selected)
    const { format } = on
    const nameOf = await on.equipmentNames()
    const { width } = on.sink
    const file = flags['cursor-file']
    const from = since === undefined ? undefined : parseTime(since, '--since', on.clock.date())
    const after = file === undefined ? undefined : await cursor(on, file, from)
    const signal = on.environment.interruption.hold()
    const handle = async (event: Event): Promise<void> => {
      if (flags.exec === undefined)
        on.write(printedEvent(event, { format, width, nameOf, formatTime: on.formatTime }))
      else if (!(await execute(on, flags.exec, event, flags['stop-on-failure'], signal))) return
      if (file !== undefined) await writeCursorFile(file, event.id)
    }
    const ending = await follow(
      client,
      {
        ...selected,
        ...message,
        // A time such as 10m moves on from run to run: it would leave out what the file says is still to come.
        ...defined({ equipment_id, type, count, after, since: after === undefined ? from : undefined }),
        ...(idle !== undefined && { idle: parseDuration(idle, '--idle-timeout') }),
        where: isWanted(flags, flags.exec === undefined ? format : 'json'),
        ...on.persistence(),
      },
      { clock: on.clock, signal },
      handle,
    )
    if (ending === 'idle') throw new Failure('timeout', `nothing came for ${idle}`)
  },
})

/** False where the command has failed after an interruption: the event is to be handled again. */
async function execute(
  on: ListCommand,
  command: string,
  event: Event,
  stops: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const waits = (): void => on.notice('Waiting for the command to end. Ctrl-C again ends it.')
  signal.addEventListener('abort', waits)
  const fault = await runEventCommand(command, event, on.environment)
  signal.removeEventListener('abort', waits)
  if (!fault) return true
  if (signal.aborted) return false
  const failure = commandFailure(event, fault)
  if (stops || !fault.canRun) throw failure
  on.notice(failure.message)
  return true
}

/** The id after which to begin. Without one, a file begins with the newest event, so that the next run misses none. */
async function cursor(on: ListCommand, file: string, since: string | undefined): Promise<string | undefined> {
  const kept = await readCursorFile(file)
  if (kept !== undefined) return kept
  const query = { limit: 1, ...defined({ to: since }) }
  const [before] = (await on.call(endpoints.listEvents, { query })).items
  if (before) await writeCursorFile(file, before.id)
  return before?.id
}
