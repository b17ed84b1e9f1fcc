import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { STYPE } from '../../../src/hsms/frame/header.js'
import type { RunResult } from '../../../src/scenario/run/result.js'
import { type Flaw, flawedLine } from '../../probe/flawed-line.js'
import { startForeignEquipment } from '../../support/foreign-peer.js'
import { freePort } from '../../support/free-port.js'
import { ended, lineOf, Secsctl } from '../../support/secsctl.js'
import { until } from '../../support/until.js'

const secsctl = new Secsctl()
const inHome = (name: string): string => join(secsctl.home, name)
const temporary = inHome('tmp')
const html = inHome('report.html')
let simulator: ChildProcess
let port: number

/** The equipment's own, short enough to be waited for, and longer than a busy machine holds up a reply. */
const TIMERS = ['t3=5s', 't6=4s', 't7=6s', 't8=2s', 'linktest=2s'].flatMap((timer) => ['--timer', timer])

beforeAll(async () => {
  mkdirSync(temporary)
  simulator = secsctl.start(['simulator', 'run', 'etcher', '--port', '0', '--json', ...TIMERS])
  port = (JSON.parse(await lineOf(simulator, /"port":\d+/)) as { port: number }).port
})
afterAll(() => {
  simulator.kill('SIGKILL')
  secsctl.remove()
})

async function conform(address: string, ...flags: string[]) {
  const own = flags.includes('--html') ? [] : ['--html', html]
  const args = ['conform', address, ...own, '--json', ...flags]
  const ran = await secsctl.runProcess(args, { env: { TMPDIR: temporary } })
  expect(readdirSync(temporary)).toEqual([])
  return { ...ran, result: ran.stdout === '' ? undefined : (JSON.parse(ran.stdout) as RunResult) }
}
const titles = (result: RunResult | undefined, verdict: string): readonly string[] =>
  result?.steps.filter((step) => step.verdict === verdict).map(({ title }) => title) ?? []

/** The kinds of the blocks of a capture (pcapng): 6 is a packet. */
function blocksOf(capture: Buffer): readonly number[] {
  const kinds: number[] = []
  for (let at = 0; at < capture.length; at += capture.readUInt32LE(at + 4))
    kinds.push(capture.readUInt32LE(at))
  return kinds
}

test('the simulator passes; the page has each check, the capture each message, and nothing else is left', async () => {
  const { code, result, stderr } = await conform(
    `127.0.0.1:${port}`,
    ...['--junit', inHome('gem.xml'), ...TIMERS],
  )
  expect({ code, stderr, wrong: result?.steps.filter(({ verdict }) => verdict !== 'passed') }).toMatchObject({
    code: 0,
    wrong: [],
  })
  expect(result?.name).toBe('HSMS and GEM interface')
  const page = readFileSync(html, 'utf8')
  const count = result?.steps.length ?? 0
  expect(page.match(/<section id="step-[\d.]+">/g)).toHaveLength(count)
  expect(readFileSync(inHome('gem.xml'), 'utf8').match(/<testcase /g)).toHaveLength(count)
  const messages = page.match(/<section id="step-[\d.]+-\d+">/g)?.length ?? 0
  const packets = blocksOf(readFileSync(inHome('report.pcapng'))).filter((kind) => kind === 6).length
  expect(messages).toBeGreaterThan(count * 1.5)
  // The messages of the connection come before the first check of GEM: Select, S1F13 and Separate.
  const ofHsms = page.match(/<section id="step-1\.[\d.]+-\d+">/g)?.length ?? 0
  expect(ofHsms).toBeGreaterThan(100)
  expect(packets).toBeGreaterThanOrEqual(messages + 5)
})

/** What fails with secs4js, and the message that it sent instead. */
const SECS4JS: readonly (readonly [title: string, came: string])[] = [
  ['S1F17 is refused while it is online (ONLACK 2)', 'S1F0'],
  ['An unknown stream is refused with S9F3', 'S99F0'],
  ['An unknown function is refused with S9F5', 'S1F0'],
  ['A body of another structure is refused with S9F7', 'S2F42'],
  ['S1F12 lists status variables', 'S1F0'],
  ['S1F12 has an empty name for an unknown SVID', 'S1F0'],
  ['S1F22 lists data variables', 'S1F0'],
  ['S1F24 lists collection events', 'S1F0'],
  ['An unknown CEID cannot be enabled (ERACK 1)', 'S2F0'],
  ['An unknown CEID cannot be disabled (ERACK 1)', 'S2F0'],
  ['The report is deleted (DRACK 0)', 'S2F0'],
  ['A report of an unknown variable is refused (DRACK 4)', 'S2F0'],
  ['A link to an unknown event is refused (LRACK 4)', 'S2F0'],
  ['S2F30 lists equipment constants', 'S2F0'],
  ['An unknown constant is not set (EAC 1)', 'S2F0'],
  ['S2F18 has the time', 'S2F0'],
  ['S5F6 lists alarms', 'S5F0'],
  ['S5F8 lists the alarms that are enabled', 'S5F0'],
  ['An unknown alarm cannot be enabled', 'S5F0'],
  ['An unknown enhanced command is refused (HCACK 1)', 'S2F0'],
  ['S7F20 lists process programs', 'S7F0'],
  ['S7F6 is empty for an unknown process program', 'S7F0'],
  ['S7F2 grants or refuses a length', 'S7F0'],
  ['A text is displayed (ACKC10 0)', 'S10F0'],
  ['Several lines are displayed (ACKC10 0)', 'S10F0'],
  ['A trace of an unknown variable is refused (TIAACK 4)', 'S2F0'],
  ['S2F48 lists limits', 'S2F0'],
  ['Limits of an unknown variable are refused (VLAACK 1)', 'S2F0'],
  ['Stream 1 cannot be spooled (RSPACK 1)', 'S2F0'],
  ['The report that was defined is deleted', 'S6F0'],
]

test('the failures that are known of secs4js, which replies to S1F1, S1F13 and S2F41 and aborts the rest', async () => {
  const foreign = await startForeignEquipment({ deviceId: 3 })
  try {
    const { code, result } = await conform(`127.0.0.1:${foreign.port}`, '--device-id', '3', '--only', 'gem')
    expect(code).toBe(8)
    const failed = result?.steps.filter(({ verdict }) => verdict === 'failed') ?? []
    expect(failed.map(({ title, detail }) => [title, /\b(?:with|is) (S\d+F\d+)/.exec(detail)?.[1]])).toEqual(
      SECS4JS,
    )
    expect(titles(result, 'passed')).toHaveLength(7)
    expect(titles(result, 'inconclusive')).toEqual(['A status variable is known'])
  } finally {
    await foreign.stop()
  }
})

test('of HSMS secs4js takes another PType and another device ID for its own', async () => {
  const foreign = await startForeignEquipment({ deviceId: 3 })
  try {
    const { code, result } = await conform(`127.0.0.1:${foreign.port}`, '--device-id', '3', '--only', 'hsms')
    expect(code).toBe(8)
    expect(result?.steps.flatMap(({ verdict, detail }) => (verdict === 'failed' ? [detail] : []))).toEqual([
      'Linktest.rsp came; expected Reject.req reason 2 (PType not supported)',
      'S1F2 came; expected S9F1',
    ])
    // It sends neither S1F13 nor Linktest.req.
    expect(titles(result, 'skipped').map((title) => title.slice(-4))).toEqual(['(T3)', '(T6)'])
    expect(titles(result, 'inconclusive')).toEqual([])
  } finally {
    await foreign.stop()
  }
})

test('an address at which nothing listens is exit code 6, and no file is left', async () => {
  const { code, stdout, stderr } = await conform(
    `127.0.0.1:${await freePort()}`,
    ...['--html', inHome('nothing.html'), '--junit', inHome('nothing.xml')],
  )
  expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
  expect(stderr).toMatch(/nothing listens there/)
  expect(readdirSync(secsctl.home).filter((name) => name.startsWith('nothing'))).toEqual([])
})

test.each([
  [['127.0.0.1'], /HOST:PORT/],
  [['--html', '/nowhere/x.html'], /nowhere/],
  [['--only', 'hsms', '--transport', 'secs1-tcp'], /--only hsms goes with/],
  [['--only', 'e37'], /e37/],
  [['--junit', '/nowhere/x.xml'], /nowhere/],
  [['--junit', 'a.html', '--html', 'a.html'], /as many names/],
  [['--junit', 'a.pcapng', '--html', 'a.html'], /as many names/],
  [['--timer', 't7=soon'], /soon/],
  [['--format', 'SVID'], /SVID/],
  [['--format', 'SVID=X9', '--only', 'gem'], /X9/],
  [['--encoding', 'klingon'], /klingon/],
  [['--device-id', '40000'], /40000/],
  [['--session-id', '-1'], /-1/],
])(
  'conform %j is wrong usage, before anything is sent, and existing reports stay',
  async (args, sentence) => {
    let sent = 0
    const server = createServer((socket) => {
      socket.on('data', ({ length }) => {
        sent += length
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port: own } = server.address() as AddressInfo
    const [cwd, file] = [inHome('cwd'), inHome('cwd/a.html')]
    mkdirSync(cwd, { recursive: true })
    writeFileSync(file, 'earlier')
    const address = args[0] === '127.0.0.1' ? [] : [`127.0.0.1:${own}`]
    const words = args.map((word) => (word.startsWith('a.') ? join(cwd, word) : word))
    const html = args.includes('--html') ? [] : ['--html', file]
    const { code, stderr } = await secsctl.run(['conform', ...address, ...words, ...html])
    server.close()
    expect({ code, sent }).toEqual({ code: 2, sent: 0 })
    expect(stderr).toMatch(sentence)
    expect(readFileSync(file, 'utf8')).toBe('earlier')
    expect(readdirSync(cwd)).toEqual(['a.html'])
  },
)

test('equipment that takes connections and gives no session has one check, and those of GEM are not tried', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  const { code, result } = await conform(`127.0.0.1:${own}`, '--timer', 't6=1s')
  server.close()
  expect(code).toBe(7)
  expect(titles(result, 'inconclusive')).toEqual(['Select.req is accepted (status 0)'])
  expect(result?.name).toBe('HSMS interface')
})

test('a gateway whose conform is killed ends by itself and removes its folder; a next run removes what is left', async () => {
  const held = await flawedLine(port, HELD)
  onTestFinished(held.close)
  const running = secsctl.start(
    ['conform', `127.0.0.1:${held.port}`, '--only', 'gem', '--html', inHome('killed.html')],
    { TMPDIR: temporary },
  )
  await lineOf(running, /S1F4 has two values/)
  const [folder = ''] = readdirSync(temporary)
  const { pid } = JSON.parse(readFileSync(join(temporary, folder, 'state/daemon.json'), 'utf8')) as {
    pid: number
  }
  running.kill('SIGKILL')
  await until(() => !isAlive(pid) && readdirSync(temporary).length === 0)
  // As after a kill of both.
  const left = join(temporary, 'secsctl-conform-aB3dE6')
  mkdirSync(left)
  writeFileSync(join(left, 'owner'), `${hostname()} ${running.pid}`)
  await conform(`127.0.0.1:${port}`, '--only', 'gem')
})

/** The check after those of S1F4 gets no reply: a run is in the middle of it, however late it is looked at. */
const HELD: Flaw = {
  frame: (frame) => {
    const { sType, byte2, byte3 } = frame.header
    return sType === STYPE.data && (byte2 & 0x7f) === 2 && byte3 === 23 ? undefined : frame
  },
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.runIf(process.platform === 'linux')(
  'a capture that cannot be written any more ends no check, and is told after the result',
  async () => {
    symlinkSync('/dev/full', inHome('full.pcapng'))
    const { code, result, stderr } = await conform(
      `127.0.0.1:${port}`,
      ...['--only', 'gem', '--html', inHome('full.html')],
    )
    expect({ code, verdict: result?.verdict }).toEqual({ code: 1, verdict: 'passed' })
    expect(stderr).toMatch(/full\.pcapng is not whole: the disk is full/)
    expect(readFileSync(inHome('full.html'), 'utf8')).toContain('passed')
  },
)

test('two reports are compared: a page with the JSON of another run', async () => {
  const [page, json] = [inHome('before.html'), inHome('after.json')]
  const only = ['--only', 'gem', '--html', page]
  const first = await secsctl.run(['conform', `127.0.0.1:${port}`, ...only])
  expect(first.code).toBe(0)
  expect(readFileSync(page, 'utf8')).toContain('ETCHER')
  const { stdout } = await secsctl.run([
    'conform',
    `127.0.0.1:${port}`,
    ...only.slice(0, 2),
    '--html',
    html,
    '--json',
  ])
  writeFileSync(json, stdout)
  expect(await secsctl.run(['conform', 'diff', page, json])).toMatchObject({ code: 0, stdout: '' })
  const worse = JSON.parse(stdout) as { steps: { verdict: string; title: string }[] }
  const last = worse.steps.at(-1)
  writeFileSync(
    json,
    JSON.stringify({ ...worse, steps: [...worse.steps.slice(0, -1), { ...last, verdict: 'failed' }] }),
  )
  const compared = await secsctl.run(['conform', 'diff', page, json, '--json'])
  expect(compared.code).toBe(8)
  expect(JSON.parse(compared.stdout)).toEqual([
    expect.objectContaining({ change: 'worse', check: expect.stringContaining(last?.title ?? '?') }),
  ])
  expect((await secsctl.run(['conform', 'diff', json, page])).code).toBe(0)
  expect(await secsctl.run(['conform', 'diff', page, '/dev/null'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('/dev/null: it is no report'),
  })
})

test('what was found of HSMS is reported also where the gateway gets no session', async () => {
  const flawed = await flawedLine(port, { frame: (frame) => withoutGateway(frame) })
  const { code, result } = await conform(`127.0.0.1:${flawed.port}`, ...TIMERS, '--html', inHome('part.html'))
  flawed.close()
  expect(code).not.toBe(0)
  expect(result?.steps.at(-1)).toMatchObject({
    number: '2.1',
    verdict: 'inconclusive',
    detail: expect.stringContaining('is not connected'),
  })
  expect(readFileSync(inHome('part.html'), 'utf8')).toContain('step-1.1.1')
})

/** Frames of a host but for the Select.req of the gateway, whose system bytes begin anywhere. */
const withoutGateway: NonNullable<Flaw['frame']> = (frame) =>
  frame.header.sType === STYPE.selectReq && frame.header.systemBytes > 10_000 ? undefined : frame

test.each(['conform', 'scenario host'])(
  '%s that is interrupted amid its checks writes its reports',
  async (command) => {
    const [page, junit] = [inHome('ended.html'), inHome('ended.xml')]
    const held = await flawedLine(port, HELD)
    onTestFinished(held.close)
    const where = `127.0.0.1:${held.port}`
    const words =
      command === 'conform'
        ? ['conform', where, '--only', 'gem']
        : ['scenario', 'host', 'gem', '--connect', where]
    const args = [...words, '--html', page, '--junit', junit]
    const running = secsctl.start(args, { TMPDIR: temporary })
    const end = ended(running)
    await lineOf(running, /S1F4 has two values/)
    running.kill('SIGINT')
    const { code, stderr } = await end
    expect({ code, stderr }).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/inconclusive: \d+ passed/),
    })
    expect(readFileSync(page, 'utf8')).toContain('S1F4 has two values')
    expect(readFileSync(junit, 'utf8')).toContain('the run was interrupted')
    expect(readdirSync(temporary)).toEqual([])
  },
)
