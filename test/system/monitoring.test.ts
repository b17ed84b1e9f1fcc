import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { AUTHORITY, ISSUED_CERTIFICATE } from '../support/certificates.js'
import { freePort } from '../support/free-port.js'
import { ended, lineOf, Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'
import { PostgresServer } from './postgres-server.js'

// docs/monitoring, given to promtool, and to a Prometheus that scrapes a daemon with one simulated tool over TLS.

interface Alert {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly state: 'pending' | 'firing'
}

const RULES = 'docs/monitoring/alerts.yaml'
const secsctl = new Secsctl()
const folder = mkdtempSync(join(tmpdir(), 'secsctl-monitoring-'))
/** Runs a command that succeeds; its output. */
const run = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await secsctl.run(args)
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
  return stdout
}
let toolPort: number
let apiPort: number
let key: string
let stopTool: (() => Promise<void>) | undefined

const fileIn = (name: string, content: string): string => {
  const file = join(folder, name)
  writeFileSync(file, content, { mode: 0o600 })
  return file
}

/** What a program of Prometheus says, with its exit code. */
const promtool = (args: readonly string[], input = ''): Promise<{ code: number | null; said: string }> => {
  const child = spawn('promtool', args, { stdio: 'pipe' })
  child.stdin.end(input)
  return ended(child).then(({ code, stdout, stderr }) => ({ code, said: stdout + stderr }))
}

async function startTool(): Promise<() => Promise<void>> {
  const tool = secsctl.start(['simulator', 'run', 'etcher', '--port', String(toolPort), '--json'])
  await lineOf(tool, /listening/)
  const gone = new Promise<void>((resolve) => tool.once('close', () => resolve()))
  return async () => {
    tool.kill('SIGKILL')
    await gone
  }
}

const scrape = async (): Promise<string> => {
  const url = `https://127.0.0.1:${apiPort}/metrics`
  const curl = ['-sf', '--cacert', join(folder, 'fab-ca.pem'), '-H', `Authorization: Bearer ${key}`, url]
  return new Promise((resolve, reject) =>
    execFile('curl', curl, { maxBuffer: 1e8 }, (error, stdout) => (error ? reject(error) : resolve(stdout))),
  )
}

beforeAll(async () => {
  toolPort = await freePort()
  apiPort = await freePort()
  fileIn('fab-ca.pem', AUTHORITY)
  await run(
    ...[
      'daemon',
      'start',
      '--port',
      String(apiPort),
      '--metrics-token-file',
      fileIn('metrics-token', 'secret'),
    ],
    ...['--tls-cert', fileIn('cert.pem', ISSUED_CERTIFICATE.cert)],
    ...['--tls-key', fileIn('key.pem', ISSUED_CERTIFICATE.key), '--allow-local-sinks'],
  )
  await run('equipment', 'add', 'etcher', '--address', `127.0.0.1:${toolPort}`, '--label', 'area=etch')
  await run('sinks', 'add', 'mes', '--file', 'events.ndjson')
  const made = await run('keys', 'create', 'prometheus', '--role', 'viewer', '--expires', 'never', '--json')
  key = (JSON.parse(made) as { key: string }).key
  stopTool = await startTool()
  await run('equipment', 'connect', 'etcher')
  // A gateway without a backup has an alert of its own.
  await run('journal', 'backup', '--to', join(folder, 'backup'), '--keep', '2')
  return async () => {
    await stopTool?.()
    await secsctl.run(['daemon', 'stop'])
    secsctl.remove()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('promtool accepts the rules, and their test passes: each alert fires, and does not', async () => {
  expect(await promtool(['check', 'rules', '--lint-fatal', RULES])).toMatchObject({ code: 0 })
  expect(await promtool(['test', 'rules', 'docs/monitoring/alerts.test.yaml'])).toMatchObject({ code: 0 })
})

test('without one of the rules their test fails', async () => {
  const { groups } = parse(readFileSync(RULES, 'utf8')) as {
    groups: { name: string; rules: { alert: string }[] }[]
  }
  const { tests, ...rest } = parse(readFileSync('docs/monitoring/alerts.test.yaml', 'utf8')) as {
    tests: object[]
  }
  for (const { alert } of groups.flatMap(({ rules }) => rules)) {
    const others = groups.map(({ name, rules }) => ({
      name,
      rules: rules.filter((rule) => rule.alert !== alert),
    }))
    fileIn('alerts.yaml', stringify({ groups: others }))
    // Each run evaluates every rule at every minute of its tests, so only those that name the alert are run.
    const about = tests.filter((one) => JSON.stringify(one).includes(`alertname=\\"${alert}\\"`))
    const file = fileIn('alerts.test.yaml', stringify({ ...rest, tests: about }))
    expect((await promtool(['test', 'rules', file])).said, alert).toContain(alert)
  }
})

test('promtool has nothing to say about the metrics of a daemon', async () => {
  expect(await promtool(['check', 'metrics'], await scrape())).toEqual({ code: 0, said: '' })
})

/** The configuration of docs/monitoring.md for the daemon of this test; `for` and waits of the rules in seconds. */
function configuration(): string {
  const [, text = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(readFileSync('docs/monitoring.md', 'utf8')) ?? []
  fileIn('secsctl-token', `${key}\n`)
  fileIn('alerts.yaml', readFileSync(RULES, 'utf8').replace(/^( +for): .*$/gm, '$1: 3s'))
  return fileIn(
    'prometheus.yml',
    `global: { scrape_interval: 3s, evaluation_interval: 1s }\n${text
      .replaceAll('/etc/prometheus', folder)
      .replace('gateway-1.fab.example:7327', `127.0.0.1:${apiPort}`)}`,
  )
}

/** A Prometheus until the test is over: its address. */
async function startPrometheus(): Promise<string> {
  const address = `127.0.0.1:${await freePort()}`
  const file = configuration()
  expect(await promtool(['check', 'config', file])).toMatchObject({ code: 0 })
  const child = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  )
  const gone = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
  })
  await until(() =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return `http://${address}/api/v1`
}

async function read<T>(url: string): Promise<T> {
  const answer = (await (await fetch(url)).json()) as { status: string; data: T; error?: string }
  expect(answer.error, url).toBeUndefined()
  return answer.data
}

test('a tool that is killed is pending, then firing, and silent again when it is back; so is the daemon', async () => {
  const api = await startPrometheus()
  const query = async (expr: string): Promise<readonly unknown[]> =>
    (await read<{ result: unknown[] }>(`${api}/query?query=${encodeURIComponent(expr)}`)).result
  const alerts = async (name: string): Promise<Alert | undefined> =>
    (await read<{ alerts: Alert[] }>(`${api}/alerts`)).alerts.find(
      ({ labels }) => labels['alertname'] === name,
    )
  await until(async () => (await query('secsctl_equipment_communicating == 1')).length > 0)

  const { panels, templating } = JSON.parse(readFileSync('docs/monitoring/dashboard.json', 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
    templating: { list: { definition?: string }[] }
  }
  expect(templating.list).toHaveLength(3)
  // Rates need a second look at what is counted.
  await until(async () => (await query('rate(secsctl_http_requests_total[30s])')).length > 0)
  // What there is only when something is wrong, or with a tap.
  const ofTaps = [
    'Equipment with a tap',
    'Messages of taps',
    'Process of the taps',
    'Not recorded, and refused',
  ]
  const emptyPanels = async (): Promise<readonly string[]> => {
    const empty: string[] = []
    for (const { title, targets = [] } of panels.filter(({ title }) => !ofTaps.includes(title))) {
      for (const { expr } of targets) {
        const asked = expr
          .replaceAll('$job', 'secsctl')
          .replaceAll('$equipment', '.*')
          .replaceAll('$__rate_interval', '30s')
        if ((await query(asked)).length === 0) empty.push(title)
      }
    }
    return empty
  }
  // A scrape that took too long, on a busy machine, passes.
  await expect.poll(emptyPanels).toEqual(['Alerts that fire', 'Links down', 'Delivered, and dead letters'])
  await expect.poll(async () => (await read<{ alerts: Alert[] }>(`${api}/alerts`)).alerts).toEqual([])

  await stopTool?.()
  const isIn = (name: string, state: Alert['state'] | undefined) =>
    until(async () => (await alerts(name))?.state === state)
  await isIn('SecsctlLinkDown', 'pending')
  await isIn('SecsctlLinkDown', 'firing')
  expect(await alerts('SecsctlLinkDown')).toMatchObject({
    labels: { job: 'secsctl', equipment: 'etcher', severity: 'critical' },
    annotations: { runbook: 'secsctl equipment check etcher; secsctl equipment disconnect etcher' },
  })
  await isIn('SecsctlDaemonDown', undefined)

  stopTool = await startTool()
  await isIn('SecsctlLinkDown', undefined)

  await run('daemon', 'stop')
  await isIn('SecsctlDaemonDown', 'firing')
  expect((await alerts('SecsctlDaemonDown'))?.annotations['summary']).toBe(
    `The gateway 127.0.0.1:${apiPort} does not respond.`,
  )
  expect(await alerts('SecsctlLinkDown')).toBeUndefined()
})

test('while PostgreSQL is away, a daemon still says so at /metrics, within the timeout of a scrape', async () => {
  const server = await PostgresServer.start()
  const home = new Secsctl()
  onTestFinished(async () => {
    await home.run(['daemon', 'stop'])
    home.remove()
    await server.remove()
  })
  const store = server.flags(await server.database())
  const started = await home.run(['daemon', 'start', '--port', '0', ...store, '--json'])
  const { url } = JSON.parse(started.stdout) as { url: string }
  expect(await home.run(['sinks', 'add', 'mes', '--file', 'events.ndjson'])).toMatchObject({ code: 0 })
  await home.run(['equipment', 'add', 'etcher', '--address', '127.0.0.1:9'])
  const available = async (): Promise<string | undefined> => {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) })
    const body = await answer.text()
    expect(answer.status, body).toBe(200)
    expect(body).toContain('secsctl_equipment_enabled{equipment="etcher"} 0')
    return /^secsctl_store_available (.)$/m.exec(body)?.[1]
  }
  expect(await available()).toBe('1')
  await server.stop()
  await until(async () => (await available()) === '0')
  await server.resume()
  await until(async () => (await available()) === '1')
})
