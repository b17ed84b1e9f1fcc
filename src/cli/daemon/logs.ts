import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { logLines, startOfLast } from '../../daemon/log-file.js'
import { journalctl } from '../../daemon/service-unit.js'
import { logFile } from '../../daemon/spawn.js'
import { delay } from '../../kit/clock.js'
import { steeringEscaped } from '../../kit/steering.js'
import { BaseCommand } from '../base-command.js'
import { Failure } from '../errors/failure.js'
import { numberFlag, switchFlag } from '../input/flags.js'
import { verb } from '../verb.js'
import { runningUnit, unitWithLog } from './installed-service.js'
import { logJson, logLine } from './log-line.js'

const LOOK_INTERVAL_MS = 250

export const daemonLogs = verb(BaseCommand, {
  summary: 'Print the log of the gateway on this machine.',
  description:
    'On a terminal each record is one line with its main parts; in a pipe and with --json, the records are JSON lines. If the gateway is a service of systemd, prints the command of journalctl instead.',
  examples: [
    'secsctl daemon logs',
    'secsctl daemon logs -F',
    "secsctl daemon logs -n 10000 --json | jq 'select(.level >= 40)'",
  ],
  flags: {
    follow: switchFlag('Print new lines as they come.', { char: 'F' }),
    lines: numberFlag('The last so many lines.', { char: 'n', min: 0, default: 100 }),
  },
  async run(on, { flags }) {
    const unit = await unitWithLog(on.environment)
    const path = logFile(on.folders.state)
    if (unit && ((await runningUnit(on.environment)) || !(await stat(path).catch(() => undefined))))
      throw new Failure(
        'missing',
        `the daemon is the service ${unit.name}: systemd keeps its log`,
        `${journalctl(unit)} -n ${flags.lines}${flags.follow ? ' -f' : ''}`,
      )
    let { size, ino } = await stat(path).catch(() => {
      throw new Failure(
        'missing',
        `there is no log at ${path}: no daemon was started here`,
        'secsctl daemon start',
      )
    })
    const first = flags.lines > 0 ? await startOfLast(path, flags.lines) : size
    let at = await print(on, path, first, size, flags.follow)
    const signal = flags.follow ? on.environment.interruption.hold() : AbortSignal.abort()
    while (!signal.aborted) {
      await delay(on.clock, LOOK_INTERVAL_MS, signal)
      const now = await stat(path).catch(() => undefined)
      if (!now) continue
      if (now.ino !== ino) {
        // The file has grown, and another one follows it.
        const old = await stat(`${path}.1`).catch(() => undefined)
        if (old?.ino === ino) await print(on, `${path}.1`, at, old.size, false)
        at = 0
        ino = now.ino
      }
      size = now.size
      if (size < at) at = 0 // the file was truncated
      at = await print(on, path, at, size, true)
    }
  },
})

/** Prints the lines between two bytes; returns the byte to continue at. An incomplete line is kept for the next time. */
async function print(
  on: BaseCommand,
  path: string,
  from: number,
  to: number,
  more: boolean,
): Promise<number> {
  let at = from
  for await (const { text, whole, end } of logLines(path, from, to)) {
    if (!whole && more) break
    at = end
    if (text === '') continue
    if (on.sink.isTerminal) on.printPainted(logLine(text, on.formatTime))
    else on.printAsIs(steeringEscaped(logJson(text)))
    if (on.environment.stdout.writableNeedDrain) await once(on.environment.stdout, 'drain')
  }
  return at
}
