import { expect, test } from 'vitest'
import { expectAllHeld, simulated, timesOf } from '../world/simulated.js'

/** Each takes seconds; on a busy machine they share it with all other tests. */
const TIMEOUT_MS = 600_000

const diskOf = (report: string): string | undefined => /disk (\w+)/.exec(report)?.[1]

/** More seeds are `npm run simulate`: each of these is ten seconds of a processor. */
test.each([2, 3])(
  'what the documentation promises holds in a simulated hour, seed %i',
  async (seed) => expectAllHeld(await simulated(seed), 50),
  TIMEOUT_MS,
)

/** What clocks have spoilt shows once they have been right for longer than a day. */
test(
  'history that wrong clocks have made is as old as it is, after a night',
  async () => {
    const clocks = ['--only', 'clock', '--crashes', '0', '--nights', '1']
    const report = await simulated(1, '--faults', '5', ...clocks)
    expectAllHeld(report, 50, 2)
    expect(Number(/^looks at history whose time is over +(\d+)$/m.exec(report)?.[1])).toBeGreaterThan(500)
  },
  TIMEOUT_MS,
)

/** Each kind of faults alone has found defects that it seldom meets among others. */
test.each([
  [1, []],
  [3, ['--only', 'commits']],
  [15, ['--only', 'amid a change']],
  [4, ['--only', 'upgrade']],
])(
  'the same holds with two gateways that share a database, seed %i %j',
  async (seed, only) => {
    const report = await simulated(seed, '--days', '0.01', '--faults', '2', '--gateways', '2', ...only)
    expectAllHeld(report, 20)
    expect(timesOf(report, 'rounds of concurrent callers')).toBeGreaterThan(3)
    expect(timesOf(report, 'replies looked at while others are given')).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)

test.each([
  [
    'an older version refuses the folder that a newer one has changed, which loses nothing by that',
    1,
    ['--faults', '1'],
    { 'upgrades of all gateways': 3, 'an older version is started: newer': 0 },
  ],
  [
    'code of another folder works beside that of this one, while one gateway after the other is upgraded',
    2,
    ['--faults', '3', '--older', '.', '--gateways', '2'],
    { 'upgrades of all gateways': 1 },
  ],
])(
  '%s',
  async (_, seed, more, counts) => {
    const report = await simulated(seed, '--days', '0.01', '--only', 'upgrade', ...more)
    expectAllHeld(report, 20)
    for (const [what, least] of Object.entries(counts))
      expect(timesOf(report, what), what).toBeGreaterThan(least)
  },
  TIMEOUT_MS,
)

/** What calendars get wrong passes while little else happens. */
test(
  'the same holds over a leap day at a site where little happens',
  async () => {
    const rare = ['--from', '2028-02-28T20:00Z', '--days', '1.2', '--pace', '60', '--faults', '120']
    const report = await simulated(7, ...rare)
    expectAllHeld(report, 50, 3)
    expect(report).toMatch(/^midnights +2$/m)
  },
  TIMEOUT_MS,
)

test(
  'the same seed gives the same disk, byte for byte',
  async () => {
    const twice = [simulated(11, '--days', '0.01'), simulated(11, '--days', '0.01')]
    const [one = '', again = ''] = await Promise.all(twice)
    expect(diskOf(one)).toMatch(/^[0-9a-f]{16}$/)
    expect(diskOf(again)).toBe(diskOf(one))
  },
  TIMEOUT_MS,
)
