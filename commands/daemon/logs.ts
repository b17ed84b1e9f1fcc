import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { Failure } from '../../src/cli/failure.js'
import { foldersOf } from '../../src/cli/folders.js'
import { interruption } from '../../src/cli/interruption.js'
import { lastLines, logFile } from '../../src/daemon/spawn.js'
import { delay } from '../../src/kit/clock.js'

/** Between two looks, in milliseconds. */
const LOOK = 250

export default class DaemonLogs extends BaseCommand {
  static override summary = 'Print the log of the gateway on this machine, JSON lines.'
  static override examples = ['<%= config.bin %> daemon logs', '<%= config.bin %> daemon logs -f']
  static override flags = {
    follow: Flags.boolean({ char: 'f', summary: 'Go on as lines come.' }),
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
    const path = logFile(foldersOf(process.env).state)
    let { size } = await stat(path).catch(() => {
      throw new Failure(
        'missing',
        `there is no log at ${path}: no daemon was started here`,
        'secsctl daemon start',
      )
    })
    if (flags.lines > 0) for (const line of await lastLines(path, 0, flags.lines)) this.printAsIs(line)
    const signal = flags.follow ? interruption.hold() : AbortSignal.abort()
    while (!signal.aborted) {
      await delay(this.clock, LOOK, signal)
      const now = await stat(path).catch(() => ({ size: 0 }))
      if (now.size < size) size = 0 // a new file has taken its place
      if (now.size > size) {
        for await (const chunk of createReadStream(path, { start: size, end: now.size - 1 }))
          process.stdout.write(chunk)
        size = now.size
      }
    }
  }
}
