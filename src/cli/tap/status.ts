import { TapPathTooLong, type TapsStatus, tapSocket, tapsStatus } from '../../daemon/taps.js'
import { Failure } from '../errors/failure.js'
import { sizeText } from '../output/size-text.js'
import { SessionCommand } from '../session-command.js'
import { verb } from '../verb.js'

/** In one line. */
export function tapsText({ pid, protocol, hangs, told }: TapsStatus): string {
  if (hangs)
    return `process ${pid} does not respond: it hangs or is stopped, and nothing passes through its taps`
  if (!told) return `process ${pid}, which speaks another version (${protocol})`
  const { version, taps, connected, memoryBytes, queueBytes, queueLimit } = told
  const links = `${connected} of ${taps} ${taps === 1 ? 'tap' : 'taps'} connected`
  return `process ${pid} of version ${version}, ${links}, ${sizeText(memoryBytes)} of memory, ${sizeText(queueBytes)} of ${sizeText(queueLimit)} wait to be recorded`
}

export const tapStatus = verb(SessionCommand, {
  summary: 'Show the process that has the links of tapped equipment on this machine.',
  description:
    'Asks the process itself, whether or not a daemon runs. "waiting" is what has passed and is not recorded yet; when it reaches its limit, further messages are counted as `tap_gap`. Exits with 6 if no process runs, or it does not respond.',
  examples: ['secsctl tap status', 'secsctl tap status --json'],
  async run(on) {
    const { state } = on.session.folders
    let socket: string
    try {
      socket = tapSocket(state)
    } catch (error) {
      if (error instanceof TapPathTooLong) throw new Failure('usage', error.message, undefined, error)
      throw error
    }
    const found = await tapsStatus(state, on.clock)
    if (!found)
      throw new Failure(
        'unreachable',
        'no process of taps runs on this machine: the daemon starts it with the first tap that is connected',
        'secsctl equipment list -o wide',
      )
    if (found.hangs)
      throw new Failure('unreachable', tapsText(found), `ps -o pid,stat,wchan,args -p ${found.pid}`)
    const { pid, protocol, told } = found
    const since = told ? new Date(told.since).toISOString() : null
    const value = {
      pid,
      socket,
      protocol,
      version: told?.version ?? null,
      since,
      memory_bytes: told?.memoryBytes ?? null,
      waiting_bytes: told?.queueBytes ?? null,
      waiting_limit_bytes: told?.queueLimit ?? null,
      taps: told?.taps ?? null,
      connected: told?.connected ?? null,
      daemon: told?.isRead ?? null,
    }
    on.printRecord(value, [
      ['pid', String(pid)],
      ['version', told?.version ?? ''],
      ['since', on.formatTime(since)],
      ['taps', told ? String(told.taps) : ''],
      ['connected', told ? String(told.connected) : ''],
      ['memory', told ? sizeText(told.memoryBytes) : ''],
      ['waiting', told ? `${sizeText(told.queueBytes)} of ${sizeText(told.queueLimit)}` : ''],
      ['daemon', told ? (told.isRead ? 'connected' : 'away: what passes waits for it') : ''],
      ['socket', socket],
    ])
  },
})
