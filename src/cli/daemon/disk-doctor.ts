import { stat } from 'node:fs/promises'
import { probeStored } from '../../daemon/stored-files.js'
import { Failure } from '../errors/failure.js'
import { SessionCommand } from '../session-command.js'
import { verb } from '../verb.js'
import { requireDataFolder } from './store-url.js'

const ADVICE = {
  fine: undefined,
  slow: 'The disk is slow: every message waits that long before it is acknowledged. A local SSD does it in under a millisecond.',
  too_fast:
    'The disk is too fast to be true: it reports writes as safe that are still in memory. What was acknowledged may be gone after a power cut; keep the data folder on a disk of its own.',
} as const

const milliseconds = (value: number): string => `${value.toFixed(value < 1 ? 3 : 1)} ms`

export const daemonDoctor = verb(SessionCommand, {
  summary: 'Measure how fast the disk under the data folder puts small writes into safety.',
  examples: ['secsctl daemon doctor', 'secsctl daemon doctor --json'],
  async run(on) {
    await requireDataFolder(on.session, 'daemon doctor')
    const { data } = on.folders
    if (!(await stat(data).catch(() => undefined)))
      throw new Failure('missing', `there is no data folder ${data}`, 'secsctl daemon start')
    const probe = await probeStored(data, on.clock)
    on.printRecord(
      { data_folder: data, sync_ms: probe.median, slowest_sync_ms: probe.slowest, verdict: probe.verdict },
      [
        ['data', data],
        ['sync', milliseconds(probe.median)],
        ['slowest', milliseconds(probe.slowest)],
        ['verdict', probe.verdict.replace('_', ' ')],
      ],
    )
    const advice = ADVICE[probe.verdict]
    if (advice !== undefined) on.note(advice)
  },
})
