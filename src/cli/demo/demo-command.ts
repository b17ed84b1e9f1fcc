import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BaseCommand, outputFlag } from '../base-command.js'
import { DEFAULT_PORT } from '../daemon/daemon-flags.js'
import { Failure } from '../errors/failure.js'
import { verb } from '../verb.js'
import { DemoReport, runMainJob } from './demo.js'
import { DemoProcess } from './demo-process.js'

/** What a person can do after the demo. */
const NEXT = `What next? Start a gateway that stays, and make an account for its web page:
  secsctl daemon start
  secsctl users add you@example.com --role admin
  http://127.0.0.1:${DEFAULT_PORT}/
In a clone, first: alias secsctl="node $PWD/bin/run.js"
A longer tour: docs/first-steps.md`

export const demoCommand = verb(BaseCommand, {
  summary: 'Show a complete use of secsctl on this machine.',
  description:
    'Starts a gateway and simulated equipment on free ports, with a temporary folder. They exchange S1F1, S2F41, S6F11 and S5F1 over HSMS. At the end both are stopped and the folder is removed. Exit code 0 means that each step really happened.',
  examples: ['secsctl demo'],
  flags: { output: outputFlag(['json']) },
  async run(on) {
    const signal = on.environment.interruption.hold()
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Failure('unexpected', 'interrupted')))
    })
    stopped.catch(() => {}) // it is only raced against
    const folder = await mkdtemp(join(tmpdir(), 'secsctl-demo-'))
    const processes: DemoProcess[] = []
    // The last resort where the process ends at once: no process and no file may remain.
    const sweep = (): void => {
      for (const one of processes) one.kill()
      rmSync(folder, { recursive: true, force: true })
    }
    process.once('exit', sweep)
    const started = on.clock.now()
    const isJson = on.format === 'json'
    const demoReport = new DemoReport((text) => void (isJson ? on.note(text) : on.write(text)))
    demoReport.say('The demo calls the REST API. Each step names the command that does the same.')
    try {
      await Promise.race([runDemo(on, demoReport, folder, processes), stopped])
    } finally {
      await Promise.all(processes.map((one) => one.stop(on.clock)))
      await rm(folder, { recursive: true, force: true })
    }
    const seconds = ((on.clock.now() - started) / 1000).toFixed(1)
    demoReport.check(!existsSync(folder), 'nothing is left over')
    demoReport.say(`\nAll ${demoReport.checks} checks held, in ${seconds} s.\n\n${NEXT}`)
    if (isJson) on.printJson({ checks: demoReport.checks, seconds: Number(seconds) })
  },
})

async function runDemo(
  on: BaseCommand,
  demoReport: DemoReport,
  folder: string,
  processes: DemoProcess[],
): Promise<void> {
  const admin = { email: 'admin@localhost', password: randomBytes(18).toString('base64url') }
  const { variables, root } = on.environment
  const env: NodeJS.ProcessEnv = { ...variables, SECSCTL_HOME: folder }
  for (const name of ['SECSCTL_URL', 'SECSCTL_PROFILE', 'SECSCTL_TOKEN', 'SECSCTL_OUTPUT']) delete env[name]
  env['SECSCTL_ADMIN_EMAIL'] = admin.email
  env['SECSCTL_ADMIN_PASSWORD'] = admin.password

  demoReport.step(
    'Start a gateway and a simulated etcher',
    'secsctl daemon start; secsctl simulator run etcher',
  )
  const daemon = new DemoProcess(
    'daemon',
    root,
    ['daemon', 'run', '--port', '0', '--hsms-host', '127.0.0.1'],
    env,
  )
  const simulator = new DemoProcess('simulator', root, ['simulator', 'run', 'etcher', '--port', '0'], env)
  processes.push(daemon, simulator)
  const [gatewayLine, listens] = await Promise.all([
    daemon.line(/^listening on /),
    simulator.line(/^listening on /),
  ])
  const url = gatewayLine.replace('listening on ', '')
  const port = Number(/:(\d+)$/.exec(listens)?.[1])
  demoReport.check(url.startsWith('http://127.0.0.1:'), `the gateway serves ${url}`)
  demoReport.check(port > 0, `the etcher listens for HSMS on port ${port}`)

  await runMainJob({ clock: on.clock, demoReport, url, ...admin, port })

  demoReport.step('Stop both', 'secsctl daemon stop')
  const codes = await Promise.all([daemon.stop(on.clock), simulator.stop(on.clock)])
  demoReport.check(codes[0] === 0, 'the gateway stopped in order')
}
