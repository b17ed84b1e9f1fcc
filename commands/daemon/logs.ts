import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { runningUnit, unitWithLog } from '../../src/cli/daemon/installed-service.js'
import { logJson, logLine } from '../../src/cli/daemon/log-line.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { logLines, startOfLast } from '../../src/daemon/log-file.js'
import { journalctl } from '../../src/daemon/service-unit.js'
import { logFile } from '../../src/daemon/spawn.js'
import { delay } from '../../src/kit/clock.js'
import { steeringEscaped } from '../../src/kit/steering.js'

const LOOK_INTERVAL_MS = 250

export default class DaemonLogs extends BaseCommand {
  static override summary = 'Print the log of the gateway on this machine.'
  static override description =
    'On a terminal what matters of each record, one a line; in a pipe and with --json the records themselves, JSON lines. The log of a service is in the journal of systemd, whose command is named.'
  static override examples = [
    'secsctl daemon logs',
    'secsctl daemon logs -f',
    "secsctl daemon logs -n 10000 --json | jq 'select(.level >= 40)'",
  ]
  static override flags = {
    follow: Flags.boolean({ char: 'f', summary: 'Print new lines as they come.' }),
    lines: Flags.integer({
      char: 'n',
      min: 0,
      default: 100,
      helpValue: 'N',
      summary: 'The last so many lines.',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(DaemonLogs)
    const unit = await unitWithLog(this.environment)
    const path = logFile(this.folders.state)
    if (unit && ((await runningUnit(this.environment)) || !(await stat(path).catch(() => undefined))))
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
    let at = await this.#print(path, first, size, flags.follow)
    const signal = flags.follow ? this.environment.interruption.hold() : AbortSignal.abort()
    while (!signal.aborted) {
      await delay(this.clock, LOOK_INTERVAL_MS, signal)
      const now = await stat(path).catch(() => undefined)
      if (!now) continue
      if (now.ino !== ino) {
        // The file has grown, and another one follows it.
        const old = await stat(`${path}.1`).catch(() => undefined)
        if (old?.ino === ino) await this.#print(`${path}.1`, at, old.size, false)
        at = 0
        ino = now.ino
      }
      size = now.size
      if (size < at) at = 0 // the file was truncated
      at = await this.#print(path, at, size, true)
    }
  }

  /** Prints the lines between two bytes; returns the byte to continue at. An incomplete line is kept for the next time. */
  async #print(path: string, from: number, to: number, more: boolean): Promise<number> {
    let at = from
    for await (const { text, whole, end } of logLines(path, from, to)) {
      if (!whole && more) break
      at = end
      if (text === '') continue
      if (this.sink.isTerminal) this.printPainted(logLine(text, this.formatTime))
      else this.printAsIs(steeringEscaped(logJson(text)))
      if (this.environment.stdout.writableNeedDrain) await once(this.environment.stdout, 'drain')
    }
    return at
  }
}
