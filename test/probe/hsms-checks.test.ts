import { describe, expect, test } from 'vitest'
import { STYPE } from '../../src/hsms/frame/header.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import { HSMS_CHECKS, numbered } from '../../src/probe/hsms-checks/checks.js'
import { type CheckResult, runHsmsChecks } from '../../src/probe/hsms-checks/run-checks.js'
import { ControlDesk } from '../../src/simulator/control/control-desk.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { freePort } from '../support/free-port.js'
import { controlBytes } from '../support/hsms-wire.js'
import { LOOPBACK } from '../support/tcp.js'
import { type Flaw, flawedLine } from './flawed-line.js'
import { IdleClock } from './idle-clock.js'

/** Milliseconds; the equipment sends its Linktest.req so often that T6 can be checked. */
const TIMERS = { t3: 600, t5: 3000, t6: 500, t7: 2000, t8: 800, linktest: 200 }

interface Wrong {
  readonly faults?: readonly string[]
  readonly timers?: Partial<typeof TIMERS>
  readonly flaw?: Flaw
}

const check = (port: number, clock: Clock): Promise<readonly CheckResult[]> =>
  runHsmsChecks(
    { host: LOOPBACK, port, deviceId: 0, sessionId: 0xffff, timers: TIMERS },
    clock,
    new AbortController().signal,
  )

/** The results of a simulator that does something wrong. */
async function checked({ faults = [], timers = {}, flaw }: Wrong): Promise<readonly CheckResult[]> {
  const model = shippedModel('minimal')
  if (!model) throw new Error('no model')
  const options = { role: 'passive', host: LOOPBACK, port: 0, timers: { ...TIMERS, ...timers } } as const
  const clock = new IdleClock()
  const simulator = new Simulator(model, { ...options, establishDelay: 100 }, { clock })
  const running = clock.run()
  await simulator.start()
  const desk = new ControlDesk(simulator)
  for (const fault of faults) expect(await desk.run(fault)).toMatchObject({ ok: true })
  const line = flaw && (await flawedLine(simulator.port, flaw, clock))
  try {
    return await check(line?.port ?? simulator.port, clock)
  } finally {
    line?.close()
    await simulator.stop()
    clock.stop()
    await running
  }
}

const titles = (results: readonly CheckResult[], verdict: string): readonly string[] =>
  results.filter((result) => result.verdict === verdict).map(({ title }) => title)

/** A flaw by which the equipment never gets these messages. */
const withholding = (sType: number): Flaw => ({
  frame: (frame) => (frame.header.sType === sType ? undefined : frame),
})

const FAULTS: readonly (readonly [name: string, wrong: Wrong, failing: readonly RegExp[]])[] = [
  ['a reselection that is done', { faults: ['frame select.rsp:1 byte3=0'] }, [/^A second Select.req/]],
  ['no Reject.req of what is not selected', { faults: ['frame reject.req:4 drop'] }, [/^Data before Select/]],
  ['another reason', { faults: ['frame reject.req:4 byte3=3'] }, [/^Data before Select/]],
  ['no Reject.req of an SType', { faults: ['frame reject.req:1 drop'] }, [/unknown SType/]],
  ['no Reject.req of a PType', { faults: ['frame reject.req:2 drop'] }, [/unknown PType/]],
  ['another byte 2', { faults: ['frame reject.req:2 byte2=9'] }, [/unknown PType/]],
  [
    'no Reject.req of responses',
    { faults: ['frame reject.req:3 drop'] },
    [/^Linktest.rsp without/, /^Select.rsp without/],
  ],
  ['no Deselect.rsp', { faults: ['frame deselect.rsp drop'] }, [/^Deselect.req has/]],
  ['no S9F1', { faults: ['frame S9F1 drop'] }, [/^Another device ID/]],
  ['another device ID', { faults: ['frame S1F2 session=5'] }, [/^A data message/, /^Three open/]],
  ['a W-bit in replies', { faults: ['frame S1F2 byte2=129'] }, [/^A data message/, /^Three open/]],
  ['no reply to a long message', { faults: ['frame S2F26 drop'] }, [/60,000 bytes/]],
  ['no T7', { timers: { t7: 60_000 } }, [/\(T7\)/]],
  ['no T8', { timers: { t8: 60_000, linktest: 0 } }, [/its header .*\(T8\)/, /its length .*\(T8\)/]],
  ['no T6', { timers: { t6: 60_000 } }, [/\(T6\)/]],
  ['Separate.req without effect', { flaw: withholding(STYPE.separateReq) }, [/^Separate.req ends/]],
  [
    'bad lengths that are passed over',
    {
      timers: { linktest: 0 },
      flaw: { passes: (bytes) => !/(00000009(00){9}|ffffffff(00){10})$/.test(bytes.toString('hex')) },
    },
    [/length below 10/, /length of 4 GB/],
  ],
  [
    'a second session',
    {
      flaw: {
        second: (socket) =>
          socket.once('data', (bytes) =>
            socket.write(controlBytes('selectRsp', { systemBytes: bytes.readUInt32BE(10) })),
          ),
      },
    },
    [/^A second connection/],
  ],
]

describe('the checks of HSMS', () => {
  test('pass against the simulator, all of them', async () => {
    const results = await checked({})
    expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
    expect(results).toHaveLength(HSMS_CHECKS.length)
  })

  test.concurrent.each(FAULTS)('%s: exactly these checks fail', async (_, wrong, failing) => {
    const results = await checked(wrong)
    expect(titles(results, 'failed')).toEqual(failing.map((title) => expect.stringMatching(title)))
    expect(titles(results, 'inconclusive')).toEqual([])
  })

  test('have numbers that are all different, and each a rule', () => {
    const checks = numbered('1')
    expect(new Set(checks.map(({ number }) => number)).size).toBe(HSMS_CHECKS.length)
    expect(checks[0]?.number).toBe('1.1.1')
    expect(checks.filter(({ rule }) => !/^E(37|5)\b/.test(rule))).toEqual([])
  })

  test('without a session nothing is said about the equipment', async () => {
    const results = await check(await freePort(), systemClock)
    expect(titles(results, 'inconclusive')).toEqual([HSMS_CHECKS[0]?.title])
    expect(titles(results, 'skipped')).toHaveLength(HSMS_CHECKS.length - 1)
    expect(titles(await checked({ faults: ['select 2'] }), 'inconclusive')).toEqual([HSMS_CHECKS[0]?.title])
  })
})
