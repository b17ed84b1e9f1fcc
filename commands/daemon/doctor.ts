import { stat } from 'node:fs/promises'
import { requireDataFolder } from '../../src/cli/daemon/store-url.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { SessionCommand } from '../../src/cli/session-command.js'
import { probeStored } from '../../src/daemon/stored-files.js'

const ADVICE = {
  fine: undefined,
  slow: 'The disk is slow: every message waits that long before it is acknowledged. A local SSD does it in under a millisecond.',
  too_fast:
    'The disk is too fast to be true: it reports writes as safe that are still in memory. What was acknowledged may be gone after a power cut; keep the data folder on a disk of its own.',
} as const

const milliseconds = (value: number): string => `${value.toFixed(value < 1 ? 3 : 1)} ms`

export default class DaemonDoctor extends SessionCommand {
  static override summary = 'Measure how fast the disk under the data folder puts small writes into safety.'
  static override examples = ['secsctl daemon doctor', 'secsctl daemon doctor --json']

  async run(): Promise<void> {
    await this.parse(DaemonDoctor)
    await requireDataFolder(this.session, 'daemon doctor')
    const { data } = this.folders
    if (!(await stat(data).catch(() => undefined)))
      throw new Failure('missing', `there is no data folder ${data}`, 'secsctl daemon start')
    const probe = await probeStored(data, this.clock)
    this.printRecord(
      { data_folder: data, sync_ms: probe.median, slowest_sync_ms: probe.slowest, verdict: probe.verdict },
      [
        ['data', data],
        ['sync', milliseconds(probe.median)],
        ['slowest', milliseconds(probe.slowest)],
        ['verdict', probe.verdict.replace('_', ' ')],
      ],
    )
    const advice = ADVICE[probe.verdict]
    if (advice !== undefined) this.note(advice)
  }
}
